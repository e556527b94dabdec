-- name: cite
-- Keep a citation, unless the very same was made of that recall before.
INSERT INTO citation (project, agent, session, recall_id, memory_key, kind, notes, at)
SELECT :project, :agent, :session, :recall_id, m.key, :kind, :notes, :at
FROM memory AS m WHERE m.id = :memory_id AND m.project = :project
ON CONFLICT DO NOTHING RETURNING key;

-- name: citations
-- How often memories were cited, with what corrections took over from their roots, as far as the agent may see those.
WITH asked_for AS MATERIALIZED (
  SELECT own.key, own.id, own.created_at, coalesce(own.root_id, own.id) AS root_id
  FROM json_each(:ids) AS asked
  CROSS JOIN memory AS own ON own.id = asked.value AND own.project = :project
  CROSS JOIN memory_version AS stands ON stands.memory_key = own.key AND stands.known_until IS NULL
  WHERE {own_access}
),
used AS MATERIALIZED (
  SELECT asked_for.id AS id, m.key AS key
  FROM asked_for CROSS JOIN memory AS m ON m.id = asked_for.root_id WHERE m.created_at <= asked_for.created_at
  UNION
  SELECT asked_for.id, m.key
  FROM asked_for CROSS JOIN memory AS m ON m.root_id = asked_for.root_id WHERE m.created_at <= asked_for.created_at
)
SELECT used.id, c.kind, count(*)
FROM used
CROSS JOIN memory AS m ON m.key = used.key
CROSS JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
CROSS JOIN citation AS c ON c.memory_key = m.key
WHERE {readable}
GROUP BY used.id, c.kind;

-- name: restate
-- Keep that a memory was said again.
INSERT INTO restatement (memory_key, project, author, source, session, turn, uri, at, raised)
SELECT m.key, :project, :author, :source, :session, :turn, :uri, :at, :raised
FROM memory AS m WHERE m.id = :memory_id AND m.project = :project;

-- name: restatements
-- When a memory was said again, if the agent may see it.
SELECT a.author, a.source, a.session, a.turn, a.uri, a.at, a.raised
FROM memory AS m
CROSS JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
CROSS JOIN restatement AS a ON a.memory_key = m.key
WHERE m.id = :id AND {readable} AND (:agent = a.author
  OR (v.visibility = 'shared' AND (:policy = 'shared'
    OR (:policy = 'group' AND a.author IN (SELECT value FROM json_each(:fellows)))))
  OR (v.visibility = 'group' AND :policy <> 'isolated' AND v.group_name IN (SELECT value FROM json_each(:groups))))
ORDER BY a.at;

-- name: restated_from
-- Restatements from a source since a time, of memories that the agent may see.
SELECT a.key
FROM restatement AS a
CROSS JOIN memory AS m ON m.key = a.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
WHERE a.project = :project AND a.source = :source AND a.at >= :since AND (:uri IS NULL OR a.uri = :uri)
  AND (:asked_session IS NULL OR a.session = :asked_session) AND {readable};

-- name: raised_by
-- By how much restatements raised the confidence of each memory.
SELECT m.id, sum(a.raised)
FROM json_each(:keys) AS asked
CROSS JOIN restatement AS a ON a.key = asked.value
CROSS JOIN memory AS m ON m.key = a.memory_key
GROUP BY m.id;

-- name: drop_restatements
-- These were never made.
DELETE FROM restatement WHERE key IN (SELECT value FROM json_each(:keys));

-- name: used
-- The agent's own citations of a memory, the latest first.
SELECT m.id, c.kind, c.recall_id, c.session, c.agent, c.notes, c.at
FROM memory AS m
CROSS JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
CROSS JOIN citation AS c ON c.memory_key = m.key
WHERE m.id = :id AND c.agent = :agent AND {readable}
ORDER BY c.at DESC LIMIT :limit;

-- name: tally
-- How many citations of each kind an agent made in a session.
SELECT kind, count(*) FROM citation
WHERE project = :project AND session = :session AND agent = :agent GROUP BY kind;

-- name: last_vote
-- An agent's latest vote.
SELECT value, moved FROM vote WHERE target = :target AND agent = :agent ORDER BY at DESC LIMIT 1;

-- name: vote
-- Keep a vote.
INSERT INTO vote (target, agent, at, value, moved, reason) VALUES (:target, :agent, :at, :value, :moved, :reason);

-- name: answer
-- An answer given before under a caller's key.
SELECT fingerprint, answer FROM idempotency
WHERE project = :project AND agent = :agent AND verb = :verb AND key = :key;

-- name: keep_answer
-- Keep an answer under a caller's key.
INSERT INTO idempotency (project, agent, verb, key, fingerprint, answer, at)
VALUES (:project, :agent, :verb, :key, :fingerprint, :answer, :at);

-- name: drop_answers
-- Let go of old answers, some at a time.
DELETE FROM idempotency WHERE (project, agent, verb, key) IN (
  SELECT project, agent, verb, key FROM idempotency WHERE at < :before ORDER BY at LIMIT 100);
