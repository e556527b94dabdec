"""The words of trigraph as values: frozen, without behaviour that touches the outside."""
