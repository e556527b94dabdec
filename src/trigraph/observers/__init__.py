"""Observers: what the outside is told of the engine's verbs, as spans and as log lines."""
