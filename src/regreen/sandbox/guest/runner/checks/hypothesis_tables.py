"""Importing this makes the tables of characters that Hypothesis draws texts from, which takes it seconds.

A server imports it before processes are forked, so that not every one of them makes the tables again.
"""

from __future__ import annotations

from hypothesis.internal import charmap

charmap.charmap()
charmap.intervals_from_codec("utf-8")
