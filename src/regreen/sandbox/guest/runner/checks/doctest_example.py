"""Runs a doctest example, and compares what a prompt would show with what is expected."""

from __future__ import annotations

import contextlib
import doctest
import io
import sys
import traceback
from types import CodeType
from typing import Any

from regreen.sandbox.guest.runner.checks.assertions import RECORDER

_CHECKER = doctest.OutputChecker()


def run_example(code: CodeType, want: str, flags: int, names: dict[str, Any]) -> None:
    """Run a doctest example, and raise AssertionError unless the prompt would show `want` (flags: see `doctest`).

    Of an exception its last lines alone are compared.
    """
    shown = io.StringIO()
    hook, sys.displayhook = sys.displayhook, sys.__displayhook__
    expected = _EXCEPTION(want)
    raised: list[str] = []
    try:
        with contextlib.redirect_stdout(shown):
            exec(code, names)
    except (Exception, SystemExit, GeneratorExit) as error:
        if expected is None:
            raise
        raised, want = _shown_exceptions(error, str(names.get("__name__"))), expected["msg"]
    finally:
        sys.displayhook = hook
    if not any(_fits(want, got, flags, raised=bool(raised)) for got in raised or [shown.getvalue()]):
        names[RECORDER].seen = ("==", _Verbatim(raised[0] if raised else shown.getvalue()), _Verbatim(want))
        raise AssertionError


_EXCEPTION = doctest.DocTestParser._EXCEPTION_RE.match  # type: ignore[attr-defined]
"""How `doctest` tells that an example expects an exception, and which."""


def _shown_exceptions(error: BaseException, module: str) -> list[str]:
    """An exception as a prompt may show it: all of its text or the last part, with the program's name or without."""
    lines = traceback.format_exception_only(type(error), error)
    texts = [lines[-1], "".join(lines)]
    return [*texts, *(text.removeprefix(f"{module}.") for text in texts)]


def _fits(want: str, got: str, flags: int, *, raised: bool) -> bool:
    if _CHECKER.check_output(want, got, flags):
        return True
    if not raised or not flags & doctest.IGNORE_EXCEPTION_DETAIL:
        return False
    return _CHECKER.check_output(_without_details(want), _without_details(got), flags)


def _without_details(text: str) -> str:
    """The name of an exception alone, without its module and its text."""
    return text.partition("\n")[0].partition(":")[0].rpartition(".")[2].strip()


class _Verbatim(str):
    """Text that is shown as it stands, without quotes."""

    def __repr__(self) -> str:
        return self.rstrip("\n")
