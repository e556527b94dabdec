"""What answers from memory: recall, get, list, history."""
