"""Work whose result is lost: values that are gathered and never looked at, collections that are looked at and never
filled, and fractions that are cut off."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from regreen.select.inputs.side_effects import changed_variable
from regreen.select.signs.gains import count_in, signs_gained
from regreen.syntax import UNPARSABLE, Function, callee_name, functions_of, nodes_of, tree, walk

_FRACTION: Final = re.compile(r"(?<![\w.])\d+\.\d")
_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS: Final = frozenset({"list", "dict", "set", "defaultdict", "Counter", "deque", "OrderedDict"})
_MEMBERSHIP = (ast.In, ast.NotIn)
_LOOKS: Final = frozenset({"len", "sum", "sorted", "any", "all", "enumerate", "reversed"})
_LESSENING: Final = frozenset(
    {"discard", "remove", "pop", "popleft", "popitem", "clear", "get", "keys", "values", "items", "count", "index"}
)
"""Methods that add nothing."""


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
    functions = functions_of(tree(source))
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


def never_filled(before: str, after: str) -> int:
    """How many collections of its own `after` asks about and never adds to, and `before` does not.

    0 where one is no program. `if town in done` is never true where nothing is added to `done = set()`.
    """
    return signs_gained(before, after, _asked_in_vain)


@lru_cache(maxsize=64)
def _asked_in_vain(source: str) -> tuple[tuple[str, str], ...]:
    """(function, variable) of each collection that has what it began with whenever it is asked.

    Raises what `ast.parse` raises."""
    functions = functions_of(tree(source))
    return tuple((function.name, name) for function in functions for name in _never_filled_in(function))


def _never_filled_in(function: Function) -> Iterator[str]:
    nodes = [node for statement in function.body for node in walk(statement)]
    own = _fresh(nodes) - _made_of_others(nodes)
    if not own:
        return
    looks = {id(name) for node in nodes for name in _only_looked_at(node)}
    uses = [node for node in nodes if isinstance(node, ast.Name) and node.id in own]
    filled = {name.id for name in uses if not isinstance(name.ctx, ast.Store) and id(name) not in looks}
    filled |= {ast.unparse(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    yield from sorted({name.id for name in uses if id(name) in looks} - filled)


def _only_looked_at(node: ast.AST) -> Iterator[ast.expr]:
    """What a node asks about and adds nothing to."""
    if isinstance(node, ast.Compare):
        yield from (held for op, held in zip(node.ops, node.comparators, strict=True) if isinstance(op, _MEMBERSHIP))
    elif isinstance(node, ast.For | ast.comprehension):
        yield node.iter
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in _LOOKS:
            yield from node.args
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _LESSENING:
            yield node.func.value


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
    assigned = [node for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign) and makes_collection(node.value)]
    targets = [
        target for node in assigned for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    bound = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    made = {target.id for target in targets if isinstance(target, ast.Name)}
    return made - {name.id for name in bound if name not in targets}


def _made_of_others(nodes: Sequence[ast.AST]) -> set[str]:
    """The variables that a call fills with what there is: `Counter(words)`, and not `Counter()`, `defaultdict(int)`."""
    assigned = [node for node in nodes if isinstance(node, ast.Assign | ast.AnnAssign)]
    return {
        ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        for node in assigned
        if isinstance(node.value, ast.Call) and node.value.args and callee_name(node.value) != "defaultdict"
    }


def makes_collection(value: ast.expr | None) -> bool:
    """Whether an expression makes a list, a dictionary, a set or the like of its own."""
    return isinstance(value, _DISPLAYS) or (isinstance(value, ast.Call) and callee_name(value) in _MAKERS)


_GIVING: Final = frozenset(
    {"strip", "lstrip", "rstrip", "lower", "upper", "casefold", "swapcase", "title", "capitalize", "zfill", "ljust"}
    | {"rjust", "center", "split", "rsplit", "splitlines", "partition", "startswith", "endswith"}
)
"""Methods of texts, which change none."""
_MAKING: Final = frozenset({"sorted", "reversed", "str", "len", "abs", "round"})


def lost_results(source: str) -> int:
    """How many calls do nothing but give a result, which nobody keeps: `word.strip()`, `sorted(names)`. 0 where the
    program does not parse."""
    return count_in(source, _lost_results)


@lru_cache(maxsize=64)
def _lost_results(source: str) -> int:
    return sum(_loses_result(node.value) for node in nodes_of(tree(source), ast.Expr))


def _loses_result(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _GIVING
        case ast.Call(func=ast.Name(id=name)):
            return name in _MAKING
    return False


def vain_copies(before: str, after: str) -> int:
    """How many more variables `after` gives a copy of what they hold, `xs = xs[:]`; 0 where one is no program.

    A copy of a parameter is for something: what changes the one leaves the other.
    """
    return signs_gained(before, after, _copied_onto_themselves)


@lru_cache(maxsize=64)
def _copied_onto_themselves(source: str) -> tuple[tuple[str, str], ...]:
    return tuple(
        (function.name, node.targets[0].id)
        for function in functions_of(tree(source))
        for node in nodes_of(function, ast.Assign)
        if isinstance(node.targets[0], ast.Name)
        and ast.unparse(node.value) == f"{node.targets[0].id}[:]"
        and node.targets[0].id not in {argument.arg for argument in function.args.args}
    )


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
