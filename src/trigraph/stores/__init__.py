"""Stores: adapters that keep the contract of `trigraph.contracts`."""
