"""Idioms of which a program has one half: leap years without centuries, a parent that is not made, answers in some
branches, walks that do not go on."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import count_in
from regreen.syntax import (
    FUNCTIONS,
    ORDERS,
    Function,
    blocks_in,
    functions_in,
    names_read,
    nodes_of,
    tree,
    walk,
    whole_number,
)

_LEAP: Final = frozenset({4, 100})
_RULE: Final = frozenset({4, 100, 400})
"""By what years are divided to tell the leap years among them, and by what the Gregorian calendar has it."""


def half_leap_rules(source: str) -> int:
    """How many functions divide something by 4 and by 100 and not by 400, or a year by 4 alone; 0 where it does not
    parse."""
    return count_in(source, lambda program: sum(map(_is_half_a_rule, _divisors_by_name(program))))


def _is_half_a_rule(found: tuple[str, frozenset[int]]) -> bool:
    name, numbers = found
    return _LEAP <= numbers < _RULE or ("year" in name.lower() and min(_LEAP) in numbers and numbers < _RULE)


@lru_cache(maxsize=64)
def _divisors_by_name(source: str) -> tuple[tuple[str, frozenset[int]], ...]:
    """Each name of each function, with the numbers of `_RULE` whose remainder is asked for."""
    found = []
    for function in functions_in(source):
        by_name: dict[str, set[int]] = {}
        for node in walk(function):
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Name):
                number = whole_number(node.right)
                if number in _RULE:
                    by_name.setdefault(node.left.id, set()).add(number)
        found += [(name, frozenset(numbers)) for name, numbers in by_name.items()]
    return tuple(found)


def ordinals_without_teens(source: str) -> int:
    """1 where a program writes `st`, `nd`, `rd` and `th` behind numbers and asks for no remainder of 100: the 11th,
    12th and 13th are as they should be by chance at most; 0 otherwise, and where it does not parse."""
    return count_in(source, lambda program: int(_texts_in(program) >= _ENDINGS and 100 not in _remainders(program)))


_ENDINGS: Final = frozenset(("st", "nd", "rd", "th"))


def _texts_in(source: str) -> set[object]:
    return {node.value for node in walk(tree(source)) if isinstance(node, ast.Constant)}


def _remainders(source: str) -> set[int | None]:
    """The numbers of which remainders are asked for."""
    parts = (node for node in nodes_of(tree(source), ast.BinOp) if isinstance(node.op, ast.Mod))
    return {whole_number(part.right) for part in parts}


def unkept_bests(source: str) -> int:
    """How many conditions in loops ask for more than a number that never changes, `if mark > top: winner = name` after
    `top = -1`: the best so far was meant to be kept; 0 where it does not parse."""
    return count_in(source, lambda program: sum(map(_unkept_bests, functions_in(program))))


def _unkept_bests(function: Function) -> int:
    nodes = walk(function)
    stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    begun = {
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and _is_first_best(node.value)
    }
    fixed = {name for name in begun if stored[name] == 1}
    asked = {part for loop in nodes if isinstance(loop, ast.For) for part in walk(loop) if isinstance(part, ast.If)}
    return sum(_keeps_by(part, fixed) for part in asked)


def _keeps_by(node: ast.If, names: set[str]) -> bool:
    """Whether a condition compares with one of these variables, and its branch keeps another one."""
    test = node.test
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ORDERS):
        return False
    sides = {side.id for side in (test.left, *test.comparators) if isinstance(side, ast.Name)}
    keeps = any(isinstance(kept, ast.Assign) and isinstance(kept.value, ast.Name) for kept in node.body)
    return keeps and bool(sides & names)


def _is_first_best(value: ast.expr) -> bool:
    """`-1` or an infinite number: what no limit is."""
    return whole_number(value) == -1 or _INFINITE.fullmatch(ast.unparse(value)) is not None


_INFINITE: Final = re.compile(r"-?(?:float\('[+-]?inf(?:inity)?'\)|(?:math|np|numpy)\.inf)")


def unlike_lookups(source: str) -> int:
    """How many conditions ask a table for another key than their branches use, `if word in counts: counts[clean] += 1`;
    0 where it does not parse."""
    return count_in(source, lambda program: sum(map(_is_unlike_lookup, walk(tree(program)))))


def _is_unlike_lookup(node: ast.AST) -> bool:
    test = node.test if isinstance(node, ast.If) else None
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.In | ast.NotIn):
        return False
    assert isinstance(node, ast.If)
    table, asked = ast.unparse(test.comparators[0]), test.left
    used = [_keys_used(branch, table) for branch in (node.body, node.orelse)]
    is_one = len(used[0]) == 1 and used[0] == used[1]
    return is_one and isinstance(asked, ast.Name) and asked.id not in used[0]


def _keys_used(branch: list[ast.stmt], table: str) -> set[str]:
    """The keys under which a branch reads or writes entries of a table."""
    entries = (part for statement in branch for part in nodes_of(statement, ast.Subscript))
    return {ast.unparse(entry.slice) for entry in entries if ast.unparse(entry.value) == table}


def unmade_parents(source: str) -> int:
    """How many constructors do not call that of a parent which the program defines; 0 where it does not parse."""
    return count_in(source, _unmade_parents)


@lru_cache(maxsize=64)
def _unmade_parents(source: str) -> int:
    classes = {node.name: node for node in walk(tree(source)) if isinstance(node, ast.ClassDef)}
    made = {name: found for name, node in classes.items() if (found := _constructor(node)) is not None}
    return sum(
        any(isinstance(base, ast.Name) and base.id in made for base in classes[name].bases)
        and not _calls_constructor(function)
        for name, function in made.items()
    )


def _constructor(node: ast.ClassDef) -> Function | None:
    return next((part for part in node.body if isinstance(part, FUNCTIONS) and part.name == "__init__"), None)


def _calls_constructor(function: Function) -> bool:
    return any(isinstance(node, ast.Attribute) and node.attr == "__init__" for node in walk(function))


def half_answered(source: str) -> int:
    """How many functions end with a choice of which some branches return a value and some print one, or do nothing
    with one; 0 where it does not parse."""
    return count_in(source, lambda program: sum(map(_is_half_answered, functions_in(program))))


def _is_half_answered(function: Function) -> bool:
    last = function.body[-1]
    leaves = list(_leaves(last)) if isinstance(last, ast.If) else []
    answers = [leaf for leaf in leaves if isinstance(leaf, ast.Return) and not _is_none(leaf.value)]
    return bool(answers) and any(_keeps_answer(leaf) for leaf in leaves)


def _leaves(choice: ast.If) -> Iterator[ast.stmt]:
    """The last statement of each branch."""
    for branch in (choice.body, choice.orelse):
        if branch and isinstance(branch[-1], ast.If):
            yield from _leaves(branch[-1])
        elif branch:
            yield branch[-1]


def _keeps_answer(leaf: ast.stmt) -> bool:
    """Whether a statement is `print(value)`, or nothing but a value."""
    value = leaf.value if isinstance(leaf, ast.Expr) else None
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "print" and len(value.args) == 1
    return value is not None and not isinstance(value, ast.Constant | ast.Await | ast.Yield | ast.YieldFrom)


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def walks_begun_again(source: str) -> int:
    """How many loops take each step from where the walk began: `node = self.root` before the loop, and within it
    `node = self.root.children[c]`, where `node` is not read before. 0 where it does not parse."""
    return count_in(source, _walks_begun_again)


@lru_cache(maxsize=64)
def _walks_begun_again(source: str) -> int:
    return sum(
        _begins_again(statement, beginnings)
        for function in functions_in(source)
        for block in blocks_in(walk(function))
        for statement, beginnings in _loops_with_beginnings(block)
    )


def _loops_with_beginnings(block: list[ast.stmt]) -> Iterator[tuple[ast.For, dict[str, str]]]:
    """The loops of a block, each with what variables hold that the block gave a part of an object before."""
    beginnings: dict[str, str] = {}
    for statement in block:
        if isinstance(statement, ast.For):
            yield statement, dict(beginnings)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Name) and isinstance(statement.value, ast.Attribute):  # type: ignore[attr-defined]
            beginnings[target.id] = ast.unparse(statement.value)  # type: ignore[attr-defined]


def _begins_again(loop: ast.For, beginnings: dict[str, str]) -> bool:
    """Whether the first statement of a loop gives one of these variables a step from its beginning."""
    first = loop.body[0]
    target = first.targets[0] if isinstance(first, ast.Assign) else None
    if not isinstance(target, ast.Name) or target.id not in beginnings:
        return False
    assert isinstance(first, ast.Assign)
    reads = target.id in names_read(walk(first.value))
    return not reads and ast.unparse(first.value).startswith(f"{beginnings[target.id]}.")


def unlike_quotients(source: str) -> int:
    """How many `int(a / b)` stand beside an `a % b`: below zero the one is cut off and the other goes on below it; 0
    where the program does not parse."""
    return count_in(source, _unlike_quotients)


@lru_cache(maxsize=64)
def _unlike_quotients(source: str) -> int:
    divisions = nodes_of(tree(source), ast.BinOp)
    rests = {(ast.dump(d.left), ast.dump(d.right)) for d in divisions if isinstance(d.op, ast.Mod)}
    found = 0
    for node in nodes_of(tree(source), ast.Call) if rests else ():
        match node:
            case ast.Call(func=ast.Name(id="int"), args=[ast.BinOp(left=left, op=ast.Div(), right=right)]):
                found += (ast.dump(left), ast.dump(right)) in rests
    return found
