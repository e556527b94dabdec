"""Faces: the ways in. Each turns its arguments into values by `wire` and calls the engine."""
