"""What the kernel tells of a process's memory: which stretches of it are mapped, from what, and with which rights."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

READ, WRITE, EXECUTE = 1, 2, 4
_LETTERS = {"r": READ, "w": WRITE, "x": EXECUTE}
_PATH = "/proc/self/maps"


class Mapping(NamedTuple):
    """A stretch of memory with one origin and one set of rights."""

    start: int
    end: int
    offset: int
    """Of its first byte in the file."""
    name: str
    """The file's path, the kernel's own name in brackets, or nothing for memory that came empty."""
    allowed: int
    """Reading, writing and executing, as the kernel counts them."""
    private: bool
    """Whether what is written here stays here."""

    def goes_on_in(self, other: Mapping) -> bool:
        """Whether the other one is the next part of the same file, in the next part of memory."""
        return (
            other.name == self.name
            and other.start == self.end
            and other.offset - self.offset == other.start - self.start
        )


class Own:
    """This process's mappings: opened where /proc can be seen, and read later, where perhaps it cannot."""

    def __init__(self) -> None:
        self.fd: int | None = None

    def open(self) -> None:
        """Hold on to the mappings of the process that calls this; where there is no /proc, there is nothing to hold."""
        with suppress(OSError):
            self.fd = os.open(_PATH, os.O_RDONLY | os.O_CLOEXEC)

    def read(self) -> list[Mapping]:
        """As they are now, in order, and for the last time; nothing where none are held."""
        if self.fd is None:
            return []
        fd, self.fd = self.fd, None
        with open(fd, encoding="ascii", errors="replace") as lines:  # noqa: PTH123 - it is open already
            return list(parse(lines))


def parse(lines: Iterable[str]) -> Iterator[Mapping]:
    """The rows of a process's `maps`, as proc(5) lays them out."""
    for row in (line.rstrip("\n").split(maxsplit=5) for line in lines):
        start, _, end = row[0].partition("-")
        allowed = sum(_LETTERS.get(letter, 0) for letter in row[1][:3])
        name = row[5] if len(row) == 6 else ""
        yield Mapping(int(start, 16), int(end, 16), int(row[2], 16), name, allowed, row[1].endswith("p"))
