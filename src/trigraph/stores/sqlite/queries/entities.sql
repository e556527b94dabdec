-- name: add
-- Make an entity; its first state follows in the same transaction.
INSERT INTO entity (id, project, author, type, visibility, group_name, made_by, created_at, state_from)
SELECT :id, m.project, m.author, :type, :visibility, :group_name, m.key, :at, :valid_from
FROM memory AS m WHERE m.id = :memory_id AND m.project = :project
RETURNING key;

-- name: key_of
-- The key of an entity of the project.
SELECT key FROM entity WHERE id = :entity_id AND project = :project;

-- name: add_alias
-- Give an entity a name, on the word of a memory.
INSERT INTO alias (entity_key, project, name, name_key, lead, memory_key, known_from)
VALUES (:entity_key, :project, :name, :name_key, :lead, (SELECT key FROM memory WHERE id = :memory_id), :at)
ON CONFLICT DO NOTHING;

-- name: known_names
-- Names of some leads, of entities whose audience includes the writer and that something speaks of; the oldest first.
-- A name counts on the word of a memory that the writer may see.
SELECT a.name, a.name_key, e.id, e.type, e.author, e.visibility, e.group_name
FROM json_each(:leads) AS asked
CROSS JOIN alias AS a ON a.project = :project AND a.lead = asked.value
CROSS JOIN entity AS e ON e.key = a.entity_key
WHERE {entity_access} AND {alias_readable} AND EXISTS (
  SELECT 1 FROM mention AS n
  WHERE n.entity_key = e.key AND (n.known_until IS NULL OR n.known_until > :known_at))
ORDER BY e.id;

-- name: get
-- Visible entities by id.
SELECT {entity_columns}
FROM json_each(:ids) AS asked CROSS JOIN entity AS e ON e.id = asked.value
WHERE {entity_visible};

-- name: named
-- Visible entities of a name or alias, the oldest first.
SELECT {entity_columns}
FROM entity AS e
WHERE e.key IN (
    SELECT a.entity_key FROM alias AS a CROSS JOIN entity AS e ON e.key = a.entity_key
    WHERE a.project = :project AND a.lead = :lead AND a.name_key = :name_key AND a.known_from <= :known_at
      AND {alias_readable})
  AND {entity_visible}
ORDER BY e.id;

-- name: ids_ending
-- Visible ids that end with a suffix; two are enough to know that it is ambiguous.
SELECT e.id FROM entity AS e
WHERE e.short_id = substr(:suffix, -8) AND substr(e.id, -length(:suffix)) = :suffix AND {entity_visible} LIMIT 2;

-- name: page
-- Visible entities, the oldest first, from after an id.
SELECT {entity_columns}
FROM entity AS e
WHERE e.project = :project AND e.id > coalesce(:after_id, '')
  AND (:types IS NULL OR e.type IN (SELECT value FROM json_each(:types))) AND {entity_visible}
ORDER BY e.id LIMIT :limit;

-- name: count
-- How many entities are visible.
SELECT count(*) FROM entity AS e WHERE {entity_visible};

-- name: aliases
-- Names of entities that the agent may see, beside the canonical one.
SELECT e.id, a.name
FROM json_each(:ids) AS asked CROSS JOIN entity AS e ON e.id = asked.value
CROSS JOIN alias AS a ON a.entity_key = e.key
WHERE a.known_from <= :known_at AND {alias_readable} AND {entity_access} AND e.project = :project
ORDER BY a.known_from, a.name;

-- name: states
-- What changed entities by what was known, as far as the agent may see who said so, in order.
SELECT e.id, s.valid_from, s.known_from, s.event, s.name, iif({cause_holds}, s.props, '{}'),
  (SELECT cause.id FROM memory AS cause WHERE cause.key = s.cause_key)
FROM json_each(:ids) AS asked CROSS JOIN entity AS e ON e.id = asked.value
CROSS JOIN entity_state AS s ON s.entity_key = e.key
WHERE s.known_from <= :known_at AND {cause_readable} AND (s.event = 'created' OR {cause_holds})
UNION ALL
SELECT e.id, s.valid_from, s.known_from, s.event, s.name, iif({cause_holds}, s.props, '{}'),
  (SELECT cause.id FROM memory AS cause WHERE cause.key = s.cause_key)
FROM json_each(:ids) AS asked CROSS JOIN entity AS e ON e.id = asked.value
CROSS JOIN entity_state_replaced AS s ON s.entity_key = e.key
WHERE s.known_from <= :known_at AND {cause_readable} AND (s.event = 'created' OR {cause_holds})
ORDER BY 2, 3;

-- name: state_at
-- The state that holds at a time by what is known now: the one that began last before it.
SELECT valid_from, valid_until, known_from, props FROM entity_state
WHERE entity_key = :entity_key AND valid_from <= :valid_from ORDER BY valid_from DESC LIMIT 1;

-- name: first_from
-- When an entity's first state begins.
SELECT min(valid_from) FROM entity_state WHERE entity_key = :entity_key;

-- name: replace_state
-- A state that another of the same instant takes the place of stays, for what was known before.
INSERT INTO entity_state_replaced (entity_key, valid_from, known_from, event, name, props, cause_key)
SELECT entity_key, valid_from, known_from, event, name, props, cause_key
FROM entity_state WHERE entity_key = :entity_key AND valid_from = :valid_from;

-- name: drop_state
-- Make room for it.
DELETE FROM entity_state WHERE entity_key = :entity_key AND valid_from = :valid_from;

-- name: amend_state
-- Two changes of one transaction at one instant are one.
UPDATE entity_state SET event = iif(event = 'created', event, :event), name = coalesce(:name, name),
  props = :props, cause_key = (SELECT key FROM memory WHERE id = :cause_id AND project = :project)
WHERE entity_key = :entity_key AND valid_from = :valid_from;

-- name: end_state
-- A state ends where the next begins. What was known of it stays as it was: reads find the end by the next one.
UPDATE entity_state SET valid_until = :valid_from WHERE entity_key = :entity_key AND valid_from = :held_from;

-- name: add_state
-- Begin a state.
INSERT INTO entity_state (entity_key, valid_from, valid_until, known_from, event, name, props, cause_key)
VALUES (:entity_key, :valid_from, :valid_until, :at, :event, :name, :props,
  (SELECT key FROM memory WHERE id = :cause_id AND project = :project));

-- name: point_at_state
-- The entity's latest state is the open one.
UPDATE entity SET state_from = (
  SELECT valid_from FROM entity_state WHERE entity_key = :entity_key AND valid_until IS NULL)
WHERE key = :entity_key;

-- name: widen
-- Entities that a memory made get its new visibility.
UPDATE entity SET visibility = :visibility, group_name = :group_name
WHERE made_by = (SELECT key FROM memory WHERE id = :memory_id AND project = :project);

-- name: mention
-- Tie a memory to an entity.
INSERT INTO mention (memory_key, entity_key, known_from, start_char, end_char, confidence, subject)
VALUES (:memory_key, (SELECT key FROM entity WHERE id = :entity_id AND project = :project), :at, :start_char,
  :end_char, :confidence, :subject);

-- name: mentions_of
-- Entities that memories speak of, where both may be seen; in order of their place in the text.
SELECT m.id, e.id, {entity_name}, e.type, n.start_char, n.end_char, n.confidence, n.subject
FROM json_each(:ids) AS asked
CROSS JOIN memory AS m ON m.id = asked.value
CROSS JOIN memory_version AS v ON v.memory_key = m.key
CROSS JOIN mention AS n ON n.memory_key = m.key
CROSS JOIN entity AS e ON e.key = n.entity_key
WHERE n.known_from <= :known_at AND (n.known_until IS NULL OR n.known_until > :known_at)
  AND {standing} AND {entity_access}
ORDER BY asked.key, n.start_char, e.id;

-- name: set_type
-- Say what sort of thing an entity is, of which that was unknown.
UPDATE entity SET type = :type WHERE id = :entity_id AND project = :project AND type = 'unknown';

-- name: unmention
-- A memory is no longer tied to some entities.
UPDATE mention SET known_until = :at
WHERE memory_key = :memory_key AND known_until IS NULL
  AND entity_key IN (SELECT e.key FROM entity AS e WHERE e.id IN (SELECT value FROM json_each(:ids)));

-- name: changes_by
-- Every change of an entity that a memory brought.
SELECT e.id, s.event, s.valid_from, s.name, s.props
FROM memory AS m CROSS JOIN entity_state AS s ON s.cause_key = m.key CROSS JOIN entity AS e ON e.key = s.entity_key
WHERE m.id = :memory_id AND m.project = :project
UNION ALL
SELECT e.id, s.event, s.valid_from, s.name, s.props
FROM memory AS m CROSS JOIN entity_state_replaced AS s ON s.cause_key = m.key
CROSS JOIN entity AS e ON e.key = s.entity_key
WHERE m.id = :memory_id AND m.project = :project
ORDER BY 1, 3;

-- name: repeat_aliases
-- The names that one memory gave are given by another, too.
INSERT INTO alias (entity_key, project, name, name_key, lead, memory_key, known_from)
SELECT a.entity_key, a.project, a.name, a.name_key, a.lead, fresh.key, :at
FROM memory AS stale
CROSS JOIN alias AS a ON a.memory_key = stale.key
CROSS JOIN memory AS fresh ON fresh.id = :new_id
WHERE stale.id = :old_id AND stale.project = :project
ON CONFLICT DO NOTHING;
