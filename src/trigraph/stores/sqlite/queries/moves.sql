-- name: ends
-- The keys of two entities of the project.
SELECT one.key, other.key FROM entity AS one CROSS JOIN entity AS other
WHERE one.id = :from_id AND one.project = :project AND other.id = :to_id AND other.project = :project;

-- name: memory_keys
-- The keys of some memories of the project.
SELECT m.key FROM json_each(:ids) AS asked CROSS JOIN memory AS m ON m.id = asked.value WHERE m.project = :project;

-- name: close_doubled
-- Where a memory speaks of both and is about the one that goes, its other mention ends: a new one is its subject.
UPDATE mention SET known_until = :at
WHERE entity_key = :to_key AND known_until IS NULL AND subject = 0 AND EXISTS (
  SELECT 1 FROM mention AS gone
  WHERE gone.memory_key = mention.memory_key AND gone.entity_key = :from_key AND gone.known_until IS NULL
    AND gone.subject = 1)
  AND (:memories IS NULL OR memory_key IN (SELECT value FROM json_each(:memories)));

-- name: close_mentions
-- Memories no longer speak of the one that goes.
UPDATE mention SET known_until = :at
WHERE entity_key = :from_key AND known_until IS NULL
  AND (:memories IS NULL OR memory_key IN (SELECT value FROM json_each(:memories)));

-- name: open_mentions
-- They speak of the other, each once.
INSERT INTO mention (memory_key, entity_key, known_from, start_char, end_char, confidence, subject)
SELECT gone.memory_key, :to_key, :at, coalesce(own.start_char, gone.start_char), coalesce(own.end_char, gone.end_char),
  max(gone.confidence, coalesce(own.confidence, 0)), gone.subject
FROM mention AS gone
LEFT JOIN mention AS own ON own.memory_key = gone.memory_key AND own.entity_key = :to_key AND own.known_until = :at
WHERE gone.entity_key = :from_key AND gone.known_until = :at
  AND (:memories IS NULL OR gone.memory_key IN (SELECT value FROM json_each(:memories)))
  AND NOT EXISTS (
    SELECT 1 FROM mention AS there
    WHERE there.memory_key = gone.memory_key AND there.entity_key = :to_key AND there.known_until IS NULL);

-- name: add_relations
-- Relations of the other, where there were none.
INSERT INTO relation (project, source_key, type, target_key)
SELECT r.project, iif(r.source_key = :from_key, :to_key, r.source_key), r.type,
  iif(r.target_key = :from_key, :to_key, r.target_key)
FROM (SELECT key FROM relation WHERE source_key = :from_key
  UNION SELECT key FROM relation WHERE target_key = :from_key) AS near
CROSS JOIN relation AS r ON r.key = near.key
WHERE :to_key NOT IN (r.source_key, r.target_key) AND EXISTS (
  SELECT 1 FROM evidence AS x WHERE x.relation_key = r.key AND x.known_until IS NULL
    AND (:memories IS NULL OR x.memory_key IN (SELECT value FROM json_each(:memories))))
ON CONFLICT DO NOTHING;

-- name: open_evidence
-- They stand written where those of the one that goes do.
INSERT INTO evidence (relation_key, memory_key, section, ordinal, known_from)
SELECT other.key, x.memory_key, x.section, x.ordinal, :at
FROM (SELECT key FROM relation WHERE source_key = :from_key
  UNION SELECT key FROM relation WHERE target_key = :from_key) AS near
CROSS JOIN relation AS r ON r.key = near.key
CROSS JOIN evidence AS x ON x.relation_key = r.key AND x.known_until IS NULL
CROSS JOIN relation AS other ON other.source_key = iif(r.source_key = :from_key, :to_key, r.source_key)
  AND other.type = r.type AND other.target_key = iif(r.target_key = :from_key, :to_key, r.target_key)
WHERE (:memories IS NULL OR x.memory_key IN (SELECT value FROM json_each(:memories)))
ON CONFLICT DO NOTHING;

-- name: close_evidence
-- Those of the one that goes hold no longer.
UPDATE evidence SET known_until = :at
WHERE known_until IS NULL AND relation_key IN (
  SELECT key FROM relation WHERE source_key = :from_key UNION SELECT key FROM relation WHERE target_key = :from_key)
  AND (:memories IS NULL OR memory_key IN (SELECT value FROM json_each(:memories)));

-- name: give_names
-- The names of the one that goes are the other's, too, on the word of the same memories.
INSERT INTO alias (entity_key, project, name, name_key, lead, memory_key, known_from)
SELECT :to_key, a.project, a.name, a.name_key, a.lead, a.memory_key, :at FROM alias AS a
WHERE a.entity_key = :from_key AND a.memory_key IS NOT NULL
  AND (:names IS NULL OR a.name_key IN (SELECT value FROM json_each(:names)))
ON CONFLICT DO NOTHING;

-- name: keep
-- What was moved, and why.
INSERT INTO entity_move (id, project, author, verb, from_key, to_key, memory_key, at, reason, names, gave_type)
VALUES (:id, :project, :author, :verb, :from_key, :to_key,
  (SELECT key FROM memory WHERE id = :cause_id AND project = :project), :at, :reason, :names, :gave_type);

-- name: standing_move
-- A move that was not undone.
SELECT g.key, g.verb, g.from_key, g.to_key, g.at, g.gave_type FROM entity_move AS g
WHERE g.id = :id AND g.project = :project AND g.undone_at IS NULL;

-- name: moved
-- Memories whose mention went with a move and is still where it went; whether they speak of the other by themselves,
-- or came to it from elsewhere, too, and so stay with it. By themselves they do if, from the mention that held at the
-- move back through those that it followed on, there is one that did not come by a move.
SELECT gone.memory_key, EXISTS (
    WITH RECURSIVE near (since) AS (
      SELECT own.known_from FROM mention AS own
      WHERE own.memory_key = gone.memory_key AND own.entity_key = :to_key AND own.known_from < :moved_at
        AND (own.known_until IS NULL OR own.known_until >= :moved_at)
      UNION
      SELECT prior.known_from FROM near CROSS JOIN mention AS prior ON prior.memory_key = gone.memory_key
        AND prior.entity_key = :to_key AND prior.known_until = near.since
    )
    SELECT 1 FROM near WHERE NOT EXISTS (
      SELECT 1 FROM entity_move AS g CROSS JOIN mention AS came ON came.memory_key = gone.memory_key
        AND came.entity_key = g.from_key AND came.known_until = g.at
      WHERE g.to_key = :to_key AND g.at = near.since))
  OR EXISTS (
    SELECT 1 FROM entity_move AS g CROSS JOIN mention AS came ON came.memory_key = gone.memory_key
      AND came.entity_key = g.from_key AND came.known_until = g.at
    WHERE g.to_key = :to_key AND g.key <> :move_key AND g.undone_at IS NULL) AS stays
FROM mention AS gone
WHERE gone.entity_key = :from_key AND gone.known_until = :moved_at AND EXISTS (
  SELECT 1 FROM mention AS there
  WHERE there.memory_key = gone.memory_key AND there.entity_key = :to_key AND there.known_until IS NULL);

-- name: said_since
-- Memories that speak of an entity since a move and came by no move; the words by which they do, and their topic.
SELECT n.memory_key, iif(n.start_char IS NULL, NULL, substr(m.text, n.start_char + 1, n.end_char - n.start_char)), m.topic
FROM mention AS n CROSS JOIN memory AS m ON m.key = n.memory_key
WHERE n.entity_key = :to_key AND n.known_until IS NULL AND n.known_from >= :moved_at AND NOT EXISTS (
  SELECT 1 FROM entity_move AS g CROSS JOIN mention AS came ON came.memory_key = n.memory_key
    AND came.entity_key = g.from_key AND came.known_until = g.at
  WHERE g.to_key = :to_key AND g.undone_at IS NULL);

-- name: own_names
-- Names, as they are compared, that one entity has and another has not.
SELECT a.name_key FROM alias AS a WHERE a.entity_key = :from_key
EXCEPT SELECT a.name_key FROM alias AS a WHERE a.entity_key = :to_key;

-- name: unsubject
-- Of memories that stay with both, the other is no longer what they are about, if it was so by the move.
UPDATE mention SET known_until = :at
WHERE entity_key = :to_key AND known_until IS NULL AND subject = 1
  AND memory_key IN (SELECT value FROM json_each(:memories)) AND EXISTS (
  SELECT 1 FROM mention AS gone
  WHERE gone.memory_key = mention.memory_key AND gone.entity_key = :from_key AND gone.known_until = :moved_at
    AND gone.subject = 1);

-- name: reopen_beside
-- They speak of it as before.
INSERT INTO mention (memory_key, entity_key, known_from, start_char, end_char, confidence, subject)
SELECT lost.memory_key, :to_key, :at, coalesce(own.start_char, lost.start_char), coalesce(own.end_char, lost.end_char),
  coalesce(own.confidence, lost.confidence), 0
FROM json_each(:memories) AS asked
CROSS JOIN mention AS lost ON lost.memory_key = asked.value AND lost.entity_key = :to_key AND lost.known_until = :at
LEFT JOIN mention AS own ON own.memory_key = lost.memory_key AND own.entity_key = :to_key AND own.known_until = :moved_at;

-- name: reopen_mentions
-- And of the one that went, as it was.
INSERT INTO mention (memory_key, entity_key, known_from, start_char, end_char, confidence, subject)
SELECT gone.memory_key, gone.entity_key, :at, gone.start_char, gone.end_char, gone.confidence,
  gone.subject = 1 AND NOT EXISTS (
    SELECT 1 FROM mention AS about
    WHERE about.memory_key = gone.memory_key AND about.subject = 1 AND about.known_until IS NULL)
FROM json_each(:memories) AS asked
CROSS JOIN mention AS gone ON gone.memory_key = asked.value AND gone.entity_key = :from_key
  AND gone.known_until = :moved_at;

-- name: reopen_evidence
-- What they said of how the one relates to others, or to the other, they say again.
INSERT INTO evidence (relation_key, memory_key, section, ordinal, known_from)
SELECT x.relation_key, x.memory_key, x.section, x.ordinal, :at
FROM json_each(:memories) AS asked
CROSS JOIN evidence AS x ON x.memory_key = asked.value AND x.known_until = :moved_at
CROSS JOIN relation AS r ON r.key = x.relation_key
LEFT JOIN relation AS other ON other.source_key = iif(r.source_key = :from_key, :to_key, r.source_key)
  AND other.type = r.type AND other.target_key = iif(r.target_key = :from_key, :to_key, r.target_key)
WHERE :from_key IN (r.source_key, r.target_key) AND (:to_key IN (r.source_key, r.target_key) OR EXISTS (
  SELECT 1 FROM evidence AS held WHERE held.relation_key = other.key AND held.memory_key = x.memory_key
    AND held.section = x.section AND held.known_until IS NULL))
ON CONFLICT DO NOTHING;

-- name: reclose_evidence
-- And no longer of the other, unless they said so before.
UPDATE evidence SET known_until = :at
WHERE known_until IS NULL AND known_from >= :moved_at AND memory_key IN (SELECT value FROM json_each(:memories))
  AND EXISTS (
    SELECT 1 FROM relation AS r
    CROSS JOIN relation AS one ON one.source_key = iif(r.source_key = :to_key, :from_key, r.source_key)
      AND one.type = r.type AND one.target_key = iif(r.target_key = :to_key, :from_key, r.target_key)
    CROSS JOIN evidence AS back ON back.relation_key = one.key AND back.memory_key = evidence.memory_key
      AND back.section = evidence.section AND back.known_from = :at
    WHERE r.key = evidence.relation_key AND :to_key IN (r.source_key, r.target_key)
      AND NOT EXISTS (
        SELECT 1 FROM entity_move AS g
        CROSS JOIN relation AS third ON third.source_key = iif(r.source_key = :to_key, g.from_key, r.source_key)
          AND third.type = r.type AND third.target_key = iif(r.target_key = :to_key, g.from_key, r.target_key)
        CROSS JOIN evidence AS came ON came.relation_key = third.key AND came.memory_key = evidence.memory_key
          AND came.section = evidence.section AND came.known_until = g.at
        WHERE g.to_key = :to_key AND g.key <> :move_key AND g.undone_at IS NULL));

-- name: take_names
-- The names that it got by the move, and by what repeated them since, it has no longer.
DELETE FROM alias
WHERE entity_key = :to_key AND known_from >= :moved_at AND EXISTS (
  SELECT 1 FROM alias AS own
  WHERE own.entity_key = :from_key AND own.name_key = alias.name_key AND own.memory_key = alias.memory_key);

-- name: take_type
-- Nor is it said any more what sort of thing it is.
UPDATE entity SET type = 'unknown' WHERE key = :to_key AND type = :gave_type;

-- name: undone
-- The move is undone.
UPDATE entity_move SET undone_at = :at WHERE key = :move_key;

-- name: moves
-- Moves from or to an entity, the oldest first.
SELECT {move_columns}
FROM (
  SELECT g.key FROM entity AS e CROSS JOIN entity_move AS g ON g.from_key = e.key WHERE e.id = :entity_id
  UNION
  SELECT g.key FROM entity AS e CROSS JOIN entity_move AS g ON g.to_key = e.key WHERE e.id = :entity_id
) AS near
CROSS JOIN entity_move AS g ON g.key = near.key
WHERE {move_visible}
ORDER BY g.at;

-- name: get
-- Moves whose id ends with a suffix; two are enough to know that it is ambiguous.
SELECT {move_columns} FROM entity_move AS g
WHERE g.project = :project AND g.short_id = substr(:suffix, -8) AND substr(g.id, -length(:suffix)) = :suffix
  AND {move_visible}
LIMIT 2;

-- name: add_pair
-- Ask whether two entities are one, if nobody did.
INSERT INTO entity_pair (id, project, author, one_key, other_key, score, reason, state, at, decided_at, decided_by)
SELECT :id, :project, :author, min(:one_key, :other_key), max(:one_key, :other_key), :score, :reason, :state, :at,
  :decided_at, :decided_by
WHERE TRUE
ON CONFLICT DO NOTHING
RETURNING key;

-- name: decide_pair
-- What was said of two entities.
UPDATE entity_pair SET state = :state, decided_at = :decided_at, decided_by = :decided_by
WHERE one_key = min(:one_key, :other_key) AND other_key = max(:one_key, :other_key);

-- name: pairs
-- Open pairs both of whose entities may be seen.
SELECT {pair_columns} FROM entity_pair AS p
WHERE p.project = :project AND p.state = 'open' AND {pair_visible} ORDER BY p.key LIMIT :limit;

-- name: get_pair
-- Pairs whose id ends with a suffix, if both entities may be seen.
SELECT {pair_columns} FROM entity_pair AS p
WHERE p.project = :project AND p.short_id = substr(:suffix, -8) AND substr(p.id, -length(:suffix)) = :suffix
  AND {pair_visible}
LIMIT 2;

-- name: asked
-- Pairs that were told apart, or wait for somebody to say it.
SELECT one.id, other.id, p.state = 'two' FROM entity_pair AS p
CROSS JOIN entity AS one ON one.key = p.one_key CROSS JOIN entity AS other ON other.key = p.other_key
WHERE p.project = :project AND p.state = 'open'
UNION ALL
SELECT one.id, other.id, p.state = 'two' FROM entity_pair AS p
CROSS JOIN entity AS one ON one.key = p.one_key CROSS JOIN entity AS other ON other.key = p.other_key
WHERE p.project = :project AND p.state = 'two';

-- name: went_into
-- Which entities went into which others.
SELECT one.id, other.id FROM entity_move AS g
CROSS JOIN entity AS one ON one.key = g.from_key CROSS JOIN entity AS other ON other.key = g.to_key
WHERE g.project = :project AND g.verb = 'merge' AND g.undone_at IS NULL;

-- name: names
-- Visible entities with all their names, the oldest first.
SELECT e.id, e.type, e.author, e.visibility, e.group_name, {entity_name}, (
    SELECT json_group_array(a.name) FROM alias AS a
    WHERE a.entity_key = e.key AND a.known_from <= :known_at AND {alias_readable}), (
    SELECT count(*) FROM mention AS told
    CROSS JOIN memory AS m ON m.key = told.memory_key CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE told.entity_key = e.key AND told.known_until IS NULL AND {standing})
FROM entity AS e
WHERE e.project = :project AND e.type <> 'document' AND {entity_visible}
ORDER BY e.id LIMIT :limit;

-- name: surroundings
-- Where entities were spoken of last, with the words around it and what else is spoken of there.
SELECT e.id, (
  SELECT json_group_array(json_array(memory_id, words, json(others))) FROM (
    SELECT m.id AS memory_id, substr(m.text, max(coalesce(n.start_char, 0) - :before, 0) + 1, :around) AS words, (
      SELECT json_group_array(o.id) FROM mention AS beside CROSS JOIN entity AS o ON o.key = beside.entity_key
      WHERE beside.memory_key = n.memory_key AND beside.known_until IS NULL AND o.key <> e.key AND {other_access}
    ) AS others
    FROM mention AS n
    CROSS JOIN memory AS m ON m.key = n.memory_key CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE n.entity_key = e.key AND n.known_until IS NULL AND {standing}
    ORDER BY n.memory_key DESC LIMIT :most))
FROM json_each(:ids) AS asked CROSS JOIN entity AS e ON e.id = asked.value
WHERE e.project = :project AND {entity_access};
