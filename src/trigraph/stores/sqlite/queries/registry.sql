-- name: has_project
-- Whether a tenant has a project of that name.
SELECT EXISTS (SELECT 1 FROM project WHERE tenant = :tenant AND name = :project);
