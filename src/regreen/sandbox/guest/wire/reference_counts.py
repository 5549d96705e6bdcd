"""Who else holds an object: told by how many references there are to it beyond those of whoever asks."""

from __future__ import annotations

from collections.abc import Iterable
from sys import getrefcount
from typing import Any


def reference_counts(items: Iterable[Any]) -> list[int]:
    """The reference count of each item."""
    counts = []
    for item in items:
        counts.append(getrefcount(item))
    return counts


# Measured, because it differs between versions of Python.
ALONE = reference_counts([[]])[0]
"""The count of an item that nothing holds but its list, or its dict."""
