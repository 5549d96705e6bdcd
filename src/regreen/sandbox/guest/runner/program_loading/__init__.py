"""From a program's text to a live module."""
