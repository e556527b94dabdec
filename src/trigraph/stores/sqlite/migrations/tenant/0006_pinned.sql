-- What is pinned is found without looking at the rest.
CREATE INDEX memory_version_pinned ON memory_version (pinned, memory_key) WHERE pinned = 1;
