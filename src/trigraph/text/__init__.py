"""Rules about text: pure, no I/O, no clock."""
