"""The folder of a run: begun or resumed, never taken over from somebody else, and locked for one writer at a time."""

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
from regreen.evaluate import provenance

LOCK_FILE = "run.lock"
_NO_LOCK_ERRNOS = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL})
"""Errors of flock(2) on file systems without locks."""


@contextlib.contextmanager
def hold_run_folder(run_dir: Path, header: provenance.Header, *, resume: bool) -> Iterator[None]:
    """Lock a run's folder for the block, begun with `header` or resumed.

    Raises RunError when it is in use, holds something else, or was begun with other settings.
    """
    _refuse_foreign(run_dir, resume=resume)
    _make(run_dir)
    with lock_run(run_dir):
        _begin_or_resume(run_dir, header, resume=resume)
        yield


def _refuse_foreign(run_dir: Path, *, resume: bool) -> None:
    """Raise RunError for a folder whose content is no run, or one that must not be resumed."""
    names = {path.name for path in run_dir.iterdir()} if run_dir.is_dir() else set()
    if not names - {LOCK_FILE, provenance.UNFINISHED_RUN_FILE}:
        return
    if not resume:
        raise RunError(
            f"{run_dir} is not empty.", remedy="Go on with the run in it by --resume, or give another folder."
        )
    if provenance.RUN_FILE not in names:
        provenance.read_header(run_dir)


def _make(run_dir: Path) -> None:
    try:
        run_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{run_dir} cannot be made: {error.strerror or error}.", remedy="Give another folder.") from None


def _begin_or_resume(run_dir: Path, header: provenance.Header, *, resume: bool) -> None:
    _refuse_foreign(run_dir, resume=resume)
    if (run_dir / provenance.RUN_FILE).exists():
        recorded = provenance.read_header(run_dir)
        provenance.refuse_other_settings(run_dir, recorded, header)
        if provenance.is_grown(recorded, header):
            provenance.write_header(run_dir, header.model_copy(update={"started": recorded.started}))
    else:
        provenance.write_header(run_dir, header)


@dataclass(frozen=True, slots=True)
class LockHolder:
    """The process that holds a run, as its lock file names it."""

    pid: int
    host: str
    since: str

    @property
    def gone(self) -> bool:
        """Whether the process surely ended: it was on this machine, and does not exist any more."""
        return self.host == socket.gethostname() and self.pid != os.getpid() and not _alive(self.pid)

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}"


@contextlib.contextmanager
def lock_run(run_dir: Path) -> Iterator[None]:
    """Hold the run's lock for the block. Raises RunError naming the holder when another process has it.

    flock(2) releases the lock of a dead process. Where the file system has no locks, the content of the file decides:
    the lock of a process on this machine that is gone is taken over, any other is respected.
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
    return LockHolder(os.getpid(), socket.gethostname(), provenance.utc_now())


def _holder(descriptor: int) -> LockHolder | None:
    """The holder that the lock file names; None when it names none."""
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
