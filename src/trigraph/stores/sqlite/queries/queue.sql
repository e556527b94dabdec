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

-- name: claim
-- Take the job of the project that is due first, until its lease ends; whoever dies with it loses it then. Embedding is
-- worked off by passages, not by jobs.
UPDATE job SET state = 'running', attempts = attempts + 1, not_before = :leased_until
WHERE key = (
  SELECT key FROM job
  WHERE project = :project AND state IN ('waiting', 'running') AND name <> 'embed' AND not_before <= :at
  ORDER BY not_before, key LIMIT 1)
RETURNING id, author, name, payload, attempts, state, not_before, created_at, finished_at, last_error, result;

-- name: finish
-- A job is done, unless somebody else took it over in the meantime. Words that wait in it go with it.
UPDATE job SET state = 'done', finished_at = :at, result = :result, last_error = NULL,
  payload = json_remove(payload, '$.said')
WHERE id = :id AND state = 'running' AND attempts = :attempts
RETURNING key;

-- name: fail
-- A job failed: it waits for its next try, or is dead.
UPDATE job SET state = :state, not_before = :not_before, last_error = :error,
  finished_at = iif(:state = 'dead', :at, NULL)
WHERE id = :id AND state = 'running' AND attempts = :attempts;

-- name: revive
-- A dead job is to be tried again.
UPDATE job SET state = 'waiting', attempts = 0, not_before = :at, finished_at = NULL
WHERE id = :id AND project = :project AND author = :agent AND state = 'dead'
RETURNING key;

-- name: jobs
-- Jobs that the agent queued, the latest first.
SELECT id, author, name, payload, attempts, state, not_before, created_at, finished_at, last_error, result
FROM job
WHERE project = :project AND author = :agent AND name <> 'embed'
  AND (:states IS NULL OR state IN (SELECT value FROM json_each(:states)))
  AND (:id IS NULL OR id = :id OR substr(id, -length(:id)) = :id)
ORDER BY key DESC LIMIT :limit;

-- name: counts
-- How many jobs of the project are in each state.
SELECT state, count(*) FROM job WHERE project = :project AND name <> 'embed' AND state <> 'done' GROUP BY state;

-- name: next_due
-- When the next job of the project is due.
SELECT min(not_before) FROM job WHERE project = :project AND state IN ('waiting', 'running') AND name <> 'embed';

-- name: quiet
-- Sessions of which turns were handed over, none since a time, and which were not distilled since.
SELECT handed.author, handed.session
FROM (
  SELECT j.author AS author, t.session AS session, max(j.created_at) AS latest
  FROM job AS j CROSS JOIN thread AS t ON t.id = json_extract(j.payload, '$.thread_id')
  WHERE j.project = :project AND j.name = 'turn' AND j.state <> 'dead' AND t.session IS NOT NULL
  GROUP BY j.author, t.session
) AS handed
LEFT JOIN (
  SELECT d.author AS author, json_extract(d.payload, '$.session') AS session, max(d.created_at) AS latest
  FROM job AS d WHERE d.project = :project AND d.name = 'distil' GROUP BY 1, 2
) AS distilled ON distilled.author = handed.author AND distilled.session = handed.session
WHERE handed.latest < :before AND (distilled.latest IS NULL OR distilled.latest < handed.latest);

-- name: unreflected
-- Agents that handed over turns and for which nothing was reflected since a time.
SELECT DISTINCT j.author FROM job AS j
WHERE j.project = :project AND j.name = 'turn' AND j.state <> 'dead' AND j.author NOT IN (
  SELECT d.author FROM job AS d WHERE d.project = :project AND d.name = 'reflect' AND d.created_at >= :since);

-- name: embedding_due
-- Whether a memory of the project waits for its vectors.
SELECT EXISTS (SELECT 1 FROM job WHERE project = :project AND name = 'embed' AND state IN ('waiting', 'running'));

-- name: sweepable
-- Whether there are jobs that were done long ago.
SELECT EXISTS (SELECT 1 FROM job WHERE project = :project AND state = 'done' AND finished_at < :before);

-- name: sweep
-- Let go of jobs that were done long ago, some at a time.
DELETE FROM job WHERE key IN (
  SELECT key FROM job WHERE project = :project AND state = 'done' AND finished_at < :before LIMIT 500);
