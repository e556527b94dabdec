-- name: advance
-- The time of a transaction: the given one, or just after the latest, whichever is later.
UPDATE clock SET last_commit_at = max(last_commit_at + 1, :at) RETURNING last_commit_at;

-- name: latest
-- The time of the latest transaction.
SELECT last_commit_at FROM clock;
