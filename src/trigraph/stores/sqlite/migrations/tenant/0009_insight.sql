-- Who cited and wrote when, and what was said of a recall: counted without reading the rows.
CREATE INDEX citation_by_day ON citation (project, at, agent, kind, recall_id, memory_key);

CREATE INDEX citation_by_recall ON citation (recall_id, agent, at) WHERE recall_id IS NOT NULL;

CREATE INDEX memory_by_time ON memory (project, created_at, author);
