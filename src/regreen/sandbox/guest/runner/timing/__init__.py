"""How long code may run: clocks, and counts of its work."""
