-- name: threads
-- Threads that the agent began or may see an episode of.
SELECT {thread_record} FROM thread AS t
WHERE t.project = :project AND (:everything OR t.author = :agent OR EXISTS (
  SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE m.thread_key = t.key AND v.known_until IS NULL AND {readable}))
ORDER BY t.id;

-- name: memories
-- Memories that the agent may see, whatever became of them.
SELECT {memory_record}
FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND v.known_until IS NULL AND (:everything OR ({readable}))
ORDER BY m.id;

-- name: entities
-- Entities whose audience includes the agent and that a memory speaks of which it may see.
SELECT {entity_record} FROM entity AS e
WHERE e.project = :project AND (:everything OR ({entity_access} AND EXISTS (
  SELECT 1 FROM mention AS n
  CROSS JOIN memory AS m ON m.key = n.memory_key
  CROSS JOIN memory_version AS v ON v.memory_key = m.key
  WHERE n.entity_key = e.key AND v.known_until IS NULL AND {readable})))
ORDER BY e.id;

-- name: links
-- Links both of whose ends the agent may see.
SELECT {link_record} FROM link AS l
WHERE l.project = :project AND (:everything OR ({link_visible}))
ORDER BY l.id, l.known_from;

-- name: relations
-- Relations both of whose ends the agent may see, and a place where they stand written.
SELECT {relation_record}
FROM relation AS r
CROSS JOIN entity AS src ON src.key = r.source_key
CROSS JOIN entity AS tgt ON tgt.key = r.target_key
WHERE r.project = :project AND EXISTS (
    SELECT 1 FROM evidence AS x
    CROSS JOIN memory AS m ON m.key = x.memory_key
    CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE x.relation_key = r.key AND v.known_until IS NULL AND (:everything OR ({readable})))
  AND (:everything OR ({source_access} AND {target_access}))
ORDER BY src.id, r.type, tgt.id;

-- name: citations
-- The agent's own citations of memories that it may see.
SELECT {citation_record}
FROM citation AS c
CROSS JOIN memory AS m ON m.key = c.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE c.project = :project AND v.known_until IS NULL AND (:everything OR (c.agent = :agent AND {readable}))
ORDER BY c.at, m.id, c.agent, c.kind, c.recall_id;

-- name: restatements
-- Restatements of memories that the agent may see.
SELECT {restatement_record}
FROM restatement AS a
CROSS JOIN memory AS m ON m.key = a.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE a.project = :project AND v.known_until IS NULL AND (:everything OR ({readable}))
ORDER BY a.at, m.id;

-- name: votes
-- The agent's own votes on what it may see.
SELECT {vote_record}
FROM vote AS o
WHERE (:everything OR o.agent = :agent) AND (
  EXISTS (
    SELECT 1 FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE m.id = o.target AND m.project = :project AND v.known_until IS NULL AND (:everything OR ({readable})))
  OR EXISTS (
    SELECT 1 FROM link AS l
    WHERE l.id = o.target AND l.project = :project AND (:everything OR ({link_visible}))))
ORDER BY o.target, o.agent, o.at;

-- name: erased
-- What was erased.
SELECT {erased_record} FROM erased AS x WHERE x.project = :project AND :everything ORDER BY x.id;

-- name: thread
-- One thread.
SELECT {thread_record} FROM thread AS t WHERE t.id = :id AND t.project = :project;

-- name: memory
-- One memory.
SELECT {memory_record} FROM memory AS m WHERE m.id = :id AND m.project = :project;

-- name: entity
-- One entity.
SELECT {entity_record} FROM entity AS e WHERE e.id = :id AND e.project = :project;

-- name: link
-- One version of a link.
SELECT {link_record} FROM link AS l WHERE l.id = :id AND l.known_from = :known_from AND l.project = :project;

-- name: relation
-- One relation.
SELECT {relation_record}
FROM relation AS r
CROSS JOIN entity AS src ON src.key = r.source_key
CROSS JOIN entity AS tgt ON tgt.key = r.target_key
WHERE src.id = :source_id AND r.type = :type AND tgt.id = :target_id AND r.project = :project;

-- name: citation
-- One citation.
SELECT {citation_record} FROM citation AS c CROSS JOIN memory AS cited ON cited.key = c.memory_key
WHERE cited.id = :memory_id AND c.agent = :agent AND c.at = :at AND c.kind = :kind AND c.recall_id IS :recall_id;

-- name: restatement
-- One restatement.
SELECT {restatement_record} FROM restatement AS a CROSS JOIN memory AS said ON said.key = a.memory_key
WHERE said.id = :memory_id AND a.at = :at;

-- name: vote
-- One vote.
SELECT {vote_record} FROM vote AS o WHERE o.target = :target AND o.agent = :agent AND o.at = :at;

-- name: tombstone
-- One of what was erased.
SELECT {erased_record} FROM erased AS x WHERE x.id = :id;

-- name: entity_key
-- The key of an entity.
SELECT key FROM entity WHERE id = :id AND project = :project;

-- name: here
-- Which of some memories are here.
SELECT id FROM memory WHERE id IN (SELECT value FROM json_each(:ids)) AND project = :project;

-- name: was_erased
-- Whether something of that id was erased here.
SELECT EXISTS (SELECT 1 FROM erased WHERE id = :id);

-- name: put_thread
-- Write a thread as it was.
INSERT INTO thread (id, project, author, name, session, title, created_at)
VALUES (:record ->> 'id', :project, :record ->> 'author', :record ->> 'name', :record ->> 'session',
  :record ->> 'title', :record ->> 'created_at');

-- name: put_memory
-- Write a memory as it was.
INSERT INTO memory (id, project, author, kind, text, content_hash, topic, topic_key, details, source, session,
  turn, uri, trust, thread_key, seq, speaker, role, occurred_at, created_at, passage_count, root_id)
VALUES (:record ->> 'id', :project, :record ->> 'author', :record ->> 'kind', :text, :record ->> 'content_hash',
  :record ->> 'topic', :record ->> 'topic_key', json_extract(:record, '$.details'), :record ->> 'source',
  :record ->> 'session', :record ->> 'turn', :record ->> 'uri', :record ->> 'trust',
  (SELECT key FROM thread WHERE id = :record ->> 'thread_id'), :record ->> 'seq', :record ->> 'speaker',
  :record ->> 'role', :record ->> 'occurred_at', :record ->> 'created_at', :passage_count, :record ->> 'root_id')
RETURNING key;

-- name: put_versions
-- Write all versions of a memory as they were.
INSERT INTO memory_version (memory_key, known_from, known_until, valid_from, valid_until, retracted_at, status,
  visibility, group_name, tags, domains, confidence, pinned, last_verified_at, referenced_at, stability_days,
  difficulty, superseded_by, verb, changed_by, reason)
SELECT :memory_key, o.value ->> 'known_from', o.value ->> 'known_until', o.value ->> 'valid_from',
  o.value ->> 'valid_until', o.value ->> 'retracted_at', o.value ->> 'status', o.value ->> 'visibility',
  o.value ->> 'group', o.value -> 'tags', o.value -> 'domains', o.value ->> 'confidence', o.value ->> 'pinned',
  o.value ->> 'last_verified_at', o.value ->> 'referenced_at', o.value ->> 'stability_days',
  o.value ->> 'difficulty', o.value ->> 'superseded_by', o.value ->> 'verb', o.value ->> 'changed_by',
  o.value ->> 'reason'
FROM json_each(:record, '$.versions') AS o;

-- name: put_entity
-- Write an entity as it was; its states follow.
INSERT INTO entity (id, project, author, type, visibility, group_name, made_by, created_at, state_from)
VALUES (:record ->> 'id', :project, :record ->> 'author', :record ->> 'type', :record ->> 'visibility',
  :record ->> 'group', (SELECT key FROM memory WHERE id = :record ->> 'made_by'), :record ->> 'created_at',
  :record ->> 'state_from')
RETURNING key;

-- name: put_states
-- Write the chain of its states.
INSERT INTO entity_state (entity_key, valid_from, valid_until, known_from, event, name, props, cause_key)
SELECT :entity_key, s.value ->> 'valid_from', s.value ->> 'valid_until', s.value ->> 'known_from',
  s.value ->> 'event', s.value ->> 'name', s.value -> 'props',
  (SELECT key FROM memory WHERE id = s.value ->> 'cause_id')
FROM json_each(:record, '$.states') AS s WHERE NOT s.value ->> 'replaced';

-- name: put_replaced
-- Write those that another of the same instant replaced.
INSERT INTO entity_state_replaced (entity_key, valid_from, known_from, event, name, props, cause_key)
SELECT :entity_key, s.value ->> 'valid_from', s.value ->> 'known_from', s.value ->> 'event', s.value ->> 'name',
  s.value -> 'props', (SELECT key FROM memory WHERE id = s.value ->> 'cause_id')
FROM json_each(:record, '$.states') AS s WHERE s.value ->> 'replaced';

-- name: put_aliases
-- Write the names of an entity.
INSERT INTO alias (entity_key, project, name, name_key, lead, memory_key, known_from)
SELECT :entity_key, :project, a.value ->> 'name', a.value ->> 'name_key',
  a.value ->> 'lead',
  (SELECT key FROM memory WHERE id = a.value ->> 'memory_id'), a.value ->> 'known_from'
FROM json_each(:record, '$.aliases') AS a;

-- name: put_mentions
-- Write the mentions of an entity that are not there.
INSERT OR IGNORE INTO mention (memory_key, entity_key, known_from, known_until, start_char, end_char, confidence, subject)
SELECT m.key, :entity_key, n.value ->> 'known_from', n.value ->> 'known_until', n.value ->> 'start',
  n.value ->> 'end', n.value ->> 'confidence', n.value ->> 'subject'
FROM json_each(:record, '$.mentions') AS n CROSS JOIN memory AS m ON m.id = n.value ->> 'memory_id'
WHERE m.project = :project;

-- name: put_document
-- Say which document an entity is.
INSERT INTO document (entity_key, project, collection, name_key, path)
SELECT :entity_key, :project, :record ->> '$.document.collection', :record ->> '$.document.name_key',
  :record ->> '$.document.path'
WHERE json_type(:record, '$.document') = 'object';

-- name: put_relation
-- A relation, if both its ends are here; one that is there already is found.
INSERT INTO relation (project, source_key, type, target_key)
SELECT :project, s.key, :record ->> 'type', t.key FROM entity AS s, entity AS t
WHERE s.id = :record ->> 'source_id' AND s.project = :project AND t.id = :record ->> 'target_id'
  AND t.project = :project
ON CONFLICT (source_key, type, target_key) DO UPDATE SET type = excluded.type
RETURNING key;

-- name: put_evidence
-- The places where it stands written, of memories that are here.
INSERT OR IGNORE INTO evidence (relation_key, memory_key, section, ordinal, known_from, known_until)
SELECT :relation_key, m.key, x.value ->> 'section', x.value ->> 'ordinal', x.value ->> 'known_from',
  x.value ->> 'known_until'
FROM json_each(:record, '$.evidence') AS x CROSS JOIN memory AS m ON m.id = x.value ->> 'memory_id'
WHERE m.project = :project
RETURNING relation_key;

-- name: drop_unwritten
-- A relation that stands written nowhere is none.
DELETE FROM relation WHERE key = :relation_key
  AND NOT EXISTS (SELECT 1 FROM evidence WHERE relation_key = :relation_key);

-- name: put_link
-- Write one version of a link as it was, if both its ends are here.
INSERT INTO link (id, project, author, from_key, to_key, type, confidence, created_by, reason, valid_from,
  valid_until, known_from, known_until, similarity, gap_seconds, span_start, span_end)
SELECT :record ->> 'id', :project, :record ->> 'author', one.key, other.key, :record ->> 'type',
  :record ->> 'confidence', :record ->> 'created_by', :record ->> 'reason', :record ->> 'valid_from',
  :record ->> 'valid_until', :record ->> 'known_from', :record ->> 'known_until', :record ->> 'similarity',
  :record ->> 'gap_seconds', :record ->> 'span_start', :record ->> 'span_end'
FROM memory AS one, memory AS other
WHERE one.id = :record ->> 'from_id' AND other.id = :record ->> 'to_id' AND one.project = :project
  AND other.project = :project
RETURNING key;

-- name: put_citation
-- Write a citation as it was, if its memory is here.
INSERT INTO citation (project, agent, session, recall_id, memory_key, kind, notes, at)
SELECT :project, :record ->> 'agent', :record ->> 'session', :record ->> 'recall_id', m.key, :record ->> 'kind',
  :record ->> 'notes', :record ->> 'at'
FROM memory AS m WHERE m.id = :record ->> 'memory_id' AND m.project = :project
RETURNING key;

-- name: put_restatement
-- Write a restatement as it was, if its memory is here.
INSERT INTO restatement (memory_key, project, author, source, session, turn, uri, at, raised)
SELECT m.key, :project, :record ->> 'author', :record ->> 'source', :record ->> 'session', :record ->> 'turn',
  :record ->> 'uri', :record ->> 'at', :record ->> 'raised'
FROM memory AS m WHERE m.id = :record ->> 'memory_id' AND m.project = :project
RETURNING at;

-- name: put_vote
-- Write a vote as it was, if what it is about is here.
INSERT INTO vote (target, agent, at, value, moved, reason)
SELECT :record ->> 'target', :record ->> 'agent', :record ->> 'at', :record ->> 'value', :record ->> 'moved',
  :record ->> 'reason'
WHERE EXISTS (SELECT 1 FROM memory WHERE id = :record ->> 'target' AND project = :project)
  OR EXISTS (SELECT 1 FROM link WHERE id = :record ->> 'target' AND project = :project)
RETURNING at;

-- name: put_erased
-- What was erased stays so.
INSERT INTO erased (id, project, thread_key, seq, at, by)
VALUES (:record ->> 'id', :project, (SELECT key FROM thread WHERE id = :record ->> 'thread_id'), :record ->> 'seq',
  :record ->> 'at', :record ->> 'by');

-- name: reach
-- Later transactions come after a time.
UPDATE clock SET last_commit_at = max(last_commit_at, :at);

-- name: events
-- Recall events, of the agent or of all.
SELECT {event_record}, r.candidates, r.features
FROM recall_event AS r WHERE r.project = :project AND (:everything OR r.agent = :agent) ORDER BY r.recall_id;

-- name: event
-- One recall event.
SELECT {event_record}, r.candidates, r.features
FROM recall_event AS r WHERE r.recall_id = :recall_id;

-- name: put_event
-- Write a recall event as it was.
INSERT INTO recall_event (recall_id, tenant, project, agent, session, query, query_class, profile, fusion,
  result_count, result_ids, top_n_selected, payload_bytes, exact_ids, weights, legs, candidates, milliseconds, at,
  features, explored)
VALUES (:record ->> 'recall_id', :tenant, :project, :record ->> 'agent', :record ->> 'session',
  :record ->> 'query', :record ->> 'query_class', :record ->> 'profile', :record ->> 'fusion',
  :record ->> 'result_count', :record -> 'result_ids', :record ->> 'top_n_selected', :record ->> 'payload_bytes',
  :record -> 'exact_ids', :record -> 'weights', :record -> 'legs', :candidates, :record ->> 'milliseconds',
  :record ->> 'at', :features, :record ->> 'explored');

-- name: put_shown
-- Which memories it showed.
INSERT INTO shown (memory_id, recall_id, project, agent, session, rank, at)
SELECT value, :record ->> 'recall_id', :project, :record ->> 'agent', :record ->> 'session', min(key) + 1,
  :record ->> 'at'
FROM json_each(:record, '$.result_ids') GROUP BY value;

-- name: skills
-- Uses of skills, of the agent or of all.
SELECT json_object('record', 'skill_use', 'entity_id', u.entity_id, 'recall_id', u.recall_id, 'agent', u.agent,
  'at', u.at)
FROM skill_use AS u WHERE u.project = :project AND (:everything OR u.agent = :agent)
ORDER BY u.entity_id, u.recall_id, u.agent;

-- name: put_skill
-- Write a use of a skill as it was.
INSERT INTO skill_use (entity_id, recall_id, project, agent, at)
VALUES (:record ->> 'entity_id', :record ->> 'recall_id', :project, :record ->> 'agent', :record ->> 'at')
ON CONFLICT DO NOTHING RETURNING at;

-- name: recall_days
-- What is left of recalls that were rolled up, of the agent or of all.
SELECT {day_record}
FROM recall_day AS d WHERE d.project = :project AND (:everything OR d.agent = :agent)
ORDER BY d.day, d.agent, d.query_class;

-- name: recall_day
-- What is left of the recalls of one day, agent and class.
SELECT {day_record}
FROM recall_day AS d
WHERE d.project = :project AND d.day = unixepoch(:record ->> 'day') / 86400 AND d.agent = :record ->> 'agent'
  AND d.query_class = :record ->> 'query_class';

-- name: put_recall_day
-- Write the counts of a day as they were, unless recalls are kept that may be among them.
INSERT INTO recall_day (project, day, agent, query_class,
  recalls, hits, misses, undecided, empty, stale, payload_bytes, milliseconds, cited, dismissed, flagged_stale,
  rewrote, saved_rework, vector_asked, vector_found, vector_degraded, lexical_asked, lexical_found,
  lexical_degraded, graph_asked, graph_found, graph_degraded, temporal_asked, temporal_found, temporal_degraded)
SELECT :project, unixepoch(:record ->> 'day') / 86400, :record ->> 'agent', :record ->> 'query_class',
  :record ->> 'recalls', :record ->> 'hits', :record ->> 'misses', :record ->> 'undecided', :record ->> 'empty',
  :record ->> 'stale', :record ->> 'payload_bytes', :record ->> 'milliseconds', :record ->> 'cited',
  :record ->> 'dismissed', :record ->> 'flagged_stale', :record ->> 'rewrote', :record ->> 'saved_rework',
  :record ->> 'vector_asked', :record ->> 'vector_found', :record ->> 'vector_degraded',
  :record ->> 'lexical_asked', :record ->> 'lexical_found', :record ->> 'lexical_degraded',
  :record ->> 'graph_asked', :record ->> 'graph_found', :record ->> 'graph_degraded', :record ->> 'temporal_asked',
  :record ->> 'temporal_found', :record ->> 'temporal_degraded'
WHERE NOT EXISTS (
  SELECT 1 FROM recall_figure AS f
  WHERE f.project = :project AND f.agent = :record ->> 'agent' AND f.query_class = :record ->> 'query_class'
    AND f.at >= unixepoch(:record ->> 'day') * 1000000 AND f.at < (unixepoch(:record ->> 'day') + 86400) * 1000000)
RETURNING day;

-- name: shown_befores
-- How often recalls that were rolled up had shown memories, of the agent or of all.
SELECT {shown_before_record}
FROM shown_before AS b WHERE b.project = :project AND (:everything OR b.agent = :agent)
ORDER BY b.memory_id, b.agent;

-- name: shown_before
-- The same of one memory and agent.
SELECT {shown_before_record}
FROM shown_before AS b
WHERE b.project = :project AND b.memory_id = :record ->> 'memory_id' AND b.agent = :record ->> 'agent';

-- name: put_shown_before
-- Write how often a memory had been shown, unless recalls are kept that may be among those that did.
INSERT INTO shown_before (project, memory_id, agent, shown, last_at)
SELECT :project, :record ->> 'memory_id', :record ->> 'agent', :record ->> 'shown', :record ->> 'last_at'
WHERE NOT EXISTS (
  SELECT 1 FROM shown AS s
  WHERE s.project = :project AND s.memory_id = :record ->> 'memory_id' AND s.agent = :record ->> 'agent'
    AND s.at <= :record ->> 'last_at')
RETURNING shown;
