"""Checks of every kind, run one by one, and what becomes of each: results, printed text, assertions that explain."""
