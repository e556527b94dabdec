-- name: has_project
-- Whether a tenant has a project of that name.
SELECT EXISTS (SELECT 1 FROM project WHERE tenant = :tenant AND name = :project);

-- name: reader
-- An agent's policy, its groups, all members of those, and its domains.
SELECT a.read_policy,
  (SELECT json_group_array(own.group_name) FROM membership AS own
   WHERE own.tenant = a.tenant AND own.project = a.project AND own.agent = a.name),
  (SELECT json_group_array(DISTINCT theirs.agent)
   FROM membership AS own
   JOIN membership AS theirs ON theirs.tenant = own.tenant AND theirs.project = own.project
     AND theirs.group_name = own.group_name
   WHERE own.tenant = a.tenant AND own.project = a.project AND own.agent = a.name),
  a.domains
FROM agent AS a WHERE a.tenant = :tenant AND a.project = :project AND a.name = :agent;

-- name: tenants
-- All tenants.
SELECT name FROM tenant ORDER BY name;

-- name: has_tenant
-- Whether there is a tenant of that name.
SELECT EXISTS (SELECT 1 FROM tenant WHERE name = :tenant);

-- name: add_tenant
-- Register a tenant.
INSERT INTO tenant (name, created_at) VALUES (:tenant, :at);

-- name: projects
-- The projects of a tenant.
SELECT tenant, name, created_at FROM project WHERE tenant = :tenant ORDER BY name;

-- name: add_project
-- Register a project.
INSERT INTO project (tenant, name, created_at) VALUES (:tenant, :project, :at);

-- name: agents
-- The agents of a project with their groups.
SELECT a.name, a.read_policy, a.domains, (
    SELECT json_group_array(own.group_name) FROM membership AS own
    WHERE own.tenant = a.tenant AND own.project = a.project AND own.agent = a.name), a.created_at
FROM agent AS a WHERE a.tenant = :tenant AND a.project = :project ORDER BY a.name;

-- name: put_agent
-- Register an agent, or change its policy and domains.
INSERT INTO agent (tenant, project, name, read_policy, domains, created_at)
VALUES (:tenant, :project, :agent, :policy, :domains, :at)
ON CONFLICT (tenant, project, name) DO UPDATE SET read_policy = excluded.read_policy, domains = excluded.domains;

-- name: remove_agent
-- Let go of an agent; its memberships and tokens go with it.
DELETE FROM agent WHERE tenant = :tenant AND project = :project AND name = :agent RETURNING name;

-- name: groups
-- The groups of a project with their members.
SELECT g.name, (
    SELECT json_group_array(one.agent) FROM membership AS one
    WHERE one.tenant = g.tenant AND one.project = g.project AND one.group_name = g.name), g.created_at
FROM agent_group AS g WHERE g.tenant = :tenant AND g.project = :project ORDER BY g.name;

-- name: has_group
-- Whether a project has a group of that name.
SELECT EXISTS (SELECT 1 FROM agent_group WHERE tenant = :tenant AND project = :project AND name = :group);

-- name: has_agent
-- Whether a project has an agent of that name.
SELECT EXISTS (SELECT 1 FROM agent WHERE tenant = :tenant AND project = :project AND name = :agent);

-- name: add_group
-- Make a group.
INSERT INTO agent_group (tenant, project, name, created_at) VALUES (:tenant, :project, :group, :at);

-- name: remove_group
-- Let go of a group and its memberships.
DELETE FROM agent_group WHERE tenant = :tenant AND project = :project AND name = :group RETURNING name;

-- name: join
-- Make an agent a member of a group.
INSERT INTO membership (tenant, project, group_name, agent) VALUES (:tenant, :project, :group, :agent)
ON CONFLICT DO NOTHING;

-- name: leave
-- End a membership.
DELETE FROM membership
WHERE tenant = :tenant AND project = :project AND group_name = :group AND agent = :agent RETURNING agent;

-- name: has_agent_anywhere
-- Whether some project of a tenant has an agent of that name.
SELECT EXISTS (SELECT 1 FROM agent WHERE tenant = :tenant AND name = :agent);

-- name: add_token
-- Keep a token by its hash.
INSERT INTO token (id, hash, tenant, project, agent, name, rights, created_at, expires_at)
VALUES (:id, :hash, :tenant, :project, :agent, :name, :rights, :created_at, :expires_at);

-- name: tokens
-- The tokens of a project, or of a whole tenant.
SELECT id, tenant, project, agent, name, rights, created_at, used_at, expires_at, revoked_at
FROM token WHERE tenant = :tenant AND (:project IS NULL OR project = :project) ORDER BY id;

-- name: token
-- A token with its hash, whatever became of it.
SELECT hash, id, tenant, project, agent, name, rights, created_at, used_at, expires_at, revoked_at
FROM token WHERE id = :id;

-- name: token_used
-- Somebody came with a token.
UPDATE token SET used_at = :at WHERE id = :id AND (used_at IS NULL OR used_at < :at);

-- name: revoke_token
-- A token no longer stands for anyone.
UPDATE token SET revoked_at = coalesce(revoked_at, :at)
WHERE tenant = :tenant AND (:project IS NULL OR project = :project) AND substr(id, -length(:token)) = :token
RETURNING id;

-- name: remove_tokens_of_nobody
-- Let go of an agent's tokens for all projects once no project has the agent any more.
DELETE FROM token
WHERE tenant = :tenant AND project IS NULL AND agent = :agent
  AND NOT EXISTS (SELECT 1 FROM agent AS a WHERE a.tenant = :tenant AND a.name = :agent);
