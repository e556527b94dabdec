"""How memories relate and change over their life."""
