-- name: pinned
-- The model whose vectors are searched.
SELECT key, model_id, dimension FROM embedding_model WHERE project = :project AND pinned = 1;

-- name: add_model
-- Make a model known; it is not searched until it is pinned.
INSERT INTO embedding_model (project, model_id, dimension, pinned) VALUES (:project, :model_id, :dimension, 0)
ON CONFLICT (project, model_id, dimension) DO NOTHING;

-- name: model_key
-- The key of a known model.
SELECT key FROM embedding_model
WHERE project = :project AND model_id = :model_id AND dimension = :dimension;

-- name: unpin_others
-- Let go of every other model of the project; its vectors go with it.
DELETE FROM embedding_model WHERE project = :project AND key <> :model_key;

-- name: drop_all
-- Forget every model of the project; its vectors go with it.
DELETE FROM embedding_model WHERE project = :project;

-- name: pin
-- Make a model the one that is searched.
UPDATE embedding_model SET pinned = 1 WHERE key = :model_key;

-- name: missing
-- Passages of the project without a vector of a model, in order.
SELECT p.key, p.label, m.speaker, substr(m.text, p.start_char + 1, p.end_char - p.start_char)
FROM passage AS p JOIN memory AS m ON m.key = p.memory_key
WHERE p.key > :after AND m.project = :project
  AND NOT EXISTS (SELECT 1 FROM vector AS x WHERE x.model_key = :model_key AND x.passage_key = p.key)
ORDER BY p.key LIMIT :limit;

-- name: put
-- Keep a passage's vector of a model.
INSERT OR REPLACE INTO vector (model_key, passage_key, embedding) VALUES (:model_key, :passage_key, :embedding);

-- name: settle_jobs
-- Embedding jobs whose memory now has all its vectors are done.
UPDATE job SET state = 'done', finished_at = :at
WHERE project = :project AND name = 'embed' AND state IN ('waiting', 'running')
  AND NOT EXISTS (
    SELECT 1 FROM memory AS m JOIN passage AS p ON p.memory_key = m.key
    WHERE m.id = json_extract(job.payload, '$.memory_id')
      AND NOT EXISTS (SELECT 1 FROM vector AS x WHERE x.model_key = :model_key AND x.passage_key = p.key));

-- name: count
-- Passages of the project, and those with a vector of the pinned model.
SELECT
  (SELECT count(*) FROM passage AS p JOIN memory AS m ON m.key = p.memory_key WHERE m.project = :project),
  (SELECT count(*) FROM vector AS x JOIN embedding_model AS e ON e.key = x.model_key
   WHERE e.project = :project AND e.pinned = 1);

-- name: follow
-- Vectors of a model that came after a change already seen.
SELECT seq, passage_key, embedding FROM vector WHERE model_key = :model_key AND seq > :seen ORDER BY seq;
