"""What holds for every test: it states something."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
MODULES = sorted(TESTS.rglob("*.py"))
STATING = {"raises", "warns", "fail"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(module: Path) -> Iterator[Function]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, Function):
            yield node


def called(function: Function) -> set[str]:
    calls = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return {ast.unparse(call).rpartition(".")[2] for call in calls}


def states(function: Function) -> bool:
    return any(isinstance(node, ast.Assert) for node in ast.walk(function)) or bool(called(function) & STATING)


@pytest.fixture(scope="module")
def stating_helpers() -> set[str]:
    """Functions of the tests that assert for those who call them."""
    return {f.name for module in MODULES for f in functions(module) if not f.name.startswith("test_") and states(f)}


@pytest.mark.parametrize("module", [m for m in MODULES if m.name.startswith("test_")], ids=lambda m: m.stem)
def test_every_test_states_something(module: Path, stating_helpers: set[str]) -> None:
    """That nothing was raised is no promise: a test asserts, expects an error, or calls a helper that does."""
    tests = (function for function in functions(module) if function.name.startswith("test_"))
    assert [test.name for test in tests if not states(test) and not called(test) & stating_helpers] == []
