"""What children write to their raw descriptors 1 and 2, kept in a memory file that each finds as the first did."""

from __future__ import annotations

import os

_KEPT_BYTES = 1 << 14
"""Bytes of a child's raw output that are sent to the host."""


class RawOutput:
    """A memory file behind the descriptors 1 and 2, which children inherit."""

    __slots__ = ("fd", "known")

    def __init__(self) -> None:
        self.fd = os.memfd_create("output")
        self._lay_out()

    def take(self) -> str:
        """The beginning of what a child wrote; what it did to the file besides is undone, locks and flags aside.

        Nothing else may run.
        """
        if self._state() == self.known:
            return ""
        text = os.pread(self.fd, _KEPT_BYTES, 0).decode("utf-8", "replace")
        # A new one: the old one may have another mode, other times, and memory that its size does not show.
        fresh = os.memfd_create("output")
        os.dup2(fresh, self.fd, inheritable=False)
        os.close(fresh)
        self._lay_out()
        return text

    def close(self) -> None:
        """Let go of the file; the descriptors 1 and 2 stay behind it until another one takes them."""
        os.close(self.fd)

    def _lay_out(self) -> None:
        os.dup2(self.fd, 1)
        os.dup2(self.fd, 2)
        self.known = self._state()

    def _state(self) -> tuple[int, int, int, int, int]:
        about = os.fstat(self.fd)
        return about.st_mode, about.st_size, about.st_blocks, about.st_mtime_ns, about.st_ctime_ns
