-- name: get
-- What a project's citations taught.
SELECT state, why, weights, learnt_from, evidence, judged, trained_at FROM scorer WHERE project = :project;

-- name: put
-- Keep what a project's citations taught, in place of what was there.
INSERT INTO scorer (project, state, why, weights, learnt_from, evidence, judged, trained_at)
VALUES (:project, :state, :why, :weights, :learnt_from, :evidence, :judged, :trained_at)
ON CONFLICT (project) DO UPDATE SET state = excluded.state, why = excluded.why, weights = excluded.weights,
  learnt_from = excluded.learnt_from, evidence = excluded.evidence, judged = excluded.judged,
  trained_at = excluded.trained_at;

-- name: judgements
-- What agents of the project said of hits, the latest first.
SELECT c.recall_id, c.agent, m.id, c.kind
FROM citation AS c CROSS JOIN memory AS m ON m.key = c.memory_key
WHERE c.project = :project AND c.recall_id IS NOT NULL
ORDER BY c.at DESC, c.key DESC LIMIT :limit;
