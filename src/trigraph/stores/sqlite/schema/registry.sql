-- The registry database at schema version 3, for people to read: generated, not executed.
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

-- Agents of a project. One that is not here is isolated: it sees what it wrote itself.
CREATE TABLE agent (
  tenant      TEXT    NOT NULL,
  project     TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  read_policy TEXT    NOT NULL CHECK (read_policy IN ('isolated', 'group', 'shared')),
  domains     TEXT    NOT NULL CHECK (json_type(domains) = 'array'),
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, name),
  FOREIGN KEY (tenant, project) REFERENCES project (tenant, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Agents that share what names their group.
CREATE TABLE agent_group (
  tenant     TEXT    NOT NULL,
  project    TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (tenant, project, name),
  FOREIGN KEY (tenant, project) REFERENCES project (tenant, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE membership (
  tenant     TEXT    NOT NULL,
  project    TEXT    NOT NULL,
  group_name TEXT    NOT NULL,
  agent      TEXT    NOT NULL,
  PRIMARY KEY (tenant, project, group_name, agent),
  FOREIGN KEY (tenant, project, group_name) REFERENCES agent_group (tenant, project, name) ON DELETE CASCADE,
  FOREIGN KEY (tenant, project, agent) REFERENCES agent (tenant, project, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX membership_by_agent ON membership (tenant, project, agent, group_name);

-- Of a token only the SHA-256 is kept: 256 random bits need no salt and no slow hash. Without a project it is good in
-- every project of its tenant.
CREATE TABLE token (
  id         TEXT    NOT NULL PRIMARY KEY CHECK (length(id) = 28 AND id GLOB 'k_*'),
  hash       TEXT    NOT NULL CHECK (length(hash) = 64),
  tenant     TEXT    NOT NULL REFERENCES tenant (name),
  project    TEXT,
  agent      TEXT    NOT NULL,
  name       TEXT    NOT NULL,
  rights     TEXT    NOT NULL CHECK (json_type(rights) = 'array'),
  created_at INTEGER NOT NULL,
  used_at    INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER,
  FOREIGN KEY (tenant, project, agent) REFERENCES agent (tenant, project, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX token_by_place ON token (tenant, project, agent);
