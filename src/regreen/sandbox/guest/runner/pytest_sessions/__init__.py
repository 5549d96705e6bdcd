"""Suites under pytest's own runner: sessions that stay open and collect anew for each program."""
