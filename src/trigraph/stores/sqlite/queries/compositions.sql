-- name: add
-- Keep a composition.
INSERT INTO composition (id, project, author, at, tool, mode, query, query_hash, told, confidence, status,
  output_preview, metadata)
VALUES (:id, :project, :author, :at, :tool, :mode, :query, :query_hash, :told, :confidence, :status, :output_preview,
  :metadata)
RETURNING key;

-- name: add_member
-- Keep that a memory took part in it.
INSERT INTO composition_member (event_key, memory_id, role, rank, trust, score, preview, tags, text, replaced_by, author,
  visibility, group_name)
VALUES (:event_key, :memory_id, :role, :rank, :trust, :score, :preview, :tags, :text, :replaced_by, :author, :visibility,
  :group_name);

-- name: label
-- Keep what came of it.
INSERT INTO composition_outcome (event_key, at, author, label, source, confidence_delta, notes)
SELECT key, :at, :author, :label, :source, :confidence_delta, :notes
FROM composition WHERE id = :id AND project = :project
ON CONFLICT DO NOTHING RETURNING at;

-- name: get
-- Compositions whose id ends with a suffix.
SELECT {composition_columns} FROM composition AS c
WHERE c.project = :project AND c.short_id = substr(:suffix, -8) AND substr(c.id, -length(:suffix)) = :suffix
  AND {composition_visible}
LIMIT 2;

-- name: recent
-- Compositions, the latest first, each tag that is asked for on a member that may be seen.
SELECT {composition_columns} FROM composition AS c
WHERE c.project = :project AND c.id < coalesce(:before_id, 'd') AND {composition_visible}
  AND (:tags IS NULL OR NOT EXISTS (
    SELECT 1 FROM json_each(:tags) AS asked WHERE NOT EXISTS (
      SELECT 1 FROM composition_member AS n
      WHERE n.event_key = c.key AND {member_readable}
        AND EXISTS (SELECT 1 FROM json_each(n.tags) AS tag WHERE tag.value = asked.value))))
ORDER BY c.id DESC LIMIT :limit;

-- name: of
-- Compositions that a memory took part in, the latest first.
SELECT {composition_columns} FROM composition AS c
WHERE c.project = :project AND {composition_visible} AND c.key IN (
  SELECT n.event_key FROM composition_member AS n WHERE n.memory_id = :id AND {member_readable})
ORDER BY c.id DESC LIMIT :limit;

-- name: took_part
-- Which of some memories took part in which compositions.
SELECT DISTINCT n.memory_id, c.key, c.at
FROM json_each(:ids) AS asked
CROSS JOIN composition_member AS n ON n.memory_id = asked.value
CROSS JOIN composition AS c ON c.key = n.event_key
WHERE {composition_visible} AND {member_readable};

-- name: members
-- Members of compositions that may be seen, or all of them, in their order.
SELECT n.event_key, n.memory_id, n.role, n.rank, n.trust, n.score, n.preview, n.tags, n.text, n.replaced_by, n.author,
  n.visibility, n.group_name
FROM json_each(:keys) AS asked
CROSS JOIN composition AS c ON c.key = asked.value
CROSS JOIN composition_member AS n ON n.event_key = c.key
WHERE :everything OR {member_readable}
ORDER BY n.event_key, n.rank, n.role, n.memory_id;

-- name: outcomes
-- What came of compositions, as far as the agent may see who said so, or all of it, the oldest first.
SELECT u.event_key, u.at, u.author, u.label, u.source, u.confidence_delta, u.notes
FROM json_each(:keys) AS asked CROSS JOIN composition_outcome AS u ON u.event_key = asked.value
WHERE u.at <= :known_at AND (:everything OR {outcome_access})
ORDER BY u.event_key, u.at, u.author, u.label;

-- name: all
-- Compositions as they are exported: those that may be seen, or all.
SELECT {composition_columns} FROM composition AS c
WHERE c.project = :project AND (:everything OR ({composition_visible}))
ORDER BY c.id;

-- name: one
-- One composition, whoever may see it.
SELECT {composition_columns} FROM composition AS c WHERE c.id = :id AND c.project = :project;

-- name: erased_among
-- Which of some memories were erased.
SELECT id FROM erased WHERE id IN (SELECT value FROM json_each(:ids));
