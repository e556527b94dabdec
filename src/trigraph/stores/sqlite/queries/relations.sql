-- name: add
-- A relation between two entities of the project; one that is there already is found.
INSERT INTO relation (project, source_key, type, target_key)
SELECT :project, s.key, :type, t.key FROM entity AS s, entity AS t
WHERE s.id = :source_id AND s.project = :project AND t.id = :target_id AND t.project = :project
  AND EXISTS (SELECT 1 FROM memory WHERE id = :memory_id AND project = :project)
ON CONFLICT (source_key, type, target_key) DO UPDATE SET type = excluded.type
RETURNING key;

-- name: add_evidence
-- Where it stands written.
INSERT INTO evidence (relation_key, memory_key, section, ordinal, known_from)
SELECT :relation_key, m.key, :section, :ordinal, :at FROM memory AS m WHERE m.id = :memory_id AND m.project = :project
ON CONFLICT DO NOTHING;

-- name: close_evidence
-- It stands there no longer.
UPDATE evidence SET known_until = :at
WHERE known_until IS NULL AND section = :section
  AND memory_key = (SELECT key FROM memory WHERE id = :memory_id AND project = :project)
  AND relation_key = (
    SELECT r.key FROM relation AS r
    WHERE r.source_key = (SELECT key FROM entity WHERE id = :source_id)
      AND r.target_key = (SELECT key FROM entity WHERE id = :target_id) AND r.type = :type);

-- name: written_in
-- What some memories are evidence of, by what was known.
SELECT m.id, s.id, r.type, t.id, x.section
FROM json_each(:ids) AS asked
CROSS JOIN memory AS m ON m.id = asked.value
CROSS JOIN evidence AS x ON x.memory_key = m.key
CROSS JOIN relation AS r ON r.key = x.relation_key
CROSS JOIN entity AS s ON s.key = r.source_key
CROSS JOIN entity AS t ON t.key = r.target_key
WHERE m.project = :project AND x.known_from <= :known_at AND (x.known_until IS NULL OR x.known_until > :known_at)
ORDER BY asked.key, x.ordinal, r.key;

-- name: of
-- Relations with one of some entities at an end, each with one piece of evidence that holds and may be seen.
SELECT r.key, src.id, src.type, {source_name}, tgt.id, tgt.type, {target_name}, r.type, m.id, x.section, v.valid_from, v.valid_until, x.known_from
FROM (
  SELECT r.key FROM json_each(:ids) AS asked
  CROSS JOIN entity AS own ON own.id = asked.value CROSS JOIN relation AS r ON r.source_key = own.key
  UNION
  SELECT r.key FROM json_each(:ids) AS asked
  CROSS JOIN entity AS own ON own.id = asked.value CROSS JOIN relation AS r ON r.target_key = own.key
) AS near
CROSS JOIN relation AS r ON r.key = near.key
CROSS JOIN entity AS src ON src.key = r.source_key
CROSS JOIN entity AS tgt ON tgt.key = r.target_key
CROSS JOIN evidence AS x ON x.relation_key = r.key
CROSS JOIN memory AS m ON m.key = x.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE r.project = :project AND (:types IS NULL OR r.type IN (SELECT value FROM json_each(:types)))
  AND {source_access} AND {target_access}
  AND x.known_from <= :known_at AND (x.known_until IS NULL OR x.known_until > :known_at) AND {visible}
ORDER BY src.id, r.type, tgt.id, x.known_from, x.ordinal, m.id
LIMIT :limit;

-- name: count
-- How many relations the agent may see.
SELECT count(*) FROM relation AS r
CROSS JOIN entity AS src ON src.key = r.source_key
CROSS JOIN entity AS tgt ON tgt.key = r.target_key
WHERE r.project = :project AND {source_access} AND {target_access} AND EXISTS (
  SELECT 1 FROM evidence AS x
  CROSS JOIN memory AS m ON m.key = x.memory_key
  CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE x.relation_key = r.key AND x.known_from <= :known_at AND (x.known_until IS NULL OR x.known_until > :known_at)
    AND {visible});
