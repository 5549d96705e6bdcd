"""Code that does nothing: names that are set and never read, functions that nothing calls any more, and operations that
give what they are given."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from regreen.select.signs.gains import count_in, signs_gained
from regreen.syntax import FUNCTIONS, UNPARSABLE, callee_name, functions_of, nodes_of, tree, walk
from regreen.unread_imports import unread_imports

_NEUTRAL: dict[type[ast.operator], int] = {
    ast.Add: 0,
    ast.Sub: 0,
    ast.Mult: 1,
    ast.Div: 1,
    ast.FloorDiv: 1,
    ast.Pow: 1,
}
"""The right operand with which an operator leaves its left one as it is, or nearly so."""


@lru_cache(maxsize=64)
def unused_names(source: str) -> frozenset[tuple[str, str]]:
    """(function, name) of every parameter and variable that its function sets and never reads.

    Raises what `ast.parse` raises.
    """
    found: set[tuple[str, str]] = set()
    for function in walk(tree(source)):
        if isinstance(function, FUNCTIONS):
            read = {name for name, is_read in _names(function) if is_read}
            found |= {(function.name, name) for name, _ in _names(function) if name not in read and name[0] != "_"}
    return frozenset(found)


def count_unused(source: str) -> int:
    """How many names of a program nothing reads, but for those of a row of several of which others are read, `left,
    left_arm, right, right_arm = mobile`, and those that count rounds, `for frame in range(10)`: of 19 of these in the
    programs of benchmarks/shelves, 12 are meant. 0 where it does not parse."""
    return count_in(
        source, lambda program: len(unused_names(program) - _beside_others(program) - _counting_rounds(program))
    )


def _counting_rounds(source: str) -> set[tuple[str, str]]:
    """(function, name) of the names that loops over ranges count with."""
    return {
        (function.name, loop.target.id)
        for function in functions_of(tree(source))
        for loop in nodes_of(function, ast.For)
        if isinstance(loop.target, ast.Name) and isinstance(loop.iter, ast.Call) and callee_name(loop.iter) == "range"
    }


def _beside_others(source: str) -> set[tuple[str, str]]:
    """(function, name) of the names that are given parts of a value, three at least, of which any is read."""
    unused, found = unused_names(source), set()
    for function in functions_of(tree(source)):
        for node in nodes_of(function, ast.Assign):
            parts = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else []
            names = {(function.name, part.id) for part in parts if isinstance(part, ast.Name)}
            if len(names) > _PAIR and names - unused:
                found |= names
    return found


_PAIR: Final = 2


def count_unread_imports(source: str) -> int:
    """How many modules and names a program imports and never reads; 0 where it does not parse."""
    return count_in(source, lambda program: len(unread_imports(program)))


def lost_uses(before: str, after: str) -> int:
    """How many names `after` never reads that `before` did, or did not have; 0 where one is no program."""
    return signs_gained(before, after, unused_names)


def lost_calls(before: str, after: str) -> int:
    """How many functions `before` mentions beside their definitions, and `after` no longer; 0 where one is no program.

    Functions that both define: what was written to be called is left over. Methods for users of an object are not
    meant: these call them.
    """
    try:
        defined = (_defined(before) & _defined(after)) - _methods_for_users(after)
        return len(defined & _mentioned(before) - _mentioned(after))
    except UNPARSABLE:
        return 0


def lost_attributes(before: str, after: str) -> int:
    """How many attributes that a class sets or declares `before` reads, and `after` no longer; 0 where one is no
    program."""
    try:
        return len(_declared(before) & _declared(after) & _attributes_read(before) - _attributes_read(after))
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def _declared(source: str) -> frozenset[str]:
    """The fields that classes declare, and the attributes that methods set of `self`."""
    nodes = walk(tree(source))
    bodies = (part for owner in nodes if isinstance(owner, ast.ClassDef) for part in owner.body)
    fields = (
        part.target.id for part in bodies if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
    )
    stores = (node for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store))
    return frozenset(fields) | {node.attr for node in stores if isinstance(node.value, ast.Name)}


@lru_cache(maxsize=64)
def _attributes_read(source: str) -> frozenset[str]:
    reads = (node for node in nodes_of(tree(source), ast.Attribute) if isinstance(node.ctx, ast.Load))
    return frozenset(node.attr for node in reads)


def emptied_blocks(before: str, after: str) -> int:
    """How many more decisions, loops and `with` or `try` blocks `after` has that do nothing but `pass`; 0 where one is
    no program."""
    return signs_gained(before, after, _empty_blocks)


@lru_cache(maxsize=64)
def _empty_blocks(source: str) -> Counter[str]:
    holders = (node for node in walk(tree(source)) if isinstance(node, _HOLDERS))
    empty = (node for node in holders if len(node.body) == 1 and isinstance(node.body[0], ast.Pass))
    return Counter(type(node).__name__ for node in empty)


_HOLDERS: Final = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try)


def sorted_by_others(before: str, after: str) -> int:
    """How many calls of `sorted` and `sort` are new in functions that move items about by themselves, or call one that
    does, and thereby have nothing left to do; 0 where one is no program."""
    return signs_gained(before, after, _sorts_of_movers)


@lru_cache(maxsize=64)
def _sorts_of_movers(source: str) -> tuple[str, ...]:
    found = []
    functions = functions_of(tree(source))
    movers = {
        function.name
        for function in functions
        if any(isinstance(node, ast.Assign) and moves_item(node) for node in walk(function))
    }
    for function in functions:
        called = [callee_name(node) for node in walk(function) if isinstance(node, ast.Call)]
        if function.name in movers or movers.intersection(called):
            found += [function.name for name in called if name in _SORTERS]
    return tuple(found)


_SORTERS: Final = frozenset({"sorted", "sort"})


def moves_item(node: ast.Assign) -> bool:
    """Whether an assignment moves an item of a list to another place of it, or exchanges two."""
    targets = node.targets[0].elts if isinstance(node.targets[0], ast.Tuple) else node.targets
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    places = [ast.unparse(target.value) for target in targets if isinstance(target, ast.Subscript)]
    return any(isinstance(value, ast.Subscript) and ast.unparse(value.value) in places for value in values)


def stopped_recursion(before: str, after: str) -> int:
    """How many functions `after` has that no longer call themselves, though they did; 0 where one is no program.

    Those that call another of the program's functions instead go on by other means.
    """
    try:
        stopped = (_recursive(before) - _recursive(after)) & _defined(after)
        return sum(_calls_of_others(after).get(name, 0) <= _calls_of_others(before).get(name, 0) for name in stopped)
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def _recursive(source: str) -> frozenset[str]:
    functions = functions_of(tree(source))
    return frozenset(f.name for f in functions if any(_mentions(part, f.name) for part in walk(f)))


@lru_cache(maxsize=64)
def _calls_of_others(source: str) -> dict[str, int]:
    """How often each function calls another one of the program."""
    functions = functions_of(tree(source))
    own = {function.name for function in functions}
    return {
        function.name: sum(
            isinstance(node, ast.Call) and callee_name(node) in own - {function.name} for node in walk(function)
        )
        for function in functions
    }


def _mentions(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == name
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _defined(source: str) -> frozenset[str]:
    return frozenset(node.name for node in functions_of(tree(source)))


@lru_cache(maxsize=64)
def _methods_for_users(source: str) -> frozenset[str]:
    """The methods whose names begin with no underscore."""
    classes = nodes_of(tree(source), ast.ClassDef)
    methods = (part.name for owner in classes for part in owner.body if isinstance(part, FUNCTIONS))
    return frozenset(name for name in methods if not name.startswith("_"))


@lru_cache(maxsize=64)
def _mentioned(source: str) -> frozenset[str]:
    """Names and attributes that a program reads, but for functions that nothing but themselves calls."""
    nodes = walk(tree(source))
    read = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    read += Counter(node.attr for node in nodes if isinstance(node, ast.Attribute))
    for function in nodes:
        if isinstance(function, FUNCTIONS):
            read[function.name] -= sum(_mentions(part, function.name) for part in walk(function))
    return frozenset(+read)


def _names(function: ast.AST) -> Iterator[tuple[str, bool]]:
    """Each parameter and name under a function, and whether it is read there."""
    for node in walk(function):
        if isinstance(node, ast.arg):
            yield node.arg, node.arg in {"self", "cls"}
        elif isinstance(node, ast.Name):
            yield node.id, not isinstance(node.ctx, ast.Store)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from ((name, True) for name in node.names)


@lru_cache(maxsize=64)
def idle_operations(source: str) -> int:
    """Number of operations without effect; 0 where the program does not parse.

    Adding 0, multiplying by 1, slicing in steps of 1, powers of 1 and -1, `x for x in xs`, rounding a whole quotient.
    """
    try:
        nodes = walk(tree(source))
    except UNPARSABLE:
        return 0
    return sum(_is_idle(node) for node in nodes)


def _is_idle(node: ast.AST) -> bool:
    if isinstance(node, ast.Slice):
        return isinstance(node.step, ast.Constant) and node.step.value == 1
    if isinstance(node, ast.GeneratorExp):
        return _hands_on(node)
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("round", "int") and len(node.args) == 1:
        return isinstance(node.args[0], ast.BinOp) and isinstance(node.args[0].op, ast.FloorDiv)
    if not isinstance(node, ast.BinOp):
        return False
    value = node.right.value if isinstance(node.right, ast.Constant) else None
    if isinstance(node.op, ast.Pow) and type(value) is int and ast.unparse(node.left) in ("1", "-1"):
        return True
    return type(value) in (int, float) and value == _NEUTRAL.get(type(node.op))


def _hands_on(node: ast.GeneratorExp) -> bool:
    """Whether a generator gives what it takes: `sum(x for x in xs)`."""
    each, *more = node.generators
    return not more and not each.ifs and isinstance(node.elt, ast.Name) and ast.unparse(each.target) == node.elt.id
