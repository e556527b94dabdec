"""What marks a SQLite file as ours."""

from __future__ import annotations

APPLICATION_ID = 0x74726967  # "trig"
