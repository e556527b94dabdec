"""Embedders: adapters that keep `contracts.Embedder`."""
