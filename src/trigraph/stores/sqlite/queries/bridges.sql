-- name: newest
-- Visible memories of a kind, the latest first.
SELECT m.id
FROM memory AS m INDEXED BY memory_by_kind CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND m.kind = :kind AND {visible} AND {wanted}
ORDER BY m.id DESC LIMIT :limit;

-- name: oldest
-- When the first visible memory of a kind was written.
SELECT m.created_at
FROM memory AS m INDEXED BY memory_by_kind CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND m.kind = :kind AND {visible} AND {wanted}
ORDER BY m.id LIMIT 1;

-- name: from_here
-- The first visible memory from an id on and before another, but episodes.
SELECT m.id
FROM memory AS m INDEXED BY memory_by_project CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND m.id >= :first_id AND m.id < :until_id AND m.kind <> 'episode' AND {visible} AND {wanted}
ORDER BY m.id LIMIT 1;

-- name: frequencies
-- How many passages hold each term.
SELECT term, doc FROM lexical_term WHERE term IN (SELECT value FROM json_each(:terms));

-- name: holding
-- Visible memories with a passage that holds a term, the latest passage first.
SELECT m.id
FROM lexical
CROSS JOIN passage AS p ON p.key = lexical.rowid
CROSS JOIN memory AS m ON m.key = p.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE lexical MATCH :match AND m.project = :project AND m.kind <> 'episode' AND {visible} AND {wanted}
ORDER BY lexical.rowid DESC;

-- name: speaking_of
-- Visible memories that speak of an entity or are about it, the latest first.
SELECT m.id
FROM entity AS e
CROSS JOIN mention AS n INDEXED BY mention_by_entity ON n.entity_key = e.key
CROSS JOIN memory AS m ON m.key = n.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE e.id = :entity_id AND {entity_access} AND n.known_from <= :known_at
  AND (n.known_until IS NULL OR n.known_until > :known_at) AND m.kind <> 'episode' AND {visible} AND {wanted}
ORDER BY n.memory_key DESC;

-- name: tagged
-- Visible memories that have a tag, by what is known of them, the latest first.
SELECT m.id
FROM memory_tag AS g
CROSS JOIN memory AS m ON m.key = g.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE g.project = :project AND g.tag = :tag AND m.kind <> 'episode'
  AND :tag IN (SELECT value FROM json_each(v.tags)) AND {visible} AND {wanted}
ORDER BY g.memory_key DESC;

-- name: companions
-- Memories that took part in compositions together with some others, where the agent may see both; no episodes.
SELECT own.memory_id, n.memory_id
FROM json_each(:ids) AS asked
CROSS JOIN composition_member AS own ON own.memory_id = asked.value
CROSS JOIN composition AS c ON c.key = own.event_key
CROSS JOIN composition_member AS n ON n.event_key = c.key
WHERE n.memory_id <> own.memory_id AND {composition_visible} AND {member_readable}
  AND EXISTS (SELECT 1 FROM memory AS kept WHERE kept.id = n.memory_id AND kept.kind <> 'episode');
