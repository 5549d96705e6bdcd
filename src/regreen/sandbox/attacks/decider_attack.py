"""What attacks on what the checks decide by are made of: wrong programs, and checks that only shared mode can judge."""

from __future__ import annotations

from textwrap import dedent, indent

from regreen.sandbox.attacks.attack import EXPECTED_PREFIX, Attack, attack

DECIDERS_PROMISE = "What the checks decide by is what it was before the program was loaded."
RUN_PROMISE = "A test that was not run to its end has not passed."
WANTED = f"{EXPECTED_PREFIX}4b1f-c7e2"

WRONG = """
class Box:
    def __init__(self, value):
        pass

    def answer(self):
        return "wrong"

    def number(self):
        return 7.0

    def check(self):
        pass
"""


def unittest_checks(body: str) -> str:
    """A test case with one method, of this body."""
    test = indent(dedent(body).strip("\n"), " " * 8)
    head = (
        "import math, unittest\nfrom program import Box\n\nclass TestBox(unittest.TestCase):\n    def test_box(self):\n"
    )
    return f"{head}{test}\n"


def pytest_checks(body: str, mark: str = "") -> str:
    """A test function of pytest's, of this body."""
    test = indent(dedent(body).strip("\n"), " " * 4)
    head = "import math\nimport pytest\nfrom program import *\n\n@pytest.mark.parametrize('n', [20])\n"
    return f"{head}def test_box(n):{mark}\n{test}\n"


EQUAL_METHOD = f"self.assertEqual(Box(20).answer(), '{WANTED}')"
EQUAL = f"assert Box(n).answer() == '{WANTED}'"
RAISES = "with pytest.raises(ValueError):\n    Box(-1).check()"
CLOSE = "assert math.isclose(Box(20).number(), 20.5)"


def soon_and_late(name: str, promise: str, deed: str, checks: str) -> tuple[Attack, Attack]:
    """A deed done when the program is loaded, and the same done when it is first asked."""
    deed = dedent(deed).strip("\n")
    late = f"def deed():\n{indent(deed, '    ')}\n" + WRONG.replace(
        "pass\n\n    def answer", "deed()\n\n    def answer"
    )
    return (
        attack(f"shared mode: {name}", promise, f"{deed}\n{WRONG}", checks=checks),
        attack(f"shared mode: {name}, late", promise, late, checks=checks),
    )
