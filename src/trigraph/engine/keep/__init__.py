"""What keeps the store: missing vectors, export and import, who may see what."""
