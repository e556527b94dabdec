-- What a project's citations taught of what features weigh, how that was judged, and whether it is used. `learnt_from`
-- tells which shipped weights it started from.
CREATE TABLE scorer (
  project     TEXT    NOT NULL PRIMARY KEY,
  state       TEXT    NOT NULL CHECK (state IN ('off', 'waiting', 'promoted')),
  why         TEXT    NOT NULL,
  weights     TEXT    NOT NULL CHECK (json_type(weights) = 'object'),
  learnt_from TEXT    NOT NULL,
  evidence    TEXT    NOT NULL CHECK (json_type(evidence) = 'object'),
  judged      TEXT    CHECK (judged IS NULL OR json_type(judged) = 'object'),
  trained_at  INTEGER
) STRICT, WITHOUT ROWID;

-- Citations of hits, in the order of time, for whoever learns from them.
CREATE INDEX citation_by_time ON citation (project, at) WHERE recall_id IS NOT NULL;
