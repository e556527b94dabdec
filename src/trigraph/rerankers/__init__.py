"""Re-rankers: adapters that keep `contracts.Reranker`."""
