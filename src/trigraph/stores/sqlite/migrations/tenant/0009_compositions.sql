-- Memories used together for one answer: what was asked of what, and what was made of it. Never changed, but that what
-- was erased is blanked: `query_hash` is empty where the query is. Unless it is `told`, the question and what was made
-- of it are the author's alone.
CREATE TABLE composition (
  key            INTEGER NOT NULL PRIMARY KEY,
  id             TEXT    NOT NULL UNIQUE CHECK (length(id) = 28 AND id GLOB 'c_*'),
  short_id       TEXT    NOT NULL GENERATED ALWAYS AS (substr(id, -8)) STORED,
  project        TEXT    NOT NULL,
  author         TEXT    NOT NULL,
  at             INTEGER NOT NULL,
  tool           TEXT    NOT NULL,
  mode           TEXT    NOT NULL,
  query          TEXT    NOT NULL,
  query_hash     TEXT    NOT NULL,
  told           INTEGER NOT NULL CHECK (told IN (0, 1)),
  confidence     REAL    CHECK (confidence BETWEEN 0 AND 1),
  status         TEXT    CHECK (status IN ('claim_contradicts_memory', 'resolved', 'contradictions_found',
                   'partial_evidence')),
  output_preview TEXT    NOT NULL,
  metadata       TEXT    NOT NULL CHECK (json_type(metadata) = 'object')
) STRICT;

CREATE INDEX composition_by_project ON composition (project, id);

CREATE INDEX composition_by_short_id ON composition (project, short_id);

-- A memory that took part, as it was then. `memory_id` is no foreign key: it stays known that a memory took part,
-- whatever became of it. When it is erased its copy goes, and who could see it until then is kept instead.
CREATE TABLE composition_member (
  event_key   INTEGER NOT NULL REFERENCES composition (key) ON DELETE CASCADE,
  memory_id   TEXT    NOT NULL CHECK (length(memory_id) = 28 AND memory_id GLOB 'm_*'),
  role        TEXT    NOT NULL CHECK (role IN ('primary', 'supporting', 'contradicting', 'superseded')),
  rank        INTEGER NOT NULL CHECK (rank >= 1),
  trust       REAL    CHECK (trust BETWEEN 0 AND 1),
  score       REAL,
  preview     TEXT    NOT NULL,
  tags        TEXT    NOT NULL CHECK (json_type(tags) = 'array'),
  text        TEXT    NOT NULL,
  replaced_by TEXT,
  author      TEXT,
  visibility  TEXT    CHECK (visibility IN ('private', 'group', 'shared')),
  group_name  TEXT,
  PRIMARY KEY (event_key, memory_id, role)
) STRICT, WITHOUT ROWID;

CREATE INDEX composition_member_by_memory ON composition_member (memory_id);

-- What somebody said came of a composition.
CREATE TABLE composition_outcome (
  event_key        INTEGER NOT NULL REFERENCES composition (key) ON DELETE CASCADE,
  at               INTEGER NOT NULL,
  author           TEXT    NOT NULL,
  label            TEXT    NOT NULL CHECK (label IN ('helpful', 'dead_end', 'submitted', 'accepted', 'rejected',
                     'duplicate_risk', 'needs_poc', 'bad_severity', 'user_promoted', 'user_demoted', 'closed_by_scope',
                     'closed_by_duplicate', 'closed_by_false_assumption', 'closed_by_user', 'expired_lane')),
  source           TEXT    NOT NULL,
  confidence_delta REAL    NOT NULL CHECK (confidence_delta BETWEEN -1 AND 1),
  notes            TEXT,
  PRIMARY KEY (event_key, at, author, label)
) STRICT, WITHOUT ROWID;
