"""A project of two modules with a red test, as a model's strategies see it; nothing is run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from regreen.strategies.resources import Resources
from regreen.strategies.whole_projects.change_proof import ChangeProof
from regreen.strategies.whole_projects.project_baseline import ProjectBaseline
from regreen.strategies.whole_projects.project_session import ProjectSession, changed_texts
from regreen.tasks.whole_project import WholeProject
from regreen.types import Budget, Candidate, CheckResult, Limits, Outcome, Project, Verdict
from regreen.verify.project_survey import ProjectSurvey, SurveyedFunction

RED, GREEN = "tests/test_shop.py::test_total", "tests/test_shop.py::test_tax"
FILES = {
    "shop/__init__.py": "",
    "shop/cart.py": (
        "from shop.tax import tax\n\nFEE = 1\n\n\nclass Cart:\n    def __init__(self, prices):\n"
        "        self.prices = prices\n\n    def total(self):\n        return sum(self.prices) + FEE\n\n\n"
        "def due(cart):\n    return cart.total() + tax(cart.total())\n"
    ),
    "shop/tax.py": "RATE = 2\n\n\ndef tax(price):\n    return price * RATE\n",
    "shop/unused.py": "def never():\n    return 0\n",
    "tests/conftest.py": (
        "import pytest\n\nfrom shop.cart import Cart\n\n\n@pytest.fixture\ndef cart():\n    return Cart([1, 2])\n"
    ),
    "tests/test_shop.py": (
        "from shop.cart import due\nfrom shop.tax import tax\n\n\ndef test_total(cart):\n    assert due(cart) == 9\n\n"
        "\ndef test_tax():\n    assert tax(1) == 2\n"
    ),
    "pyproject.toml": "[project]\nname = 'shop'\n",
    "tests/data/od\u200bd\nname.txt": "bell: \x07\n",
}
FUNCTIONS = {
    0: SurveyedFunction("shop/cart.py", "due", 14),
    1: SurveyedFunction("shop/cart.py", "Cart.total", 10),
    2: SurveyedFunction("shop/tax.py", "tax", 4),
}


class JudgedByText(ProjectSession):
    """A session whose candidates pass where their texts hold what a test wants."""

    wanted: tuple[str, ...] = ("return sum(self.prices)\n",)

    def judge(self, candidate: Candidate) -> Verdict:
        """Every red test passes where every wanted text is in some file, and none where one is missing."""
        text = "".join(changed_texts(candidate).values())
        passed = all(part in text for part in self.wanted)
        result = CheckResult(Outcome.PASSED) if passed else CheckResult(Outcome.FAILED, "9", "12")
        survey = ProjectSurvey(Verdict({RED: result, GREEN: CheckResult(Outcome.PASSED)}))
        self.proofs[candidate.id] = ChangeProof(Verdict({RED: result}), survey, is_whole=passed)
        return self.proofs[candidate.id].verdict


@pytest.fixture
def shop_files() -> dict[str, str]:
    """Path -> text of the project."""
    return dict(FILES)


@pytest.fixture
def project_session(tmp_path: Path) -> Callable[..., JudgedByText]:
    """Opens a session on the project: `allowed` are patterns, `budget` is that of the repair."""

    def opened(*, allowed: tuple[str, ...] = (), budget: Budget | None = None, more: Any = ()) -> JudgedByText:
        files = {path: text.encode() for path, text in {**FILES, **dict(more)}.items()}
        project = Project(root=str(tmp_path), files=files, target="", folder=".")
        before = Verdict({RED: CheckResult(Outcome.FAILED, "9", "12"), GREEN: CheckResult(Outcome.PASSED)})
        ran = {RED: frozenset({0, 1, 2}), GREEN: frozenset({2})}
        baseline = ProjectBaseline(
            ProjectSurvey(before, FUNCTIONS, ran), (RED,), frozenset({GREEN}), (), Limits(seconds=3.0)
        )
        resources = Resources(cast(Any, None), cast(Any, None), Limits(), budget or Budget())
        return JudgedByText(resources, WholeProject(project, ("test_*.py",)), baseline, allowed=allowed)

    return opened
