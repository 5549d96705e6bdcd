"""The modules beside a program are found by the names under which it imports them."""

from __future__ import annotations

import pytest

from regreen.strategies.searching.searched_program import signatures_beside
from regreen.types import Project, Suite, SuiteKind, Task

HELPER = "def count(text, counts=None):\n    return counts\n"


@pytest.mark.parametrize(
    ("target", "module", "helper", "imports"),
    [
        ("src/tally/cli.py", "tally.cli", "src/tally/counting.py", "from .counting import count\n"),
        ("src/tally/cli.py", "tally.cli", "src/tally/counting.py", "from tally.counting import count\n"),
        ("tally/__init__.py", "tally.__init__", "tally/counting.py", "from .counting import count\n"),
        ("cli.py", "cli", "counting.py", "from counting import count\n"),
        ("src/tally/__init__.py", "tally.__init__", "src/tally/counting.py", "from tally.counting import count\n"),
        ("scripts/cli.py", "cli", "scripts/counting.py", "from counting import count\n"),
    ],
)
def test_a_module_of_a_project_is_found_from_any_layout(target: str, module: str, helper: str, imports: str) -> None:
    """A src layout, a package itself, a plain folder."""
    project = Project("/home/someone/tally", {helper: HELPER.encode()}, target)
    suite = Suite(SuiteKind.PYTEST, "", (), project=project)
    task = Task(target, imports, None, suite, module=module)
    assert signatures_beside(task, suite).parameters == {"count": ("text", "counts")}


def test_companions_of_a_file_are_read_too() -> None:
    """They are given by their paths."""
    suite = Suite(SuiteKind.MODULE, "", ())
    task = Task("cli", "from lib.counting import count\n", None, suite, companions={"lib/counting.py": HELPER})
    assert signatures_beside(task, suite).parameters == {"count": ("text", "counts")}
