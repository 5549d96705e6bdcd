"""Work whose result is lost: values that are gathered and never looked at, and fractions that are cut off."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from regreen.select.side_effects import changed_variable
from regreen.syntax import FUNCTIONS, UNPARSABLE, Function, callee_name, tree, walk

_FRACTION: Final = re.compile(r"(?<![\w.])\d+\.\d")
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS: Final = frozenset({"list", "dict", "set", "defaultdict", "Counter", "deque", "OrderedDict"})


def vain_gatherings(before: str, after: str) -> int:
    """How many collections and counters `after` fills and never reads that `before` reads or has not.

    0 where one is no program.
    """
    try:
        return len(_gathered_in_vain(after) - _gathered_in_vain(before))
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def _gathered_in_vain(source: str) -> frozenset[tuple[str, str]]:
    """(function, variable) of each collection that is only ever changed. Raises what `ast.parse` raises."""
    functions = (node for node in walk(tree(source)) if isinstance(node, FUNCTIONS))
    return frozenset(
        (function.name, name) for function in functions for name in (*_only_changed(function), *_only_counted(function))
    )


def _only_changed(function: Function) -> set[str]:
    nodes = [node for statement in function.body for node in walk(statement)]
    changes = set(_changes(nodes))
    if not changes:
        return set()
    read = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store) and n not in changes}
    outer = {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    return ({name.id for name in changes} & _fresh(nodes)) - read - outer


def _only_counted(function: Function) -> set[str]:
    """The variables that are made greater or less, and never read."""
    nodes = [node for statement in function.body for node in walk(statement)]
    targets = [node.target for node in nodes if isinstance(node, ast.AugAssign)]
    counted = {target.id for target in targets if isinstance(target, ast.Name)}
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    outer = {name for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    return counted - read - outer


def _changes(nodes: Sequence[ast.AST]) -> Iterator[ast.Name]:
    """The variables of what is changed in place, where the value of the change itself is dropped."""
    for node in nodes:
        change = node.value if isinstance(node, ast.Expr) else node
        if change is not node or isinstance(node, ast.Subscript):
            variable = changed_variable(change)
            if variable is not None:
                yield variable


def _fresh(nodes: Sequence[ast.AST]) -> set[str]:
    """The variables that hold nothing but collections made here, which nobody else can look at."""
    assigned = [node for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign) and _is_made(node.value)]
    targets = [
        target for node in assigned for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    bound = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    made = {target.id for target in targets if isinstance(target, ast.Name)}
    return made - {name.id for name in bound if name not in targets}


def _is_made(value: ast.expr | None) -> bool:
    return isinstance(value, _DISPLAYS) or (isinstance(value, ast.Call) and callee_name(value) in _MAKERS)


def cut_fractions(before: str, after: str, checks_text: str) -> int:
    """How many more divisions round down in `after`, in place of ones that do not, where the checks have fractions.

    `8 // 2` gives no `4.0`: whoever expects fractions divides.
    """
    try:
        floors, shares = _divisions(after)
        floors_before, shares_before = _divisions(before)
    except UNPARSABLE:
        return 0
    turned = min(floors - floors_before, shares_before - shares)
    return max(turned, 0) if turned > 0 and _FRACTION.search(checks_text) else 0


@lru_cache(maxsize=64)
def _divisions(source: str) -> tuple[int, int]:
    """How many divisions round down, and how many do not. Raises what `ast.parse` raises."""
    kinds = [type(node) for node in walk(tree(source))]
    return kinds.count(ast.FloorDiv), kinds.count(ast.Div)
