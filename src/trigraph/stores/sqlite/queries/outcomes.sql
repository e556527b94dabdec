-- name: event_columns
-- All that is kept of recall e.
e.recall_id, e.tenant, e.project, e.agent, e.session, e.query, e.query_class, e.profile, e.fusion, e.result_count,
  e.result_ids, e.top_n_selected, e.payload_bytes, e.exact_ids, e.weights, e.legs, e.candidates, e.milliseconds, e.at,
  e.features, e.explored

-- name: said
-- What the agents that made recalls said of the hits that these showed, counted for each recall. `:told` holds it as
-- [[memory, recall, agent, kind], …]; what was said of anything else is left out.
said AS MATERIALIZED (
  SELECT s.recall_id AS recall_id,
    sum(told.kind = 'cited') AS cited, sum(told.kind = 'dismissed') AS dismissed,
    sum(told.kind = 'flagged_stale') AS flagged_stale, sum(told.kind = 'rewrote') AS rewrote,
    sum(told.kind = 'saved_rework') AS saved_rework
  FROM (
    SELECT value ->> 0 AS memory_id, value ->> 1 AS recall_id, value ->> 2 AS agent, value ->> 3 AS kind
    FROM json_each(:told)) AS told
  CROSS JOIN shown AS s ON s.memory_id = told.memory_id AND s.recall_id = told.recall_id
  WHERE s.project = :project AND s.agent = told.agent
  GROUP BY s.recall_id)

-- name: outcome
-- What became of recall f.
CASE WHEN said.cited + said.saved_rework + said.rewrote > 0 THEN 'hit' WHEN said.recall_id IS NOT NULL THEN 'miss'
  WHEN f.shown = 0 THEN 'empty' ELSE 'undecided' END

-- name: counted
-- Recalls by day, agent and class, with what became of them.
project, at / 86400000000 AS day, agent, query_class, count(*), coalesce(sum(outcome = 'hit'), 0),
  coalesce(sum(outcome = 'miss'), 0), coalesce(sum(outcome = 'undecided'), 0), coalesce(sum(outcome = 'empty'), 0),
  coalesce(sum(flagged_stale + rewrote > 0), 0), coalesce(sum(payload_bytes), 0), total(milliseconds),
  coalesce(sum(cited), 0), coalesce(sum(dismissed), 0), coalesce(sum(flagged_stale), 0), coalesce(sum(rewrote), 0),
  coalesce(sum(saved_rework), 0), count(vector_status), coalesce(sum(vector_count > 0), 0),
  coalesce(sum(vector_status IN ('empty_store', 'slow', 'failed')), 0), count(lexical_status),
  coalesce(sum(lexical_count > 0), 0), coalesce(sum(lexical_status IN ('empty_store', 'slow', 'failed')), 0),
  count(graph_status), coalesce(sum(graph_count > 0), 0),
  coalesce(sum(graph_status IN ('empty_store', 'slow', 'failed')), 0), count(temporal_status),
  coalesce(sum(temporal_count > 0), 0), coalesce(sum(temporal_status IN ('empty_store', 'slow', 'failed')), 0)
