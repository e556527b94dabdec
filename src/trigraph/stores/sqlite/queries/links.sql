-- name: add
-- Draw a link between two memories of the project.
INSERT INTO link (id, project, author, from_key, to_key, type, confidence, created_by, reason, valid_from,
  valid_until, known_from, similarity, gap_seconds, span_start, span_end)
SELECT :id, :project, :author, one.key, other.key, :type, :confidence, :created_by, :reason, :valid_from, :valid_until,
  :known_from, :similarity, :gap_seconds, :span_start, :span_end
FROM memory AS one, memory AS other
WHERE one.id = :from_id AND one.project = :project AND other.id = :to_id AND other.project = :project
RETURNING key;

-- name: get
-- Links whose id ends with a suffix, as they were known, if the agent may see both ends.
SELECT {link_columns}
FROM link AS l
WHERE l.project = :project AND l.short_id = substr(:suffix, -8) AND substr(l.id, -length(:suffix)) = :suffix AND {link_known} AND {link_visible}
LIMIT 2;

-- name: of
-- Links with one of some memories at an end, as they were known, if the agent may see both ends; the oldest first.
SELECT {link_columns}
FROM (
  SELECT l.key FROM json_each(:ids) AS asked
  CROSS JOIN memory AS m ON m.id = asked.value CROSS JOIN link AS l ON l.from_key = m.key
  WHERE :types IS NULL OR instr(:types, '"' || l.type || '"')
  UNION
  SELECT l.key FROM json_each(:ids) AS asked
  CROSS JOIN memory AS m ON m.id = asked.value CROSS JOIN link AS l ON l.to_key = m.key
  WHERE :types IS NULL OR instr(:types, '"' || l.type || '"')
) AS near
CROSS JOIN link AS l ON l.key = near.key
WHERE l.project = :project AND {link_known} AND {link_visible}
ORDER BY l.id, l.known_from;

-- name: strongest
-- The same, the most confident first, up to a limit: ordered before it is looked who may see them, so that of a hub's
-- links no more are looked at than are asked for.
WITH near AS MATERIALIZED (
  SELECT key FROM (
    SELECT l.key, l.confidence FROM json_each(:ids) AS asked
    CROSS JOIN memory AS m ON m.id = asked.value AND m.project = :project
    CROSS JOIN link AS l ON l.from_key = m.key
    WHERE {link_known} AND (:types IS NULL OR instr(:types, '"' || l.type || '"'))
    UNION
    SELECT l.key, l.confidence FROM json_each(:ids) AS asked
    CROSS JOIN memory AS m ON m.id = asked.value AND m.project = :project
    CROSS JOIN link AS l ON l.to_key = m.key
    WHERE {link_known} AND (:types IS NULL OR instr(:types, '"' || l.type || '"'))
  ) AS any_of
  ORDER BY confidence DESC, key LIMIT -1
)
SELECT {link_columns}
FROM near CROSS JOIN link AS l ON l.key = near.key
WHERE {link_visible}
LIMIT :limit;

-- name: reach
-- Memories that links lead to from one, however far, the nearest first, if the links were known and the agent may see
-- both their ends: links of some types lead both ways, of others from their start.
WITH RECURSIVE reached (key) AS (
  SELECT key FROM memory WHERE id = :id AND project = :project
  UNION
  SELECT l.to_key FROM reached CROSS JOIN link AS l ON l.from_key = reached.key
  WHERE (instr(:both_ways, '"' || l.type || '"') OR instr(:onward, '"' || l.type || '"'))
    AND {link_known} AND {link_visible}
  UNION
  SELECT l.from_key FROM reached CROSS JOIN link AS l ON l.to_key = reached.key
  WHERE instr(:both_ways, '"' || l.type || '"') AND {link_known} AND {link_visible}
  LIMIT :limit)
SELECT m.id FROM reached CROSS JOIN memory AS m ON m.key = reached.key;

-- name: standing
-- Links that say of two memories that they cannot both be kept as they are, if both hold and may be seen, the latest
-- first.
SELECT {link_columns}
FROM link AS l INDEXED BY link_in_doubt
WHERE l.project = :project AND l.type = :type AND l.type IN ('contradicts', 'duplicate_of') AND l.known_until IS NULL
  AND EXISTS (
    SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE m.key = l.from_key AND {visible})
  AND EXISTS (
    SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE m.key = l.to_key AND {visible})
ORDER BY l.id DESC LIMIT :limit;

-- name: fading
-- Links drawn by likeness or nearness before a time, whose ends were not used since.
SELECT {link_columns}
FROM link AS l
WHERE l.project = :project AND l.created_by = 'system' AND l.known_until IS NULL AND l.known_from < :before
  AND (l.similarity IS NOT NULL OR l.gap_seconds IS NOT NULL) AND l.id > coalesce(:after_id, '')
  AND NOT EXISTS (
    SELECT 1 FROM citation AS c
    WHERE c.memory_key IN (l.from_key, l.to_key) AND c.kind IN ('cited', 'saved_rework') AND c.at >= l.known_from)
ORDER BY l.id LIMIT :limit;

-- name: close
-- A link holds no longer.
UPDATE link SET known_until = :at WHERE id = :id AND project = :project AND known_until IS NULL;

-- name: close_to
-- No link of some types to a memory holds any longer.
UPDATE link SET known_until = :at
WHERE to_key = (SELECT key FROM memory WHERE id = :id AND project = :project) AND known_until IS NULL
  AND type IN (SELECT value FROM json_each(:types))
RETURNING (SELECT id FROM memory WHERE key = link.from_key);
