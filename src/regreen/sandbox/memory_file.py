"""Files in memory, handed to a sandboxed process by their descriptor; files without a name where there are no such."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator


@contextlib.contextmanager
def memory_file(content: bytes) -> Iterator[int]:
    """The descriptor of a file with this content that nobody can change by it (memfd_create(2)), for the block."""
    fd = _sealed_file(content) if hasattr(os, "memfd_create") else _read_only_file(content)
    try:
        yield fd
    finally:
        os.close(fd)


def shared_file(size: int) -> int:
    """The descriptor of a file of `size` zero bytes, which whoever is handed it may change."""
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("regreen")
    else:
        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    os.ftruncate(fd, size)
    return fd


def _sealed_file(content: bytes) -> int:
    fd = os.memfd_create("regreen", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    _write(fd, content)
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE)
    return fd


def _read_only_file(content: bytes) -> int:
    with tempfile.NamedTemporaryFile() as file:
        _write(file.fileno(), content)
        return os.open(file.name, os.O_RDONLY)


def _write(fd: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(fd, left) :]
