"""Making forks cheaper for the children, each of which pays for the memory that its server has.

A fork copies the list of the parent's mappings, and the page tables of what the parent has written to; a child that
ends takes them down again: a third of what a short-lived guest costs. The less memory its server holds, and the fewer
mappings that is cut into, the better.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterable
from contextlib import suppress
from functools import reduce
from operator import or_

from regreen.sandbox.guest.forking.mappings import EXECUTE, READ, WRITE, Mapping, Own

_PAGE_BYTES = 4096
_HOLES = (1 << 16, 1 << 15, 1 << 14, 1 << 13, 1 << 12, 1 << 11, 1 << 10, 1 << 9)
"""Bytes of the blocks that holes in the heap are filled with."""
_AHEAD_BYTES = 100_000
"""What lies ready at the end of the heap."""
_POOL_BYTES, _POOL_HEAD_BYTES = 1 << 14, 48
_LARGEST_POOLED, _STEP = 512, 16
"""Bytes of the largest block that comes from a pool, and by how much one size differs from the next."""
_BEGUN = 4
"""Blocks in use of a pool that has just been begun: the calls that look at it take some themselves."""
_HOLES_BYTES = 1 << 18
"""The most that is taken of one size."""


def settle() -> None:
    """Let go of the memory that is free, make room for what is to come, and keep collections away from what is here."""
    gc.collect()
    with suppress(AttributeError):
        # Not every C library can trim.
        _fill_heap(ctypes.PyDLL(None))
    gc.freeze()
    _fill_pools()


def _fill_heap(libc: ctypes.PyDLL) -> None:
    """Leave no holes in the C library's heap, but for those that are pages of their own and can be given back.

    What a child allocates there then comes from the end, one block beside the other, and touches few pages.
    """
    libc.malloc_trim(0)
    malloc, free, end_of_heap = libc.malloc, libc.free, libc.sbrk
    malloc.restype = end_of_heap.restype = ctypes.c_void_p
    malloc.argtypes, free.argtypes = [ctypes.c_size_t], [ctypes.c_void_p]
    end = end_of_heap(0) - _PAGE_BYTES
    free(malloc(_AHEAD_BYTES))
    for size in _HOLES:
        while (block := malloc(size)) < end:
            pass
        free(block)


def _fill_pools() -> None:
    """As `_fill_heap`, for what Python allocates in pools, each of which holds blocks of one size.

    A pool's first page is written whenever a block of it is given out. So every size gets a pool that has just been
    begun: its first blocks lie on that very page. A pool tells at its very beginning how many of its blocks are in use.
    """
    malloc, free = ctypes.pythonapi.PyObject_Malloc, ctypes.pythonapi.PyObject_Free
    malloc.restype = ctypes.c_void_p
    malloc.argtypes, free.argtypes = [ctypes.c_size_t], [ctypes.c_void_p]
    for size in range(_LARGEST_POOLED, 0, -_STEP):
        for _ in range(_HOLES_BYTES // size):
            block = malloc(size)
            place = block % _POOL_BYTES
            # So near to where a pool begins that its beginning is on the same page, whatever lies there.
            near = place < _POOL_HEAD_BYTES + _BEGUN * size
            if near and ctypes.c_uint.from_address(block - place).value <= _BEGUN:
                free(block)
                break
        else:
            # Memory is laid out in another way than we know.
            return


def join_mappings() -> None:
    """Have each library lie in two mappings instead of five; where the kernel does not let us, nothing changes.

    A loader gives every part of a library no more rights than it needs. That protects a process from its own faults.
    Here it protects nothing: hostile code is the very thing that runs, and what holds it is around the process. So code
    and constants are joined, and what was written to at the start with what may be written to still.
    """
    own = Own()
    own.open()
    protect = ctypes.CDLL(None).mprotect
    protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    for library in _libraries(_of_files(own.read())):
        for part in filter(None, _parts(library)):
            allowed = reduce(or_, (row.allowed for row in part))
            if not (allowed & WRITE and allowed & EXECUTE):
                protect(part[0].start, part[-1].end - part[0].start, allowed)


def _libraries(mappings: Iterable[Mapping]) -> list[list[Mapping]]:
    """The mappings in rows, each of which is one stretch of memory and one stretch of a file."""
    rows: list[list[Mapping]] = []
    for mapping in mappings:
        if rows and rows[-1][-1].goes_on_in(mapping):
            rows[-1].append(mapping)
        else:
            rows.append([mapping])
    return rows


def _parts(library: list[Mapping]) -> tuple[list[Mapping], list[Mapping]]:
    """Code and constants, and what is written to, which begins with what the loader alone has written to."""
    cut = next((n for n, mapping in enumerate(library) if mapping.allowed & WRITE), len(library))
    if 0 < cut < len(library) and not library[cut - 1].allowed & EXECUTE:
        cut -= 1
    return library[:cut], library[cut:]


def _of_files(mappings: Iterable[Mapping]) -> list[Mapping]:
    """Those of files that are private to this process and may be read."""
    return [m for m in mappings if m.name.startswith("/") and m.private and m.allowed & READ]
