-- The memory whose usage history this one continues: set when it corrects another.
ALTER TABLE memory ADD COLUMN root_id TEXT;

CREATE INDEX memory_by_root ON memory (root_id) WHERE root_id IS NOT NULL;
CREATE INDEX memory_by_session ON memory (project, session, id) WHERE session IS NOT NULL;

CREATE TRIGGER memory_is_immutable
BEFORE UPDATE OF id, project, author, kind, text, content_hash, topic, topic_key, details, source, session, turn, uri, trust,
  thread_key, seq, speaker, role, occurred_at, created_at, passage_count ON memory
BEGIN
  SELECT RAISE(ABORT, 'a memory does not change: a change of text is a new memory');
END;

-- The group that a memory of visibility group names; what took its place; and which verb made this version, by
-- whom (null: the author) and why.
ALTER TABLE memory_version ADD COLUMN group_name TEXT CHECK ((visibility = 'group') = (group_name IS NOT NULL));
ALTER TABLE memory_version ADD COLUMN superseded_by TEXT;
ALTER TABLE memory_version ADD COLUMN verb TEXT NOT NULL DEFAULT 'remember';
ALTER TABLE memory_version ADD COLUMN changed_by TEXT;
ALTER TABLE memory_version ADD COLUMN reason TEXT;

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

-- Keys of erased passages are not used again, and in-process indexes see by the count that they must be built anew.
ALTER TABLE lexical_total ADD COLUMN last_erased_passage INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lexical_total ADD COLUMN erasures INTEGER NOT NULL DEFAULT 0;

INSERT INTO lexical (lexical, rank) VALUES ('secure-delete', 1);
INSERT INTO identifier (identifier, rank) VALUES ('secure-delete', 1);

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

-- State → next state, with what happened, when, and the memory that caused it.
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
  known_until INTEGER,
  UNIQUE (id, known_from),
  CHECK (from_key <> to_key),
  CHECK (valid_until IS NULL OR valid_until >= valid_from),
  CHECK (known_until IS NULL OR known_until > known_from)
) STRICT;

CREATE UNIQUE INDEX link_once ON link (from_key, to_key, type) WHERE known_until IS NULL;
CREATE UNIQUE INDEX link_open ON link (id) WHERE known_until IS NULL;
CREATE INDEX link_by_start ON link (from_key, type);
CREATE INDEX link_by_end ON link (to_key, type);
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
