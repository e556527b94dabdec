-- name: thread_record
-- A thread.
json_object('record', 'thread', 'id', t.id, 'author', t.author, 'name', t.name, 'session', t.session,
  'title', t.title, 'created_at', t.created_at)

-- name: memory_record
-- A memory with all its versions, and its vectors where they are asked for.
json_object('record', 'memory', 'id', m.id, 'author', m.author, 'kind', m.kind, 'text', m.text,
  'content_hash', m.content_hash, 'topic', m.topic, 'topic_key', m.topic_key, 'details', json(m.details),
  'source', m.source, 'session', m.session, 'turn', m.turn, 'uri', m.uri, 'trust', m.trust,
  'thread_id', (SELECT t.id FROM thread AS t WHERE t.key = m.thread_key), 'seq', m.seq, 'speaker', m.speaker,
  'role', m.role, 'occurred_at', m.occurred_at, 'created_at', m.created_at, 'root_id', iif(:everything, m.root_id, {root}),
  'versions', json((
    SELECT json_group_array(json_object('known_from', o.known_from, 'known_until', o.known_until,
      'valid_from', o.valid_from, 'valid_until', o.valid_until, 'retracted_at', o.retracted_at, 'status', o.status,
      'visibility', o.visibility, 'group', o.group_name, 'tags', json(o.tags), 'domains', json(o.domains),
      'confidence', o.confidence, 'pinned', o.pinned, 'last_verified_at', o.last_verified_at,
      'referenced_at', o.referenced_at, 'stability_days', o.stability_days, 'difficulty', o.difficulty,
      'superseded_by', iif(:everything, o.superseded_by, (
        SELECT later.id FROM memory AS later CROSS JOIN memory_version AS held ON held.memory_key = later.key
        WHERE later.id = o.superseded_by AND held.known_until IS NULL AND {successor_access})),
      'verb', o.verb, 'changed_by', o.changed_by, 'reason', o.reason))
    FROM (SELECT * FROM memory_version WHERE memory_key = m.key ORDER BY known_from) AS o)),
  'vectors', json(iif(:vectors, (
    SELECT json_group_array(row) FROM (
      SELECT hex(substr(x.embedding, 5)) AS row
      FROM passage AS p JOIN vector AS x ON x.passage_key = p.key
      WHERE p.memory_key = m.key
        AND x.model_key = (SELECT key FROM embedding_model WHERE project = :project AND pinned = 1)
      ORDER BY p.ordinal)), NULL)))

-- name: entity_record
-- An entity with its names, its states, and the memories that speak of it.
json_object('record', 'entity', 'id', e.id, 'author', e.author, 'type', e.type, 'visibility', e.visibility,
  'group', e.group_name, 'created_at', e.created_at,
  'document', json((
    SELECT json_object('collection', d.collection, 'name_key', d.name_key, 'path', d.path)
    FROM document AS d WHERE d.entity_key = e.key)),
  'made_by', (SELECT m.id FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
    WHERE m.key = e.made_by AND v.known_until IS NULL AND (:everything OR ({readable}))),
  'aliases', json((
    SELECT json_group_array(json_object('name', a.name, 'name_key', a.name_key, 'known_from', a.known_from,
      'memory_id', (SELECT id FROM memory WHERE key = a.memory_key)))
    FROM (SELECT * FROM alias WHERE entity_key = e.key ORDER BY known_from, name_key) AS a
    WHERE :everything OR {alias_readable})),
  'states', json((
    SELECT json_group_array(json_object('valid_from', s.valid_from, 'known_from', s.known_from, 'event', s.event,
      'name', s.name, 'props', json(s.props), 'cause_id', (SELECT id FROM memory WHERE key = s.cause_key)))
    FROM (
      SELECT entity_key, valid_from, known_from, event, name, props, cause_key FROM entity_state
      WHERE entity_key = e.key
      UNION ALL
      SELECT entity_key, valid_from, known_from, event, name, props, cause_key FROM entity_state_replaced
      WHERE entity_key = e.key
      ORDER BY valid_from, known_from) AS s
    WHERE :everything OR {cause_readable})),
  'mentions', json((
    SELECT json_group_array(json_object('memory_id', n.memory_id, 'known_from', n.known_from,
      'known_until', n.known_until, 'start', n.start_char, 'end', n.end_char, 'confidence', n.confidence,
      'subject', n.subject))
    FROM (
      SELECT mention.*, m.id AS memory_id FROM mention
      CROSS JOIN memory AS m ON m.key = mention.memory_key
      CROSS JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
      WHERE mention.entity_key = e.key AND (:everything OR ({readable})) ORDER BY m.id, mention.known_from) AS n)))

-- name: link_record
-- One version of a link.
json_object('record', 'link', 'id', l.id, 'author', l.author,
  'from_id', (SELECT id FROM memory WHERE key = l.from_key), 'to_id', (SELECT id FROM memory WHERE key = l.to_key),
  'type', l.type, 'confidence', l.confidence, 'created_by', l.created_by, 'reason', l.reason,
  'valid_from', l.valid_from, 'valid_until', l.valid_until, 'known_from', l.known_from,
  'known_until', l.known_until, 'similarity', l.similarity, 'gap_seconds', l.gap_seconds,
  'span_start', l.span_start, 'span_end', l.span_end)

-- name: relation_record
-- A relation with the places where it stands written.
json_object('record', 'relation', 'source_id', src.id, 'type', r.type, 'target_id', tgt.id,
  'evidence', json((
    SELECT json_group_array(json_object('memory_id', x.memory_id, 'section', x.section, 'ordinal', x.ordinal,
      'known_from', x.known_from, 'known_until', x.known_until))
    FROM (
      SELECT evidence.*, m.id AS memory_id FROM evidence
      CROSS JOIN memory AS m ON m.key = evidence.memory_key
      CROSS JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
      WHERE evidence.relation_key = r.key AND (:everything OR ({readable}))
      ORDER BY m.id, evidence.section, evidence.known_from) AS x)))

-- name: citation_record
-- A citation.
json_object('record', 'citation', 'agent', c.agent, 'session', c.session, 'recall_id', c.recall_id,
  'memory_id', (SELECT id FROM memory WHERE key = c.memory_key), 'kind', c.kind, 'notes', c.notes, 'at', c.at)

-- name: restatement_record
-- A restatement.
json_object('record', 'restatement', 'memory_id', (SELECT id FROM memory WHERE key = a.memory_key), 'author', a.author,
  'source', a.source, 'session', a.session, 'turn', a.turn, 'uri', a.uri, 'at', a.at, 'raised', a.raised)

-- name: vote_record
-- A vote.
json_object('record', 'vote', 'target', o.target, 'agent', o.agent, 'at', o.at, 'value', o.value, 'moved', o.moved,
  'reason', o.reason)

-- name: erased_record
-- What was erased, so that it stays so.
json_object('record', 'erased', 'id', x.id, 'thread_id', (SELECT id FROM thread WHERE key = x.thread_key),
  'seq', x.seq, 'at', x.at, 'by', x.by)

-- name: event_record
-- A recall event without its candidates and features, which are packed.
json_object('record', 'recall_event', 'recall_id', r.recall_id, 'agent', r.agent, 'session', r.session,
  'query', r.query, 'query_class', r.query_class, 'profile', r.profile, 'fusion', r.fusion,
  'result_count', r.result_count, 'result_ids', json(r.result_ids), 'top_n_selected', r.top_n_selected,
  'payload_bytes', r.payload_bytes, 'exact_ids', json(r.exact_ids), 'weights', json(r.weights),
  'legs', json(r.legs), 'milliseconds', r.milliseconds, 'at', r.at, 'explored', r.explored)

-- name: day_record
-- What is left of the recalls of a day.
json_object('record', 'recall_day', 'day', date(d.day * 86400, 'unixepoch'), 'agent', d.agent,
  'query_class', d.query_class,
  'recalls', d.recalls, 'hits', d.hits, 'misses', d.misses, 'undecided', d.undecided, 'empty', d.empty,
  'stale', d.stale, 'payload_bytes', d.payload_bytes, 'milliseconds', d.milliseconds, 'cited', d.cited,
  'dismissed', d.dismissed, 'flagged_stale', d.flagged_stale, 'rewrote', d.rewrote, 'saved_rework', d.saved_rework,
  'vector_asked', d.vector_asked, 'vector_found', d.vector_found, 'vector_degraded', d.vector_degraded,
  'lexical_asked', d.lexical_asked, 'lexical_found', d.lexical_found, 'lexical_degraded', d.lexical_degraded,
  'graph_asked', d.graph_asked, 'graph_found', d.graph_found, 'graph_degraded', d.graph_degraded,
  'temporal_asked', d.temporal_asked, 'temporal_found', d.temporal_found, 'temporal_degraded', d.temporal_degraded)

-- name: shown_before_record
-- How often recalls that are no longer kept had shown a memory.
json_object('record', 'shown_before', 'memory_id', b.memory_id, 'agent', b.agent, 'shown', b.shown,
  'last_at', b.last_at)
