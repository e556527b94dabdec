-- name: memories_without_version
-- Memories of which it is not said how they stand, or said twice.
SELECT m.id FROM memory AS m
WHERE m.project = :project
  AND (SELECT count(*) FROM memory_version AS v WHERE v.memory_key = m.key AND v.known_until IS NULL) <> 1;

-- name: versions_overlap
-- Memories two versions of which were known at one time.
SELECT DISTINCT m.id FROM memory AS m
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND EXISTS (
  SELECT 1 FROM memory_version AS w
  WHERE w.memory_key = v.memory_key AND w.known_from > v.known_from
    AND (v.known_until IS NULL OR w.known_from < v.known_until));

-- name: successors_missing
-- Memories superseded by one that is neither here nor erased.
SELECT m.id FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND v.known_until IS NULL AND v.superseded_by IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM memory AS later WHERE later.id = v.superseded_by)
  AND NOT EXISTS (SELECT 1 FROM erased WHERE id = v.superseded_by);

-- name: passages_missing
-- Memories that have not as many passages as they say.
SELECT m.id FROM memory AS m
WHERE m.project = :project AND m.passage_count <> (SELECT count(*) FROM passage AS p WHERE p.memory_key = m.key);

-- name: dangling_links
-- Links an end of which is missing.
SELECT l.id FROM link AS l
WHERE l.project = :project AND (NOT EXISTS (SELECT 1 FROM memory WHERE key = l.from_key)
  OR NOT EXISTS (SELECT 1 FROM memory WHERE key = l.to_key));

-- name: dangling_mentions
-- Mentions an end of which is missing.
SELECT coalesce(m.id, e.id) FROM mention AS n
LEFT JOIN memory AS m ON m.key = n.memory_key LEFT JOIN entity AS e ON e.key = n.entity_key
WHERE coalesce(m.project, e.project, :project) = :project AND (m.key IS NULL OR e.key IS NULL);

-- name: dangling_relations
-- Relations an end of which is missing, or that stand written nowhere.
SELECT coalesce(s.id, t.id) FROM relation AS r
LEFT JOIN entity AS s ON s.key = r.source_key LEFT JOIN entity AS t ON t.key = r.target_key
WHERE r.project = :project AND (s.key IS NULL OR t.key IS NULL
  OR NOT EXISTS (SELECT 1 FROM evidence AS x CROSS JOIN memory AS m ON m.key = x.memory_key
    WHERE x.relation_key = r.key));

-- name: orphan_vectors
-- Vectors of passages or models that are not there.
SELECT x.seq FROM vector AS x
LEFT JOIN passage AS p ON p.key = x.passage_key LEFT JOIN embedding_model AS o ON o.key = x.model_key
WHERE (p.key IS NULL OR o.key IS NULL OR length(x.embedding) <> 4 + o.dimension)
  AND coalesce(o.project, :project) = :project;

-- name: entities_without_state
-- Entities without a state, or that do not point at their open one.
SELECT e.id FROM entity AS e
WHERE e.project = :project AND NOT EXISTS (
  SELECT 1 FROM entity_state AS s
  WHERE s.entity_key = e.key AND s.valid_until IS NULL AND s.valid_from = e.state_from);

-- name: two_open_states
-- Entities with two open states.
SELECT e.id FROM entity AS e
WHERE e.project = :project
  AND (SELECT count(*) FROM entity_state AS s WHERE s.entity_key = e.key AND s.valid_until IS NULL) > 1;

-- name: broken_chains
-- Entities one of whose states does not end where another begins: a gap, an overlap, or a circle.
SELECT DISTINCT e.id FROM entity AS e CROSS JOIN entity_state AS s ON s.entity_key = e.key
WHERE e.project = :project AND s.valid_until IS NOT NULL AND (s.valid_until <= s.valid_from OR NOT EXISTS (
  SELECT 1 FROM entity_state AS next WHERE next.entity_key = e.key AND next.valid_from = s.valid_until)
  OR EXISTS (
    SELECT 1 FROM entity_state AS between_
    WHERE between_.entity_key = e.key AND between_.valid_from > s.valid_from
      AND between_.valid_from < s.valid_until));

-- name: entities_without_type
-- Entities that are an instance of nothing.
SELECT e.id FROM entity AS e WHERE e.project = :project AND (e.type IS NULL OR e.type = '');

-- name: entities_nobody_mentions
-- Entities that no memory speaks of.
SELECT e.id FROM entity AS e
WHERE e.project = :project AND NOT EXISTS (SELECT 1 FROM mention AS n WHERE n.entity_key = e.key);

-- name: documents_untyped
-- Documents that are no document.
SELECT e.id FROM document AS d CROSS JOIN entity AS e ON e.key = d.entity_key
WHERE d.project = :project AND e.type <> 'document';

-- name: lexical_behind
-- Passages that the lexical index lacks, or that it has and are not there.
SELECT p.key FROM passage AS p CROSS JOIN memory AS m ON m.key = p.memory_key
WHERE m.project = :project AND NOT EXISTS (SELECT 1 FROM lexical_docsize AS d WHERE d.id = p.key)
UNION ALL
SELECT d.id FROM lexical_docsize AS d WHERE NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.key = d.id);

-- name: identifiers_behind
-- Passages that the index of identifiers lacks, or that it has and are not there.
SELECT p.key FROM passage AS p CROSS JOIN memory AS m ON m.key = p.memory_key
WHERE m.project = :project AND NOT EXISTS (SELECT 1 FROM identifier_docsize AS d WHERE d.id = p.key)
UNION ALL
SELECT d.id FROM identifier_docsize AS d WHERE NOT EXISTS (SELECT 1 FROM passage AS p WHERE p.key = d.id);

-- name: totals_behind
-- Totals of the lexical index that are not those of the passages.
SELECT 'totals' FROM lexical_total AS t
WHERE t.passages <> (SELECT count(*) FROM passage) OR t.terms <> (SELECT coalesce(sum(term_count), 0) FROM passage);

-- name: vectors_behind
-- Memories without a vector of the pinned model, for which no work is queued.
SELECT DISTINCT m.id
FROM memory AS m CROSS JOIN passage AS p ON p.memory_key = m.key
WHERE m.project = :project AND NOT EXISTS (
    SELECT 1 FROM vector AS x WHERE x.passage_key = p.key
      AND x.model_key = (SELECT key FROM embedding_model WHERE project = :project AND pinned = 1))
  AND NOT EXISTS (
    SELECT 1 FROM job AS j
    WHERE json_extract(j.payload, '$.memory_id') = m.id AND j.state IN ('waiting', 'running'));

-- name: compositions_empty
-- Compositions of nothing.
SELECT c.id FROM composition AS c
WHERE c.project = :project AND NOT EXISTS (SELECT 1 FROM composition_member AS n WHERE n.event_key = c.key);

-- name: copies_of_erased
-- Compositions that still hold a copy of what was erased.
SELECT DISTINCT c.id FROM composition AS c CROSS JOIN composition_member AS n ON n.event_key = c.key
CROSS JOIN erased AS x ON x.id = n.memory_id
WHERE c.project = :project AND (n.text <> '' OR n.preview <> '' OR n.tags <> '[]');

-- name: succession
-- Which memory supersedes or corrects which.
SELECT one.id, other.id FROM link AS l
CROSS JOIN memory AS one ON one.key = l.from_key CROSS JOIN memory AS other ON other.key = l.to_key
WHERE l.project = :project AND l.type IN ('supersedes', 'corrects') AND l.known_until IS NULL;

-- name: parts
-- Which entity is part of which, or supersedes which.
SELECT s.id, t.id, r.type FROM relation AS r
CROSS JOIN entity AS s ON s.key = r.source_key CROSS JOIN entity AS t ON t.key = r.target_key
WHERE r.project = :project AND r.type IN ('PART_OF', 'SUPERSEDES') AND EXISTS (
  SELECT 1 FROM evidence AS x WHERE x.relation_key = r.key AND x.known_until IS NULL);
