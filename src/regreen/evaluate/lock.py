"""One run folder, one writer: a lock that says who holds it and dies with its holder."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import socket
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from regreen.errors import RunError
from regreen.evaluate.provenance import utc_now

LOCK_FILE = "run.lock"
_NO_LOCK_ERRNOS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL})
"""What file systems without locks answer."""


@dataclass(frozen=True, slots=True)
class LockHolder:
    """Who has a run."""

    pid: int
    host: str
    since: str

    @property
    def gone(self) -> bool:
        """Whether that process surely ended: it was on this machine, and is not there any more."""
        return self.host == socket.gethostname() and self.pid != os.getpid() and not _alive(self.pid)

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}"


@contextlib.contextmanager
def locked(run_dir: Path) -> Iterator[None]:
    """Hold the run's lock. Raises RunError naming the holder when somebody else has it.

    The lock is the kernel's, so that of a dead process is free. Where the file system has no locks, what the file
    says decides: a holder on this machine that is gone is followed, any other is respected.
    """
    descriptor = os.open(run_dir / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        _take(descriptor, run_dir)
        _write(descriptor, json.dumps(asdict(_ourselves())).encode())
        try:
            yield
        finally:
            _write(descriptor, b"")
    finally:
        os.close(descriptor)


def _take(descriptor: int, run_dir: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _refusal(run_dir, _holder(descriptor)) from None
    except OSError as error:
        if error.errno not in _NO_LOCK_ERRNOS:
            raise
        holder = _holder(descriptor)
        if holder is not None and not holder.gone:
            raise _refusal(run_dir, holder) from None


def _refusal(run_dir: Path, holder: LockHolder | None) -> RunError:
    return RunError(
        f"{run_dir} is in use by {holder or 'another process'}.",
        remedy=f"Wait for it or give another folder; if it is surely gone, remove {run_dir / LOCK_FILE}.",
    )


def _ourselves() -> LockHolder:
    return LockHolder(os.getpid(), socket.gethostname(), utc_now())


def _holder(descriptor: int) -> LockHolder | None:
    """Who the lock file names; None when it names nobody."""
    try:
        values = json.loads(os.pread(descriptor, 4096, 0))
        return LockHolder(int(values["pid"]), str(values["host"]), str(values["since"]))
    except (ValueError, TypeError, KeyError):
        return None


def _write(descriptor: int, content: bytes) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, content, 0)


def _alive(pid: int) -> bool:
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
