"""How natural programs read, by the shipped n-gram model of Python code."""
