-- What becomes of memories in use: how firmly they are held, restatements, work in the queue, entities that are one.

-- When a memory was last cited, restated or confirmed, and how firmly it is held by then.
ALTER TABLE memory_version ADD COLUMN referenced_at INTEGER;

ALTER TABLE memory_version ADD COLUMN stability_days REAL CHECK (stability_days > 0);

ALTER TABLE memory_version ADD COLUMN difficulty REAL CHECK (difficulty BETWEEN 1 AND 10);

-- Which words of its source a derived memory was taken from.
ALTER TABLE link ADD COLUMN span_start INTEGER CHECK (span_start >= 0);

ALTER TABLE link ADD COLUMN span_end INTEGER CHECK (span_end > span_start);

-- A memory was said again, in other words: by whom, when, where; and by how much that raised its confidence.
CREATE TABLE restatement (
  key        INTEGER NOT NULL PRIMARY KEY,
  memory_key INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  project    TEXT    NOT NULL,
  author     TEXT    NOT NULL,
  source     TEXT    NOT NULL CHECK (source IN ('user', 'agent', 'skill', 'hook', 'turn', 'distillation',
               'reflection', 'document', 'import', 'other_agent', 'tool_output', 'web')),
  session    TEXT,
  turn       TEXT,
  uri        TEXT,
  at         INTEGER NOT NULL,
  raised     REAL    NOT NULL CHECK (raised >= 0),
  UNIQUE (memory_key, at)
) STRICT;

CREATE INDEX restatement_by_source ON restatement (project, source, at);

CREATE INDEX memory_by_source ON memory (project, source, id);

-- What a job came to.
ALTER TABLE job ADD COLUMN result TEXT CHECK (result IS NULL OR json_valid(result));

-- Jobs that somebody works off, in the order in which they are due.
CREATE INDEX job_due ON job (project, not_before, key) WHERE state IN ('waiting', 'running') AND name <> 'embed';

CREATE INDEX job_by_author ON job (project, author, key) WHERE name <> 'embed';

CREATE INDEX job_finished ON job (project, finished_at) WHERE state = 'done';

-- Mentions, names and relations that went from one entity to another because both are one, or because one was two.
-- What was moved is what is known of either from `at` on; undone, it goes back. `names` are those (as they are compared)
-- that the one it went from has no longer; `gave_type` is what sort of thing the other is since; `memory_key` tells it.
CREATE TABLE entity_move (
  key        INTEGER NOT NULL PRIMARY KEY,
  id         TEXT    NOT NULL UNIQUE CHECK (length(id) = 28 AND id GLOB 'g_*'),
  short_id   TEXT    NOT NULL GENERATED ALWAYS AS (substr(id, -8)) STORED,
  project    TEXT    NOT NULL,
  author     TEXT    NOT NULL,
  verb       TEXT    NOT NULL CHECK (verb IN ('merge', 'split')),
  from_key   INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  to_key     INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  memory_key INTEGER REFERENCES memory (key) ON DELETE SET NULL,
  at         INTEGER NOT NULL,
  reason     TEXT,
  names      TEXT    NOT NULL CHECK (json_type(names) = 'array'),
  gave_type  TEXT,
  undone_at  INTEGER,
  CHECK (from_key <> to_key)
) STRICT;

CREATE INDEX entity_move_from ON entity_move (from_key);

CREATE INDEX entity_move_to ON entity_move (to_key);

CREATE INDEX entity_move_by_memory ON entity_move (memory_key);

CREATE INDEX entity_move_by_short_id ON entity_move (project, short_id);

-- When the memory that tells it is erased, its reason goes, too.
CREATE TRIGGER entity_move_untold AFTER UPDATE OF memory_key ON entity_move
WHEN NEW.memory_key IS NULL AND NEW.reason IS NOT NULL
BEGIN
  UPDATE entity_move SET reason = NULL WHERE key = NEW.key;
END;

-- Two entities that may be one, for somebody to say; and what was said.
CREATE TABLE entity_pair (
  key        INTEGER NOT NULL PRIMARY KEY,
  id         TEXT    NOT NULL UNIQUE CHECK (length(id) = 28 AND id GLOB 'p_*'),
  short_id   TEXT    NOT NULL GENERATED ALWAYS AS (substr(id, -8)) STORED,
  project    TEXT    NOT NULL,
  author     TEXT    NOT NULL,
  one_key    INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  other_key  INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  score      REAL    NOT NULL CHECK (score BETWEEN 0 AND 1),
  reason     TEXT    NOT NULL,
  state      TEXT    NOT NULL CHECK (state IN ('open', 'one', 'two')),
  at         INTEGER NOT NULL,
  decided_at INTEGER,
  decided_by TEXT,
  UNIQUE (one_key, other_key),
  CHECK (one_key < other_key)
) STRICT;

CREATE INDEX entity_pair_open ON entity_pair (project, key) WHERE state = 'open';

CREATE INDEX entity_pair_apart ON entity_pair (project) WHERE state = 'two';

CREATE INDEX entity_pair_by_other ON entity_pair (other_key);

CREATE INDEX entity_pair_by_short_id ON entity_pair (project, short_id);
