"""Which test modules hold more of the program than its names once they are imported."""

from __future__ import annotations

import pytest

from regreen.sandbox.guest.runner.pytest_sessions.recollection import (
    reads_annotations,
    reads_when_imported,
    uses_when_imported,
)

NAMES_ALONE = [
    "from shop import f\ndef test_f():\n    assert f(1) == 2\n",
    "import shop as s\nclass TestF:\n    def test_f(self, n=1):\n        assert s.f(n) == 2\n",
    "from other import f as g\nRESULT = g(3)\ndef test_f():\n    assert f(1) == RESULT\n",
    "from shop import f\nlater = lambda: f(1)\n",
    "from elsewhere import f\nRESULT = f(3)\n",
    "import f.inner\nRESULT = f.inner(3)\n",
    "",
]
MADE_OF_IT = [
    "from shop import f\nRESULT = f(3)\n",
    "from shop import f as g\nTABLE = [(g, 1)]\n",
    "import shop\nclass Mine(shop.Base): ...\n",
    "from shop import f\ndef test_f(n=f(1)): ...\n",
    "import shop as s\n@s.mark\ndef test_f(): ...\n",
    "RESULT = f(3)\n",
]


@pytest.mark.parametrize("text", NAMES_ALONE)
def test_names_that_are_imported_are_put_in_place_for_each_program(text: str) -> None:
    """Nothing of the first program is left in the module then."""
    assert not uses_when_imported(text, "shop", ["f"])


@pytest.mark.parametrize("text", MADE_OF_IT)
def test_what_is_made_of_the_program_at_import_stays_that_of_the_first(text: str) -> None:
    """Values, tables, subclasses, defaults, decorated functions; names that are there without an import, too."""
    assert uses_when_imported(text, "shop", ["f"])


def test_a_module_of_a_package_is_known_by_each_way_of_importing_it() -> None:
    """As `from a import shop`, and as `import a.shop`."""
    assert uses_when_imported("from a import shop\nRESULT = shop.g()\n", "a.shop", [])
    assert uses_when_imported("import a.shop\nRESULT = a.shop.g()\n", "a.shop", [])
    assert not uses_when_imported("from a import other\nRESULT = other.g()\n", "a.shop", [])


READING = [
    "@pytest.mark.parametrize('n', CASES)\ndef test_f(n): ...\n",
    "@pytest.mark.parametrize('n', s.CASES)\ndef test_f(n): ...\n",
    "def test_f(n=CASES): ...\n",
    "MORE = [*CASES, 1]\n",
]
NOT_READING = [
    "def test_f():\n    assert CASES == s.CASES\n",
    "@patch.object(s, 'rate')\ndef test_f(rate): ...\n",
    "TABLE = [(f, 1), (s.f, 2)]\n",
    "CASES = [1]\n",
]


@pytest.mark.parametrize("text", READING)
def test_data_that_is_read_at_import_stays_that_of_the_first_program(text: str) -> None:
    """By a name of its own, and as an attribute of the module."""
    assert reads_when_imported(text, ["CASES"], ["s"], ["CASES"])


@pytest.mark.parametrize("text", NOT_READING)
def test_data_that_is_read_while_a_test_runs_is_that_of_each_program(text: str) -> None:
    """Nor are functions data, which are put in their places."""
    assert not reads_when_imported(text, ["CASES"], ["s"], ["CASES"])


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        (b"from typing import get_type_hints", True),
        (b"import attr", True),
        (b"class Point(NamedTuple): ...", True),
        (b"@functools.singledispatchmethod", True),
        (b"from __future__ import annotations\n", False),
        (b"attribute: int = 1", False),
    ],
)
def test_what_goes_by_annotations_is_known_by_its_name(text: bytes, *, reads: bool) -> None:
    """In any module of a project."""
    assert reads_annotations({"a.py": b"", "b.py": text}) is reads
