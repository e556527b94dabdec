"""Extractors: adapters that keep `contracts.Extractor`."""
