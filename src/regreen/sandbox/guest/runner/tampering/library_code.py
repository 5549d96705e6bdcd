"""Whether a function is of an installed library, by its code: what it says of itself is not believed."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

_OPEN, _COMPILE = open, compile
"""As they were before any program."""
_RUNNERS = ("pytest", "_pytest", "pluggy", "unittest", "regreen")
"""What no plugin takes from there to put it elsewhere: a program that wants something to do nothing would."""


class InstalledLibraries:
    """The folders of installed packages as they are now, before any program could name others."""

    def __init__(self) -> None:
        named = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        named |= {folder for folder in sys.path if Path(folder).name in ("site-packages", "dist-packages")}
        self.folders = tuple(f"{folder}/" for folder in sorted(named))

    def hold(self, code: CodeType | None) -> bool:
        """Whether a code is in the text of the module, of an installed package, from whose file it says that it is."""
        if code is None or not code.co_filename.startswith(self.folders) or ".." in code.co_filename:
            return False
        folder = next(each for each in self.folders if code.co_filename.startswith(each))
        package = code.co_filename.removeprefix(folder).partition("/")[0].removesuffix(".py")
        return package not in _RUNNERS and code in _codes_of(code.co_filename)


@lru_cache(maxsize=16)
def _codes_of(file: str) -> frozenset[CodeType]:
    """All codes of a module, by its text."""
    with suppress(OSError, SyntaxError, ValueError), _OPEN(file, "rb") as text:
        return frozenset(_all_in(_COMPILE(text.read(), file, "exec", dont_inherit=True)))
    return frozenset()


def _all_in(code: CodeType) -> Iterable[CodeType]:
    yield code
    for constant in code.co_consts:
        if type(constant) is CodeType:
            yield from _all_in(constant)


def inner_code(value: Any) -> CodeType | None:
    """The code of a function, or of the one that an attribute of a class wraps; None for anything else."""
    inner = value.fget if type(value) is property else getattr(value, "__func__", value)
    code = getattr(inner, "__code__", None) if type(inner) is type(inner_code) else None
    return code if type(code) is CodeType else None
