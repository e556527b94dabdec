-- name: oldest
-- The project's oldest recalls from before a time.
SELECT recall_id, agent FROM recall_figure WHERE project = :project AND at < :before
ORDER BY at, recall_id LIMIT :limit;

-- name: own
-- The agent's recalls.
SELECT recall_id, agent FROM recall_figure WHERE project = :project AND agent = :agent ORDER BY at LIMIT :limit;

-- name: whole
-- The project's oldest recalls from before a time whose candidates are kept.
SELECT recall_id FROM recall_figure WHERE project = :project AND at < :before AND whole = 1 ORDER BY at LIMIT :limit;

-- name: asked
-- The project's oldest recalls whose queries are kept.
SELECT recall_id FROM recall_figure WHERE project = :project AND at > 0 AND asked = 1 ORDER BY at LIMIT :limit;

-- name: told_of
-- What was said of these recalls, as JSON.
SELECT json_group_array(json_array(m.id, c.recall_id, c.agent, c.kind))
FROM json_each(:recalls) AS asked
CROSS JOIN citation AS c ON c.recall_id = asked.value ->> 0 AND c.agent = asked.value ->> 1
CROSS JOIN memory AS m ON m.key = c.memory_key
WHERE c.project = :project;

-- name: roll_up
-- Add these recalls to the counts of their days.
WITH {said},
fared AS (
  SELECT f.*, said.cited, said.dismissed, said.flagged_stale, said.rewrote, said.saved_rework, {outcome} AS outcome
  FROM json_each(:recalls) AS asked
  CROSS JOIN recall_figure AS f ON f.recall_id = asked.value ->> 0
  LEFT JOIN said ON said.recall_id = f.recall_id
  WHERE f.project = :project)
INSERT INTO recall_day (project, day, agent, query_class,
  recalls, hits, misses, undecided, empty, stale, payload_bytes, milliseconds, cited, dismissed, flagged_stale,
  rewrote, saved_rework, vector_asked, vector_found, vector_degraded, lexical_asked, lexical_found,
  lexical_degraded, graph_asked, graph_found, graph_degraded, temporal_asked, temporal_found, temporal_degraded)
SELECT {counted}
FROM fared WHERE true GROUP BY project, day, agent, query_class
ON CONFLICT DO UPDATE SET
  recalls = recalls + excluded.recalls, hits = hits + excluded.hits, misses = misses + excluded.misses,
  undecided = undecided + excluded.undecided, empty = empty + excluded.empty, stale = stale + excluded.stale,
  payload_bytes = payload_bytes + excluded.payload_bytes, milliseconds = milliseconds + excluded.milliseconds,
  cited = cited + excluded.cited, dismissed = dismissed + excluded.dismissed,
  flagged_stale = flagged_stale + excluded.flagged_stale, rewrote = rewrote + excluded.rewrote,
  saved_rework = saved_rework + excluded.saved_rework, vector_asked = vector_asked + excluded.vector_asked,
  vector_found = vector_found + excluded.vector_found,
  vector_degraded = vector_degraded + excluded.vector_degraded,
  lexical_asked = lexical_asked + excluded.lexical_asked, lexical_found = lexical_found + excluded.lexical_found,
  lexical_degraded = lexical_degraded + excluded.lexical_degraded,
  graph_asked = graph_asked + excluded.graph_asked, graph_found = graph_found + excluded.graph_found,
  graph_degraded = graph_degraded + excluded.graph_degraded,
  temporal_asked = temporal_asked + excluded.temporal_asked,
  temporal_found = temporal_found + excluded.temporal_found,
  temporal_degraded = temporal_degraded + excluded.temporal_degraded;

-- name: roll_up_shown
-- Add to how often memories were shown what these recalls showed.
INSERT INTO shown_before (project, memory_id, agent, shown, last_at)
SELECT s.project, s.memory_id, s.agent, count(*), max(s.at)
FROM json_each(:recalls) AS asked
CROSS JOIN recall_event AS e ON e.recall_id = asked.value ->> 0
CROSS JOIN json_each(e.result_ids) AS hit
CROSS JOIN shown AS s ON s.memory_id = hit.value AND s.recall_id = e.recall_id
WHERE s.project = :project
GROUP BY s.project, s.memory_id, s.agent
ON CONFLICT DO UPDATE SET shown = shown + excluded.shown, last_at = max(last_at, excluded.last_at);

-- name: drop_shown
-- What these recalls showed is no longer kept.
DELETE FROM shown WHERE (memory_id, recall_id) IN (
  SELECT hit.value, e.recall_id
  FROM json_each(:recalls) AS asked
  CROSS JOIN recall_event AS e ON e.recall_id = asked.value ->> 0
  CROSS JOIN json_each(e.result_ids) AS hit
  WHERE e.project = :project);

-- name: drop_events
-- These recalls are no longer kept.
DELETE FROM recall_event WHERE +project = :project AND recall_id IN (SELECT value ->> 0 FROM json_each(:recalls));

-- name: drop_figures
-- Nor is what was counted of each.
DELETE FROM recall_figure WHERE +project = :project AND recall_id IN (SELECT value ->> 0 FROM json_each(:recalls));

-- name: drop_days
-- The counts of an agent's days are no longer kept.
DELETE FROM recall_day WHERE project = :project AND agent = :agent;

-- name: drop_shown_before
-- Nor how often its recalls had shown memories.
DELETE FROM shown_before WHERE project = :project AND agent = :agent;

-- name: drop_skills
-- Nor which skills they had shown.
DELETE FROM skill_use WHERE project = :project AND agent = :agent;

-- name: counted_of
-- How many recalls of the agent only the counts of their days know.
SELECT coalesce(sum(recalls), 0) FROM recall_day WHERE project = :project AND agent = :agent;

-- name: thin_events
-- The candidates of these recalls are no longer kept.
UPDATE recall_event SET candidates = :nothing
WHERE +project = :project AND recall_id IN (SELECT value FROM json_each(:ids));

-- name: thin_figures
-- And it is known that they are not.
UPDATE recall_figure SET whole = 0 WHERE +project = :project AND recall_id IN (SELECT value FROM json_each(:ids));

-- name: unask_events
-- The queries of these recalls are no longer kept.
UPDATE recall_event SET query = '' WHERE +project = :project AND recall_id IN (SELECT value FROM json_each(:ids));

-- name: unask_figures
-- And it is known that they are not.
UPDATE recall_figure SET asked = 0 WHERE +project = :project AND recall_id IN (SELECT value FROM json_each(:ids));
