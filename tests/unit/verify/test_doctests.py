"""Docstring examples become checks that mean what doctest makes of them."""

from __future__ import annotations

import doctest

import pytest

from regreen.errors import TaskError
from regreen.types import Isolation
from regreen.verify.doctests import read_doctests

PROGRAM = '''"""Module.

>>> double(3)
6
"""
import math


def double(x):
    """Twice.

    >>> double(1)
    2
    >>> size = 3
    >>> double(size)  # doctest: +ELLIPSIS
    6...
    >>> double(None)
    Traceback (most recent call last):
        ...
    TypeError: no
    >>> math.floor(double(1.2))
    2
    """
    return x * 2


class Box:
    def get(self):
        """
        >>> kept = double(4)
        >>> for i in range(2):
        ...     print(i)
        0
        1
        """
'''


def test_every_docstring_is_read_in_order() -> None:
    """Module, functions and methods; ids have the owner's name and a number of its own."""
    suite = read_doctests(PROGRAM, module="prog", entry_point=None)
    assert suite is not None
    assert [check.id for check in suite.checks] == [
        "doc-module-1", "doc-double-1", "doc-double-2", "doc-double-3", "doc-double-4", "doc-Box.get-1", "doc-Box.get-2"
    ]  # fmt: skip
    assert suite.surface.functions == ("double",)
    assert suite.surface.imports == ("import math",)
    assert suite.isolation is Isolation.SEPARATE
    lines = PROGRAM.split("\n")
    assert all(lines[check.line - 1].strip().startswith(">>>") for check in suite.checks)


def test_examples_keep_their_output_and_options() -> None:
    """The wanted output is kept as written, blank where an example must print nothing."""
    suite = read_doctests(PROGRAM, module="prog", entry_point=None)
    assert suite is not None
    steps = {step.check: step for step in suite.steps if step.check}
    assert steps["doc-double-1"].want == "2\n"
    assert steps["doc-double-2"].flags == doctest.ELLIPSIS
    assert (steps["doc-double-3"].want or "").startswith("Traceback")
    assert steps["doc-Box.get-1"].want == ""
    assert steps["doc-Box.get-2"].code == "for i in range(2):\n    print(i)\n"


def test_examples_that_use_nothing_of_the_program_are_preparation() -> None:
    """`size = 3` proves nothing."""
    suite = read_doctests(PROGRAM, module="prog", entry_point=None)
    assert suite is not None
    assert [step.code for step in suite.steps if step.check is None] == ["size = 3\n"]


def test_a_program_without_examples_has_no_suite() -> None:
    """None, not an empty suite that would pass nothing."""
    assert read_doctests('def f():\n    """Doc."""\n', module="prog", entry_point=None) is None
    assert read_doctests('def f():\n    """\n    >>> x = 1\n    """\n', module="prog", entry_point=None) is None


def test_a_program_with_a_syntax_error_still_has_its_examples() -> None:
    """The docstring can be read where the code cannot."""
    broken = 'def f(x)\n    """\n    >>> f(1)\n    2\n    """\n    return x + 1\n'
    suite = read_doctests(broken, module="prog", entry_point=None)
    assert suite is not None
    assert [check.id for check in suite.checks] == ["doc-f-1"]
    assert suite.checks[0].line == 3


def test_a_malformed_example_is_named() -> None:
    """doctest's own complaint, with the docstring's owner."""
    with pytest.raises(TaskError, match="`f`"):
        read_doctests('def f():\n    """\n    >>>f(1)\n    2\n    """\n', module="prog", entry_point=None)


def test_examples_may_import_the_program() -> None:
    """`from prog import double` in a docstring works as in a test file."""
    suite = read_doctests(
        'def double(x):\n    """\n    >>> from prog import double\n    >>> double(1)\n    2\n    """\n    return x\n',
        module="prog",
        entry_point=None,
    )
    assert suite is not None
    assert suite.module == "prog"
    assert len(suite) == 1
