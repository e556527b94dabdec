"""What changes memory: remembering, revising, deciding, linking."""
