"""Keeps what the texts compile to that dataclasses and named tuples write for their methods.

A screener makes the same classes for each of thousands of programs, and most of what a dataclass costs is the compiling
of its `__init__`, `__eq__` and `__repr__`, which are the same text each time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from types import CodeType
from typing import Any

_MOST_TEXTS = 2_000


def keep_class_texts() -> None:
    """Have the texts of dataclasses and named tuples compiled once in this process, from when their modules are
    loaded: to be called again where they may have been since.
    """
    for module, run in (("dataclasses", exec), ("collections", eval)):
        if module in sys.modules:
            vars(sys.modules[module]).setdefault(run.__name__, _running(run))


def _running(run: Callable[..., Any]) -> Callable[..., Any]:
    def run_kept(text: Any, *namespaces: Any) -> Any:
        return run(_compiled(text, run.__name__) if type(text) is str else text, *namespaces)

    return run_kept


@lru_cache(maxsize=_MOST_TEXTS)
def _compiled(text: str, mode: str) -> CodeType:
    code: CodeType = compile(text, "<string>", mode, dont_inherit=True)
    return code
