-- What spoke for the hits that a recall showed, as zlib-compressed JSON: {"names": […], "shown": [[memory, rank, beyond,
-- […]], …]}; null where no learnt order ranked them. `explored` is the hit that was shown to learn from.
ALTER TABLE recall_event ADD COLUMN features BLOB;

ALTER TABLE recall_event ADD COLUMN explored TEXT;
