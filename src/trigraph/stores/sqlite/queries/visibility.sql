-- name: visible
-- Whether version v of memory m may be seen by the asking agent, at the moment that is asked about.
m.project = :project
AND (m.author = :agent OR v.visibility = 'shared')
AND v.known_from <= :known_at AND (v.known_until IS NULL OR v.known_until > :known_at)
AND v.status = 'active' AND v.retracted_at IS NULL
AND v.valid_from <= :as_of AND (v.valid_until IS NULL OR v.valid_until > :as_of)

-- name: wanted
-- Whether version v of memory m is among those the caller's filter asks for.
(:kinds IS NULL OR m.kind IN (SELECT value FROM json_each(:kinds)))
AND (:topic_key IS NULL OR m.topic_key = :topic_key)
AND (:tags IS NULL OR NOT EXISTS (
  SELECT 1 FROM json_each(:tags) AS asked
  WHERE asked.value NOT IN (SELECT value FROM json_each(v.tags))))
AND (:sources IS NULL OR m.source IN (SELECT value FROM json_each(:sources)))
AND (:author IS NULL OR m.author = :author)
AND (:session IS NULL OR m.session = :session)
AND (:thread IS NULL OR m.thread_key = (SELECT key FROM thread WHERE id = :thread))
AND (:first_seq IS NULL OR m.seq >= :first_seq)
AND (:last_seq IS NULL OR m.seq <= :last_seq)
AND (:created_after IS NULL OR m.created_at >= :created_after)
AND (:created_before IS NULL OR m.created_at < :created_before)
AND (:occurred_after IS NULL OR m.occurred_at >= :occurred_after)
AND (:occurred_before IS NULL OR m.occurred_at < :occurred_before)
