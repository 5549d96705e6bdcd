"""Signs that a passing candidate was made for the checks and not for the task."""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from math import prod
from typing import TypeAlias

from regreen.select.tokens import literal_texts
from regreen.syntax import (
    FUNCTIONS,
    UNPARSABLE,
    Function,
    callee_name,
    constant_text,
    functions_of,
    nodes_of,
    tree,
    walk,
)
from regreen.well_known import well_known_constants
from regreen.worked_examples import without_examples

_Value: TypeAlias = tuple[str, str]
"""A literal as its type's name and its `repr`, so that 1, 1.0 and True stay apart."""

_COMMON_LITERALS = frozenset(
    {("int", "0"), ("int", "1"), ("int", "2"), ("str", "''"), ("float", "0.0"), ("float", "1.0")}
)
"""Literals that any program may need, and that therefore are no sign."""

_LOOP_NODES = (ast.For, ast.AsyncFor, ast.While)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_IDENTIFYING = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
_OPERATORS = (ast.operator, ast.boolop, ast.cmpop, ast.unaryop)
_SETTLED = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, *_OPERATORS)
_BRANCHES = (ast.If, ast.IfExp, ast.Try, ast.Match)
_COMPARING = frozenset({"__eq__", "__ne__", "__bool__", "__hash__", "__len__", "__contains__", "__lt__", "__le__"})
"""Methods by which asserts compare values, or take them for true."""
_ANY_EXCEPTION = frozenset({"Exception", "BaseException"})
_LONG_REPR = 5
_PAIRS_KEPT = 4
"""Several signs go by the same counts of one pair."""
"""Characters of the `repr` of a text of three."""


@dataclass(frozen=True, slots=True)
class ProgramPair:
    """The program and the candidate in which signs of overfitting are looked for."""

    before: ast.Module
    after: ast.Module
    check_literals: frozenset[_Value]
    """Literals that the checks use and the program's docstrings do not."""

    def gained(self, find: Callable[[ast.Module], Iterator[str]]) -> Counter[str]:
        """What `find` gives for the candidate more often than for the program."""
        found = Counter(find(self.after))
        return found - Counter(find(self.before)) if found else found

    def lost(self, *kinds: type[ast.AST]) -> int:
        """How many fewer nodes of these kinds the candidate has than the program, at least 0."""
        return max(0, _count(self.before, *kinds) - _count(self.after, *kinds))


def overfitting_score(before: str, after: str, checks_text: str) -> float:
    """How much `after` looks made for these very checks: from 0, not at all, towards 1, beyond doubt.

    Looks at what the edit adds to `before`: literals of the checks (most of all where a value is compared with one
    or returned), conditions that are constant, branches and loops that are gone, bodies replaced by a constant,
    comparisons that always come out the same, exceptions that are swallowed.
    A text that does not parse scores 0.
    """
    try:
        pair = ProgramPair(tree(before), tree(after), _values(checks_text) - _documented_literals(before))
        innocent = prod((1 - weight) ** sign(pair) for sign, weight in _SIGNS)
    except UNPARSABLE:
        return 0.0
    return round(1 - innocent, 6)


@lru_cache(maxsize=_PAIRS_KEPT)
def compared_with_literal(pair: ProgramPair) -> int:
    """New equality or membership tests against a literal of the checks; a test whose literal changed is not new."""
    new = sum(pair.gained(lambda tree: _tested(tree, pair.check_literals)).values())
    other = sum(pair.gained(_masked_tests).values())
    return max(0, min(new, other))


@lru_cache(maxsize=_PAIRS_KEPT)
def returned_literal(pair: ProgramPair) -> int:
    """New returns of a literal of the checks."""
    return sum(pair.gained(lambda tree: _returned(tree, pair.check_literals)).values())


def borrowed_literal(pair: ProgramPair) -> int:
    """Other new literals of the checks, but for long texts."""
    return max(0, _borrowed(pair) - borrowed_text(pair))


def borrowed_text(pair: ProgramPair) -> int:
    """Other new texts of the checks, of three characters or more, which programs seldom need."""
    texts = frozenset(value for value in pair.check_literals if value[0] == "str" and len(value[1]) >= _LONG_REPR)
    new = pair.gained(lambda tree: _literals(tree, texts))
    return min(sum(new.values()), _borrowed(pair))


@lru_cache(maxsize=_PAIRS_KEPT)
def _borrowed(pair: ProgramPair) -> int:
    new = pair.gained(lambda tree: _literals(tree, pair.check_literals))
    return max(0, sum(new.values()) - compared_with_literal(pair) - returned_literal(pair))


def added_constant_condition(pair: ProgramPair) -> int:
    """New conditions whose value is known before they run."""
    return sum(pair.gained(_constant_conditions).values())


def lost_branch(pair: ProgramPair) -> int:
    """1 where the candidate has fewer branches, else 0; one that has become a loop is none that was lost."""
    more_loops = max(0, _count(pair.after, *_LOOP_NODES) - _count(pair.before, *_LOOP_NODES))
    return int(pair.lost(*_BRANCHES) > more_loops)


def lost_loop(pair: ProgramPair) -> int:
    """1 where the candidate has fewer loops and comprehensions, else 0."""
    return min(1, pair.lost(*_LOOP_NODES, *_COMPREHENSIONS))


def hollow_body(pair: ProgramPair) -> int:
    """Functions that now only return a constant and did more before."""
    hollow = set(_hollow(pair.after))
    return len(hollow - set(_hollow(pair.before)) & {f.name for f in _functions(pair.before)})


def vacuous_comparison(pair: ProgramPair) -> int:
    """New special methods by which checks compare, such as `__eq__`, that give the same answer whatever is compared."""
    return sum(name in _COMPARING for name in pair.gained(_hollow).elements())


def swallowed_exception(pair: ProgramPair) -> int:
    """New handlers that do nothing about the exception: `except KeyError: pass`, or `continue`."""
    return sum(pair.gained(_swallowing).values())


def caught_everything(pair: ProgramPair) -> int:
    """New handlers of any exception at all, where naming one would do."""
    return sum(pair.gained(_catching_all).values())


_SIGNS: tuple[tuple[Callable[[ProgramPair], int], float], ...] = (
    (hollow_body, 0.9),
    (vacuous_comparison, 0.7),
    (compared_with_literal, 0.7),
    (returned_literal, 0.5),
    (added_constant_condition, 0.5),
    (lost_loop, 0.4),
    (caught_everything, 0.6),
    (swallowed_exception, 0.5),
    (lost_branch, 0.3),
    (borrowed_text, 0.3),
    (borrowed_literal, 0.1),
)
"""Each sign with the chance that one occurrence betrays a special case: estimates, not measurements."""


@lru_cache(maxsize=16)
def _values(text: str) -> frozenset[_Value]:
    """The literals in any text, valid Python or not, but for the common ones."""
    found: set[_Value] = set()
    for written in literal_texts(text):
        try:
            found.add(_value(_literal_value(written)))
        except UNPARSABLE:
            continue
    return frozenset(found) - _COMMON_LITERALS


def _literal_value(written: str) -> object:
    """The value of one literal as it is written in a program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.literal_eval(written)


@lru_cache(maxsize=16)
def _documented_literals(source: str) -> frozenset[_Value]:
    """Literals that the program's docstrings quote or name, but for those of examples, which are checks like others."""
    docstrings = " ".join(without_examples(text) for text in map(_docstring, walk(tree(source))) if text)
    words = {_value(word) for word in re.findall(r"\w+", docstrings)}
    return (
        frozenset(words)
        | _values(docstrings)
        | frozenset(_value(int(n)) for n in re.findall(r"\b\d{1,9}\b", docstrings))
    )


def _docstring(node: ast.AST) -> str | None:
    return ast.get_docstring(node) if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)) else None


def _value(value: object) -> _Value:
    return type(value).__name__, constant_text(value)


def _count(tree: ast.Module, *kinds: type[ast.AST]) -> int:
    return sum(isinstance(node, kinds) for node in walk(tree))


def _functions(tree: ast.Module) -> Iterator[Function]:
    return iter(functions_of(tree))


def _literals(node: ast.AST | None, wanted: frozenset[_Value]) -> Iterator[str]:
    """The wanted literals under a node, docstrings and what everybody knows left out; a negative number is one."""
    found = [part for part in nodes_of(node, ast.Constant) if _value(part.value) in wanted] if node else []
    known = well_known_constants(node) if node and found else frozenset()
    return (constant_text(part.value) for part in found if id(part) not in known)


def _tested(tree: ast.Module, wanted: frozenset[_Value]) -> Iterator[str]:
    return chain.from_iterable(_literals(node, wanted) for node in walk(tree) if _identifies(node))


def _masked_tests(tree: ast.Module) -> Iterator[str]:
    """The tests for equality, identity or membership, whatever literals they compare with."""
    for node in filter(_identifies, walk(tree)):
        operands = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        yield " ".join("literal" if isinstance(part, ast.Constant) else ast.dump(part) for part in operands)


def _identifies(node: ast.AST) -> bool:
    """Whether a node tests a value for equality, identity or membership."""
    if isinstance(node, ast.Compare):
        return any(isinstance(operator, _IDENTIFYING) for operator in node.ops)
    return isinstance(node, ast.MatchValue)


def _returned(tree: ast.Module, wanted: frozenset[_Value]) -> Iterator[str]:
    """Wanted literals that are returned, alone or inside a container."""
    plain = (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple, ast.Set, ast.Dict)
    for node in walk(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, plain):
            yield from _literals(node.value, wanted)
        elif isinstance(node, ast.IfExp):
            for branch in (node.body, node.orelse):
                yield from _literals(branch if isinstance(branch, plain) else None, wanted)


def _constant_conditions(tree: ast.Module) -> Iterator[str]:
    for node in walk(tree):
        if isinstance(node, (ast.If, ast.IfExp, ast.While)) and _is_settled(node.test):
            yield type(node).__name__
        elif isinstance(node, ast.BoolOp) and any(map(_is_settled, node.values)):
            yield "BoolOp"


def _is_settled(test: ast.expr) -> bool:
    """Whether a condition is made of constants alone, or compares an expression with itself."""
    if isinstance(test, ast.Compare) and ast.dump(test.left) == ast.dump(test.comparators[0]):
        return True
    return all(isinstance(node, _SETTLED) for node in walk(test))


def _hollow(tree: ast.Module) -> Iterator[str]:
    """Names of functions that do nothing but return a constant, or nothing at all."""
    for function in _functions(tree):
        working = [node for node in function.body if not _is_idle(node)]
        if all(isinstance(node, ast.Return) and _is_constant(node.value) for node in working):
            yield function.name


def _swallowing(tree: ast.Module) -> Iterator[str]:
    for node in walk(tree):
        if isinstance(node, ast.ExceptHandler) and all(_is_idle(s) or isinstance(s, ast.Continue) for s in node.body):
            yield "except"
        elif isinstance(node, ast.Call) and callee_name(node) == "suppress":
            yield "suppress"


def _catching_all(tree: ast.Module) -> Iterator[str]:
    for node in walk(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(kind is None or (isinstance(kind, ast.Name) and kind.id in _ANY_EXCEPTION) for kind in caught):
                yield "except"


def _is_idle(node: ast.stmt) -> bool:
    return isinstance(node, ast.Pass) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


def _is_constant(node: ast.expr | None) -> bool:
    constants = (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.expr_context, ast.unaryop)
    return node is None or all(isinstance(inner, constants) for inner in walk(node))
