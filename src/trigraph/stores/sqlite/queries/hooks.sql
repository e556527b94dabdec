-- name: bound
-- Constraints that hold: pinned ones first, then the newest.
WITH newest (key) AS MATERIALIZED (
  SELECT key FROM (
    SELECT c.key FROM memory AS c INDEXED BY memory_by_kind
    WHERE c.project = :project AND c.kind = 'constraint' ORDER BY c.id DESC LIMIT :looked_at)
  UNION
  SELECT p.memory_key FROM memory_version AS p INDEXED BY memory_version_pinned WHERE p.pinned = 1
)
SELECT {told_columns}, substr(m.text, 1, :chars)
FROM newest
CROSS JOIN memory AS m ON m.key = newest.key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND m.kind = 'constraint' AND {visible} AND {wanted}
ORDER BY v.pinned DESC, m.id DESC LIMIT :limit;

-- name: pinned
-- What is pinned, the newest first; constraints apart.
SELECT {told_columns}, substr(m.text, 1, :chars)
FROM memory_version AS p INDEXED BY memory_version_pinned
CROSS JOIN memory AS m ON m.key = p.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE p.pinned = 1 AND m.kind <> 'constraint' AND {visible} AND {wanted} AND v.pinned = 1
GROUP BY m.key ORDER BY m.key DESC LIMIT :limit;

-- name: newest
-- The newest memories of a kind.
SELECT {told_columns}, substr(m.text, 1, :chars)
FROM memory AS m INDEXED BY memory_by_kind CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND m.kind = :kind AND {visible} AND {wanted}
ORDER BY m.id DESC LIMIT :limit;

-- name: passages
-- Passages that may be seen, with their terms and what their memories are.
SELECT {told_columns}, substr(m.text, p.start_char + 1, min(p.end_char - p.start_char, :chars)), p.key, p.terms
FROM json_each(:passages) AS asked
CROSS JOIN passage AS p ON p.key = asked.value
CROSS JOIN memory AS m ON m.key = p.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE {visible} AND {wanted};
