-- name: add_memory
-- Write what never changes about a memory.
INSERT INTO memory (id, project, author, kind, text, content_hash, topic, topic_key, details, source, session,
  turn, uri, trust, thread_key, seq, speaker, role, occurred_at, created_at, passage_count)
VALUES (:id, :project, :agent, :kind, :text, :content_hash, :topic, :topic_key, :details, :source, :session,
  :turn, :uri, :trust, (SELECT key FROM thread WHERE id = :thread_id), :seq, :speaker, :role, :occurred_at,
  :created_at, :passage_count)
RETURNING key;

-- name: add_version
-- Open a memory's first version.
INSERT INTO memory_version (memory_key, known_from, valid_from, valid_until, retracted_at, status, visibility,
  tags, domains, confidence, pinned, last_verified_at)
VALUES (:memory_key, :known_from, :valid_from, :valid_until, :retracted_at, :status, :visibility,
  :tags, :domains, :confidence, :pinned, :last_verified_at);

-- name: add_passage
-- Write a passage of a memory.
INSERT INTO passage (memory_key, ordinal, start_char, end_char, label, terms, term_count, identifiers)
VALUES (:memory_key, :ordinal, :start_char, :end_char, :label, :terms, :term_count, :identifiers)
RETURNING key;

-- name: index_terms
-- Put a passage into the lexical index.
INSERT INTO lexical (rowid, terms) VALUES (:passage_key, :terms);

-- name: index_identifiers
-- Put a passage's identifiers into the substring index.
INSERT INTO identifier (rowid, identifiers) VALUES (:passage_key, :identifiers);

-- name: add_to_totals
-- Keep the totals that BM25 needs.
UPDATE lexical_total SET passages = passages + :passages, terms = terms + :terms;

-- name: get
-- Visible memories by id.
SELECT {memory_columns}
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key LEFT JOIN thread AS t ON t.key = m.thread_key
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND {visible};

-- name: ids_ending
-- Visible ids that end with a suffix; two are enough to know that it is ambiguous.
SELECT m.id
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.short_id = substr(:suffix, -8) AND substr(m.id, -length(:suffix)) = :suffix AND {visible} AND {wanted}
LIMIT 2;

-- name: ids_of_topic
-- Visible memories of exactly a topic, newest first. The + keeps the planner on the topic's own index.
SELECT m.id
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND m.topic_key = :exact_topic_key AND {visible} AND {wanted}
ORDER BY +m.id DESC LIMIT :limit;

-- name: same_text
-- Current memories of equal text, kind and visibility that the writer may see; never episodes. The + keeps the
-- planner on the index of contents.
SELECT m.content_hash, min(m.id)
FROM json_each(:content_hashes) AS asked
CROSS JOIN memory AS m ON m.project = :project AND m.content_hash = asked.value
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE +m.kind = :kind AND m.kind <> 'episode' AND v.visibility = :visibility AND {visible}
GROUP BY m.content_hash;

-- name: page
-- Visible memories that match a filter, newest first, from below an id.
SELECT {memory_columns}
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key LEFT JOIN thread AS t ON t.key = m.thread_key
WHERE m.project = :project AND m.id < coalesce(:before_id, 'n') AND {visible} AND {wanted}
ORDER BY m.id DESC LIMIT :limit;

-- name: page_of_thread
-- The same of one thread, found by its places.
SELECT {memory_columns}
FROM thread AS t CROSS JOIN memory AS m ON m.thread_key = t.key JOIN memory_version AS v ON v.memory_key = m.key
WHERE t.id = :thread AND m.seq BETWEEN coalesce(:first_seq, 0) AND coalesce(:last_seq, 0x7fffffff)
  AND m.id < coalesce(:before_id, 'n') AND {visible} AND {wanted}
ORDER BY +m.id DESC LIMIT :limit;

-- name: count_by_kind
-- How many visible memories there are of each kind.
SELECT m.kind, count(*)
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key
WHERE {visible}
GROUP BY m.kind;
