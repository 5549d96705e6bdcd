"""A program is loaded when its tests import it: after what they do before that, as in plain Python."""

from __future__ import annotations

import pytest

from regreen.types import Limits, Outcome
from regreen.verify.baseline import judge_given
from regreen.verify.judge import SandboxJudge
from regreen.verify.suites import read_suite

pytestmark = [pytest.mark.sandbox, pytest.mark.either_wall]

LIMITS = Limits(seconds=1.0, total_seconds=10.0)
PROGRAM = "import os\nMODE = os.environ.get('MODE', 'none')\ndef mode():\n    return MODE\n"
SET = "import os\nos.environ['MODE'] = 'test'\n"
IMPORT = "from program import mode\n"
KINDS = {
    "a script": "assert mode() == 'test'\n",
    "functions": "def test_mode():\n    assert mode() == 'test'\n",
    "pytest": "import pytest\n@pytest.mark.parametrize('n', [1, 2])\ndef test_mode(n):\n    assert mode() == 'test'\n",
}
BROKEN = "import os\ndef mode():\n    return 'test'\nif 'MODE' in os.environ:\n    raise {}\n"


def outcomes(judge: SandboxJudge, program: str, tests: str) -> set[tuple[Outcome, str]]:
    """The outcomes of all checks, with the detail of each, in the mode that the tests need."""
    suite = read_suite(tests, program=program, module="program", entry_point=None)
    verdict, _ = judge_given(judge, program, suite, LIMITS, {})
    assert verdict.results
    return {(result.outcome, result.detail) for result in verdict.results.values()}


@pytest.mark.parametrize("kind", KINDS)
def test_a_program_sees_what_its_tests_did_before_they_imported_it(judge: SandboxJudge, kind: str) -> None:
    """And not what they did after that."""
    assert outcomes(judge, PROGRAM, SET + IMPORT + KINDS[kind]) == {(Outcome.PASSED, "")}
    ((after, _),) = outcomes(judge, PROGRAM, IMPORT + SET + KINDS[kind])
    assert after is Outcome.FAILED


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("error", ["ValueError('no mode')", "SystemExit(3)"])
def test_what_a_program_raises_when_it_is_imported_is_the_result_of_every_check(
    judge: SandboxJudge, kind: str, error: str
) -> None:
    """Also of one that does not use it, since plain Python comes to none."""
    tests = SET + IMPORT + KINDS[kind] + "def test_other():\n    assert 1 == 1\n"
    ((outcome, detail),) = outcomes(judge, BROKEN.format(error), tests)
    assert outcome is Outcome.RAISED
    assert detail.startswith(error.partition("(")[0])


def test_tests_may_do_without_what_cannot_be_imported(judge: SandboxJudge) -> None:
    """They may expect the exception, and import the program again."""
    tests = (
        f"{SET}import pytest\nwith pytest.raises(ValueError):\n    import program\n"
        "del os.environ['MODE']\nimport program\ndef test_mode():\n    assert program.mode() == 'test'\n"
    )
    assert outcomes(judge, BROKEN.format("ValueError"), tests) == {(Outcome.PASSED, "")}


def test_what_the_tests_replaced_before_is_not_the_programs_doing(judge: SandboxJudge) -> None:
    """A comparison of their own, put into a library module, is theirs."""
    tests = (
        f"{SET}import math\nisclose = math.isclose\n"
        f"setattr(math, 'isclose', lambda a, b: isclose(a, b, rel_tol=0.1))\n{IMPORT}"
        "def test_mode():\n    assert mode() == 'test'\n    assert math.isclose(10, 10.5)\n"
    )
    assert outcomes(judge, PROGRAM, tests) == {(Outcome.PASSED, "")}
