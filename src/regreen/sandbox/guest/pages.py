"""Making forks cheaper for the children, each of which pays for the memory that its server has.

A fork copies the list of the parent's mappings, and the page tables of what the parent has written to; a child that
ends takes them down again: a third of what a short-lived guest costs. The less memory its server holds, and the fewer
mappings that is cut into, the better.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import reduce
from operator import or_
from typing import NamedTuple

_READ, _WRITE, _EXECUTE = 1, 2, 4
_LETTERS = {"r": _READ, "w": _WRITE, "x": _EXECUTE}


class Mapping(NamedTuple):
    """A stretch of memory that a file's bytes lie in, private to this process."""

    start: int
    end: int
    offset: int
    """Of its first byte in the file."""
    file: str
    allowed: int
    """Reading, writing and executing, as the kernel counts them."""

    def goes_on_in(self, other: Mapping) -> bool:
        """Whether the other one is the next part of the same file, in the next part of memory."""
        return (
            other.file == self.file
            and other.start == self.end
            and other.offset - self.offset == other.start - self.start
        )


def settle() -> None:
    """Let go of the memory that is free, and see that no collection in a child touches what is there now."""
    gc.collect()
    with suppress(AttributeError):
        # Not every C library has it.
        ctypes.CDLL(None).malloc_trim(0)
    gc.freeze()


def join_mappings() -> None:
    """Have each library lie in two mappings instead of five; where the kernel does not let us, nothing changes.

    A loader gives every part of a library no more rights than it needs. That protects a process from its own faults.
    Here it protects nothing: hostile code is the very thing that runs, and what holds it is around the process. So code
    and constants are joined, and what was written to at the start with what may be written to still.
    """
    with suppress(OSError):
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for library in _libraries(_of_files()):
            for part in filter(None, _parts(library)):
                allowed = reduce(or_, (row.allowed for row in part))
                if not (allowed & _WRITE and allowed & _EXECUTE):
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
    cut = next((n for n, mapping in enumerate(library) if mapping.allowed & _WRITE), len(library))
    if 0 < cut < len(library) and not library[cut - 1].allowed & _EXECUTE:
        cut -= 1
    return library[:cut], library[cut:]


def _of_files() -> Iterator[Mapping]:
    """The private mappings of files into this process that may be read, in order."""
    with open("/proc/self/maps", encoding="ascii", errors="replace") as maps:  # noqa: PTH123 - pathlib is not loaded here
        rows = [line.rstrip("\n").split(maxsplit=5) for line in maps]
    for row in rows:
        if len(row) == 6 and row[5].startswith("/") and row[1].startswith("r") and row[1].endswith("p"):
            start, _, end = row[0].partition("-")
            allowed = sum(_LETTERS.get(letter, 0) for letter in row[1][:3])
            yield Mapping(int(start, 16), int(end, 16), int(row[2], 16), row[5], allowed)
