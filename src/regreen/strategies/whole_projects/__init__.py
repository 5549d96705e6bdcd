"""Repairs of whole projects: their tests, their turns, their patches over several files."""
