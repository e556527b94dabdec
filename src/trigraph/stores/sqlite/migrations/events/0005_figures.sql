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

INSERT INTO recall_figure (recall_id, project, agent, session, query_class, at, shown, payload_bytes, milliseconds,
  whole, asked, vector_status, vector_count, lexical_status, lexical_count, graph_status, graph_count, temporal_status,
  temporal_count)
SELECT e.recall_id, e.project, e.agent, e.session, e.query_class, e.at, json_array_length(e.result_ids),
  e.payload_bytes, e.milliseconds, 1, e.query <> '',
  (SELECT value ->> 'status' FROM json_each(e.legs) WHERE value ->> 'leg' = 'vector'),
  (SELECT value ->> 'count' FROM json_each(e.legs) WHERE value ->> 'leg' = 'vector'),
  (SELECT value ->> 'status' FROM json_each(e.legs) WHERE value ->> 'leg' = 'lexical'),
  (SELECT value ->> 'count' FROM json_each(e.legs) WHERE value ->> 'leg' = 'lexical'),
  (SELECT value ->> 'status' FROM json_each(e.legs) WHERE value ->> 'leg' = 'graph'),
  (SELECT value ->> 'count' FROM json_each(e.legs) WHERE value ->> 'leg' = 'graph'),
  (SELECT value ->> 'status' FROM json_each(e.legs) WHERE value ->> 'leg' = 'temporal'),
  (SELECT value ->> 'count' FROM json_each(e.legs) WHERE value ->> 'leg' = 'temporal')
FROM recall_event AS e;

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
