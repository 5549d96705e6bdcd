"""Judges that stay ready between calls: starting a sandbox takes a hundred times as long as a verdict in one."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from regreen.errors import RegreenError
from regreen.sandbox.interpreter import inspect_interpreter
from regreen.sandbox.pool import Pool
from regreen.sandbox.probe import probe
from regreen.types import Confinement
from regreen.verify.judge import SandboxJudge, open_judge

_LOCK = threading.Lock()
_OPEN: dict[tuple[int, Confinement], SandboxJudge] = {}
"""By process and confinement: what was opened before a fork belongs to the parent."""


@contextlib.contextmanager
def looking_ahead() -> Iterator[None]:
    """Look at this machine and at Python beside the block, which loads or reads what a judge needs besides.

    Both are looked at once in a process's life; what fails is told by whoever asks again.
    """
    with ThreadPoolExecutor(2, "looking-ahead") as threads:
        for look in (probe, inspect_interpreter):
            if not look.cache_info().currsize:
                threads.submit(look)
        yield


def warm_judge(confinement: Confinement) -> SandboxJudge:
    """The judge of this process for this confinement, opened by the first call.

    May be asked, and used, from several threads. Its sandboxes are closed when Python exits. Raises what
    `open_judge` raises.
    """
    key = os.getpid(), confinement
    with _LOCK:
        if key not in _OPEN:
            stack = contextlib.ExitStack()
            judge = stack.enter_context(open_judge(confinement, workers=os.cpu_count() or 1))
            _start_servers(judge.pool)
            _OPEN[key] = judge
            atexit.register(_close, key, stack)
        return _OPEN[key]


def _start_servers(pool: Pool) -> None:
    """Start the two servers that most verdicts need, side by side; what fails is told by the verdict that needs it."""
    with contextlib.suppress(RegreenError), pool.borrow() as pair, ThreadPoolExecutor(1, "starting") as thread:
        guests = thread.submit(lambda: pair.guests)
        try:
            _ = pair.plain.server
        finally:
            guests.result()


def _close(key: tuple[int, Confinement], stack: contextlib.ExitStack) -> None:
    """Close a judge at the end of its process; a child that was forked off leaves it to its parent."""
    if key[0] == os.getpid():
        with _LOCK:
            _OPEN.pop(key, None)
        stack.close()
