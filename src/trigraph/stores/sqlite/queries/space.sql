-- name: pinned
-- The model whose vectors are searched.
SELECT key, model_id, dimension FROM embedding_model WHERE project = :project AND pinned = 1;

-- name: erasures
-- How often something was erased: an index that was built before holds what is gone.
SELECT erasures FROM lexical_total;

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

-- name: queue_all
-- Every memory of the project waits for its vectors again.
INSERT INTO job (id, project, author, name, payload, state, attempts, not_before, created_at)
SELECT 'j_' || substr(id, 3), project, author, 'embed', json_object('memory_id', id), 'waiting', 0, :at, :at
FROM memory WHERE project = :project
ON CONFLICT (id) DO UPDATE SET state = 'waiting', finished_at = NULL, not_before = excluded.not_before;

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
-- Visible passages, and those of them with a vector of the pinned model.
SELECT count(*), count(x.passage_key)
FROM memory AS m
JOIN memory_version AS v ON v.memory_key = m.key
JOIN passage AS p ON p.memory_key = m.key
LEFT JOIN vector AS x ON x.passage_key = p.key
  AND x.model_key = (SELECT key FROM embedding_model WHERE project = :project AND pinned = 1)
WHERE {visible};

-- name: follow
-- Vectors of a model that came after a change already seen.
SELECT seq, passage_key, embedding FROM vector WHERE model_key = :model_key AND seq > :seen ORDER BY seq;
