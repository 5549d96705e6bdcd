"""Laying a server's memory anew, on huge pages and in few mappings, so that its forks are cheap.

A fork copies the page table of all that its parent has written to, and the end of the child takes it down again: about
a tenth of a microsecond for each page, and ten times that for each mapping. Pages that are parts of one huge page are
copied and taken down together. And code that lies in memory of this kind is there for a child from the start, where
that of a file would be mapped by faults, a few pages at a time.

So everything is copied into huge pages, which are then moved to where the original was, each stretch as one mapping:
every address stays what it was, only what lies behind it is another page. Moving is one system call, and no other code
of this process runs between the copy and the move: the C library goes from one to the other by itself (see `_chained`).
Were that Python, it would write to the very pages that had been copied.

The pieces had different rights, the whole has all of them. What those protected, a process from its own faults, is not
at stake here: hostile code is the very thing that runs, may ask for such memory itself, and is held from outside.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from regreen.sandbox.guest.forking.mappings import READ, Mapping

HUGE_BYTES = 2 << 20
_MACHINES = ("x86_64",)
"""Where copied code can be run without more ado, as the caches of code and data agree by themselves."""

_PROT_ALL = 7
_MAP_PRIVATE_ANONYMOUS = 0x22
_MADV_HUGEPAGE, _MADV_POPULATE_READ, _MADV_COLLAPSE = 14, 22, 25
_MREMAP_MAYMOVE_FIXED = 3

_CONTEXT_BYTES = 1 << 13
"""More than any machine's `ucontext_t`."""
_STACK_BYTES = 1 << 14
_LINK, _STACK_SIZE = 8, 32
"""Where `ucontext_t` holds what to go on with, then the stack's address, and later its size."""

_Call = tuple[Any, tuple[int, ...]]
"""A function of the C library and what it is called with."""


class Stretch(NamedTuple):
    """Memory without a gap."""

    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start


def lay_anew(mappings: Sequence[Mapping]) -> bool:
    """Lay the memory of this process anew, and tell whether that was done; if not, nothing has changed.

    `mappings` are its own, as they were a moment ago. The process must have one thread, whose stack stays where it is.
    """
    if os.uname().machine not in _MACHINES or not mappings:
        return False
    with suppress(AttributeError):
        # Not every C library can do all this.
        return _Mover().move(stretches(mappings))
    return False


def stretches(mappings: Sequence[Mapping]) -> list[Stretch]:
    """The private mappings of files, of the heap and of nameless memory, joined where they lie side by side."""
    joined: list[Stretch] = []
    for mapping in mappings:
        ours = mapping.private and mapping.allowed & READ and (mapping.name in ("", "[heap]") or mapping.name[0] == "/")
        if ours and joined and joined[-1].end == mapping.start:
            joined[-1] = Stretch(joined[-1].start, mapping.end)
        elif ours:
            joined.append(Stretch(mapping.start, mapping.end))
    return joined


def places(parts: Sequence[Stretch]) -> tuple[list[int], int]:
    """Where in one area each part goes, in bytes from its beginning, and how large that has to be.

    A part that can hold a whole huge page is placed so that it does, when it is moved back.
    """
    found, end = [], 0
    for part in parts:
        if part.size >= HUGE_BYTES:
            end += (part.start - end) % HUGE_BYTES
        found.append(end)
        end += part.size
    return found, -(-end // HUGE_BYTES) * HUGE_BYTES


class _Mover:
    """The C library's functions that this takes. Raises AttributeError where one is missing."""

    def __init__(self) -> None:
        # Without giving up the interpreter's lock: that would write to memory in between.
        self.libc = libc = ctypes.PyDLL(None)
        address, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
        self.mmap, self.munmap, self.madvise = libc.mmap, libc.munmap, libc.madvise
        self.mmap.restype = address
        self.mmap.argtypes = [address, size, number, number, number, ctypes.c_long]
        self.munmap.argtypes = [address, size]
        self.madvise.argtypes = [address, size, number]
        self.getcontext, self.makecontext, self.swapcontext = libc.getcontext, libc.makecontext, libc.swapcontext
        self.getcontext.argtypes = [address]
        self.swapcontext.argtypes = [address, address]

    def move(self, parts: Sequence[Stretch]) -> bool:
        """Copy all parts into huge pages, and move those to where the parts are."""
        at, size = places(parts)
        around = self._mapped(size + HUGE_BYTES, parts)
        area = -(-around // HUGE_BYTES) * HUGE_BYTES
        there = bool(around) and self._is_huge(area, size)
        if there:
            calls: list[_Call] = []
            for part, place in zip(parts, at, strict=True):
                calls.append((self.libc.memcpy, (area + place, part.start, part.size)))
                move = (area + place, part.size, part.size, _MREMAP_MAYMOVE_FIXED, part.start)
                calls.append((self.libc.mremap, move))
            there = self._chained(calls, parts)
        if around:
            self.munmap(around, size + HUGE_BYTES)
        return there

    def _mapped(self, size: int, apart: Sequence[Stretch]) -> int:
        """The address of so much new memory, or nothing where there is none.

        Nor where it lies in one of the parts that are to be moved: that has been given back in the meantime.
        """
        found = int(self.mmap(None, size, _PROT_ALL, _MAP_PRIVATE_ANONYMOUS, -1, 0) or 0)
        if found == ctypes.c_void_p(-1).value:
            return 0
        if any(found < part.end and part.start < found + size for part in apart):
            self.munmap(found, size)
            return 0
        return found

    def _is_huge(self, area: int, size: int) -> bool:
        """Have the kernel give huge pages, and tell whether it did: the same in single pages would be a loss."""
        self.madvise(area, size, _MADV_HUGEPAGE)
        for page in range(area, area + size, HUGE_BYTES):
            ctypes.memset(page, 0, 1)
            if self.madvise(page, HUGE_BYTES, _MADV_COLLAPSE):
                return False
        return True

    def _is_there(self, part: Stretch) -> bool:
        """Whether all of it may still be read: what was freed meanwhile may have gone back to the kernel."""
        return bool(self.madvise(part.start, part.size, _MADV_POPULATE_READ) == 0)

    def _chained(self, calls: Sequence[_Call], parts: Sequence[Stretch]) -> bool:
        """Have the C library make the calls one after the other, with nothing in between, if all parts are there.

        Each call gets a context of its own, which links to that of the next one: a function that was started by
        `swapcontext` goes on there when it returns, and the last one here.
        """
        contexts = (len(calls) + 1) * _CONTEXT_BYTES
        size = contexts + len(calls) * _STACK_BYTES
        here = self._mapped(size, parts)
        if not here:
            return False
        for number, (function, arguments) in enumerate(calls, 1):
            context, stack = here + number * _CONTEXT_BYTES, here + contexts + (number - 1) * _STACK_BYTES
            self.getcontext(context)
            link = here if number == len(calls) else context + _CONTEXT_BYTES
            ctypes.memmove(context + _LINK, (ctypes.c_void_p * 2)(link, stack), 16)
            ctypes.memmove(context + _STACK_SIZE, ctypes.byref(ctypes.c_size_t(_STACK_BYTES)), 8)
            entry = ctypes.cast(function, ctypes.c_void_p)
            count = ctypes.c_int(len(arguments))
            self.makecontext(ctypes.c_void_p(context), entry, count, *map(ctypes.c_long, arguments))
        # Looked at last: from there to the first copy nothing is given back.
        done = all(map(self._is_there, parts)) and bool(self.swapcontext(here, here + _CONTEXT_BYTES) == 0)
        self.munmap(here, size)
        return done
