"""The HTTP face: one port for /healthz, the tools of agents, and the pages."""
