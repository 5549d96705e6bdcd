"""What docstrings, statements, names and comments say of a program, and how well a candidate agrees with it."""
