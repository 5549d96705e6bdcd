"""Whether a program could do without a file that exists nowhere, or whether only the user can bring it."""

from __future__ import annotations

import pytest

from regreen.types import CheckResult, Outcome, Project, Suite, SuiteKind
from regreen.verify.check_causes import CheckCause
from regreen.verify.missing_inputs import only_the_user_has_it

READS = "def rate(code, file='rates.csv'):\n    return dict(map(str.split, open(file)))[code]\n"
ASKS = "from rates import rate\n\ndef test_a():\n    assert rate('EUR') == 1.08\n"


def is_the_users(program: str, tests: str, check: str = "test_a", files: tuple[str, ...] = ()) -> bool:
    """What is said of "rates.csv", which a check misses."""
    contents = dict.fromkeys(files, b"") | {"test_rates.py": tests.encode()}
    project = Project("/home/me/shop", contents, "rates.py", short_ids=True)
    suite = Suite(SuiteKind.PYTEST, tests, (), module="rates", origin="test_rates.py", project=project)
    cause = CheckCause(check, CheckResult(Outcome.RAISED), (), suite, frozenset(), is_independent=False)
    return only_the_user_has_it("data/rates.csv", cause, program)


CALLS_A_METHOD = (
    "import unittest\nfrom rates import rate\n\nclass TestA(unittest.TestCase):\n    def test_a(self):\n"
    "        self.assertEqual(round(rate('EUR'), 2), 1.08)\n"
)
CERTAIN = {
    "a value that no default has": (READS, ASKS, "test_a"),
    "an assertion of unittest": (READS, CALLS_A_METHOD, "TestA::test_a"),
    "a script of asserts": (READS, "from rates import rate\nassert rate('EUR') == 1.08\n", "test_rates.py:2"),
    "a case of several": (READS, ASKS, "test_a[EUR]"),
}


@pytest.mark.parametrize("what", CERTAIN)
def test_only_the_user_has_what_a_program_computes_with(what: str) -> None:
    """The check expects what only the file can say."""
    program, tests, check = CERTAIN[what]
    assert is_the_users(program, tests, check)


DOUBTFUL = {
    "nothing is a default": (READS, ASKS.replace("== 1.08", "is None")),
    "an empty value is a default": (READS, ASKS.replace("1.08", "{}")),
    "one is a default": (READS, ASKS.replace("1.08", "1")),
    "the program holds the value": (f"USUAL = 1.08\n{READS}", ASKS),
    "the check hands over the value": (READS, ASKS.replace("'EUR'", "'EUR', 1.08")),
    "the name of the check speaks of a default": (READS, ASKS.replace("test_a", "test_default")),
    "the program looks whether it exists": (f"{READS}\ndef has(path):\n    return path.exists()\n", ASKS),
    "the program writes files": (f"{READS}\ndef save():\n    open('rate.csv', 'w').write('')\n", ASKS),
    "the test writes files": (READS, ASKS.replace("test_a()", "test_a(tmp_path)")),
    "the test expects the error": (
        READS,
        ASKS.replace("    assert", "    with pytest.raises(ValueError):\n        assert"),
    ),
    "the test compares with no constant": (READS, ASKS.replace("1.08", "other('EUR')")),
    "tests that do not parse": (READS, ASKS.replace("==", "=")),
    "a program that does not parse": (READS.replace(":", ""), ASKS),
}


@pytest.mark.parametrize("what", DOUBTFUL)
def test_a_default_that_was_forgotten_is_a_bug(what: str) -> None:
    """Wherever something speaks for one, the program is repaired."""
    program, tests = DOUBTFUL[what]
    check = "test_default" if "test_default" in tests else "test_a"
    assert not is_the_users(program, tests, check)


@pytest.mark.parametrize("file", ["data/rate.csv", "rates.csv", "data/Rates.CSV"])
def test_a_name_like_that_of_a_file_may_be_misspelt(file: str) -> None:
    """The program is at fault when the file is there under another name, or elsewhere."""
    assert not is_the_users(READS, ASKS, files=(file,))
    assert is_the_users(READS, ASKS, files=("data/customers.json",))
