"""The TOML files of tasks that no program can solve, because their checks contradict each other."""
