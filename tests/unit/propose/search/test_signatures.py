"""The parameters and coroutines of what a program imports are read from the text of the modules beside it."""

from __future__ import annotations

import pytest

from regreen.propose.search.signatures import read_signatures

COUNTING = (
    "class Counter:\n    def __init__(self, words, start=0):\n        pass\n\n"
    "    async def save(self, path):\n        pass\n\n"
    "def count(text, *, counts=None):\n    return counts\n\nasync def load(path):\n    pass\n"
)
MODULES = {
    ("tally",): "from .counting import count as counted\n",
    ("tally", "counting"): COUNTING,
    ("tally", "other"): "def save(everything, at_once):\n    pass\n",
    ("circle",): "from circle import ring\n",
}


@pytest.mark.parametrize(
    ("source", "called", "parameters"),
    [
        ("from .counting import count\n", "count", ("text", "counts")),
        ("from tally.counting import count as c\n", "c", ("text", "counts")),
        ("from tally import counted\n", "counted", ("text", "counts")),
        ("from . import counting\n", "count", ("text", "counts")),
        ("import tally.counting\n", "Counter", ("words", "start")),
        ("from .counting import Counter\n", "save", ("path",)),
    ],
)
def test_what_is_imported_is_known_by_the_name_that_the_program_calls(
    source: str, called: str, parameters: tuple[str, ...]
) -> None:
    """However it is imported, through a package that hands it on as well; methods by their own names."""
    assert read_signatures(source, ("tally",), MODULES).parameters[called] == parameters


def test_what_is_to_be_awaited_is_known() -> None:
    """Functions and methods; a class is not."""
    found = read_signatures("from tally.counting import Counter, count, load\n", (), MODULES)
    assert found.coroutines == {"load", "save"}


def test_a_name_of_two_meanings_says_nothing() -> None:
    """The call may be of either."""
    found = read_signatures("from tally.counting import Counter\nfrom tally.other import save\n", (), MODULES)
    assert "save" not in found.parameters
    assert not found.coroutines


@pytest.mark.parametrize(
    "source", ["from circle import ring\n", "import nowhere\n", "from ... import x\n", "def f(:\n"]
)
def test_what_leads_nowhere_is_no_error(source: str) -> None:
    """Circles, modules that are not there, imports from above the top, and text that does not parse."""
    assert not read_signatures(source, ("tally",), MODULES).parameters
