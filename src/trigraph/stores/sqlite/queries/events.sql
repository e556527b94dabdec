-- name: add
-- Keep one recall.
INSERT INTO recall_event (recall_id, tenant, project, agent, session, query, query_class, profile, fusion,
  result_count, result_ids, top_n_selected, payload_bytes, exact_ids, weights, legs, candidates, milliseconds,
  at)
VALUES (:recall_id, :tenant, :project, :agent, :session, :query, :query_class, :profile, :fusion,
  :result_count, :result_ids, :top_n_selected, :payload_bytes, :exact_ids, :weights, :legs, :candidates,
  :milliseconds, :at);

-- name: get
-- The event of a recall that the agent made.
SELECT recall_id, tenant, project, agent, session, query, query_class, profile, fusion, result_count, result_ids,
  top_n_selected, payload_bytes, exact_ids, weights, legs, candidates, milliseconds, at
FROM recall_event WHERE recall_id = :recall_id AND project = :project AND agent = :agent;

-- name: count
-- How many recalls the agent has made in the project.
SELECT count(*) FROM recall_event WHERE project = :project AND agent = :agent;

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
SELECT key, result_ids, exact_ids, candidates FROM recall_event WHERE project = :project AND key > :after
ORDER BY key LIMIT :limit;

-- name: rewrite
-- An event without what was erased.
UPDATE recall_event SET result_ids = :result_ids, exact_ids = :exact_ids, candidates = :candidates WHERE key = :key;
