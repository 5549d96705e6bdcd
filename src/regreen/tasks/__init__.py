"""Room 1: where red tests come from, the user's own files or a data set that is known by name."""
