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

-- name: episodes_at
-- What stands at given places of a thread, whoever may see it: a place taken is taken.
SELECT m.seq, m.id, m.content_hash
FROM memory AS m JOIN thread AS t ON t.key = m.thread_key
WHERE t.project = :project AND t.id = :thread_id AND m.seq IN (SELECT value FROM json_each(:seqs));

-- name: next_seq
-- The place after the last one taken in a thread.
SELECT coalesce(max(m.seq) + 1, 0)
FROM memory AS m JOIN thread AS t ON t.key = m.thread_key
WHERE t.project = :project AND t.id = :thread_id;

-- name: count
-- How many threads have a visible episode.
SELECT count(DISTINCT m.thread_key)
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.thread_key IS NOT NULL AND {visible};
