"""Red tests that no program could pass are told apart from honest ones, on small projects with one or the other."""

from __future__ import annotations

import functools
import sys
from pathlib import Path

import pytest
from doubtful_projects import HONEST, WRONG, files_of

from regreen.config import load_settings
from regreen.strategies.whole_projects.project_baseline import ProjectBaseline, take_project_baseline
from regreen.strategies.whole_projects.project_repair import open_project_resources
from regreen.tasks.project_files import UserPlace
from regreen.tasks.whole_project import read_whole_project
from regreen.types import AsideKind
from regreen.verify.contradictions import contradicting_tests

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]


@functools.cache
def looked_at(place: Path) -> tuple[ProjectBaseline, dict[str, str]]:
    """All of these projects, run as one; and red test -> why it looks wrong."""
    for name, text in files_of({**WRONG, **HONEST}).items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text, encoding="utf-8")
    whole = read_whole_project(place, (), UserPlace(place))
    with open_project_resources(whole, load_settings({"workers": 1}, near=place)) as resources:
        baseline = take_project_baseline(resources, whole)
    among_red = contradicting_tests(
        whole.project.files, tuple(baseline.survey.verdict.results), baseline.red, baseline.green
    )
    wrong = [aside for aside in (*baseline.aside, *among_red) if aside.kind is AsideKind.CONTRADICTION]
    return baseline, {test: aside.reason for aside in wrong for test in aside.tests}


@pytest.fixture(scope="session")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all of them."""
    return tmp_path_factory.mktemp("doubtful")


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_test_is_told_with_its_line(name: str, place: Path) -> None:
    """And none of the others in that project."""
    told = {test: why for test, why in looked_at(place)[1].items() if test.startswith(f"{name}/")}
    assert told
    assert all("::test_wrong" in test.replace("TestArea::", "").replace("TestNegate::", "") for test in told)
    assert all(why.startswith("line ") for why in told.values())


@pytest.mark.parametrize("name", HONEST)
def test_of_an_honest_test_nothing_is_said(name: str, place: Path) -> None:
    """There is a program that passes it and all others: to call it wrong would send its author the wrong way."""
    baseline, told = looked_at(place)
    red = [
        test for test in baseline.survey.verdict.results if test.startswith(f"{name}/") and test not in baseline.green
    ]
    assert red
    assert {test: why for test, why in told.items() if test.startswith(f"{name}/")} == {}


def test_there_are_as_many_honest_projects() -> None:
    """To say nothing of them is what matters most."""
    assert min(len(WRONG), len(HONEST)) >= 20
