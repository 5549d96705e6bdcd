"""Which statements of a file are tests of the rest, and does the file come back whole?"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.tasks.own_tests import OwnTests, without_own_tests
from regreen.tasks.program_file import program_file_of
from regreen.tasks.program_of_tests import program_of_tests

PROGRAM = "def double(x):\n    return x + x\n"
TESTS = {
    "a function": "def test_double():\n    assert double(2) == 4\n",
    "a function that is run below": "def test_double():\n    assert double(2) == 4\n\ntest_double()\n",
    "a coroutine": "async def test_double():\n    assert double(2) == 4\n",
    "a class": "class TestDouble:\n    def test(self):\n        assert double(2) == 4\n",
    "a class of unittest": "import unittest\n\nclass Doubling(unittest.TestCase):\n    def test(self):\n"
    "        self.assertEqual(double(2), 4)\n\nif __name__ == '__main__':\n    unittest.main()\n",
    "an assert": "assert double(2) == 4\n",
    "a loop": "for given in (1, 2):\n    assert double(given) == 2 * given\n",
    "an assert of a script": 'if __name__ == "__main__":\n    assert double(2) == 4\n',
    "values before an assert": "CASES = [(1, 2)]\nresult = double(1)\nassert CASES == [(1, result)]\n",
    "a fixture": "import pytest\n\n@pytest.fixture\ndef two():\n    return 2\n\ndef test_double(two):\n"
    "    assert double(two) == 4\n",
    "a function that asserts for tests": "def check(x, y):\n    assert double(x) == y\n\ndef test_double():\n"
    "    check(2, 4)\n",
    "a mark": "import pytest\npytestmark = pytest.mark.filterwarnings('error')\n\ndef test_double():\n"
    "    assert double(2) == 4\n",
}
NONE = {
    "nothing to check": PROGRAM,
    "nothing but tests": TESTS["a function"],
    "an assert in a function of the program": "def half(x):\n    assert x % 2 == 0\n    return x // 2\n",
    "a function of the program that is called like a test": "def test_bit(x):\n    assert x >= 0\n    return x & 1\n\n"
    "def odd(x):\n    return test_bit(x)\n",
    "no Python": "def double(x:\n    assert\n",
    "one line for both": f"{PROGRAM}two = double(1); assert double(two) == 4; print(two)\ndef more(): return two\n",
    "a script that only shows something": f"{PROGRAM}\nif __name__ == '__main__':\n    print(double(2))\n",
}


def parts(text: str) -> tuple[str, OwnTests]:
    found = without_own_tests(text)
    assert found is not None
    return found


@pytest.mark.parametrize("tests", TESTS.values(), ids=TESTS)
@pytest.mark.parametrize("is_first", [False, True])
def test_tests_are_told_from_the_program(tests: str, is_first: bool) -> None:
    """Whichever comes first: neither has a statement of the other, and both keep their lines."""
    whole = f"{tests}\n\n{PROGRAM}" if is_first else f"{PROGRAM}\n\n{tests}"
    program, own = parts(whole)
    assert ast.dump(ast.parse(program)) == ast.dump(ast.parse(PROGRAM))
    assert ast.dump(ast.parse(own.text)) == ast.dump(ast.parse(tests))
    assert program.count("\n") == own.text.count("\n") == whole.count("\n")
    assert own.restored(program) == whole


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_what_holds_no_tests_of_its_own_is_left_as_it_is(text: str) -> None:
    """In doubt a file is a program."""
    assert without_own_tests(text) is None


def test_what_both_use_stays_with_the_program() -> None:
    """The tests repeat no more than an import from Python's own library, which gives the same module again."""
    shared = "import math\nimport numpy\n\nUNIT = [1]\n\ndef area(r):\n    return math.pi * numpy.sum(UNIT) * r\n"
    program, own = parts(f"{shared}\nassert area(1) == math.pi * UNIT[0] * numpy.sum([1])\n")
    assert "import numpy" in program
    assert "UNIT = [1]" in program
    assert own.text.split("\n")[0] == "import math"
    assert own.text.count("import") == 1


PIECES = st.lists(st.sampled_from([PROGRAM, *TESTS.values(), "\n", "# A remark.\n", "print('loaded')\n"]), max_size=5)


@given(PIECES.flatmap(lambda more: st.permutations([PROGRAM, TESTS["an assert"], *more])))
def test_any_file_comes_back_whole(pieces: list[str]) -> None:
    """However programs and tests alternate."""
    text = "\n".join(pieces)
    program, own = parts(text)
    assert own.restored(program) == text
    ast.parse(program)
    ast.parse(own.text)


def test_tests_keep_their_place_where_the_program_grows() -> None:
    """A repair that adds lines before them, or behind them, moves them as a whole."""
    program, own = parts(f"{PROGRAM}\n{TESTS['a function']}\n\ndef last():\n    pass\n")
    repaired = program.replace("    return x + x\n", "    if x is None:\n        return 0\n    return x + x\n")
    assert own.restored(repaired.replace("    pass", "    return 1")) == (
        "def double(x):\n    if x is None:\n        return 0\n    return x + x\n\n"
        f"{TESTS['a function']}\n\ndef last():\n    return 1\n"
    )


def test_tests_come_last_where_a_program_was_written_anew() -> None:
    """A model that writes the whole file leaves out the comment that stands for them."""
    _, own = parts(f"{PROGRAM}\n{TESTS['a function']}")
    anew = "def double(x):\n    return 2 * x\n"
    assert own.restored(anew) == f"{anew}\n\n{TESTS['a function']}"


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_the_file_is_written_back_with_its_tests(end: bytes) -> None:
    """Each line that stays has its own line end."""
    content = f"{PROGRAM}\n{TESTS['a function']}".encode().replace(b"\n", end)
    file = program_file_of(Path("double.py"), content).apart_from_tests()
    assert file.own_tests is not None
    assert "assert" not in file.text
    assert file.render(file.text) == content
    assert file.render(file.text.replace("x + x", "2 * x")) == content.replace(b"x + x", b"2 * x")


def test_a_file_of_tests_that_holds_its_program_is_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named like tests, and imports nothing of the user's."""
    monkeypatch.chdir(tmp_path)
    Path("test_double.py").write_text(f"import math\n{PROGRAM}\n{TESTS['a function']}", encoding="utf-8")
    assert program_of_tests(Path("test_double.py")) == Path("test_double.py")
