-- Documents and relations: the semantic graph between entities. Automatic links keep what they were drawn by.

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

-- The memories that are about an entity.
CREATE INDEX mention_about ON mention (entity_key, memory_key) WHERE subject = 1;

-- By what the system drew a link: how alike its ends are, or how far apart in time.
ALTER TABLE link ADD COLUMN similarity REAL CHECK (similarity BETWEEN -1 AND 1);

ALTER TABLE link ADD COLUMN gap_seconds REAL CHECK (gap_seconds >= 0);

CREATE INDEX link_drawn ON link (project, id) WHERE created_by = 'system' AND known_until IS NULL;

-- A hub's links are put in order without reading them: the indexes hold all that it takes.
DROP INDEX link_by_start;

DROP INDEX link_by_end;

CREATE INDEX link_by_start ON link (from_key, type, confidence, known_from, known_until);

CREATE INDEX link_by_end ON link (to_key, type, confidence, known_from, known_until);
