"""Rewriting of checks in shared mode, where values keep the methods that the program gave them.

Every operand of a comparison, and every argument of a unittest assertion that compares, goes through the recorder,
which looks whether it equals everything. Every test function tells the recorder when it has come to its end: a runner
that was made to skip it, or to swallow what it raised, cannot tell that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from regreen.sandbox.guest.runner.assertions import OPPOSITE_METHODS, ask_recorder, place_of

_COMPARING_METHODS = OPPOSITE_METHODS.keys() | {"assertCountEqual"}
_SAME = (ast.Is, ast.IsNot)
_ANYTHING = "ANY"
"""`unittest.mock.ANY`: what a check itself writes where anything will do."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_EXPECTED_TO_FAIL = frozenset({"xfail", "expectedFailure"})
_HARMLESS = frozenset({"mark", "parametrize", "patch", "object", "given", "settings", "example", "staticmethod"})
"""Words in decorators that leave a test function to run, and its exceptions to be raised."""


def vet_operands(tree: ast.Module) -> ast.Module:
    """Have the recorder look at every operand of a comparison in a tree, in place; returns the tree."""
    _Vet(_named_anything(tree) if _ANYTHING in _words(tree) else frozenset()).visit(tree)
    return tree


def prove_ends(tree: ast.Module) -> frozenset[str]:
    """Have the test functions of a module tell the recorder of their end, in place.

    Returns those that surely will, when nothing is raised: as "test_a", or "TestA.test_b".
    """
    # Most modules expect no failure: then none of their functions needs to be looked through for it.
    return frozenset(_proven(tree.body, "", may_fail=_fails_on_purpose(tree)))


def _proven(body: list[ast.stmt], owner: str, *, may_fail: bool) -> Iterator[str]:
    others = (node for node in body if not isinstance(node, ast.ClassDef) and not _is_test(node))
    if may_fail and any(_fails_on_purpose(node) for node in others):
        return
    last = {node.name: node for node in body if isinstance(node, (*_FUNCTIONS, ast.ClassDef))}
    for name, node in last.items():
        if isinstance(node, ast.ClassDef):
            if not owner and _runs_what_it_decorates(node):
                yield from _proven(node.body, f"{name}.", may_fail=may_fail)
        elif _is_test(node) and not (may_fail and _fails_on_purpose(node)) and _runs_what_it_decorates(node):
            own = _own_nodes(node)
            # A generator may honestly be left before its end.
            if not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own):
                _mark_ends(node, own)
                yield owner + name


class _Vet(ast.NodeTransformer):
    def __init__(self, anything: frozenset[str]) -> None:
        self.anything = anything

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if not any(isinstance(sign, _SAME) for sign in node.ops):
            node.left = self._vetted(node.left, may_be_anything=False)
            node.comparators = [self._vetted(side, may_be_anything=True) for side in node.comparators]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        method = node.func
        if isinstance(method, ast.Attribute) and method.attr in _COMPARING_METHODS and _is_self(method.value):
            node.args = [self._vetted(side, may_be_anything=place > 0) for place, side in enumerate(node.args)]
        return node

    def _vetted(self, side: ast.expr, *, may_be_anything: bool) -> ast.expr:
        if isinstance(side, ast.Constant | ast.Starred):
            return side
        where = place_of(side)
        allowed = may_be_anything or (bool(self.anything) and bool(_words(side) & self.anything))
        return ask_recorder("vet", [side, ast.Constant(allowed, **where)], where)


def _named_anything(tree: ast.Module) -> frozenset[str]:
    """`ANY`, and the variables of the checks that hold it."""
    names = {_ANYTHING}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and _ANYTHING in _words(node.value):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)


def _name(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_test(node: ast.stmt) -> bool:
    return isinstance(node, _FUNCTIONS) and node.name.startswith("test")


def _fails_on_purpose(node: ast.AST) -> bool:
    return bool(_words(node) & _EXPECTED_TO_FAIL)


def _runs_what_it_decorates(node: Any) -> bool:
    return not any(_EXPECTED_TO_FAIL & _words(d) for d in node.decorator_list) and all(
        _words(d.func if isinstance(d, ast.Call) else d) & _HARMLESS for d in node.decorator_list
    )


def _words(node: ast.AST) -> set[str]:
    return {_name(part) for part in _nodes(node) if isinstance(part, (ast.Name, ast.Attribute))}


def _nodes(top: ast.AST, *, but: tuple[type, ...] = ()) -> list[ast.AST]:
    """A node and all below it, without those of the types `but` and what is below them.

    `ast.walk` takes three times as long, and whole suites are gone through.
    """
    found = [top]
    for node in found:
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                found += () if isinstance(value, but) else (value,)
            elif type(value) is list:
                found += [item for item in value if isinstance(item, ast.AST) and not isinstance(item, but)]
    return found


def _own_nodes(function: ast.AST) -> list[ast.AST]:
    """The nodes of a function without those of the functions in it."""
    return _nodes(function, but=(*_FUNCTIONS, ast.Lambda, ast.ClassDef))


def _mark_ends(function: Any, own: list[ast.AST]) -> None:
    for node in own:
        if isinstance(node, ast.Return):
            where = place_of(node)
            node.value = ask_recorder("end", [node.value or ast.Constant(None, **where)], where)
    where = place_of(function.body[-1])
    function.body.append(ast.Expr(ask_recorder("end", [ast.Constant(None, **where)], where), **where))
