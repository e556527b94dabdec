"""Connects AI clients: their configuration files are edited, text in and text out, and can be put back as they were."""
