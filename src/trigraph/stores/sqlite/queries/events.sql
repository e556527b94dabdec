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
