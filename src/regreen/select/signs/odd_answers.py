"""Answers of an odd kind: what is no truth value from a function that says yes or no, and objects equal to too many."""

from __future__ import annotations

import ast
from collections import Counter
from functools import lru_cache

from regreen.select.signs.gains import count_gained, signs_gained
from regreen.syntax import UNPARSABLE, Function, functions_in, functions_of, nodes_of, tree, walk, walk_scope

_MAYBE_TRUTH = (ast.Compare, ast.BoolOp, ast.Call, ast.Await)
"""Expressions of which a function that says yes or no may return the value."""
_NO_TRUTH = (ast.BinOp, ast.List, ast.Dict, ast.Set, ast.Tuple, ast.JoinedStr, ast.ListComp, ast.Lambda)


def odd_answers(before: str, after: str) -> int:
    """How many `return` of functions that said yes or no give something else since; 0 where one is no program.

    A check such as `assert may(user)` takes any value that is not empty for yes.
    """
    try:
        plain = _predicates(before)
        return sum(count for name, count in _odd_returns(after).items() if name in plain)
    except UNPARSABLE:
        return 0


def torn_answers(before: str, after: str) -> int:
    """How many texts `before` returns in several places of a function, and `after` in some of them alone.

    `return " "` that became `return ""` at the end, and not at the beginning. 0 where one is no program.
    """
    try:
        had, has = _returned_texts(before), _returned_texts(after)
    except UNPARSABLE:
        return 0
    return sum(0 < has[text] < count for text, count in had.items())


@lru_cache(maxsize=64)
def _returned_texts(source: str) -> Counter[tuple[str, str]]:
    """How often each function returns each text that is written there."""
    return Counter(
        (function.name, value.value)
        for function in functions_in(source)
        for value in _returned(function)
        if isinstance(value, ast.Constant) and isinstance(value.value, str)
    )


def half_answers(before: str, after: str) -> int:
    """How many more functions of `after` say yes or no in words and may end without a word; 0 where one is no
    program."""
    return count_gained(before, after, _half_answers)


@lru_cache(maxsize=64)
def _half_answers(source: str) -> int:
    return sum(
        any(value is not None and _is_truth(value) for value in _returned(function)) and _may_end(function.body[-1])
        for function in functions_in(source)
    )


def _may_end(last: ast.stmt) -> bool:
    """Whether a function may come behind this last statement of a block."""
    match last:
        case ast.If() | ast.For() | ast.AsyncFor():
            return not last.orelse or any(_may_end(block[-1]) for block in (last.body, last.orelse))
        case ast.With() | ast.AsyncWith():
            return _may_end(last.body[-1])
        case ast.Try():
            blocks = [last.orelse or last.body, *(handler.body for handler in last.handlers)]
            return any(_may_end(block[-1]) for block in blocks)
        case ast.While(test=ast.Constant()) | ast.Return() | ast.Raise() | ast.Match():
            return False
    return True


@lru_cache(maxsize=64)
def _predicates(source: str) -> frozenset[str]:
    """The functions that return True or False somewhere, and elsewhere what may be one of them."""
    found: dict[str, bool] = {}
    for function in functions_in(source):
        values = _returned(function)
        is_plain = any(_is_truth(value) for value in values) and all(
            _is_truth(value) or isinstance(value, _MAYBE_TRUTH) or _is_negation(value) for value in values
        )
        found[function.name] = is_plain and found.get(function.name, True)
    return frozenset(name for name, is_plain in found.items() if is_plain)


@lru_cache(maxsize=64)
def _odd_returns(source: str) -> dict[str, int]:
    """How often each function returns what is surely no truth value, or one of its parameters or loops' variables."""
    found: dict[str, int] = {}
    for function in functions_in(source):
        given = _given(function)
        odd = sum(_is_odd(value, given) for value in _returned(function))
        found[function.name] = found.get(function.name, 0) + odd
    return found


def _is_odd(value: ast.expr | None, given: frozenset[str]) -> bool:
    if isinstance(value, ast.Name):
        return value.id in given
    return isinstance(value, _NO_TRUTH) or (isinstance(value, ast.Constant) and not _is_truth(value))


def _given(function: Function) -> frozenset[str]:
    arguments = function.args
    parameters = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    targets = (node.target for node in nodes_of(function, ast.For))
    items = (part.id for target in targets for part in nodes_of(target, ast.Name))
    return frozenset((*(argument.arg for argument in parameters), *items))


def loosened_equalities(before: str, after: str) -> int:
    """How many comparisons for equality the `__eq__` of classes have lost; 0 where one is no program.

    Objects that are equal to too many pass checks which compare them.
    """
    return count_gained(after, before, _equalities)


@lru_cache(maxsize=64)
def _equalities(source: str) -> int:
    methods = [function for function in functions_in(source) if function.name == "__eq__"]
    nodes = [node for method in methods for node in walk(method)]
    negated = [node.operand for node in nodes if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)]
    compared = (node for node in nodes if isinstance(node, ast.Compare) and node not in negated)
    return sum(isinstance(operator, ast.Eq) for node in compared for operator in node.ops)


def _returned(function: Function) -> list[ast.expr | None]:
    return [node.value for statement in function.body for node in walk_scope(statement) if isinstance(node, ast.Return)]


def _is_truth(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool)


def _is_negation(value: ast.expr | None) -> bool:
    return isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)


def answers_of_steps(before: str, after: str) -> int:
    """How many methods that gave nothing in `before` answer in `after` with what a step of a loop gives, and with
    nothing else: `for n in numbers: return self.old(n).replace(new)`. 0 where one is no program."""
    return signs_gained(before, after, _answered_in_loops)


@lru_cache(maxsize=64)
def _answered_in_loops(source: str) -> tuple[str, ...]:
    return tuple(function.name for function in functions_of(tree(source)) if _answers_in_a_loop_alone(function))


def _answers_in_a_loop_alone(function: Function) -> bool:
    """Whether the one answer of a method is that of a call in a loop."""
    answers = [part for part in walk(function) if isinstance(part, ast.Return) and part.value is not None]
    loops = (part for part in walk(function) if isinstance(part, ast.For | ast.While))
    is_method = bool(function.args.args) and function.args.args[0].arg == "self"
    is_alone = len(answers) == 1 and isinstance(answers[0].value, ast.Call)
    return is_method and is_alone and any(answers[0] in walk(loop) for loop in loops)


def ended_questions(before: str, after: str) -> int:
    """How many more loops that look for what speaks against it (`return False`, and `return True` behind them) end with
    `return True` in `after`: the rest is not asked then. 0 where one is no program."""
    return signs_gained(before, after, _answered_too_soon)


@lru_cache(maxsize=64)
def _answered_too_soon(source: str) -> tuple[str, ...]:
    return tuple(function.name for function in functions_of(tree(source)) for _ in _early_answers(function))


def _early_answers(function: Function) -> list[ast.Return]:
    """The ways out of loops of a function that say what stands at its end, where others in them say the opposite."""
    last = function.body[-1]
    if not _says(last, value=True):
        return []
    within = [part for loop in function.body if isinstance(loop, ast.For | ast.While) for part in walk(loop)]
    speaks_against = any(_says(part, value=False) for part in within)
    return [part for part in within if isinstance(part, ast.Return) and _says(part, value=True) and speaks_against]


def _says(node: ast.AST, *, value: bool) -> bool:
    return isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and node.value.value is value
