-- name: add
-- Write a new thread of an agent.
INSERT INTO thread (id, project, author, name, session, title, created_at)
VALUES (:id, :project, :agent, :name, :session, :title, :created_at);

-- name: find
-- An agent's own thread by its name, or a thread by its id or the end of it (8 characters or more), if the agent
-- began it or may see an episode of it.
SELECT t.id, t.name, t.session, t.title, t.author, t.created_at
FROM thread AS t
WHERE t.project = :project AND (
  (t.author = :agent AND t.name = :wanted)
  OR (length(:wanted) >= 8 AND substr(t.id, -length(:wanted)) = :wanted AND (t.author = :agent OR EXISTS (
    SELECT 1 FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key
    WHERE m.thread_key = t.key AND {visible}))))
ORDER BY t.name IS :wanted DESC LIMIT 1;

-- name: around
-- Visible episodes up to :reach places away from some, in order of thread and place.
WITH near (key) AS MATERIALIZED (
  SELECT DISTINCT n.key
  FROM json_each(:ids) AS asked
  CROSS JOIN memory AS one ON one.id = asked.value AND one.project = :project
  CROSS JOIN memory AS n ON n.thread_key = one.thread_key AND n.seq BETWEEN one.seq - :reach AND one.seq + :reach
)
SELECT {memory_columns}
FROM near CROSS JOIN memory AS m ON m.key = near.key CROSS JOIN memory_version AS v ON v.memory_key = m.key
  {memory_joins}
WHERE {visible}
ORDER BY m.thread_key, m.seq;

-- name: episodes_at
-- What stands at given places of a thread, whoever may see it: a place taken is taken, even by what was erased.
SELECT m.seq, m.id, m.content_hash
FROM thread AS t CROSS JOIN memory AS m ON m.thread_key = t.key
WHERE t.project = :project AND t.id = :thread_id AND m.seq IN (SELECT value FROM json_each(:seqs))
UNION ALL
SELECT x.seq, x.id, ''
FROM thread AS t CROSS JOIN erased AS x ON x.thread_key = t.key
WHERE t.project = :project AND t.id = :thread_id AND x.seq IN (SELECT value FROM json_each(:seqs));

-- name: next_seq
-- The place after the last one taken in a thread.
SELECT max(
  coalesce((SELECT max(m.seq) + 1 FROM memory AS m WHERE m.thread_key = t.key), 0),
  coalesce((SELECT max(x.seq) + 1 FROM erased AS x WHERE x.thread_key = t.key), 0))
FROM thread AS t WHERE t.project = :project AND t.id = :thread_id;

-- name: count
-- How many threads have a visible episode.
SELECT count(DISTINCT m.thread_key)
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.thread_key IS NOT NULL AND {visible};
