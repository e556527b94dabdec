-- The time of the latest transaction: times of writes never run backwards, whatever the clock does.
CREATE TABLE clock (
  only           INTEGER NOT NULL PRIMARY KEY CHECK (only = 1),
  last_commit_at INTEGER NOT NULL
) STRICT;

INSERT INTO clock (only, last_commit_at) VALUES (1, 0);

CREATE TABLE thread (
  key        INTEGER NOT NULL PRIMARY KEY,
  id         TEXT    NOT NULL UNIQUE CHECK (length(id) = 28 AND id GLOB 't_*'),
  project    TEXT    NOT NULL,
  author     TEXT    NOT NULL,
  name       TEXT,
  session    TEXT,
  title      TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX thread_by_name ON thread (project, author, name) WHERE name IS NOT NULL;

-- A memory's text and all that never changes about it. A change of text is a new memory.
CREATE TABLE memory (
  key           INTEGER NOT NULL PRIMARY KEY,
  id            TEXT    NOT NULL UNIQUE CHECK (length(id) = 28 AND id GLOB 'm_*'),
  short_id      TEXT    NOT NULL GENERATED ALWAYS AS (substr(id, -8)) STORED,
  project       TEXT    NOT NULL,
  author        TEXT    NOT NULL,
  kind          TEXT    NOT NULL CHECK (kind IN ('episode', 'fact', 'preference', 'decision', 'checkpoint',
                  'insight', 'context', 'constraint', 'outcome', 'skill', 'document', 'summary')),
  text          TEXT    NOT NULL CHECK (length(text) > 0),
  content_hash  TEXT    NOT NULL CHECK (length(content_hash) = 64),
  topic         TEXT,
  topic_key     TEXT,
  details       TEXT    CHECK (details IS NULL OR json_valid(details)),
  source        TEXT    NOT NULL CHECK (source IN ('user', 'agent', 'skill', 'hook', 'turn', 'distillation',
                  'reflection', 'document', 'import', 'other_agent', 'tool_output', 'web')),
  session       TEXT,
  turn          TEXT,
  uri           TEXT,
  trust         REAL    NOT NULL CHECK (trust BETWEEN 0 AND 1),
  thread_key    INTEGER REFERENCES thread (key),
  seq           INTEGER CHECK (seq >= 0),
  speaker       TEXT,
  role          TEXT,
  occurred_at   INTEGER,
  created_at    INTEGER NOT NULL,
  passage_count INTEGER NOT NULL CHECK (passage_count > 0),
  CHECK ((thread_key IS NULL) = (seq IS NULL)),
  CHECK ((kind = 'episode') = (thread_key IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX memory_by_place ON memory (thread_key, seq) WHERE thread_key IS NOT NULL;
CREATE INDEX memory_by_project ON memory (project, id);
CREATE INDEX memory_by_kind ON memory (project, kind, id);
CREATE INDEX memory_by_short_id ON memory (project, short_id);
CREATE INDEX memory_by_content ON memory (project, content_hash);
CREATE INDEX memory_by_topic ON memory (project, topic_key) WHERE topic_key IS NOT NULL;

-- What may change about a memory without changing its text. One version is open; closed ones stay,
-- so that what was known at any time can be read again.
CREATE TABLE memory_version (
  memory_key       INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  known_from       INTEGER NOT NULL,
  known_until      INTEGER,
  valid_from       INTEGER NOT NULL,
  valid_until      INTEGER,
  retracted_at     INTEGER,
  status           TEXT    NOT NULL CHECK (status IN ('active', 'quarantined', 'forgotten', 'archived')),
  visibility       TEXT    NOT NULL CHECK (visibility IN ('private', 'group', 'shared')),
  tags             TEXT    NOT NULL CHECK (json_type(tags) = 'array'),
  domains          TEXT    NOT NULL CHECK (json_type(domains) = 'array'),
  confidence       REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  pinned           INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  last_verified_at INTEGER,
  PRIMARY KEY (memory_key, known_from),
  CHECK (known_until IS NULL OR known_until > known_from),
  CHECK (valid_until IS NULL OR valid_until >= valid_from)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX memory_version_open ON memory_version (memory_key) WHERE known_until IS NULL;

-- A piece of a memory, as the indexes see it: analysed terms and identifiers of its span of the text.
CREATE TABLE passage (
  key         INTEGER NOT NULL PRIMARY KEY,
  memory_key  INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  ordinal     INTEGER NOT NULL CHECK (ordinal >= 0),
  start_char  INTEGER NOT NULL,
  end_char    INTEGER NOT NULL,
  label       TEXT,
  terms       TEXT    NOT NULL,
  term_count  INTEGER NOT NULL,
  identifiers TEXT    NOT NULL,
  UNIQUE (memory_key, ordinal),
  CHECK (end_char > start_char)
) STRICT;

-- Derived: rebuilt from passage by INSERT INTO lexical (lexical) VALUES ('rebuild').
CREATE VIRTUAL TABLE lexical USING fts5 (
  terms, content = 'passage', content_rowid = 'key', tokenize = 'unicode61 remove_diacritics 0'
);

CREATE VIRTUAL TABLE lexical_term USING fts5vocab ('lexical', 'row');

-- Derived likewise: finds identifiers by any part of three characters or more.
CREATE VIRTUAL TABLE identifier USING fts5 (
  identifiers, content = 'passage', content_rowid = 'key', tokenize = 'trigram'
);

-- Totals that BM25 needs, kept in the transaction that changes them.
CREATE TABLE lexical_total (
  only     INTEGER NOT NULL PRIMARY KEY CHECK (only = 1),
  passages INTEGER NOT NULL,
  terms    INTEGER NOT NULL
) STRICT;

INSERT INTO lexical_total (only, passages, terms) VALUES (1, 0, 0);

-- Embedding models whose vectors are here. The pinned one is searched; another may be filling up.
CREATE TABLE embedding_model (
  key       INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  project   TEXT    NOT NULL,
  model_id  TEXT    NOT NULL,
  dimension INTEGER NOT NULL CHECK (dimension > 0),
  pinned    INTEGER NOT NULL CHECK (pinned IN (0, 1)),
  UNIQUE (project, model_id, dimension)
) STRICT;

CREATE UNIQUE INDEX embedding_model_pinned ON embedding_model (project) WHERE pinned = 1;

-- A vector per passage and model: a 4-byte scale, then one signed byte per dimension. In-process
-- indexes follow `seq`: transactions commit in its order, so whoever has seen n has seen all up to n.
CREATE TABLE vector (
  seq         INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  model_key   INTEGER NOT NULL REFERENCES embedding_model (key) ON DELETE CASCADE,
  passage_key INTEGER NOT NULL REFERENCES passage (key) ON DELETE CASCADE,
  embedding   BLOB    NOT NULL,
  UNIQUE (model_key, passage_key)
) STRICT;

CREATE INDEX vector_by_model ON vector (model_key, seq);
CREATE INDEX vector_by_passage ON vector (passage_key);

CREATE TABLE job (
  key         INTEGER NOT NULL PRIMARY KEY,
  id          TEXT    NOT NULL UNIQUE CHECK (length(id) = 28 AND id GLOB 'j_*'),
  project     TEXT    NOT NULL,
  author      TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  payload     TEXT    NOT NULL CHECK (json_valid(payload)),
  state       TEXT    NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'dead')),
  attempts    INTEGER NOT NULL CHECK (attempts >= 0),
  not_before  INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  finished_at INTEGER,
  last_error  TEXT
) STRICT;

CREATE INDEX job_to_do ON job (project, name, not_before) WHERE state IN ('waiting', 'running');
