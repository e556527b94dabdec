"""Rules of ranking: pure functions from scores to order."""
