"""Which functions and files of a project are suspected."""

from __future__ import annotations

from dataclasses import replace

import pytest

from regreen.localise.project_suspects import FunctionPlace, ProjectEvidence, file_chances, suspect_functions

EVIDENCE = ProjectEvidence(
    functions={
        0: FunctionPlace("shop/cart.py", "Cart.due", 8),
        1: FunctionPlace("shop/prices.py", "discount", 1),
        2: FunctionPlace("tests/test_cart.py", "test_due", 3),
    },
    ran={"test_due": frozenset({0, 1, 2}), "test_empty": frozenset({0}), "test_free": frozenset({0})},
    red={"test_due"},
    frames={},
    programs={"shop/cart.py", "shop/prices.py", "shop/rates.py"},
    imports={"shop/prices.py": ["shop/rates.py"]},
    tests={"test_due": "tests/test_cart.py"},
)


def test_what_only_red_tests_run_comes_first_and_tests_never() -> None:
    """By Ochiai's formula over functions."""
    first, second, *_ = suspect_functions(EVIDENCE)
    assert (first.name, first.suspicion) == ("discount", 1.0)
    assert (second.name, second.suspicion) == ("Cart.due", pytest.approx(0.57735, abs=1e-5))
    assert all(not each.path.startswith("tests/") for each in suspect_functions(EVIDENCE))


def test_a_traceback_and_a_recent_change_tell_more_than_coverage() -> None:
    """Either lifts a function above others that the same tests run."""
    even = replace(EVIDENCE, ran={"test_due": frozenset({0, 1})})
    raised = replace(even, frames={"test_due": [("shop/cart.py", "due", 9)]})
    recent = replace(even, recent={"shop/cart.py": {9}})
    assert suspect_functions(raised)[0].name == "Cart.due"
    assert suspect_functions(recent)[0].name == "Cart.due"
    assert "changed lately" in suspect_functions(recent)[0].reason


def test_a_program_that_tests_run_as_a_script_is_suspected_by_its_own_statements() -> None:
    """Those of a module that is imported once ran for whichever test came first, and say nothing."""
    functions = {0: FunctionPlace("sums.py", "<module>", 1), 1: FunctionPlace("used.py", "<module>", 1)}
    functions[2] = FunctionPlace("used.py", "f", 2)
    ran = {"red": frozenset({0, 1, 2}), "green": frozenset({0, 2})}
    evidence = ProjectEvidence(functions, ran, {"red"}, {}, {"sums.py", "used.py"})
    reasons = {(each.path, each.name): each.reason for each in suspect_functions(evidence)}
    assert reasons["sums.py", "<module>"] == "run by 1 of 1 red tests"
    assert reasons["used.py", "<module>"] == "imported by what red tests use"


def test_what_is_imported_is_no_more_suspicious_than_what_ran() -> None:
    """Where hundreds of green tests run a function, one red one says little, of its imports still less."""
    green = {f"test_{number}": frozenset({0}) for number in range(300)}
    evidence = replace(
        EVIDENCE, ran={"test_due": frozenset({0, 2}), **green}, imports={"tests/test_cart.py": ["shop/rates.py"]}
    )
    assert [each.path for each in suspect_functions(evidence)][:2] == ["shop/cart.py", "shop/cart.py"]
    assert list(file_chances(suspect_functions(evidence))) == ["shop/cart.py", "shop/rates.py"]


def test_constants_of_imported_modules_have_a_chance_too() -> None:
    """No function of theirs is run, and the fault may be there."""
    chances = file_chances(suspect_functions(EVIDENCE))
    assert list(chances) == ["shop/prices.py", "shop/cart.py", "shop/rates.py"]
    assert sum(chances.values()) == pytest.approx(1)
