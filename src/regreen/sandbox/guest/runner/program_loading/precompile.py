"""Compiling a program's text outside of the process that runs it.

In a fresh fork nearly every page that the compiler touches costs a fault; a process that lives on has paid them before.
Nothing of the text is run by this. Where it does not compile cleanly, the text itself is sent on, and the process that
runs it reports the error, within its own limits.
"""

from __future__ import annotations

import warnings
from types import CodeType

LONGEST_TEXT = 1 << 16
"""Characters of the longest text that is compiled here."""


def precompiled(source: str, filename: str) -> CodeType | None:
    """The code of a program; None where its text does not compile, warns, is very long, or has sets written out."""
    if len(source) > LONGEST_TEXT:
        return None
    try:
        with warnings.catch_warnings():
            # Shown here, a warning would not be among what the program prints.
            warnings.simplefilter("error")
            code: CodeType = compile(source, filename, "exec", dont_inherit=True)
    except Exception:  # noqa: BLE001  the program's process says what is wrong with it
        return None
    return None if "{" in source and _has_sets(code) else code


def _has_sets(code: CodeType) -> bool:
    """Whether some of its constants are sets: marshal sorts these, and they would be gone through in another order."""
    kinds = [*map(type, code.co_consts)]
    return frozenset in kinds or (CodeType in kinds and any(map(_has_sets, _inner(code))))


def _inner(code: CodeType) -> list[CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, CodeType)]
