"""Hooks: what `trigraph-hook <client> <event>` does. Imports nothing that takes time, and never fails its client."""
