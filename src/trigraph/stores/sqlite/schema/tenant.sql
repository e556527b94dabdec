-- The tenant database at schema version 12, for people to read: generated, not executed.
-- Databases are made by migrations/tenant/. After a change there: python tests/migration/write_schema.py

CREATE TABLE migration (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;

-- The time of the latest transaction: times of writes never run backwards, whatever the clock does.
CREATE TABLE clock (
  only           INTEGER NOT NULL PRIMARY KEY CHECK (only = 1),
  last_commit_at INTEGER NOT NULL
) STRICT;

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
  passage_count INTEGER NOT NULL CHECK (passage_count > 0), root_id TEXT,
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
  last_verified_at INTEGER, group_name TEXT CHECK ((visibility = 'group') = (group_name IS NOT NULL)), superseded_by TEXT, verb TEXT NOT NULL DEFAULT 'remember', changed_by TEXT, reason TEXT, referenced_at INTEGER, stability_days REAL CHECK (stability_days > 0), difficulty REAL CHECK (difficulty BETWEEN 1 AND 10),
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
, last_erased_passage INTEGER NOT NULL DEFAULT 0, erasures INTEGER NOT NULL DEFAULT 0) STRICT;

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
, result TEXT CHECK (result IS NULL OR json_valid(result))) STRICT;

CREATE INDEX job_to_do ON job (project, name, not_before) WHERE state IN ('waiting', 'running');

CREATE INDEX memory_by_root ON memory (root_id) WHERE root_id IS NOT NULL;

CREATE INDEX memory_by_session ON memory (project, session, id) WHERE session IS NOT NULL;

CREATE TRIGGER memory_is_immutable
BEFORE UPDATE OF id, project, author, kind, text, content_hash, topic, topic_key, details, source, session, turn, uri, trust,
  thread_key, seq, speaker, role, occurred_at, created_at, passage_count ON memory
BEGIN
  SELECT RAISE(ABORT, 'a memory does not change: a change of text is a new memory');
END;

CREATE INDEX memory_version_superseded ON memory_version (superseded_by) WHERE superseded_by IS NOT NULL;

CREATE INDEX job_by_memory ON job (json_extract(payload, '$.memory_id'));

-- What was erased: ids and places stay taken, so that neither an import nor a thread sent again brings it back.
CREATE TABLE erased (
  id         TEXT    NOT NULL PRIMARY KEY,
  project    TEXT    NOT NULL,
  thread_key INTEGER REFERENCES thread (key),
  seq        INTEGER,
  at         INTEGER NOT NULL,
  by         TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX erased_by_place ON erased (thread_key, seq) WHERE thread_key IS NOT NULL;

CREATE TRIGGER erased_stays_erased BEFORE INSERT ON memory
WHEN EXISTS (SELECT 1 FROM erased WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM erased WHERE thread_key = NEW.thread_key AND seq = NEW.seq)
BEGIN
  SELECT RAISE(ABORT, 'what stood there was erased');
END;

-- One thing in the world. Its type is its one INSTANCE_OF; `state_from` is the start of its latest state, so
-- that an entity without a state cannot be.
CREATE TABLE entity (
  key        INTEGER NOT NULL PRIMARY KEY,
  id         TEXT    NOT NULL UNIQUE CHECK (length(id) = 28 AND id GLOB 'e_*'),
  short_id   TEXT    NOT NULL GENERATED ALWAYS AS (substr(id, -8)) STORED,
  project    TEXT    NOT NULL,
  author     TEXT    NOT NULL,
  type       TEXT    NOT NULL CHECK (type IN ('person', 'project', 'system', 'tool', 'concept', 'skill', 'task',
               'organization', 'location', 'material', 'vehicle', 'document', 'persona', 'unknown')),
  visibility TEXT    NOT NULL CHECK (visibility IN ('private', 'group', 'shared')),
  group_name TEXT,
  made_by    INTEGER REFERENCES memory (key) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  state_from INTEGER NOT NULL,
  CHECK ((visibility = 'group') = (group_name IS NOT NULL)),
  FOREIGN KEY (key, state_from) REFERENCES entity_state (entity_key, valid_from) DEFERRABLE INITIALLY DEFERRED
) STRICT;

CREATE INDEX entity_by_project ON entity (project, id);

CREATE INDEX entity_by_short_id ON entity (project, short_id);

CREATE INDEX entity_by_type ON entity (project, type, id);

CREATE INDEX entity_by_maker ON entity (made_by);

-- Changes of an entity: each state holds what it changed (a name, properties), and is read together with those before
-- it that the reader may see. Every state but one ends exactly where another begins, no two end together, and time only
-- goes forward: so they form one chain, without gap, overlap or cycle, and the database itself refuses any other.
CREATE TABLE entity_state (
  entity_key  INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  valid_from  INTEGER NOT NULL,
  valid_until INTEGER,
  known_from  INTEGER NOT NULL,
  event       TEXT    NOT NULL CHECK (event IN ('created', 'updated', 'status_changed', 'renamed', 'version_bumped',
                'superseded', 'retired', 'merged', 'restored')),
  name        TEXT    CHECK (length(name) > 0),
  props       TEXT    NOT NULL CHECK (json_type(props) = 'object'),
  cause_key   INTEGER REFERENCES memory (key) ON DELETE SET NULL,
  PRIMARY KEY (entity_key, valid_from),
  UNIQUE (entity_key, valid_until),
  FOREIGN KEY (entity_key, valid_until) REFERENCES entity_state (entity_key, valid_from)
    DEFERRABLE INITIALLY DEFERRED,
  CHECK (valid_until > valid_from)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX entity_state_open ON entity_state (entity_key) WHERE valid_until IS NULL;

CREATE INDEX entity_state_by_cause ON entity_state (cause_key);

-- Two changes at one instant leave one state, the later: the earlier ones stand here, for what was known before.
CREATE TABLE entity_state_replaced (
  entity_key INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  valid_from INTEGER NOT NULL,
  known_from INTEGER NOT NULL,
  event      TEXT    NOT NULL CHECK (event IN ('created', 'updated', 'status_changed', 'renamed', 'version_bumped',
               'superseded', 'retired', 'merged', 'restored')),
  name       TEXT    CHECK (length(name) > 0),
  props      TEXT    NOT NULL CHECK (json_type(props) = 'object'),
  cause_key  INTEGER REFERENCES memory (key) ON DELETE SET NULL,
  PRIMARY KEY (entity_key, valid_from, known_from)
) STRICT, WITHOUT ROWID;

CREATE INDEX entity_state_replaced_by_cause ON entity_state_replaced (cause_key);

CREATE VIEW supersession AS
SELECT prior.entity_key, prior.valid_from AS superseded_from, next.valid_from AS at, next.event, next.cause_key
FROM entity_state AS prior
JOIN entity_state AS next ON next.entity_key = prior.entity_key AND next.valid_from = prior.valid_until;

-- Every name of an entity, its canonical one among them, as it is compared; its lead, the first words by which it
-- is looked up; and the memory that said so.
CREATE TABLE alias (
  entity_key INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  project    TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  name_key   TEXT    NOT NULL CHECK (length(name_key) > 0),
  lead       TEXT    NOT NULL,
  memory_key INTEGER REFERENCES memory (key) ON DELETE SET NULL,
  known_from INTEGER NOT NULL,
  UNIQUE (entity_key, name_key, memory_key)
) STRICT;

CREATE INDEX alias_by_lead ON alias (project, lead, name_key);

CREATE INDEX alias_by_memory ON alias (memory_key);

-- A memory speaks of an entity. A mention holds as long as its memory does; at most one is the memory's subject.
CREATE TABLE mention (
  memory_key  INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  entity_key  INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  known_from  INTEGER NOT NULL,
  known_until INTEGER,
  start_char  INTEGER,
  end_char    INTEGER,
  confidence  REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  subject     INTEGER NOT NULL CHECK (subject IN (0, 1)),
  PRIMARY KEY (memory_key, entity_key, known_from),
  CHECK (known_until IS NULL OR known_until > known_from),
  CHECK ((start_char IS NULL) = (end_char IS NULL)),
  CHECK (end_char > start_char)
) STRICT, WITHOUT ROWID;

CREATE INDEX mention_by_entity ON mention (entity_key, memory_key);

CREATE UNIQUE INDEX mention_open ON mention (memory_key, entity_key) WHERE known_until IS NULL;

CREATE UNIQUE INDEX mention_subject ON mention (memory_key) WHERE subject = 1 AND known_until IS NULL;

-- Memory → memory, read "from VERB to". A changed confidence closes one row and opens the next, under one id.
CREATE TABLE link (
  key         INTEGER NOT NULL PRIMARY KEY,
  id          TEXT    NOT NULL CHECK (length(id) = 28 AND id GLOB 'l_*'),
  short_id    TEXT    NOT NULL GENERATED ALWAYS AS (substr(id, -8)) STORED,
  project     TEXT    NOT NULL,
  author      TEXT    NOT NULL,
  from_key    INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  to_key      INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  type        TEXT    NOT NULL CHECK (type IN ('supersedes', 'implements', 'outcome_of', 'relates_to', 'temporal',
                'contradicts', 'corrects', 'duplicate_of', 'derived_from')),
  confidence  REAL    NOT NULL CHECK (confidence BETWEEN 0 AND 1),
  created_by  TEXT    NOT NULL CHECK (created_by IN ('user', 'llm', 'system')),
  reason      TEXT,
  valid_from  INTEGER NOT NULL,
  valid_until INTEGER,
  known_from  INTEGER NOT NULL,
  known_until INTEGER, similarity REAL CHECK (similarity BETWEEN -1 AND 1), gap_seconds REAL CHECK (gap_seconds >= 0), span_start INTEGER CHECK (span_start >= 0), span_end INTEGER CHECK (span_end > span_start),
  UNIQUE (id, known_from),
  CHECK (from_key <> to_key),
  CHECK (valid_until IS NULL OR valid_until >= valid_from),
  CHECK (known_until IS NULL OR known_until > known_from)
) STRICT;

CREATE UNIQUE INDEX link_once ON link (from_key, to_key, type) WHERE known_until IS NULL;

CREATE UNIQUE INDEX link_open ON link (id) WHERE known_until IS NULL;

CREATE INDEX link_by_short_id ON link (project, short_id);

-- What was done with a memory that a recall showed. `recall_id` is no foreign key: events are rolled up.
CREATE TABLE citation (
  key        INTEGER NOT NULL PRIMARY KEY,
  project    TEXT    NOT NULL,
  agent      TEXT    NOT NULL,
  session    TEXT,
  recall_id  TEXT,
  memory_key INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  kind       TEXT    NOT NULL CHECK (kind IN ('cited', 'dismissed', 'flagged_stale', 'rewrote', 'saved_rework')),
  notes      TEXT,
  at         INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX citation_once ON citation (memory_key, agent, recall_id, kind) WHERE recall_id IS NOT NULL;

CREATE UNIQUE INDEX citation_at_once ON citation (memory_key, agent, kind, at) WHERE recall_id IS NULL;

CREATE INDEX citation_by_memory ON citation (memory_key, kind);

CREATE INDEX citation_by_session ON citation (project, session, agent) WHERE session IS NOT NULL;

-- Votes of agents on memories and links, and by how much each moved a confidence; the latest of an agent counts.
CREATE TABLE vote (
  target TEXT    NOT NULL,
  agent  TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  value  INTEGER NOT NULL CHECK (value IN (-1, 1)),
  moved  REAL    NOT NULL,
  reason TEXT,
  PRIMARY KEY (target, agent, at)
) STRICT, WITHOUT ROWID;

-- Answers already given, under the caller's own keys.
CREATE TABLE idempotency (
  project     TEXT    NOT NULL,
  agent       TEXT    NOT NULL,
  verb        TEXT    NOT NULL,
  key         TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  answer      TEXT    NOT NULL CHECK (json_valid(answer)),
  at          INTEGER NOT NULL,
  PRIMARY KEY (project, agent, verb, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_by_time ON idempotency (at);

-- What makes an entity a document: its collection, its id there as names are compared, and its file.
CREATE TABLE document (
  entity_key     INTEGER NOT NULL PRIMARY KEY REFERENCES entity (key) ON DELETE CASCADE,
  project        TEXT    NOT NULL,
  collection     TEXT    NOT NULL CHECK (length(collection) > 0),
  name_key       TEXT,
  path           TEXT,
  CHECK (name_key IS NOT NULL OR path IS NOT NULL)
) STRICT;

CREATE INDEX document_by_name ON document (project, collection, name_key) WHERE name_key IS NOT NULL;

CREATE INDEX document_by_path ON document (project, collection, path) WHERE path IS NOT NULL;

-- Entity → entity, read "source VERB target". It holds while one of its evidence rows does.
CREATE TABLE relation (
  key        INTEGER NOT NULL PRIMARY KEY,
  project    TEXT    NOT NULL,
  source_key INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  type       TEXT    NOT NULL CHECK (type IN ('REFERENCES', 'IMPLEMENTS', 'DEPENDS_ON', 'EXTENDS', 'SUPERSEDES',
               'RELATES_TO', 'PART_OF', 'USES', 'OWNS', 'NEEDS', 'CREATED_BY', 'WORKS_ON', 'MEMBER_OF', 'LOCATED_IN',
               'PREFERS', 'INTERESTED_IN', 'CAUSES', 'FIXES', 'BLOCKS')),
  target_key INTEGER NOT NULL REFERENCES entity (key) ON DELETE CASCADE,
  UNIQUE (source_key, type, target_key),
  CHECK (source_key <> target_key)
) STRICT;

CREATE INDEX relation_by_target ON relation (target_key);

CREATE INDEX relation_by_project ON relation (project, key);

-- Where a relation stands written. It is true as long as its memory is, and known over [known_from, known_until).
CREATE TABLE evidence (
  relation_key INTEGER NOT NULL REFERENCES relation (key) ON DELETE CASCADE,
  memory_key   INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  section      TEXT    NOT NULL,
  ordinal      INTEGER NOT NULL CHECK (ordinal >= 0),
  known_from   INTEGER NOT NULL,
  known_until  INTEGER,
  PRIMARY KEY (relation_key, memory_key, section, known_from),
  CHECK (known_until IS NULL OR known_until > known_from)
) STRICT, WITHOUT ROWID;

CREATE INDEX evidence_by_memory ON evidence (memory_key);

CREATE UNIQUE INDEX evidence_open ON evidence (relation_key, memory_key, section) WHERE known_until IS NULL;

CREATE INDEX mention_about ON mention (entity_key, memory_key) WHERE subject = 1;

CREATE INDEX link_drawn ON link (project, id) WHERE created_by = 'system' AND known_until IS NULL;

CREATE INDEX link_by_start ON link (from_key, type, confidence, known_from, known_until);

CREATE INDEX link_by_end ON link (to_key, type, confidence, known_from, known_until);

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

CREATE INDEX citation_by_time ON citation (project, at) WHERE recall_id IS NOT NULL;

CREATE INDEX memory_version_pinned ON memory_version (pinned, memory_key) WHERE pinned = 1;

-- Where each term stands, for passages that are weighed without asking the index for each of them.
CREATE VIRTUAL TABLE lexical_place USING fts5vocab ('lexical', 'instance');

CREATE INDEX memory_version_by_time ON memory_version (known_from);

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

-- Memories by their tags: every tag that any version of a memory ever had. Derived from the versions, which say whether
-- it still has it; made with them, in their transaction.
CREATE TABLE memory_tag (
  project    TEXT    NOT NULL,
  tag        TEXT    NOT NULL,
  memory_key INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  PRIMARY KEY (project, tag, memory_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX memory_tag_by_memory ON memory_tag (memory_key);

CREATE TRIGGER memory_version_tagged AFTER INSERT ON memory_version WHEN NEW.tags <> '[]'
BEGIN
  INSERT OR IGNORE INTO memory_tag (project, tag, memory_key)
  SELECT m.project, own.value, m.key
  FROM memory AS m JOIN json_each(NEW.tags) AS own WHERE m.key = NEW.memory_key;
END;

CREATE INDEX citation_by_day ON citation (project, at, agent, kind, recall_id, memory_key);

CREATE INDEX citation_by_recall ON citation (recall_id, agent, at) WHERE recall_id IS NOT NULL;

CREATE INDEX memory_by_time ON memory (project, created_at, author);

CREATE INDEX link_in_doubt ON link (project, type, id)
WHERE known_until IS NULL AND type IN ('contradicts', 'duplicate_of');
