-- Memories by their tags: every tag that any version of a memory ever had. Derived from the versions, which say whether
-- it still has it; made with them, in their transaction.
CREATE TABLE memory_tag (
  project    TEXT    NOT NULL,
  tag        TEXT    NOT NULL,
  memory_key INTEGER NOT NULL REFERENCES memory (key) ON DELETE CASCADE,
  PRIMARY KEY (project, tag, memory_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX memory_tag_by_memory ON memory_tag (memory_key);

INSERT OR IGNORE INTO memory_tag (project, tag, memory_key)
SELECT m.project, own.value, m.key
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key JOIN json_each(v.tags) AS own;

CREATE TRIGGER memory_version_tagged AFTER INSERT ON memory_version WHEN NEW.tags <> '[]'
BEGIN
  INSERT OR IGNORE INTO memory_tag (project, tag, memory_key)
  SELECT m.project, own.value, m.key
  FROM memory AS m JOIN json_each(NEW.tags) AS own WHERE m.key = NEW.memory_key;
END;
