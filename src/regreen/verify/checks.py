"""The checks of a program: test text turned into suites, and what a failed check means in words.

Test text is only ever parsed here, never run.
"""

from __future__ import annotations

from regreen.verify.doctests import read_doctests
from regreen.verify.entry import guess_entry_point
from regreen.verify.explain import explain_failure, suspicious_checks
from regreen.verify.iocases import read_io_cases
from regreen.verify.suites import read_suite
from regreen.verify.surface import surface_of
from regreen.verify.syntax import python_problem

__all__ = [
    "explain_failure",
    "guess_entry_point",
    "python_problem",
    "read_doctests",
    "read_io_cases",
    "read_suite",
    "surface_of",
    "suspicious_checks",
]
