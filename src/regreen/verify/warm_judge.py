"""Judges that stay ready between calls: starting a sandbox takes a hundred times as long as a verdict in one."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading

from regreen.verify.judge import SandboxJudge, open_judge

_LOCK = threading.Lock()
_OPEN: dict[tuple[int, str | None, str | None], SandboxJudge] = {}
"""By process, layers and interpreter: what was opened before a fork belongs to the parent."""


def warm_judge(layers: str | None, python: str | None) -> SandboxJudge:
    """The judge of this process for these layers and this interpreter, opened by the first call.

    May be asked, and used, from several threads. Its sandboxes are closed when Python exits. Raises what
    `open_judge` raises.
    """
    key = os.getpid(), layers, python
    with _LOCK:
        if key not in _OPEN:
            stack = contextlib.ExitStack()
            _OPEN[key] = stack.enter_context(open_judge(layers=layers, workers=os.cpu_count() or 1, python=python))
            atexit.register(_close, key, stack)
        return _OPEN[key]


def _close(key: tuple[int, str | None, str | None], stack: contextlib.ExitStack) -> None:
    """Close a judge at the end of its process; a child that was forked off leaves it to its parent."""
    if key[0] == os.getpid():
        with _LOCK:
            _OPEN.pop(key, None)
        stack.close()
