-- The events database at schema version 4, for people to read: generated, not executed.
-- Databases are made by migrations/events/. After a change there: python tests/migration/write_schema.py

CREATE TABLE migration (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;

-- One row per recall. `candidates` is zlib-compressed JSON: with `weights` enough to recompute the fusion.
CREATE TABLE recall_event (
  key            INTEGER NOT NULL PRIMARY KEY,
  recall_id      TEXT    NOT NULL UNIQUE CHECK (length(recall_id) = 28 AND recall_id GLOB 'r_*'),
  tenant         TEXT    NOT NULL,
  project        TEXT    NOT NULL,
  agent          TEXT    NOT NULL,
  session        TEXT,
  query          TEXT    NOT NULL,
  query_class    TEXT    NOT NULL,
  profile        TEXT    NOT NULL,
  fusion         TEXT    NOT NULL,
  result_count   INTEGER NOT NULL,
  result_ids     TEXT    NOT NULL CHECK (json_type(result_ids) = 'array'),
  top_n_selected INTEGER NOT NULL,
  payload_bytes  INTEGER NOT NULL,
  exact_ids      TEXT    NOT NULL CHECK (json_type(exact_ids) = 'array'),
  weights        TEXT    NOT NULL CHECK (json_type(weights) = 'object'),
  legs           TEXT    NOT NULL CHECK (json_type(legs) = 'array'),
  candidates     BLOB    NOT NULL,
  milliseconds   REAL    NOT NULL,
  at             INTEGER NOT NULL
, features BLOB, explored TEXT) STRICT;

CREATE INDEX recall_event_by_time ON recall_event (project, agent, at);

-- Skills that a recall showed: what counts as a use of them.
CREATE TABLE skill_use (
  entity_id TEXT    NOT NULL,
  recall_id TEXT    NOT NULL,
  project   TEXT    NOT NULL,
  agent     TEXT    NOT NULL,
  at        INTEGER NOT NULL,
  PRIMARY KEY (entity_id, project, agent, recall_id)
) STRICT, WITHOUT ROWID;

-- Which memories a recall showed: so that it can be asked of a memory when it was shown, and to whom.
CREATE TABLE shown (
  memory_id TEXT    NOT NULL,
  recall_id TEXT    NOT NULL,
  project   TEXT    NOT NULL,
  agent     TEXT    NOT NULL,
  session   TEXT,
  rank      INTEGER NOT NULL CHECK (rank > 0),
  at        INTEGER NOT NULL,
  PRIMARY KEY (memory_id, recall_id)
) STRICT, WITHOUT ROWID;
