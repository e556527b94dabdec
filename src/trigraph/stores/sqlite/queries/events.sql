-- name: add
-- Keep one recall.
INSERT INTO recall_event (recall_id, tenant, project, agent, session, query, query_class, profile, fusion,
  result_count, result_ids, top_n_selected, payload_bytes, exact_ids, weights, legs, candidates, milliseconds,
  at, features, explored)
VALUES (:recall_id, :tenant, :project, :agent, :session, :query, :query_class, :profile, :fusion,
  :result_count, :result_ids, :top_n_selected, :payload_bytes, :exact_ids, :weights, :legs, :candidates,
  :milliseconds, :at, :features, :explored);

-- name: add_figure
-- What is counted of it.
INSERT INTO recall_figure (recall_id, project, agent, session, query_class, at, shown, payload_bytes, milliseconds,
  whole, asked, vector_status, vector_count, lexical_status, lexical_count, graph_status, graph_count, temporal_status,
  temporal_count)
SELECT e.recall_id, e.project, e.agent, e.session, e.query_class, e.at, json_array_length(e.result_ids),
  e.payload_bytes, e.milliseconds, 1, e.query <> '',
  (SELECT value ->> 'status' FROM json_each(e.legs) WHERE value ->> 'leg' = 'vector'),
  (SELECT value ->> 'count' FROM json_each(e.legs) WHERE value ->> 'leg' = 'vector'),
  (SELECT value ->> 'status' FROM json_each(e.legs) WHERE value ->> 'leg' = 'lexical'),
  (SELECT value ->> 'count' FROM json_each(e.legs) WHERE value ->> 'leg' = 'lexical'),
  (SELECT value ->> 'status' FROM json_each(e.legs) WHERE value ->> 'leg' = 'graph'),
  (SELECT value ->> 'count' FROM json_each(e.legs) WHERE value ->> 'leg' = 'graph'),
  (SELECT value ->> 'status' FROM json_each(e.legs) WHERE value ->> 'leg' = 'temporal'),
  (SELECT value ->> 'count' FROM json_each(e.legs) WHERE value ->> 'leg' = 'temporal')
FROM recall_event AS e WHERE e.recall_id = :recall_id;

-- name: add_shown
-- Which memories the recall showed.
INSERT INTO shown (memory_id, recall_id, project, agent, session, rank, at)
SELECT value, :recall_id, :project, :agent, :session, min(key) + 1, :at FROM json_each(:result_ids) GROUP BY value;

-- name: shown
-- The agent's recalls that showed a memory, the latest first.
SELECT s.recall_id, e.query, s.session, s.rank, s.at
FROM shown AS s CROSS JOIN recall_event AS e ON e.recall_id = s.recall_id
WHERE s.memory_id = :memory_id AND s.project = :project AND s.agent = :agent
ORDER BY s.at DESC LIMIT :limit;

-- name: shown_count
-- How many of the agent's recalls showed a memory.
SELECT count(*) FROM shown WHERE memory_id = :memory_id AND project = :project AND agent = :agent;

-- name: shown_in
-- The agent's latest recall of a session that showed a memory.
SELECT recall_id FROM shown
WHERE memory_id = :memory_id AND project = :project AND agent = :agent AND session = :session
ORDER BY at DESC LIMIT 1;

-- name: unshow
-- A memory that was erased was never shown.
DELETE FROM shown WHERE memory_id = :memory_id AND project = :project;

-- name: unshow_before
-- Nor by recalls that are no longer kept.
DELETE FROM shown_before WHERE project = :project AND memory_id = :memory_id;

-- name: get
-- The event of a recall that the agent made.
SELECT {event_columns}
FROM recall_event AS e WHERE e.recall_id = :recall_id AND e.project = :project AND e.agent = :agent;

-- name: lists
-- What these recalls of the project showed, with features; the oldest first.
SELECT e.recall_id, e.agent, e.at, e.features
FROM json_each(:ids) AS asked CROSS JOIN recall_event AS e ON e.recall_id = asked.value
WHERE e.project = :project AND e.features IS NOT NULL
ORDER BY e.at, e.recall_id;

-- name: count
-- How many recalls the agent has made in the project.
SELECT count(*) FROM recall_event WHERE project = :project AND agent = :agent;

-- name: latest
-- The agent's recall that was kept last.
SELECT recall_id FROM recall_event WHERE project = :project AND agent = :agent ORDER BY key DESC LIMIT 1;

-- name: since
-- The agent's recalls that were kept after one of its own, in that order.
SELECT e.recall_id
FROM (SELECT coalesce((SELECT key FROM recall_event
    WHERE recall_id = :after AND project = :project AND agent = :agent), 0) AS key) AS last
CROSS JOIN recall_event AS e ON e.key > last.key
WHERE e.project = :project AND e.agent = :agent AND (last.key > 0 OR e.recall_id > :after)
ORDER BY e.key LIMIT :limit;

-- name: used
-- Count a use of a skill.
INSERT INTO skill_use (entity_id, recall_id, project, agent, at)
VALUES (:entity_id, :recall_id, :project, :agent, :at) ON CONFLICT DO NOTHING;

-- name: uses
-- How often an agent's recalls showed each of these skills.
SELECT entity_id, count(*) FROM skill_use
WHERE entity_id IN (SELECT value FROM json_each(:ids)) AND project = :project AND agent = :agent
GROUP BY entity_id;

-- name: all
-- Every event of the project, for whoever has to look into them all.
SELECT key, result_ids, exact_ids, candidates, features, explored FROM recall_event WHERE project = :project AND key > :after
ORDER BY key LIMIT :limit;

-- name: rewrite
-- An event without what was erased.
UPDATE recall_event SET result_ids = :result_ids, exact_ids = :exact_ids, candidates = :candidates, features = :features,
  explored = :explored
WHERE key = :key;
