-- name: passages
-- What the indexes hold of a memory.
SELECT key, terms, term_count, identifiers FROM passage WHERE memory_key = :memory_key;

-- name: unindex_terms
-- Take a passage out of the lexical index, which must be told what it held.
INSERT INTO lexical (lexical, rowid, terms) VALUES ('delete', :passage_key, :terms);

-- name: unindex_identifiers
-- Take a passage out of the substring index.
INSERT INTO identifier (identifier, rowid, identifiers) VALUES ('delete', :passage_key, :identifiers);

-- name: take_from_totals
-- Keep the totals that BM25 needs.
UPDATE lexical_total SET passages = passages - :passages, terms = terms - :terms;

-- name: entomb
-- The id and the place of what is erased stay taken.
INSERT INTO erased (id, project, thread_key, seq, at, by)
SELECT id, project, thread_key, seq, :at, :agent FROM memory WHERE key = :memory_key;

-- name: entities
-- Entities that the memory speaks of, made, or changed.
SELECT entity_key FROM mention WHERE memory_key = :memory_key
UNION SELECT key FROM entity WHERE made_by = :memory_key
UNION SELECT entity_key FROM alias WHERE memory_key = :memory_key
UNION SELECT entity_key FROM entity_state_known WHERE cause_key = :memory_key;

-- name: spoken_of
-- Whether another memory speaks of an entity.
SELECT EXISTS (SELECT 1 FROM mention WHERE entity_key = :entity_key AND memory_key <> :memory_key);

-- name: delete_entity
-- Nothing speaks of an entity any more: it goes, with its names and states.
DELETE FROM entity WHERE key = :entity_key;

-- name: delete_aliases
-- Names that only the memory gave to an entity, other than the one it goes by.
DELETE FROM alias
WHERE entity_key = :entity_key AND memory_key = :memory_key AND name NOT IN (
  SELECT name FROM entity_state
  WHERE entity_key = :entity_key AND name IS NOT NULL AND coalesce(cause_key, 0) <> :memory_key
  UNION
  SELECT name FROM entity_state
  WHERE entity_key = :entity_key AND valid_from = (
    SELECT min(valid_from) FROM entity_state WHERE entity_key = :entity_key) AND name IS NOT NULL);

-- name: first_state
-- The start of an entity's first state.
SELECT min(valid_from) FROM entity_state WHERE entity_key = :entity_key;

-- name: caused
-- States that the memory brought, the latest first.
SELECT valid_from, valid_until FROM entity_state
WHERE entity_key = :entity_key AND cause_key = :memory_key ORDER BY valid_from DESC;

-- name: delete_state
-- Take a state out of the chain.
DELETE FROM entity_state WHERE entity_key = :entity_key AND valid_from = :valid_from;

-- name: bridge_state
-- The state before the one taken out lasts as long as that did.
UPDATE entity_state SET valid_until = :valid_until WHERE entity_key = :entity_key AND valid_until = :valid_from;

-- name: point_at_last_state
-- The entity's latest state is the open one.
UPDATE entity SET state_from = (
  SELECT valid_from FROM entity_state WHERE entity_key = :entity_key AND valid_until IS NULL)
WHERE key = :entity_key;

-- name: delete_past_states
-- States that were believed once on the word of the memory.
DELETE FROM entity_state_past WHERE entity_key = :entity_key AND cause_key = :memory_key;

-- name: scrub_props
-- What the memory said about an entity is in none of its states.
UPDATE entity_state SET props = (
  SELECT json_group_object(key, json(value)) FROM json_each(entity_state.props)
  WHERE json_extract(value, '$.memory_id') <> :id)
WHERE entity_key = :entity_key AND instr(props, :id);

-- name: scrub_past_props
-- Nor in those that were believed once.
UPDATE entity_state_past SET props = (
  SELECT json_group_object(key, json(value)) FROM json_each(entity_state_past.props)
  WHERE json_extract(value, '$.memory_id') <> :id)
WHERE entity_key = :entity_key AND instr(props, :id);

-- name: unroot
-- Corrections of it stand by themselves.
UPDATE memory SET root_id = NULL WHERE root_id = :id;

-- name: unsucceed
-- What it took the place of no longer names it.
UPDATE memory_version SET superseded_by = NULL WHERE superseded_by = :id;

-- name: delete_votes
-- Votes on it and on its links.
DELETE FROM vote WHERE target = :id
  OR target IN (SELECT id FROM link WHERE from_key = :memory_key OR to_key = :memory_key);

-- name: delete_jobs
-- Work that waited for it.
DELETE FROM job WHERE project = :project AND json_extract(payload, '$.memory_id') = :id;

-- name: delete_answers
-- Answers that named it, and the fingerprints of its text with them.
DELETE FROM idempotency WHERE project = :project AND instr(answer, :id);

-- name: delete_memory
-- The row, and with it versions, passages, vectors, mentions, links and citations.
DELETE FROM memory WHERE key = :memory_key;
