-- Tokens get a name and the time of their last use, and may be good in all projects. Their text now tells their id, which
-- those made before do not: nobody can come with one of them, so they are listed as revoked.
ALTER TABLE token RENAME TO token_before;

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

INSERT INTO token (id, hash, tenant, project, agent, name, rights, created_at, expires_at, revoked_at)
SELECT id, hash, tenant, project, agent, coalesce(label, agent), rights, created_at, expires_at,
  coalesce(revoked_at, CAST(unixepoch('now', 'subsec') * 1000000 AS INTEGER))
FROM token_before;

DROP TABLE token_before;

CREATE INDEX token_by_place ON token (tenant, project, agent);
