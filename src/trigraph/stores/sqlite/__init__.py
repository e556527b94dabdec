"""The embedded store: SQLite files in one home folder."""
