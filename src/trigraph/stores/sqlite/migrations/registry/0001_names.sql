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

INSERT INTO tenant (name, created_at) VALUES ('default', 0);

INSERT INTO project (tenant, name, created_at) VALUES ('default', 'default', 0);
