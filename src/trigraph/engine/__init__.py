"""The engine: what remember, recall and the other verbs do, over the contracts alone."""
