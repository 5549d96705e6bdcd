"""Pools that one repair leaves to the next of this process: to start their servers takes longer than many a search."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
from collections.abc import Iterator
from typing import NamedTuple

from regreen.errors import SandboxError
from regreen.sandbox.interpreter import Interpreter
from regreen.sandbox.pool import Pool, open_pool
from regreen.types import Confinement

_MOST = 2
"""How many pools wait for a user; with one more, the one that has waited longest is closed."""
_SCREENS = 2
"""For how many screeners a pool that waits keeps servers."""
_LOCK = threading.Lock()


class _Use(NamedTuple):
    """What a pool is opened for."""

    process: int
    """The process that opened it: what was opened before a fork belongs to the parent."""
    confinement: Confinement
    workers: int
    interpreter: Interpreter | None
    preload: tuple[str, ...]


class _OpenPool(NamedTuple):
    """A pool, what it is good for, and what closes it."""

    use: _Use
    pool: Pool
    stack: contextlib.ExitStack


_waiting: list[_OpenPool] = []
"""Those that nobody uses, the last used last."""


@contextlib.contextmanager
def lend_pool(
    confinement: Confinement,
    *,
    workers: int = 1,
    interpreter: Interpreter | None = None,
    preload: tuple[str, ...] = (),
) -> Iterator[Pool]:
    """A pool for the block alone, as `open_pool` opens it: one that was lent for the same before, if one waits.

    Afterwards it waits in turn, until another one is wanted more or Python exits. After an exception it is closed at
    once, and so are containers, which their owner sees. `preload` are the modules that the user will have servers
    import: nobody else is to find them in memory. Raises what `open_pool` raises.
    """
    use = _Use(os.getpid(), confinement, workers, interpreter, preload)
    opened = _take(use) or _open(use)
    with opened.stack:
        yield opened.pool
        if confinement.kind == "jail" and _may_wait(opened.pool):
            _put(opened._replace(stack=opened.stack.pop_all()))


def _open(use: _Use) -> _OpenPool:
    with contextlib.ExitStack() as stack:
        pool = stack.enter_context(open_pool(use.confinement, workers=use.workers, interpreter=use.interpreter))
        return _OpenPool(use, pool, stack.pop_all())


def _may_wait(pool: Pool) -> bool:
    try:
        return pool.rest(screens=_SCREENS)
    except SandboxError:
        return False


def _take(use: _Use) -> _OpenPool | None:
    """The pool that was used last of those that wait and are for this, if it has not come to harm meanwhile."""
    with _LOCK:
        found = next((opened for opened in reversed(_waiting) if opened.use == use), None)
        if found is None:
            return None
        _waiting.remove(found)
    if found.pool.is_sound:
        return found
    found.stack.close()
    return None


def _put(opened: _OpenPool) -> None:
    with _LOCK:
        _waiting.append(opened)
        surplus = [_waiting.pop(0)] if len(_waiting) > _MOST else []
    _close(surplus)


@atexit.register
def close_waiting_pools() -> None:
    """Close the pools that wait."""
    with _LOCK:
        pools = _waiting[:]
        _waiting.clear()
    _close(pools)


def _close(pools: list[_OpenPool]) -> None:
    """Close pools; a child that was forked off leaves them to its parent."""
    for opened in pools:
        if opened.use.process == os.getpid():
            opened.stack.close()
