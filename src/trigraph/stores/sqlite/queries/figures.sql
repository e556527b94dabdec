-- name: told
-- What was said of recalls since a time, as JSON; of some kinds or all.
SELECT json_group_array(json_array(m.id, c.recall_id, c.agent, c.kind))
FROM citation AS c CROSS JOIN memory AS m ON m.key = c.memory_key
WHERE c.project = :project AND c.at >= :since AND c.recall_id IS NOT NULL AND (:agent IS NULL OR c.agent = :agent)
  AND (:kinds IS NULL OR c.kind IN (SELECT value FROM json_each(:kinds)));

-- name: told_of
-- What was said of these recalls by whoever made them, the earliest first.
SELECT m.id, c.kind, c.recall_id, c.session, c.agent, c.notes, c.at
FROM json_each(:recalls) AS asked
CROSS JOIN citation AS c ON c.recall_id = asked.value ->> 0 AND c.agent = asked.value ->> 1
CROSS JOIN memory AS m ON m.key = c.memory_key
WHERE c.project = :project
ORDER BY c.at, c.key;

-- name: days
-- How recalls fared, by day, agent and class; those whose events are kept first.
WITH {said},
fared AS (
  SELECT f.*, said.cited, said.dismissed, said.flagged_stale, said.rewrote, said.saved_rework, {outcome} AS outcome
  FROM recall_figure AS f LEFT JOIN said ON said.recall_id = f.recall_id
  WHERE f.project = :project AND f.at >= :since AND f.at < :until AND (:agent IS NULL OR f.agent = :agent))
SELECT 0, {counted}
FROM fared GROUP BY project, day, agent, query_class
UNION ALL
SELECT 1, project, day, agent, query_class,
  recalls, hits, misses, undecided, empty, stale, payload_bytes, milliseconds, cited, dismissed, flagged_stale,
  rewrote, saved_rework, vector_asked, vector_found, vector_degraded, lexical_asked, lexical_found,
  lexical_degraded, graph_asked, graph_found, graph_degraded, temporal_asked, temporal_found, temporal_degraded
FROM recall_day
WHERE project = :project AND day >= :first_day AND day < :last_day AND (:agent IS NULL OR agent = :agent);

-- name: citation_days
-- How many citations of each kind agents made, by day.
SELECT at / 86400000000 AS day, agent, count(*), kind FROM citation
WHERE project = :project AND at >= :since AND at < :until AND (:agent IS NULL OR agent = :agent)
GROUP BY day, agent, kind;

-- name: written_days
-- How many memories agents wrote, by day.
SELECT created_at / 86400000000 AS day, author, count(*), NULL FROM memory
WHERE project = :project AND created_at >= :since AND created_at < :until
  AND (:agent IS NULL OR author = :agent)
GROUP BY day, author;

-- name: top_cited
-- The memories that were of use most often, of those that the agent may see.
WITH often AS MATERIALIZED (
  SELECT memory_key, sum(kind IN ('cited', 'saved_rework', 'rewrote')) AS of_use, max(at) AS last_at,
    sum(kind = 'cited') AS cited, sum(kind = 'dismissed') AS dismissed,
    sum(kind = 'flagged_stale') AS flagged_stale, sum(kind = 'rewrote') AS rewrote,
    sum(kind = 'saved_rework') AS saved_rework
  FROM citation
  WHERE project = :project AND at >= :since AND at < :until AND (:agent_asked IS NULL OR agent = :agent_asked)
  GROUP BY memory_key HAVING of_use > 0)
SELECT m.id, substr(m.text, 1, :most_chars), m.kind, often.of_use, often.last_at,
  often.cited, often.dismissed, often.flagged_stale, often.rewrote, often.saved_rework
FROM often
CROSS JOIN memory AS m ON m.key = often.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE {standing}
ORDER BY often.of_use DESC, often.last_at DESC, m.id LIMIT :limit;

-- name: most_shown
-- The memories that recalls showed most often, and when last.
SELECT memory_id, sum(shown) AS shown, max(last_at)
FROM (
  SELECT memory_id, count(*) AS shown, max(at) AS last_at FROM shown
  WHERE project = :project AND (:agent IS NULL OR agent = :agent) GROUP BY memory_id
  UNION ALL
  SELECT memory_id, shown, last_at FROM shown_before WHERE project = :project AND (:agent IS NULL OR agent = :agent))
GROUP BY memory_id ORDER BY shown DESC, memory_id LIMIT :limit;

-- name: times_shown
-- How often recalls showed each of these memories, and when last.
SELECT memory_id, sum(shown), max(last_at)
FROM (
  SELECT s.memory_id, count(*) AS shown, max(s.at) AS last_at
  FROM json_each(:ids) AS asked CROSS JOIN shown AS s ON s.project = :project AND s.memory_id = asked.value
  WHERE :agent IS NULL OR s.agent = :agent GROUP BY s.memory_id
  UNION ALL
  SELECT b.memory_id, b.shown, b.last_at
  FROM json_each(:ids) AS asked CROSS JOIN shown_before AS b ON b.project = :project AND b.memory_id = asked.value
  WHERE :agent IS NULL OR b.agent = :agent)
GROUP BY memory_id;

-- name: uncited
-- Those of these memories that were never of use, of what holds and the agent may see, in their order.
SELECT m.id, substr(m.text, 1, :most_chars), m.kind, m.created_at
FROM json_each(:ids) AS asked
CROSS JOIN memory AS m ON m.id = asked.value
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE {visible} AND NOT EXISTS (
  SELECT 1 FROM citation AS c
  WHERE c.memory_key = m.key AND c.kind IN ('cited', 'saved_rework', 'rewrote')
    AND (:agent_asked IS NULL OR c.agent = :agent_asked))
ORDER BY asked.key LIMIT :limit;

-- name: oldest_uncited
-- The oldest memories that were never of use, of what holds and the agent may see; messages of threads are sources.
SELECT m.id, substr(m.text, 1, :most_chars), m.kind, m.created_at
FROM memory AS m CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.created_at < :before AND m.kind <> 'episode' AND {visible} AND NOT EXISTS (
  SELECT 1 FROM citation AS c
  WHERE c.memory_key = m.key AND c.kind IN ('cited', 'saved_rework', 'rewrote')
    AND (:agent_asked IS NULL OR c.agent = :agent_asked))
ORDER BY m.created_at LIMIT :limit;

-- name: useful
-- The latest recalls of which a hit was of use and whose candidates are kept, with these hits.
WITH helped AS MATERIALIZED (
  SELECT s.recall_id AS recall_id, json_group_array(DISTINCT s.memory_id) AS memory_ids
  FROM (SELECT value ->> 0 AS memory_id, value ->> 1 AS recall_id, value ->> 2 AS agent FROM json_each(:told)) AS told
  CROSS JOIN shown AS s ON s.memory_id = told.memory_id AND s.recall_id = told.recall_id
  WHERE s.project = :project AND s.agent = told.agent
  GROUP BY s.recall_id),
latest AS MATERIALIZED (
  SELECT f.recall_id, f.at, helped.memory_ids
  FROM helped CROSS JOIN recall_figure AS f ON f.recall_id = helped.recall_id
  WHERE f.project = :project AND f.whole = 1 AND f.at >= :since AND f.at < :until
    AND (:agent IS NULL OR f.agent = :agent)
  ORDER BY f.at DESC, f.recall_id DESC LIMIT :limit)
SELECT {event_columns}, latest.memory_ids
FROM latest CROSS JOIN recall_event AS e ON e.recall_id = latest.recall_id
ORDER BY latest.at DESC, latest.recall_id DESC;

-- name: page
-- Past recalls, the latest first; of some outcomes or kinds of citation, if these are asked for. What was asked, and in
-- which session, is told to whoever asked.
WITH {said},
chosen AS MATERIALIZED (
  SELECT f.* FROM recall_figure AS f LEFT JOIN said ON said.recall_id = f.recall_id
  WHERE f.project = :project AND f.at >= :since AND f.at < :until
    AND (:before_at IS NULL OR (f.at, f.recall_id) < (:before_at, :before_id))
    AND (:agent IS NULL OR f.agent = :agent) AND (:session IS NULL OR (f.session = :session AND f.agent = :own))
    AND (:query_class IS NULL OR f.query_class = :query_class)
    AND (:outcomes IS NULL OR {outcome} IN (SELECT value FROM json_each(:outcomes)))
    AND (:kinds IS NULL OR EXISTS (
      SELECT 1 FROM json_each(:kinds) AS asked
      WHERE CASE asked.value WHEN 'cited' THEN said.cited WHEN 'dismissed' THEN said.dismissed
        WHEN 'flagged_stale' THEN said.flagged_stale WHEN 'rewrote' THEN said.rewrote
        WHEN 'saved_rework' THEN said.saved_rework END > 0))
  ORDER BY f.at DESC, f.recall_id DESC LIMIT :limit)
SELECT chosen.recall_id, chosen.at, chosen.agent, iif(chosen.agent = :own, chosen.session, NULL),
  iif(chosen.agent = :own, e.query, ''), chosen.query_class, e.result_ids, chosen.shown, chosen.payload_bytes,
  chosen.milliseconds, chosen.whole
FROM chosen CROSS JOIN recall_event AS e ON e.recall_id = chosen.recall_id
ORDER BY chosen.at DESC, chosen.recall_id DESC;
