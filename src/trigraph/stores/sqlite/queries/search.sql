-- name: best_matches
-- The passages that hold any of the terms and match best, whoever may see them. Ordered by the function and not by the
-- column rank, for which FTS5 would weigh the terms once to order them and again to tell the score.
SELECT rowid, bm25(lexical) AS distance FROM lexical WHERE lexical MATCH :match ORDER BY distance, rowid LIMIT :most;

-- name: lexical
-- Visible passages that hold any of the terms, best first. FTS5's bm25 is lower-is-better: negated here, once.
SELECT p.key, p.memory_key, -bm25(lexical)
FROM lexical
CROSS JOIN passage AS p ON p.key = lexical.rowid
CROSS JOIN memory AS m ON m.key = p.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE lexical MATCH :match AND {visible} AND {wanted}
ORDER BY lexical.rank;

-- name: identifiers
-- Visible passages that hold one of the identifiers as a part of one of theirs.
SELECT p.key, p.memory_key, 1.0
FROM identifier
CROSS JOIN passage AS p ON p.key = identifier.rowid
CROSS JOIN memory AS m ON m.key = p.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE identifier MATCH :match AND {visible} AND {wanted};

-- name: visible_among
-- Which of the given passages are visible and match the filter, and whose they are.
SELECT p.key, p.memory_key
FROM json_each(:passages) AS asked
CROSS JOIN passage AS p ON p.key = asked.value
CROSS JOIN memory AS m ON m.key = p.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE {visible} AND {wanted};

-- name: whose_among
-- The same, with the ids of the memories.
SELECT p.key, m.id
FROM json_each(:passages) AS asked
CROSS JOIN passage AS p ON p.key = asked.value
CROSS JOIN memory AS m ON m.key = p.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE {visible} AND {wanted};

-- name: surroundings
-- The given passages and those up to :reach places away, within their memory or along their thread, that are
-- visible; of a long neighbouring episode only its first and last passage.
WITH picked AS MATERIALIZED (
  SELECT p.memory_key, p.ordinal, m.thread_key, m.seq
  FROM json_each(:passages) AS asked
  CROSS JOIN passage AS p ON p.key = asked.value
  CROSS JOIN memory AS m ON m.key = p.memory_key
),
near (key) AS MATERIALIZED (
  SELECT n.key
  FROM picked CROSS JOIN passage AS n ON n.memory_key = picked.memory_key
    AND n.ordinal BETWEEN picked.ordinal - :reach AND picked.ordinal + :reach
  UNION
  SELECT n.key
  FROM picked
  CROSS JOIN memory AS o ON o.thread_key = picked.thread_key AND o.key <> picked.memory_key
    AND o.seq BETWEEN picked.seq - :reach AND picked.seq + :reach
  CROSS JOIN passage AS n ON n.memory_key = o.key AND n.ordinal IN (0, o.passage_count - 1)
)
SELECT p.key, m.id, m.thread_key, m.seq, p.ordinal, m.passage_count, p.start_char, p.end_char, p.terms,
  iif({wanted}, 1, 0),  -- as a condition: as a value every part of it would be worked out for each row
  coalesce(m.occurred_at, m.created_at),
  -- the whole of a long text would be read for each of its passages
  CASE WHEN m.passage_count <= 4 THEN substr(m.text, p.start_char + 1, p.end_char - p.start_char) END,
  m.speaker
FROM near
CROSS JOIN passage AS p ON p.key = near.key
CROSS JOIN memory AS m ON m.key = p.memory_key
CROSS JOIN memory_version AS v ON v.memory_key = m.key
WHERE {visible};

-- name: places
-- The passages in which a term stands, as often as it stands there.
SELECT group_concat(doc, ' ') FROM lexical_place WHERE term = :term;

-- name: lengths
-- How many terms each newer passage has, as FTS5 keeps it.
SELECT id, sz FROM lexical_docsize WHERE id > :seen ORDER BY id;

-- name: averages
-- How many passages and terms FTS5 itself counts: what it weighs by.
SELECT block FROM lexical_data WHERE id = 1;

-- name: totals
-- Passages and terms of the whole tenant.
SELECT passages, terms FROM lexical_total;

-- name: state
-- The same, and how often something was erased: two states that are told alike hold the same.
SELECT passages, terms, erasures FROM lexical_total;

-- name: holding
-- How many passages hold each term.
SELECT term, doc FROM lexical_term WHERE term IN (SELECT value FROM json_each(:terms));
