"""What a sandboxed process can be, by the kind of its server: a guest; a judge or a shared process; a screener."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

PrepareRole = Callable[[dict[str, Any]], Callable[[int], None]]
"""Takes limits, prepares what can be prepared before the fork, and returns what the child does with its connection."""


def guest_roles() -> dict[str, PrepareRole]:
    """The role of a guest server's children. The server stays small: each fork copies its page tables."""
    from regreen.sandbox.guest.runner import guest_process

    return {"guest": lambda limits: guest_process.Guest(limits).serve}


def check_roles() -> dict[str, PrepareRole]:
    """The roles of the children of a server for checks; what only shared mode needs is loaded when it is asked for."""
    from regreen.sandbox.guest.runner import judge_process

    if not _is_compiled(judge_process, "shared_process"):
        from regreen.sandbox.guest.runner import shared_process  # noqa: F401
    return {"judge": partial(_with_limits, judge_process.main), "shared": _prepare_shared}


def _is_compiled(beside: ModuleType, name: str) -> bool:
    """Whether Python has kept the bytecode of a module: an enclosed process can keep none.

    In a container there is none to keep: our code comes there as text, and is compiled whenever it is needed.
    """
    kept_beside = getattr(beside, "__cached__", None)
    return kept_beside is None or os.path.exists(kept_beside.replace("judge_process", name))  # noqa: PTH110


def screen_roles() -> dict[str, PrepareRole]:
    """The role of the children of a server for screeners."""
    from regreen.sandbox.guest.runner import screener_process

    return {"screener": partial(_with_limits, screener_process.main)}


def _prepare_shared(limits: dict[str, Any]) -> Callable[[int], None]:
    from regreen.sandbox.guest.runner import shared_process

    return _with_limits(shared_process.main, limits)


def _with_limits(main: Callable[[int, dict[str, Any]], None], limits: dict[str, Any]) -> Callable[[int], None]:
    return lambda fd: main(fd, limits)


ROLES = {"guests": guest_roles, "checks": check_roles, "screens": screen_roles}
"""The roles of the children of each kind of server."""
