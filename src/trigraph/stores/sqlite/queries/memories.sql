-- name: add_memory
-- Write what never changes about a memory.
INSERT INTO memory (id, project, author, kind, text, content_hash, topic, topic_key, details, source, session,
  turn, uri, trust, thread_key, seq, speaker, role, occurred_at, created_at, passage_count,
  root_id)
VALUES (:id, :project, :agent, :kind, :text, :content_hash, :topic, :topic_key, :details, :source, :session,
  :turn, :uri, :trust, (SELECT key FROM thread WHERE id = :thread_id), :seq, :speaker, :role, :occurred_at,
  :created_at, :passage_count, :root_id)
RETURNING key;

-- name: add_version
-- Open a version of a memory. Who made it is only kept where it was not the author; a successor that whoever
-- makes it may not see stays what it was.
INSERT INTO memory_version (memory_key, known_from, valid_from, valid_until, retracted_at, status, visibility,
  group_name, tags, domains, confidence, pinned, last_verified_at, referenced_at, stability_days, difficulty,
  superseded_by, verb, changed_by, reason)
VALUES (:memory_key, :known_from, :valid_from, :valid_until, :retracted_at, :status, :visibility, :group_name,
  :tags, :domains, :confidence, :pinned, :last_verified_at, :referenced_at, :stability_days, :difficulty,
  iif(:superseded, coalesce(:superseded_by, (
    SELECT before.superseded_by FROM memory_version AS before
    WHERE before.memory_key = :memory_key AND before.known_until = :known_from)), NULL),
  :verb,
  nullif(:agent, (SELECT author FROM memory WHERE key = :memory_key)), :reason);

-- name: key_of
-- The key of a memory of the project.
SELECT key FROM memory WHERE id = :id AND project = :project;

-- name: close_version
-- End what was known of a memory until now.
UPDATE memory_version SET known_until = :known_from WHERE memory_key = :memory_key AND known_until IS NULL;

-- name: find
-- Memories whose id ends with a suffix, as they were known, whatever became of them.
SELECT {memory_columns}
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key {memory_joins}
WHERE m.short_id = substr(:suffix, -8) AND substr(m.id, -length(:suffix)) = :suffix AND {readable} AND {known}
LIMIT 2;

-- name: versions
-- Versions of memories that were known by a time, if the agent may see the memories now; the oldest first.
SELECT {version_columns}
FROM json_each(:ids) AS asked
CROSS JOIN memory AS m ON m.id = asked.value
CROSS JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
CROSS JOIN memory_version AS o ON o.memory_key = m.key
WHERE o.known_from <= :known_at AND {readable}
ORDER BY o.known_from, m.id;

-- name: changed
-- Versions that became known after a time, of memories that the agent may see now, in that order.
SELECT {version_columns}
FROM memory_version AS o INDEXED BY memory_version_by_time
CROSS JOIN memory AS m ON m.key = o.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key AND v.known_until IS NULL
WHERE o.known_from >= :after AND (o.known_from > :after OR m.id > :after_id) AND o.known_from <= :known_at AND {readable}
ORDER BY o.known_from, m.id LIMIT :limit;

-- name: add_passage
-- Write a passage of a memory, under a key that no erased one had.
INSERT INTO passage (key, memory_key, ordinal, start_char, end_char, label, terms, term_count, identifiers)
VALUES ((SELECT 1 + max(last_erased_passage, coalesce((SELECT max(key) FROM passage), 0)) FROM lexical_total), :memory_key, :ordinal, :start_char, :end_char, :label, :terms, :term_count, :identifiers)
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
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key {memory_joins}
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
SELECT m.content_hash, json_group_array(m.id)
FROM json_each(:content_hashes) AS asked
CROSS JOIN memory AS m ON m.project = :project AND m.content_hash = asked.value
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE +m.kind = :kind AND m.kind <> 'episode' AND v.visibility = :visibility
  AND v.group_name IS :group_name AND {visible}
GROUP BY m.content_hash;

-- name: page
-- Visible memories that match a filter, newest first, from below an id.
SELECT {memory_columns}
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key {memory_joins}
WHERE m.project = :project AND m.id < coalesce(:before_id, 'n') AND {visible} AND {wanted}
ORDER BY m.id DESC LIMIT :limit;

-- name: page_of_session
-- The same of one session, found by its index.
SELECT {memory_columns}
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key {memory_joins}
WHERE m.project = :project AND m.session = :session AND m.id < coalesce(:before_id, 'n') AND {visible} AND {wanted}
ORDER BY m.id DESC LIMIT :limit;

-- name: page_of_thread
-- The same of one thread, found by its places.
SELECT {memory_columns}
FROM thread AS asked CROSS JOIN memory AS m ON m.thread_key = asked.key JOIN memory_version AS v ON v.memory_key = m.key
  {memory_joins}
WHERE asked.id = :thread AND m.seq BETWEEN coalesce(:first_seq, 0) AND coalesce(:last_seq, 0x7fffffff)
  AND m.id < coalesce(:before_id, 'n') AND {visible} AND {wanted}
ORDER BY +m.id DESC LIMIT :limit;

-- name: held
-- How far memories are believed, since when nobody has referred to them, and where they belong.
SELECT m.id, v.confidence, coalesce(v.referenced_at, m.created_at), m.kind, m.session
FROM json_each(:ids) AS asked
CROSS JOIN memory AS m ON m.id = asked.value AND m.project = :project
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE v.known_from <= :known_at AND (v.known_until IS NULL OR v.known_until > :known_at);

-- name: from_source
-- What came from a source and was not forgotten, in order of id.
SELECT {memory_columns}
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key {memory_joins}
WHERE m.project = :project AND m.source = :source AND m.id > coalesce(:after_id, '')
  AND (:since IS NULL OR m.created_at >= :since) AND v.status <> 'forgotten' AND v.retracted_at IS NULL
  AND {readable} AND {known}
ORDER BY m.id LIMIT :limit;

-- name: facets
-- What the visible memories that match a filter, of whatever status, divide by. They are counted by who asks: to sort
-- them for each of these takes several times as long.
SELECT v.status, m.kind, m.source, v.visibility, m.author, m.created_at / 86400000000, v.tags, v.domains
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key
WHERE m.project = :project AND {visible_as_it_is} AND {wanted};

-- name: find_all
-- Memories by id, as they were known, whatever became of them.
SELECT {memory_columns}
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key {memory_joins}
WHERE m.id IN (SELECT value FROM json_each(:ids)) AND {readable} AND {known};

-- name: count_by_kind
-- How many visible memories there are of each kind.
SELECT m.kind, count(*)
FROM memory AS m JOIN memory_version AS v ON v.memory_key = m.key
WHERE {visible}
GROUP BY m.kind;
