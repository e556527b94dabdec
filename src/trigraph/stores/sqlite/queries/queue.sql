-- name: put
-- Queue a job.
INSERT INTO job (id, project, author, name, payload, state, attempts, not_before, created_at)
VALUES (:id, :project, :agent, :name, :payload, 'waiting', 0, :at, :at);

-- name: waiting
-- How many jobs of a name are not done.
SELECT count(*) FROM job WHERE project = :project AND name = :name AND state IN ('waiting', 'running');
