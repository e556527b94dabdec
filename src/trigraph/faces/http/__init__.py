"""The HTTP face: one port for /healthz and the pages."""
