"""Comparisons of the checks with a wrong value in place of the right one: a program that makes one hold says nothing.

They are asked where a change touches a method by which checks compare: `__eq__` that is always true pleases them all.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Set

from regreen.select.inputs.check_bodies import check_bodies
from regreen.select.inputs.scenarios import Scenario, scenario_of
from regreen.syntax import callee_name, functions_of, parsed_or_none
from regreen.types import Suite

_COMPARING = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__contains__"})
_EQUALITY = frozenset({"__eq__", "__ne__", "__bool__", "__hash__", "__contains__"})
_MOST = 12
_OTHER_NUMBER = 7919


def changes_comparison(before: str, after: str) -> bool:
    """Whether a change touches a method by which values are compared."""
    return _methods(before, _COMPARING) != _methods(after, _COMPARING)


def changes_equality(before: str, after: str) -> bool:
    """Whether a change touches a method that says whether values are equal, true or contained."""
    return _methods(before, _EQUALITY) != _methods(after, _EQUALITY)


def _methods(source: str, names: Set[str]) -> list[str]:
    tree = parsed_or_none(source)
    functions = functions_of(tree) if tree else ()
    return [ast.unparse(function) for function in functions if function.name in names]


def wrong_comparisons(suite: Suite, program_names: Set[str]) -> list[Scenario]:
    """Whether a result equals an object of the program that was made with another literal: it should not.

    Where two objects are made only to be compared, equality itself is what is checked, and nothing is known.
    """
    found: dict[str, Scenario] = {}
    for body in check_bodies(suite):
        for number, node in enumerate(body):
            for test in _wrong_tests(node, program_names):
                setup = [
                    part for part in body[:number] if not isinstance(part, ast.Assert | ast.Import | ast.ImportFrom)
                ]
                scenario = scenario_of(setup, test)
                found.setdefault(scenario.words, scenario)
    return list(found.values())[:_MOST]


def _wrong_tests(node: ast.stmt, names: Set[str]) -> Iterator[ast.expr]:
    test = node.test if isinstance(node, ast.Assert) else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq):
        return
    result, made = test.left, test.comparators[0]
    if _is_made(result, names):
        result, made = made, result
    if not _is_made(made, names) or _is_made(result, names):
        return
    assert isinstance(made, ast.Call)
    for place, argument in enumerate(made.args):
        if isinstance(argument, ast.Constant) and isinstance(argument.value, int | float | str):
            wrong = copy.deepcopy(made)
            wrong.args[place] = ast.Constant(_other(argument.value))
            yield ast.Call(ast.Name("bool", ast.Load()), [ast.Compare(result, [ast.Eq()], [wrong])], [])


def _is_made(node: ast.expr, names: Set[str]) -> bool:
    """Whether an expression makes an object of one of the program's classes: these begin with a capital letter."""
    return isinstance(node, ast.Call) and callee_name(node) in names and callee_name(node)[:1].isupper()


def _other(value: float | str) -> float | str:
    return f"{value}?" if isinstance(value, str) else value + _OTHER_NUMBER
