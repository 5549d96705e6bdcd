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
    """The code of a program; None where its text does not compile, warns, or is very long."""
    if len(source) > LONGEST_TEXT:
        return None
    try:
        with warnings.catch_warnings():
            # Shown here, a warning would not be among what the program prints.
            warnings.simplefilter("error")
            code: CodeType = compile(source, filename, "exec", dont_inherit=True)
            return code
    except Exception:  # noqa: BLE001  the program's process says what is wrong with it
        return None
