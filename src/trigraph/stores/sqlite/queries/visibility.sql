-- name: access
-- Whether the asking agent may see a row, by its author, its visibility and the group it names.
(:agent = {author}
  OR ({row_visibility} = 'shared' AND (:policy = 'shared'
    OR (:policy = 'group' AND {author} IN (SELECT value FROM json_each(:fellows)))))
  OR ({row_visibility} = 'group' AND :policy <> 'isolated'
    AND {row_group} IN (SELECT value FROM json_each(:groups))))

-- name: known
-- Whether version v of memory m is what was known at the moment that is asked about.
v.known_from <= :known_at AND (v.known_until IS NULL OR v.known_until > :known_at)

-- name: standing
-- Whether what is known of memory m is neither retracted nor put away for review: it may hold no longer, but it
-- is part of what the agent may know.
{readable} AND {known} AND v.retracted_at IS NULL AND v.status IN ('active', 'archived')

-- name: visible_as_it_is
-- Whether version v of memory m may be seen by the asking agent, at the moment that is asked about, among those of its
-- status.
{readable} AND {known}
AND (v.retracted_at IS NULL OR v.status = 'forgotten')
AND (v.status <> 'active' OR (v.valid_from <= :as_of
  AND (v.valid_until IS NULL OR v.valid_until > :as_of OR (:superseded AND v.superseded_by IS NOT NULL))))

-- name: visible
-- The same of the status that is asked for.
v.status = :status AND {visible_as_it_is}

-- name: cause_readable
-- Whether the memory that brought state s may be seen now.
(s.cause_key IS NULL OR EXISTS (
  SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE m.key = s.cause_key AND v.known_until IS NULL AND {readable}))

-- name: cause_holds
-- Whether the memory that brought state s was not retracted, by what was known.
(s.cause_key IS NULL OR NOT EXISTS (
  SELECT 1 FROM memory_version AS w
  WHERE w.memory_key = s.cause_key AND w.known_from <= :known_at AND (w.known_until IS NULL OR w.known_until > :known_at)
    AND w.retracted_at IS NOT NULL))

-- name: entity_visible
-- Whether entity e may be seen: its audience includes the agent, and so does that of a memory that speaks of it.
e.project = :project AND {entity_access} AND EXISTS (
  SELECT 1 FROM mention AS seen
  CROSS JOIN memory AS m ON m.key = seen.memory_key
  CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE seen.entity_key = e.key AND seen.known_from <= :known_at
    AND (seen.known_until IS NULL OR seen.known_until > :known_at) AND {standing})
AND (EXISTS (
    SELECT 1 FROM entity_state AS s
    WHERE s.entity_key = e.key AND s.valid_from <= :as_of AND s.known_from <= :known_at AND {cause_readable})
  OR EXISTS (
    SELECT 1 FROM entity_state_replaced AS s
    WHERE s.entity_key = e.key AND s.valid_from <= :as_of AND s.known_from <= :known_at AND {cause_readable}))

-- name: alias_readable
-- Whether the memory that gave alias a may be seen now, and the name did not go to another entity by a split.
(a.memory_key IS NULL OR EXISTS (
  SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE m.key = a.memory_key AND v.known_until IS NULL AND {readable}
    AND (v.retracted_at IS NULL OR v.retracted_at > :known_at OR m.key = e.made_by)))
AND NOT EXISTS (
  SELECT 1 FROM entity_move AS g
  WHERE g.from_key = a.entity_key AND g.at >= a.known_from AND g.at <= :known_at
    AND (g.undone_at IS NULL OR g.undone_at > :known_at) AND a.name_key IN (SELECT value FROM json_each(g.names)))

-- name: entity_columns
-- An entity with counts of what the agent may see.
e.id, e.type, e.visibility, e.group_name, e.author, (
  SELECT json_array(count(*), min(m.created_at), max(m.created_at))
  FROM mention AS told
  CROSS JOIN memory AS m ON m.key = told.memory_key
  CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE told.entity_key = e.key AND told.known_from <= :known_at
    AND (told.known_until IS NULL OR told.known_until > :known_at) AND {standing})

-- name: entity_name
-- The canonical name of entity e then, by the latest state that gave one and that the agent may see; else by the first.
coalesce(
  (SELECT s.name FROM entity_state AS s
   WHERE s.entity_key = e.key AND s.name IS NOT NULL AND s.valid_from <= :as_of AND s.known_from <= :known_at
     AND {cause_readable} AND (s.event = 'created' OR {cause_holds}) ORDER BY s.valid_from DESC LIMIT 1),
  (SELECT s.name FROM entity_state AS s
   WHERE s.entity_key = e.key AND s.name IS NOT NULL AND {cause_readable} ORDER BY s.valid_from LIMIT 1),
  (SELECT s.name FROM entity_state_replaced AS s
   WHERE s.entity_key = e.key AND s.name IS NOT NULL AND {cause_readable} ORDER BY s.valid_from LIMIT 1))

-- name: link_known
-- Whether link l is what was known at the moment that is asked about.
l.known_from <= :known_at AND (l.known_until IS NULL OR l.known_until > :known_at)

-- name: link_visible
-- Whether both ends of link l may be seen, as they were known.
EXISTS (
  SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE m.key = l.from_key AND {readable} AND {known})
AND EXISTS (
  SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE m.key = l.to_key AND {readable} AND {known})

-- name: link_columns
-- A link with the ids of its ends.
l.id, (SELECT id FROM memory WHERE key = l.from_key), (SELECT id FROM memory WHERE key = l.to_key), l.type,
  l.confidence, l.created_by, l.author, l.reason, l.valid_from, l.valid_until, l.known_from, l.known_until,
  l.similarity, l.gap_seconds, l.span_start, l.span_end, (SELECT min(first.known_from) FROM link AS first WHERE first.id = l.id)

-- name: move_columns
-- A move with both its ends, as they are called, and the memory that tells it.
g.id, g.verb, (SELECT json_array(e.id, {entity_name}, e.type) FROM entity AS e WHERE e.key = g.from_key),
  (SELECT json_array(e.id, {entity_name}, e.type) FROM entity AS e WHERE e.key = g.to_key), g.at, g.author, g.reason,
  (SELECT m.id FROM memory AS m WHERE m.key = g.memory_key), g.names, g.gave_type, g.undone_at

-- name: move_visible
-- Whether the agent may see who tells move g, and both entities are in its reach.
EXISTS (SELECT 1 FROM entity AS e WHERE e.key = g.from_key AND e.project = :project AND {entity_access})
AND EXISTS (SELECT 1 FROM entity AS e WHERE e.key = g.to_key AND {entity_access})
AND (EXISTS (
    SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE m.key = g.memory_key AND v.known_until IS NULL AND {readable})
  OR (g.memory_key IS NULL AND g.author = :agent))

-- name: member_readable
-- Whether member n of composition c may be seen: by its memory as it stands, by who could see it when it was erased, or,
-- of a memory that never was here, by the composition's author alone.
(EXISTS (
    SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE m.id = n.memory_id AND v.known_until IS NULL AND {readable})
  OR (n.visibility IS NOT NULL AND {member_access})
  OR (n.visibility IS NULL AND c.author = :agent AND NOT EXISTS (SELECT 1 FROM memory WHERE id = n.memory_id)))

-- name: composition_whole
-- Whether all members of composition c may be seen.
NOT EXISTS (SELECT 1 FROM composition_member AS n WHERE n.event_key = c.key AND NOT {member_readable})

-- name: composition_visible
-- Whether composition c was there then, and is the agent's own or one of what its author shares, all of it to be seen.
c.project = :project AND c.at <= :known_at AND (c.author = :agent OR ({composition_access} AND {composition_whole}))

-- name: composition_columns
-- A composition without its members and outcomes; the last says whether all that was made of it may be told.
c.key, c.id, c.project, c.author, c.at, c.tool, c.mode, c.query, c.query_hash, c.told, c.confidence, c.status,
  c.output_preview, c.metadata, {composition_whole}

-- name: pair_columns
-- A pair with both its entities, as they are called.
p.id, (SELECT json_array(e.id, {entity_name}, e.type) FROM entity AS e WHERE e.key = p.one_key),
  (SELECT json_array(e.id, {entity_name}, e.type) FROM entity AS e WHERE e.key = p.other_key), p.score, p.reason,
  p.state, p.author, p.at, p.decided_at, p.decided_by

-- name: pair_visible
-- Whether both entities of pair p may be seen.
EXISTS (SELECT 1 FROM entity AS e WHERE e.key = p.one_key AND {entity_visible})
AND EXISTS (SELECT 1 FROM entity AS e WHERE e.key = p.other_key AND {entity_visible})

-- name: document_columns
-- Which document an entity is, and whose.
e.id, d.collection, d.name_key, d.path, e.author, e.visibility, e.group_name

-- name: successor
-- What took the place of version v, if the agent may see it.
(SELECT later.id FROM memory AS later CROSS JOIN memory_version AS held ON held.memory_key = later.key
 WHERE later.id = v.superseded_by AND held.known_until IS NULL AND {successor_access})

-- name: root
-- The memory whose usage history m continues, if the agent may see it.
(SELECT later.id FROM memory AS later CROSS JOIN memory_version AS held ON held.memory_key = later.key
 WHERE later.id = m.root_id AND held.known_until IS NULL AND {successor_access})

-- name: version_columns
-- Version o of memory m.
m.id, o.known_from, iif(o.known_until <= :known_at, o.known_until, NULL), o.valid_from, o.valid_until,
  o.retracted_at, o.status, o.visibility, o.group_name, o.tags, o.domains, o.confidence, o.pinned,
  o.last_verified_at, o.superseded_by IS NOT NULL, (
    SELECT later.id FROM memory AS later CROSS JOIN memory_version AS held ON held.memory_key = later.key
    WHERE later.id = o.superseded_by AND held.known_until IS NULL AND {successor_access}),
  o.verb, coalesce(o.changed_by, m.author), o.reason

-- name: wanted
-- Whether version v of memory m is among those the caller's filter asks for.
(:kinds IS NULL OR m.kind IN (SELECT value FROM json_each(:kinds)))
AND (:types IS NULL OR coalesce((
    SELECT e.type FROM mention AS subject_of JOIN entity AS e ON e.key = subject_of.entity_key
    WHERE subject_of.memory_key = m.key AND subject_of.subject = 1 AND subject_of.known_until IS NULL
      AND {entity_access}), 'unknown')
  IN (SELECT value FROM json_each(:types)))
AND (:entity IS NULL OR EXISTS (
  SELECT 1 FROM mention AS named JOIN entity AS e ON e.key = named.entity_key
  WHERE named.memory_key = m.key AND e.id = :entity AND named.known_until IS NULL AND {entity_access}))
AND (:topic_key IS NULL OR m.topic_key = :topic_key)
AND (:tags IS NULL OR NOT EXISTS (
  SELECT 1 FROM json_each(:tags) AS asked
  WHERE asked.value NOT IN (SELECT value FROM json_each(v.tags))))
AND (:domains IS NULL OR (:domainless AND json_array_length(v.domains) = 0) OR EXISTS (
  SELECT 1 FROM json_each(v.domains) AS own WHERE own.value IN (SELECT value FROM json_each(:domains))))
AND (:sources IS NULL OR m.source IN (SELECT value FROM json_each(:sources)))
AND (:author IS NULL OR m.author = :author)
AND (:session IS NULL OR m.session = :session)
AND (:thread IS NULL OR m.thread_key = (SELECT key FROM thread WHERE id = :thread))
AND (:first_seq IS NULL OR m.seq >= :first_seq)
AND (:last_seq IS NULL OR m.seq <= :last_seq)
AND (:created_after IS NULL OR m.created_at >= :created_after)
AND (:created_before IS NULL OR m.created_at < :created_before)
AND (:occurred_after IS NULL OR m.occurred_at >= :occurred_after)
AND (:occurred_before IS NULL OR m.occurred_at < :occurred_before)
AND (:happened_from IS NULL OR coalesce(m.occurred_at, m.created_at) >= :happened_from)
AND (:happened_until IS NULL OR coalesce(m.occurred_at, m.created_at) < :happened_until)
AND (:only_visibility IS NULL OR v.visibility = :only_visibility)
AND (:verified_before IS NULL OR coalesce(v.last_verified_at, m.created_at) < :verified_before)

-- name: told_columns
-- What a hook tells of a memory beside its text.
m.id, m.kind, m.topic, m.trust, v.confidence, v.pinned, coalesce(m.occurred_at, m.created_at), m.session
