"""Judges that stay ready between calls: starting a sandbox takes a hundred times as long as a verdict in one."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from regreen.errors import RegreenError
from regreen.sandbox.pool import Pool, open_pool
from regreen.types import Confinement

if TYPE_CHECKING:
    from regreen.verify.judge import SandboxJudge

_Key = tuple[int, Confinement]
_LOCK = threading.Lock()
_POOLS: dict[_Key, Future[SandboxJudge]] = {}
"""By process and confinement: what was opened before a fork belongs to the parent."""


def warm_judge(confinement: Confinement) -> SandboxJudge:
    """The judge of this process for this confinement, opened by the first call.

    May be asked, and used, from several threads. Its sandboxes are closed when Python exits. Raises what
    `open_judge` raises.
    """
    return open_ahead(confinement).result()


def open_ahead(confinement: Confinement) -> Future[SandboxJudge]:
    """Have a thread open the sandboxes of `warm_judge`, unless they are open; the caller loads the rest meanwhile."""
    key = os.getpid(), confinement
    with _LOCK:
        opening = _POOLS.get(key)
        if opening is None or (opening.done() and opening.exception()):
            opening = _POOLS[key] = Future()
            threading.Thread(target=_open, args=(key, opening), name="opening-sandboxes", daemon=True).start()
    return opening


def _open(key: _Key, opening: Future[SandboxJudge]) -> None:
    with contextlib.ExitStack() as stack:
        try:
            pool = stack.enter_context(open_pool(key[1], workers=os.cpu_count() or 1))
            _start_servers(pool)
            # Imported late: by then the servers have started, and the caller has imported most of it.
            from regreen.verify.judge import SandboxJudge

            judge = SandboxJudge(pool)
        except BaseException as error:  # noqa: BLE001 - raised again where the judge is waited for
            opening.set_exception(error)
            return
        atexit.register(_close, key, stack.pop_all())
        opening.set_result(judge)


def _start_servers(pool: Pool) -> None:
    """Start the two servers that most verdicts need, side by side; what fails is told by the verdict that needs it."""
    with contextlib.suppress(RegreenError), pool.borrow() as pair, ThreadPoolExecutor(1, "starting") as thread:
        guests = thread.submit(lambda: pair.guests)
        try:
            _ = pair.plain.server
        finally:
            guests.result()


def _close(key: _Key, stack: contextlib.ExitStack) -> None:
    """Close a pool at the end of its process; a child that was forked off leaves it to its parent."""
    if key[0] == os.getpid():
        with _LOCK:
            _POOLS.pop(key, None)
        stack.close()
