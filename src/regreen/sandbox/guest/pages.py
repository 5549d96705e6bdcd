"""Making forks cheaper for the children, each of which pays for the pages that its server has.

A fork copies the page tables of what the parent has written to, and a child that ends takes them down again: a third of
what a short-lived guest costs. The less memory its server holds, the better.
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress


def settle() -> None:
    """Let go of the memory that is free, and see that no collection in a child touches what is there now."""
    gc.collect()
    with suppress(AttributeError):
        # Not every C library has it.
        ctypes.CDLL(None).malloc_trim(0)
    gc.freeze()
