-- The registry database at schema version 1, for people to read: generated, not executed.
-- Databases are made by migrations/registry/. After a change there: python tests/migration/write_schema.py

CREATE TABLE migration (number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT;

CREATE TABLE tenant (
  name       TEXT    NOT NULL PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE project (
  tenant     TEXT    NOT NULL REFERENCES tenant (name),
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
