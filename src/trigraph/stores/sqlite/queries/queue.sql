-- name: put
-- Queue a job.
INSERT INTO job (id, project, author, name, payload, state, attempts, not_before, created_at)
VALUES (:id, :project, :agent, :name, :payload, 'waiting', 0, :at, :at);

-- name: waiting
-- How many jobs of a name that the agent queued are not done.
SELECT count(*) FROM job
WHERE project = :project AND author = :agent AND name = :name AND state IN ('waiting', 'running');

-- name: unembedded
-- How many visible memories wait for their vectors, counted up to a limit.
SELECT count(*) FROM (
  SELECT DISTINCT m.key
  FROM job AS j
  CROSS JOIN memory AS m ON m.id = json_extract(j.payload, '$.memory_id')
  JOIN memory_version AS v ON v.memory_key = m.key
  WHERE j.project = :project AND j.name = 'embed' AND j.state IN ('waiting', 'running') AND {visible}
  LIMIT :most);
