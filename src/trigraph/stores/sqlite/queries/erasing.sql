-- name: passages
-- What the indexes hold of a memory.
SELECT key, terms, term_count, identifiers FROM passage WHERE memory_key = :memory_key;

-- name: unindex_terms
-- Take a passage out of the lexical index, which must be told what it held.
INSERT INTO lexical (lexical, rowid, terms) VALUES ('delete', :passage_key, :terms);

-- name: unindex_identifiers
-- Take a passage out of the substring index.
INSERT INTO identifier (identifier, rowid, identifiers) VALUES ('delete', :passage_key, :identifiers);

-- name: take_from_totals
-- Keep the totals that BM25 needs; keys of erased passages are not used again.
UPDATE lexical_total SET passages = passages - :passages, terms = terms - :terms, erasures = erasures + 1,
  last_erased_passage = max(last_erased_passage, :last);

-- name: entomb
-- The id and the place of what is erased stay taken.
INSERT INTO erased (id, project, thread_key, seq, at, by)
SELECT id, project, thread_key, seq, :at, :agent FROM memory WHERE key = :memory_key;

-- name: entities
-- Entities that the memory speaks of, made, or changed.
SELECT entity_key FROM mention WHERE memory_key = :memory_key
UNION SELECT key FROM entity WHERE made_by = :memory_key
UNION SELECT entity_key FROM alias WHERE memory_key = :memory_key
UNION SELECT entity_key FROM entity_state WHERE cause_key = :memory_key
UNION SELECT entity_key FROM entity_state_replaced WHERE cause_key = :memory_key;

-- name: relations
-- Relations that the memory is evidence of.
SELECT DISTINCT relation_key FROM evidence WHERE memory_key = :memory_key;

-- name: delete_relation
-- A relation of which no other memory is evidence.
DELETE FROM relation WHERE key = :relation_key AND NOT EXISTS (
  SELECT 1 FROM evidence WHERE relation_key = :relation_key AND memory_key <> :memory_key);

-- name: spoken_of
-- Whether another memory speaks of an entity.
SELECT EXISTS (SELECT 1 FROM mention WHERE entity_key = :entity_key AND memory_key <> :memory_key);

-- name: delete_entity
-- Nothing speaks of an entity any more: it goes, with its names and states.
DELETE FROM entity WHERE key = :entity_key;

-- name: delete_aliases
-- Names that the memory gave to an entity, but for those it still goes by.
DELETE FROM alias
WHERE entity_key = :entity_key AND memory_key = :memory_key
  AND name NOT IN (SELECT name FROM entity_state WHERE entity_key = :entity_key AND name IS NOT NULL)
  AND name NOT IN (SELECT name FROM entity_state_replaced WHERE entity_key = :entity_key AND name IS NOT NULL);

-- name: delete_replaced
-- Changes by the memory that others of the same instant had replaced; what made the entity stays.
DELETE FROM entity_state_replaced
WHERE entity_key = :entity_key AND cause_key = :memory_key AND event <> 'created';

-- name: caused
-- Changes by the memory, the latest first; what made the entity stays.
SELECT valid_from, valid_until FROM entity_state
WHERE entity_key = :entity_key AND cause_key = :memory_key AND event <> 'created' ORDER BY valid_from DESC;

-- name: delete_state
-- Take a change out of the chain.
DELETE FROM entity_state WHERE entity_key = :entity_key AND valid_from = :valid_from;

-- name: promote_state
-- What it had replaced stands in its place again.
INSERT INTO entity_state (entity_key, valid_from, valid_until, known_from, event, name, props, cause_key)
SELECT entity_key, valid_from, :valid_until, known_from, event, name, props, cause_key
FROM entity_state_replaced WHERE entity_key = :entity_key AND valid_from = :valid_from
ORDER BY known_from DESC LIMIT 1
RETURNING known_from;

-- name: delete_promoted
-- Once.
DELETE FROM entity_state_replaced
WHERE entity_key = :entity_key AND valid_from = :valid_from AND known_from = :known_from;

-- name: bridge_state
-- The state before the one taken out lasts as long as that did.
UPDATE entity_state SET valid_until = :valid_until WHERE entity_key = :entity_key AND valid_until = :valid_from;

-- name: point_at_last_state
-- The entity's latest state is the open one.
UPDATE entity SET state_from = (
  SELECT valid_from FROM entity_state WHERE entity_key = :entity_key AND valid_until IS NULL)
WHERE key = :entity_key;

-- name: scrub_made
-- What made the entity stays, without what the memory said of it.
UPDATE entity_state SET props = '{}' WHERE entity_key = :entity_key AND cause_key = :memory_key;

-- name: scrub_made_replaced
-- The same where another took its place.
UPDATE entity_state_replaced SET props = '{}' WHERE entity_key = :entity_key AND cause_key = :memory_key;

-- name: unplace
-- Where the file of its text stood, if no other text of the document is left.
UPDATE document SET path = NULL
WHERE entity_key = :entity_key AND name_key IS NOT NULL
  AND EXISTS (SELECT 1 FROM mention WHERE entity_key = :entity_key AND memory_key = :memory_key AND subject = 1)
  AND NOT EXISTS (
    SELECT 1 FROM mention AS n CROSS JOIN memory AS m ON m.key = n.memory_key AND m.kind = 'document'
    WHERE n.entity_key = :entity_key AND n.subject = 1 AND n.memory_key <> :memory_key);

-- name: unroot
-- Corrections of it stand by themselves.
UPDATE memory SET root_id = NULL WHERE root_id = :id;

-- name: unsucceed
-- What it took the place of no longer names it.
UPDATE memory_version SET superseded_by = NULL WHERE superseded_by = :id;

-- name: delete_votes
-- Votes on it and on its links.
DELETE FROM vote WHERE target = :id
  OR target IN (SELECT id FROM link WHERE from_key = :memory_key OR to_key = :memory_key);

-- name: delete_jobs
-- Work that waited for it.
DELETE FROM job WHERE project = :project AND json_extract(payload, '$.memory_id') = :id;

-- name: delete_answers
-- Answers that named it, and the fingerprints of its text with them.
DELETE FROM idempotency WHERE project = :project AND instr(answer, :id);

-- name: blank_previews
-- What was made of compositions that it took part in, or that quote its opening words.
UPDATE composition SET output_preview = '', metadata = json_set(metadata, '$.reasoning_preview', '')
WHERE project = :project AND (key IN (SELECT event_key FROM composition_member WHERE memory_id = :id)
  OR (length(:opening) >= 8 AND (instr(lower(output_preview), lower(:opening))
    OR instr(lower(metadata ->> 'reasoning_preview'), lower(:opening)))));

-- name: blank_queries
-- Questions that quote its opening words, or that are a piece of it.
UPDATE composition SET query = '', query_hash = ''
WHERE project = :project AND query <> '' AND ((length(:opening) >= 8 AND instr(lower(query), lower(:opening)))
  OR (length(query) >= 8 AND instr(lower(:words), lower(query))
    AND key IN (SELECT event_key FROM composition_member WHERE memory_id = :id)));

-- name: blank_notes
-- Notes on compositions that quote its opening words.
UPDATE composition_outcome SET notes = NULL
WHERE length(:opening) >= 8 AND instr(lower(notes), lower(:opening))
  AND event_key IN (SELECT key FROM composition WHERE project = :project);

-- name: blank_members
-- The copies that compositions keep of it; who could see it stays, so that nobody learns more by its being gone.
UPDATE composition_member SET preview = '', tags = '[]', text = '', author = m.author, visibility = v.visibility,
  group_name = v.group_name
FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
WHERE m.key = :memory_key AND composition_member.memory_id = m.id;

-- name: words
-- The text of a memory.
SELECT text FROM memory WHERE key = :memory_key;

-- name: delete_memory
-- The row, and with it versions, passages, vectors, mentions, links and citations.
DELETE FROM memory WHERE key = :memory_key;
