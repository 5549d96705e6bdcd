"""Arranging a server's memory so that its children touch few pages of it.

After fork(2) parent and child share all pages, and the first write to each, on either side, costs a fault and a copy:
most of what a short-lived guest costs (figures in benchmarks/README.md).
"""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress

_POOL_BYTES, _POOL_HEADER_BYTES = 1 << 14, 48
"""Size of a pool of Python's allocator and of `struct pool_header` at its beginning (CPython, Include/internal/
pycore_obmalloc.h: POOL_SIZE with 64-bit pointers, POOL_OVERHEAD)."""
_LARGEST_POOLED_BYTES, _SIZE_STEP = 512, 16
"""The largest block that comes from a pool, and the step from one size to the next (ibid.: SMALL_REQUEST_THRESHOLD,
ALIGNMENT)."""
_FRESH_BLOCKS = 4
"""Blocks in use of a pool that counts as fresh: the calls that look at it take some themselves."""
_FILLED_BYTES = 1 << 18
"""The most that is allocated of one size while a fresh pool is looked for."""


def settle_memory() -> None:
    """Collect garbage, keep later collections away from what is here, have new objects come from fresh pools, and give
    back the pages that are free.

    A collection in a child would write to the header of each object that the server had: see `gc.freeze`, which was
    made for servers that fork.
    """
    gc.collect()
    gc.freeze()
    _fill_pools()
    _give_back()


def _give_back() -> None:
    """Have the C library return all whole pages that are free to the kernel: a fork copies an entry for each page."""
    # Not every C library can: see malloc_trim(3).
    with suppress(AttributeError):
        ctypes.pythonapi.malloc_trim(0)


def _fill_pools() -> None:
    """Allocate what is free in the partly used pools of each size, until the next block comes from a fresh pool.

    A pool's header, on its first page, is written whenever a block of it is given out. In a fresh pool the first
    blocks lie on that very page, so that a child's new objects touch one page a size instead of two or more.
    """
    malloc, free = ctypes.pythonapi.PyObject_Malloc, ctypes.pythonapi.PyObject_Free
    malloc.restype = ctypes.c_void_p
    malloc.argtypes, free.argtypes = [ctypes.c_size_t], [ctypes.c_void_p]
    for size in range(_LARGEST_POOLED_BYTES, 0, -_SIZE_STEP):
        for _ in range(_FILLED_BYTES // size):
            block = malloc(size)
            place = block % _POOL_BYTES
            # Near enough to where a pool would begin that its header is on the same page, whatever lies there.
            near = place < _POOL_HEADER_BYTES + _FRESH_BLOCKS * size
            # The header begins with the number of blocks in use (`ref.count`).
            if near and ctypes.c_uint.from_address(block - place).value <= _FRESH_BLOCKS:
                free(block)
                break
        else:
            # The allocator is not the one that we know (PYTHONMALLOC, another Python): leave it alone.
            return
