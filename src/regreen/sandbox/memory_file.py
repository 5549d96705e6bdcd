"""Files in memory, handed to a sandboxed process by their descriptor."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator

_SEALS = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE


@contextlib.contextmanager
def memory_file(content: bytes) -> Iterator[int]:
    """The descriptor of a file with this content that nobody can change any more (memfd_create(2)), for the block."""
    fd = os.memfd_create("regreen", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        left = memoryview(content)
        while left:
            left = left[os.write(fd, left) :]
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, _SEALS)
        yield fd
    finally:
        os.close(fd)
