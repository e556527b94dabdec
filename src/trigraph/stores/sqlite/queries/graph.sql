-- name: edges
-- Relations of some entities to others, both ways, that hold and may be seen; up to a limit.
SELECT * FROM (
  SELECT e.id, o.id, r.type, near.outgoing, (
    SELECT min(x.ordinal) FROM evidence AS x
    CROSS JOIN memory AS m ON m.key = x.memory_key
    CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE x.relation_key = r.key AND x.known_from <= :known_at
      AND (x.known_until IS NULL OR x.known_until > :known_at) AND {visible}) AS place
  FROM (
    SELECT r.key AS relation_key, own.key AS own_key, r.target_key AS other_key, 1 AS outgoing
    FROM json_each(:ids) AS asked
    CROSS JOIN entity AS own ON own.id = asked.value CROSS JOIN relation AS r ON r.source_key = own.key
    UNION ALL
    SELECT r.key, own.key, r.source_key, 0
    FROM json_each(:ids) AS asked
    CROSS JOIN entity AS own ON own.id = asked.value CROSS JOIN relation AS r ON r.target_key = own.key
  ) AS near
  CROSS JOIN relation AS r ON r.key = near.relation_key
  CROSS JOIN entity AS e ON e.key = near.own_key
  CROSS JOIN entity AS o ON o.key = near.other_key
  WHERE r.project = :project AND {entity_access} AND {other_access})
WHERE place IS NOT NULL
LIMIT :limit;

-- name: about
-- Memories whose subject one of some entities is, with the passage they begin with.
SELECT e.id, m.id, p.key, 1, n.confidence
FROM json_each(:ids) AS asked
CROSS JOIN entity AS e ON e.id = asked.value
CROSS JOIN mention AS n ON n.entity_key = e.key AND n.subject = 1
CROSS JOIN memory AS m ON m.key = n.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
CROSS JOIN passage AS p ON p.memory_key = m.key AND p.ordinal = 0
WHERE {entity_access} AND n.known_from <= :known_at
  AND (n.known_until IS NULL OR n.known_until > :known_at) AND {visible} AND {wanted}
ORDER BY asked.key, n.memory_key DESC LIMIT :limit;

-- name: naming
-- Memories that speak of an entity without being about it, the newest first, with the passage in which they do.
SELECT e.id, m.id, coalesce(
    (SELECT p.key FROM passage AS p WHERE p.memory_key = m.key AND p.start_char <= n.start_char
     ORDER BY p.ordinal DESC LIMIT 1),
    (SELECT p.key FROM passage AS p WHERE p.memory_key = m.key AND p.ordinal = 0)), 0, n.confidence
FROM entity AS e
CROSS JOIN mention AS n ON n.entity_key = e.key
CROSS JOIN memory AS m ON m.key = n.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE e.id = :entity_id AND {entity_access} AND n.subject = 0 AND n.known_from <= :known_at
  AND (n.known_until IS NULL OR n.known_until > :known_at) AND {visible} AND {wanted}
ORDER BY n.memory_key DESC LIMIT :limit;

-- name: speaking
-- Of each of some entities the newest memories that speak of it, up to a number, with the passage they begin with.
SELECT e.id, m.id, p.key, n.subject, n.confidence
FROM json_each(:ids) AS asked
CROSS JOIN entity AS e ON e.id = asked.value
CROSS JOIN json_each((
  SELECT json_group_array(memory_key) FROM (
    SELECT near.memory_key FROM mention AS near
    CROSS JOIN memory AS m ON m.key = near.memory_key
    CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE near.entity_key = e.key AND near.known_from <= :known_at
      AND (near.known_until IS NULL OR near.known_until > :known_at) AND {visible}
    ORDER BY near.memory_key DESC LIMIT :each))) AS newest
CROSS JOIN mention AS n ON n.memory_key = newest.value AND n.entity_key = e.key
CROSS JOIN memory AS m ON m.key = n.memory_key
CROSS JOIN passage AS p ON p.memory_key = m.key AND p.ordinal = 0
WHERE {entity_access} AND n.known_from <= :known_at AND (n.known_until IS NULL OR n.known_until > :known_at)
ORDER BY asked.key, n.memory_key DESC LIMIT :limit;

-- name: degrees
-- How many memories speak of entities, counted up to a limit.
SELECT e.id, (
  SELECT count(*) FROM (SELECT 1 FROM mention AS n WHERE n.entity_key = e.key AND n.known_until IS NULL LIMIT :limit))
FROM json_each(:ids) AS asked CROSS JOIN entity AS e ON e.id = asked.value
WHERE e.project = :project;

-- name: linked
-- Memories that links join to some others, both ways, if they hold and may be seen; the strongest first, ordered before
-- it is looked who may see them. With :told, only links that somebody drew.
WITH near AS MATERIALIZED (
  SELECT * FROM (
    SELECT l.key AS link_key, one.key AS own_key, l.to_key AS other_key, l.confidence AS strength
    FROM json_each(:ids) AS asked CROSS JOIN memory AS one ON one.id = asked.value AND one.project = :project
    CROSS JOIN link AS l ON l.from_key = one.key
    WHERE {link_known} AND (:told = 0 OR l.created_by <> 'system')
    UNION ALL
    SELECT l.key, one.key, l.from_key, l.confidence
    FROM json_each(:ids) AS asked CROSS JOIN memory AS one ON one.id = asked.value AND one.project = :project
    CROSS JOIN link AS l ON l.to_key = one.key
    WHERE {link_known} AND (:told = 0 OR l.created_by <> 'system')
  ) AS any_of
  ORDER BY strength DESC, link_key LIMIT -1
)
SELECT own.id, m.id, (SELECT p.key FROM passage AS p WHERE p.memory_key = m.key AND p.ordinal = 0),
  l.type, l.confidence, l.created_by, (SELECT min(first.known_from) FROM link AS first WHERE first.id = l.id)
FROM near
CROSS JOIN link AS l ON l.key = near.link_key
CROSS JOIN memory AS own ON own.key = near.own_key
CROSS JOIN memory AS m ON m.key = near.other_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE {link_visible} AND {visible} AND {wanted}
LIMIT :limit;

-- name: stocked
-- Whether there is anything to walk over: a memory that speaks of something, or a link.
SELECT EXISTS (SELECT 1 FROM entity WHERE project = :project) OR EXISTS (SELECT 1 FROM link WHERE project = :project);

-- name: constrained
-- Whether there is any constraint.
SELECT EXISTS (SELECT 1 FROM memory WHERE project = :project AND kind = 'constraint');

-- name: constraints
-- Constraints that are pinned or speak of one of some entities, the newest first, with those entities. Only constraints
-- are looked at, all that are pinned and the newest: an entity may be spoken of by half the store. Where no entity is
-- asked about, only pinned ones can be meant.
WITH newest (key) AS MATERIALIZED (
  SELECT key FROM (
    SELECT c.key FROM memory AS c INDEXED BY memory_by_kind
    WHERE c.project = :project AND c.kind = 'constraint' ORDER BY c.id DESC
    LIMIT iif(json_array_length(:ids) = 0, 0, :most))
  UNION
  SELECT p.memory_key FROM memory_version AS p INDEXED BY memory_version_pinned WHERE p.pinned = 1
)
SELECT m.id, v.pinned, (
  SELECT json_group_array(e.id)
  FROM mention AS n CROSS JOIN entity AS e ON e.key = n.entity_key
  WHERE n.memory_key = m.key AND n.known_from <= :known_at AND (n.known_until IS NULL OR n.known_until > :known_at)
    AND e.id IN (SELECT value FROM json_each(:ids)) AND {entity_access}) AS spoken_of
FROM newest
CROSS JOIN memory AS m ON m.key = newest.key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND m.kind = 'constraint' AND (v.pinned = 1 OR spoken_of <> '[]') AND {visible} AND {wanted}
ORDER BY m.id DESC;

-- name: sharing
-- The newest memories, other than one, that speak of one of some entities, are about the same thing, or have its
-- topic; with what they share.
SELECT m.id, m.kind, group_concat(near.shared, char(31))
FROM (
  SELECT * FROM (
    SELECT n.memory_key, {entity_name} AS shared
    FROM json_each(:ids) AS asked CROSS JOIN entity AS e ON e.id = asked.value
    CROSS JOIN mention AS n ON n.entity_key = e.key AND n.known_until IS NULL
    CROSS JOIN memory AS m ON m.key = n.memory_key
    CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE {entity_access} AND m.id <> :memory_id AND m.kind <> 'episode' AND {visible}
    ORDER BY n.memory_key DESC LIMIT :limit)
  UNION
  SELECT * FROM (
    SELECT n.memory_key, {entity_name}
    FROM entity AS e CROSS JOIN mention AS n ON n.entity_key = e.key AND n.subject = 1 AND n.known_until IS NULL
    CROSS JOIN memory AS m ON m.key = n.memory_key
    CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE e.id = :subject_id AND {entity_access} AND m.id <> :memory_id AND m.kind <> 'episode' AND {visible}
    ORDER BY n.memory_key DESC LIMIT :limit)
  UNION
  SELECT * FROM (
    SELECT m.key, m.topic FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE m.project = :project AND m.topic_key = :topic_key AND m.id <> :memory_id AND m.kind <> 'episode'
      AND {visible}
    ORDER BY m.key DESC LIMIT :limit)
) AS near
CROSS JOIN memory AS m ON m.key = near.memory_key
WHERE near.shared IS NOT NULL
GROUP BY m.key ORDER BY m.key DESC LIMIT :limit;

-- name: of_session
-- The agent's memories of a session that happened within a time, of its newest, the latest first; no episodes.
SELECT m.id, m.kind, coalesce(m.occurred_at, m.created_at) AS happened
FROM (
  SELECT o.key FROM memory AS o
  WHERE o.project = :project AND o.session = :session AND o.id <> :memory_id ORDER BY o.id DESC LIMIT :looked_at
) AS newest
CROSS JOIN memory AS m ON m.key = newest.key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.author = :agent AND m.kind <> 'episode' AND happened BETWEEN :since AND :until AND {visible}
ORDER BY happened DESC, m.id DESC LIMIT :limit;

-- name: decisions_on
-- The newest decisions on a topic, but one.
SELECT m.id, m.kind
FROM memory AS m INDEXED BY memory_by_topic CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND m.topic_key = :topic_key AND m.kind = 'decision' AND m.id <> :memory_id AND {visible}
ORDER BY m.id DESC LIMIT :limit;

-- name: first_vectors
-- The vectors of memories' first passages, of the pinned model.
SELECT m.id, x.embedding
FROM json_each(:ids) AS asked
CROSS JOIN memory AS m ON m.id = asked.value
CROSS JOIN passage AS p ON p.memory_key = m.key AND p.ordinal = 0
CROSS JOIN vector AS x ON x.passage_key = p.key
WHERE m.project = :project
  AND x.model_key = (SELECT key FROM embedding_model WHERE project = :project AND pinned = 1);
