"""Rewriting of checks in shared mode, where values keep the methods that the program gave them.

Every operand of a comparison, and every argument of a unittest assertion that compares, goes through the recorder,
which looks whether it equals everything. So does every function of a pure module that they call by its name, and every
method of unittest's: it looks whether that is the one of before. Every test function tells the recorder when it has
come to its end: a runner that was made to skip it, or to swallow what it raised, cannot tell that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from regreen.sandbox.guest.runner.checks.assertions import OPPOSITE_METHODS, ask_recorder, place_of
from regreen.sandbox.guest.runner.tampering.deciding_names import deciding_names, own_functions

_COMPARING_METHODS = OPPOSITE_METHODS.keys() | {"assertCountEqual"}
_SAME = (ast.Is, ast.IsNot)
_ANYTHING = "ANY"
"""`unittest.mock.ANY`: what a check itself writes where anything will do."""
_QUERIES = frozenset(
    "get search where filter exclude find select contains exists having on join get_or_none update upsert remove "
    "delete count first one".split()
)
"""Methods that take conditions, of stores, of tables and of object-relational mappers."""
_LEAVING = frozenset({ast.Return, ast.Yield, ast.YieldFrom})
"""Ways out of a function before its last statement, or for a while."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_EXPECTED_TO_FAIL = frozenset({"xfail", "expectedFailure"})
_HARMLESS = frozenset({"mark", "parametrize", "patch", "object", "given", "settings", "example", "staticmethod"})
"""Words in decorators that leave a test function to run, and its exceptions to be raised."""


def vet_tests(tree: ast.Module) -> frozenset[str]:
    """Do both to a module of tests: `vet_operands` and `prove_ends`, whose answer is returned."""
    nodes = _nodes(tree)
    _vet(nodes, own_functions(nodes) | deciding_names(nodes))
    return _ends(tree, nodes)


def vet_operands(tree: ast.Module, deciding: Mapping[str, str] | None = None) -> ast.Module:
    """Have the recorder look at what the checks in a tree compare, and decide by, in place; returns the tree.

    `deciding` is what `deciding_names` says of all the checks, where this is only a part of them.
    """
    nodes = _nodes(tree)
    _vet(nodes, own_functions(nodes) | deciding_names(nodes) if deciding is None else deciding)
    return tree


def prove_ends(tree: ast.Module) -> frozenset[str]:
    """Have the test functions of a module tell the recorder of their end, in place.

    Returns those that surely will, when nothing is raised: as "test_a", or "TestA.test_b".
    """
    return _ends(tree, _nodes(tree))


def _vet(nodes: Sequence[ast.AST], deciding: Mapping[str, str]) -> None:
    anything = _named_anything(nodes) if _ANYTHING in _named(nodes) else frozenset[str]()
    sites: dict[int, str] = {}
    """The comparisons that are conditions of queries, by their ids, and where the queries are."""
    for node in nodes:
        if isinstance(node, ast.Compare):
            _vet_comparison(node, anything, sites.get(id(node), ""))
        elif isinstance(node, ast.Call):
            conditions = _conditions_of(node)
            _vet_call(node, anything)
            _vet_function(node, deciding)
            if conditions:
                site = f"{node.lineno}:{node.end_lineno}:{node.end_col_offset}"
                sites |= dict.fromkeys(map(id, conditions), site)
                where = place_of(node.func)
                node.func = ask_recorder("asked", [node.func, ast.Constant(site, **where)], where)


def _ends(tree: ast.Module, nodes: Sequence[ast.AST]) -> frozenset[str]:
    # Of most modules this says that no function needs to be looked through.
    may_fail = not _named(nodes).isdisjoint(_EXPECTED_TO_FAIL)
    leaves = not _LEAVING.isdisjoint(map(type, nodes))
    return frozenset(_proven(tree.body, "", may_fail=may_fail, leaves=leaves))


def _proven(body: list[ast.stmt], owner: str, *, may_fail: bool, leaves: bool) -> Iterator[str]:
    others = (node for node in body if not isinstance(node, ast.ClassDef) and not _is_test(node))
    if may_fail and any(_fails_on_purpose(node) for node in others):
        return
    last = {node.name: node for node in body if isinstance(node, (*_FUNCTIONS, ast.ClassDef))}
    for name, node in last.items():
        if isinstance(node, ast.ClassDef):
            if not owner and _runs_what_it_decorates(node):
                yield from _proven(node.body, f"{name}.", may_fail=may_fail, leaves=leaves)
        elif _is_test(node) and not (may_fail and _fails_on_purpose(node)) and _runs_what_it_decorates(node):
            own = _own_nodes(node) if leaves else ()
            # A generator may honestly be left before its end.
            if not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own):
                _mark_ends(node, own)
                yield owner + name


def _conditions_of(call: ast.Call) -> list[ast.Compare]:
    """The comparisons that may be conditions of a query: `users.get((User.name == "ann") & (User.age > 3))`."""
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _QUERIES:
        return []
    found: list[ast.Compare] = []
    waiting: list[ast.expr] = [*call.args, *(keyword.value for keyword in call.keywords)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Compare):
            found.append(part)
        elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitAnd | ast.BitOr):
            waiting += [part.left, part.right]
        elif isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Invert):
            waiting.append(part.operand)
    return found


def _vet_comparison(node: ast.Compare, anything: frozenset[str], site: str) -> None:
    if not any(isinstance(sign, _SAME) for sign in node.ops):
        node.left = _vetted(node.left, anything, may_be_anything=False, site=site)
        node.comparators = [_vetted(side, anything, may_be_anything=True, site=site) for side in node.comparators]


def _vet_call(node: ast.Call, anything: frozenset[str]) -> None:
    method = node.func
    if isinstance(method, ast.Attribute) and method.attr in _COMPARING_METHODS and _is_self(method.value):
        node.args = [_vetted(side, anything, may_be_anything=place > 0) for place, side in enumerate(node.args)]


def _vet_function(node: ast.Call, deciding: Mapping[str, str]) -> None:
    if name := _deciding_name(node.func, deciding):
        where = place_of(node.func)
        node.func = ask_recorder("named", [node.func, ast.Constant(name, **where)], where)


def _deciding_name(function: ast.expr, deciding: Mapping[str, str]) -> str:
    """The full name of a function that decides, as it is called here; empty for any other."""
    if isinstance(function, ast.Name):
        return deciding.get(function.id, "")
    if not isinstance(function, ast.Attribute) or not isinstance(function.value, ast.Name):
        return ""
    if _is_self(function.value) and function.attr.startswith(("assert", "fail")):
        return f"unittest.case.TestCase.{function.attr}"
    return deciding.get(f"{function.value.id}.{function.attr}", "")


def _vetted(side: ast.expr, anything: frozenset[str], *, may_be_anything: bool, site: str = "") -> ast.expr:
    if isinstance(side, ast.Constant | ast.Starred):
        return side
    where = place_of(side)
    allowed = may_be_anything or (bool(anything) and not anything.isdisjoint(_words(side)))
    told = [ast.Constant(allowed, **where), *([ast.Constant(site, **where)] if site else [])]
    return ask_recorder("vet", [side, *told], where)


def _named_anything(nodes: Sequence[ast.AST]) -> frozenset[str]:
    """`ANY`, and the variables of the checks that hold it."""
    names = {_ANYTHING}
    for node in nodes:
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
    return _named(_nodes(node))


def _named(nodes: Sequence[ast.AST]) -> set[str]:
    return {_name(node) for node in nodes if isinstance(node, (ast.Name, ast.Attribute))}


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


def _mark_ends(function: Any, own: Sequence[ast.AST]) -> None:
    for node in own:
        if isinstance(node, ast.Return):
            where = place_of(node)
            node.value = ask_recorder("end", [node.value or ast.Constant(None, **where)], where)
    where = place_of(function.body[-1])
    function.body.append(ast.Expr(ask_recorder("end", [ast.Constant(None, **where)], where), **where))
