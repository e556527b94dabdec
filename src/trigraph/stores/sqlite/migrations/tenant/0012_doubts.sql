-- What is to be looked through is found without looking at the links that say nothing of doubt.
CREATE INDEX link_in_doubt ON link (project, type, id)
WHERE known_until IS NULL AND type IN ('contradicts', 'duplicate_of');
