-- The events database at schema version 5, for people to read: generated, not executed.
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

-- What is counted of each recall: few bytes beside its event, whose candidates take thousands. `whole` says whether the
-- candidates are still kept, `asked` whether the query is.
CREATE TABLE recall_figure (
  recall_id       TEXT    NOT NULL UNIQUE,
  project         TEXT    NOT NULL,
  agent           TEXT    NOT NULL,
  session         TEXT,
  query_class     TEXT    NOT NULL,
  at              INTEGER NOT NULL,
  shown           INTEGER NOT NULL,
  payload_bytes   INTEGER NOT NULL,
  milliseconds    REAL    NOT NULL,
  whole           INTEGER NOT NULL CHECK (whole IN (0, 1)),
  asked           INTEGER NOT NULL CHECK (asked IN (0, 1)),
  vector_status   TEXT,
  vector_count    INTEGER,
  lexical_status  TEXT,
  lexical_count   INTEGER,
  graph_status    TEXT,
  graph_count     INTEGER,
  temporal_status TEXT,
  temporal_count  INTEGER,
  PRIMARY KEY (project, at, recall_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX recall_figure_by_agent ON recall_figure (project, agent, at);

CREATE INDEX recall_figure_whole ON recall_figure (project, at) WHERE whole = 1;

CREATE INDEX recall_figure_asked ON recall_figure (project, at) WHERE asked = 1;

-- What is left of recalls whose events are no longer kept: counts by day of UTC, agent and class of query.
CREATE TABLE recall_day (
  project           TEXT    NOT NULL,
  day               INTEGER NOT NULL,
  agent             TEXT    NOT NULL,
  query_class       TEXT    NOT NULL,
  recalls           INTEGER NOT NULL,
  hits              INTEGER NOT NULL,
  misses            INTEGER NOT NULL,
  undecided         INTEGER NOT NULL,
  empty             INTEGER NOT NULL,
  stale             INTEGER NOT NULL,
  payload_bytes     INTEGER NOT NULL,
  milliseconds      REAL    NOT NULL,
  cited             INTEGER NOT NULL,
  dismissed         INTEGER NOT NULL,
  flagged_stale     INTEGER NOT NULL,
  rewrote           INTEGER NOT NULL,
  saved_rework      INTEGER NOT NULL,
  vector_asked      INTEGER NOT NULL,
  vector_found      INTEGER NOT NULL,
  vector_degraded   INTEGER NOT NULL,
  lexical_asked     INTEGER NOT NULL,
  lexical_found     INTEGER NOT NULL,
  lexical_degraded  INTEGER NOT NULL,
  graph_asked       INTEGER NOT NULL,
  graph_found       INTEGER NOT NULL,
  graph_degraded    INTEGER NOT NULL,
  temporal_asked    INTEGER NOT NULL,
  temporal_found    INTEGER NOT NULL,
  temporal_degraded INTEGER NOT NULL,
  PRIMARY KEY (project, day, agent, query_class)
) STRICT, WITHOUT ROWID;

-- How often such recalls had shown a memory, and when last.
CREATE TABLE shown_before (
  project   TEXT    NOT NULL,
  memory_id TEXT    NOT NULL,
  agent     TEXT    NOT NULL,
  shown     INTEGER NOT NULL,
  last_at   INTEGER NOT NULL,
  PRIMARY KEY (project, memory_id, agent)
) STRICT, WITHOUT ROWID;

CREATE INDEX shown_by_project ON shown (project, memory_id, agent, at);
