-- Skills that a recall showed: what counts as a use of them.
CREATE TABLE skill_use (
  entity_id TEXT    NOT NULL,
  recall_id TEXT    NOT NULL,
  project   TEXT    NOT NULL,
  agent     TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  PRIMARY KEY (entity_id, project, agent, recall_id)
) STRICT, WITHOUT ROWID;
