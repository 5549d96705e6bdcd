"""Judges that stay ready between calls: starting a sandbox takes a hundred times as long as a verdict in one."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from typing import TYPE_CHECKING

from regreen.errors import RegreenError
from regreen.sandbox.pool import Pool, open_pool
from regreen.types import Confinement

if TYPE_CHECKING:
    from regreen.verify.judge import SandboxJudge

_Key = tuple[int, Confinement]
_LOCK = threading.Lock()
_POOLS: dict[_Key, Opening] = {}
"""By process and confinement: what was opened before a fork belongs to the parent."""


def warm_judge(confinement: Confinement) -> SandboxJudge:
    """The judge of this process for this confinement, opened by the first call.

    May be asked, and used, from several threads. Its sandboxes are closed when Python exits. Raises what
    `open_judge` raises.
    """
    return open_ahead(confinement).wait()


class Opening:
    """The sandboxes of a confinement, which a thread opens. (A future of the standard library loads for 6 ms.)"""

    def __init__(self) -> None:
        self._done = threading.Event()
        self._judge: SandboxJudge | None = None
        self._error: BaseException | None = None

    @property
    def failed(self) -> bool:
        """Whether they could not be opened."""
        return self._error is not None

    def succeed(self, judge: SandboxJudge) -> None:
        """They are open."""
        self._judge = judge
        self._done.set()

    def fail(self, error: BaseException) -> None:
        """They could not be opened."""
        self._error = error
        self._done.set()

    def wait(self) -> SandboxJudge:
        """The judge that uses them, when they are open. Raises what kept them from it."""
        self._done.wait()
        if self._judge is None:
            assert self._error is not None
            raise self._error
        return self._judge


def open_ahead(confinement: Confinement) -> Opening:
    """Have a thread open the sandboxes of `warm_judge`, unless they are open; the caller loads the rest meanwhile."""
    key = os.getpid(), confinement
    with _LOCK:
        opening = _POOLS.get(key)
        if opening is None or opening.failed:
            opening = _POOLS[key] = Opening()
            threading.Thread(target=_open, args=(key, opening), name="opening-sandboxes", daemon=True).start()
    return opening


def _open(key: _Key, opening: Opening) -> None:
    with contextlib.ExitStack() as stack:
        try:
            pool = stack.enter_context(open_pool(key[1], workers=os.cpu_count() or 1))
            _start_servers(pool)
            # Imported late: by then the servers have started, and the caller has imported most of it.
            from regreen.verify.judge import SandboxJudge

            judge = SandboxJudge(pool)
        except BaseException as error:  # noqa: BLE001 - raised again where the judge is waited for
            opening.fail(error)
            return
        atexit.register(_close, key, stack.pop_all())
        opening.succeed(judge)


def _start_servers(pool: Pool) -> None:
    """Start the two servers that most verdicts need; what fails is told by the verdict that needs it."""
    with contextlib.suppress(RegreenError), pool.borrow() as pair:
        _ = pair.guests, pair.plain.server


def _close(key: _Key, stack: contextlib.ExitStack) -> None:
    """Close a pool at the end of its process; a child that was forked off leaves it to its parent."""
    if key[0] == os.getpid():
        with _LOCK:
            _POOLS.pop(key, None)
        stack.close()
