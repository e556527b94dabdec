-- name: put
-- Say which document an entity is; what is said again takes the place of what was said before.
INSERT INTO document (entity_key, project, collection, name_key, path)
SELECT key, project, :collection, :name_key, :path FROM entity WHERE id = :entity_id AND project = :project
ON CONFLICT (entity_key) DO UPDATE SET
  collection = excluded.collection, name_key = excluded.name_key, path = excluded.path;

-- name: by_path
-- Documents of a file, in the audience of the asking agent; the oldest first.
SELECT {document_columns}
FROM document AS d CROSS JOIN entity AS e ON e.key = d.entity_key
WHERE d.project = :project AND d.collection = :collection AND d.path = :path AND {entity_access}
ORDER BY e.key;

-- name: by_name
-- Documents of an id in a collection, in the audience of the asking agent; the oldest first.
SELECT {document_columns}
FROM document AS d CROSS JOIN entity AS e ON e.key = d.entity_key
WHERE d.project = :project AND d.collection = :collection AND d.name_key = :name_key AND {entity_access}
ORDER BY e.key;

-- name: identity
-- Which document an entity is, if it is one.
SELECT {document_columns}
FROM entity AS e CROSS JOIN document AS d ON d.entity_key = e.key
WHERE e.id = :entity_id AND e.project = :project AND {entity_access};

-- name: texts
-- Memories that hold or held a document's text, by their beginning.
SELECT m.id
FROM entity AS e
CROSS JOIN mention AS n ON n.entity_key = e.key AND n.subject = 1
CROSS JOIN memory AS m ON m.key = n.memory_key AND m.kind = 'document'
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE e.id = :entity_id AND {entity_access} AND n.known_from <= :known_at
  AND (n.known_until IS NULL OR n.known_until > :known_at) AND {visible}
ORDER BY v.valid_from, m.id;

-- name: page
-- Visible documents and stubs of a collection, or of all, in order of their ids.
SELECT e.id, d.collection, d.path, (
  SELECT m.id
  FROM mention AS n
  CROSS JOIN memory AS m ON m.key = n.memory_key AND m.kind = 'document'
  CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE n.entity_key = e.key AND n.subject = 1 AND n.known_from <= :known_at
    AND (n.known_until IS NULL OR n.known_until > :known_at) AND {visible}
  ORDER BY v.valid_from DESC, m.id DESC LIMIT 1)
FROM entity AS e CROSS JOIN document AS d ON d.entity_key = e.key
WHERE e.type = 'document' AND (:collection IS NULL OR d.collection = :collection) AND e.id > coalesce(:after_id, '')
  AND {entity_visible}
ORDER BY e.id LIMIT :limit;

-- name: stored
-- Memories of kind document that hold now, of the whole project as far as the agent may see it, after an id.
SELECT m.id
FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND m.kind = 'document' AND m.id > coalesce(:after_id, '') AND {standing}
ORDER BY m.id LIMIT :limit;
