-- What became known since a time is found without looking at the rest.
CREATE INDEX memory_version_by_time ON memory_version (known_from);
