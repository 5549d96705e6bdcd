"""The folder of a run: made or gone on with, never taken over from somebody else, one writer at a time."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from regreen.errors import RunError
from regreen.evaluate import lock, provenance


@contextlib.contextmanager
def hold_run_folder(run_dir: Path, header: provenance.Header, *, resume: bool) -> Iterator[None]:
    """Hold a run's folder for the block, begun with `header` or gone on with.

    Raises RunError when it is in use, holds something else, or was begun with other settings.
    """
    _refuse_foreign(run_dir, resume=resume)
    _make(run_dir)
    with lock.locked(run_dir):
        _begin_or_resume(run_dir, header, resume=resume)
        yield


def _refuse_foreign(run_dir: Path, *, resume: bool) -> None:
    """Refuse a folder that holds something which is not ours to go on with."""
    names = {path.name for path in run_dir.iterdir()} if run_dir.is_dir() else set()
    if not names - {lock.LOCK_FILE, provenance.UNFINISHED_RUN_FILE}:
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
        provenance.refuse_other_settings(run_dir, provenance.read_header(run_dir), header)
    else:
        provenance.write_header(run_dir, header)
