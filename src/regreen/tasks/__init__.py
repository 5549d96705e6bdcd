"""Where red tests come from: the user's own files, and data sets that are known by name."""
