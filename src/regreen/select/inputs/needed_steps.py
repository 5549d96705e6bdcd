"""The steps of a check that have to do with what it looks at, as a slice of a program has with a variable's value.

After Weiser's program slicing (ICSE 1981), on straight statements and by names: what was handed to the same call counts
as one, since either may change the other.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence, Set

from regreen.syntax import DEFINITIONS, callee_name, names_set, nodes_of, walk


def needed_steps(steps: Sequence[ast.stmt], *looked_at: ast.expr) -> tuple[ast.stmt, ...]:
    """The statements that have to do with these expressions, or with what was handed to them: a clock, say, moves on.

    In their order.
    """
    own = {name for node in steps for name in _bound_anywhere(node)}
    names = {name for node in looked_at for name in names_in(node, own)}
    kept = _mentioning(steps, names, own)
    while more := _shared(kept, own) - names:
        names = names | more
        kept = _mentioning(steps, names, own)
    return tuple(node for node in kept if not _is_idle(node, [*kept, *looked_at]))


def is_pause(node: ast.AST) -> bool:
    """Whether a statement or a call only lets time go by: what was begun before it goes on meanwhile."""
    value = node.value if isinstance(node, ast.Expr) else node
    call = value.value if isinstance(value, ast.Await) else value
    return isinstance(call, ast.Call) and callee_name(call) == "sleep"


def _is_idle(node: ast.AST, others: Sequence[ast.AST]) -> bool:
    """Whether a statement defines a function that nothing reads; a decorator may have kept it."""
    if not isinstance(node, DEFINITIONS) or node.decorator_list:
        return False
    read = (part for other in others if other is not node for part in walk(other))
    return not any(isinstance(part, ast.Name) and part.id == node.name for part in read)


def names_in(node: ast.AST, own: Set[str] = frozenset()) -> set[str]:
    """The names in a node; those that are only called count where they are among a check's `own` ones."""
    called = {id(inner.func) for inner in walk(node) if isinstance(inner, ast.Call)}
    named = nodes_of(node, ast.Name)
    return {inner.id for inner in named if inner.id in own or id(inner) not in called}


def names_bound(node: ast.stmt) -> set[str]:
    """The variables that a statement gives another value, and the function or class that it defines."""
    if isinstance(node, DEFINITIONS):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else []
    parts = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _bound_anywhere(node: ast.stmt) -> set[str]:
    return {*names_set(nodes_of(node, ast.Name)), *names_bound(node)}


def _mentioning(steps: Sequence[ast.stmt], names: set[str], own: Set[str]) -> tuple[ast.stmt, ...]:
    kept: list[ast.stmt] = []
    for node in reversed(steps):
        if (names_in(node, own) | names_bound(node)) & names or is_pause(node):
            kept.append(node)
            # What a name stood for before it is assigned anew has nothing to do with it.
            names = (names - names_bound(node)) | _names_read(node, own)
    # What comes before all that is needed is waited for by nothing.
    while kept and is_pause(kept[-1]):
        kept.pop()
    return tuple(reversed(kept))


def _names_read(node: ast.stmt, own: Set[str]) -> set[str]:
    if isinstance(node, DEFINITIONS):
        return names_in(node, own) - {inner.arg for inner in walk(node) if isinstance(inner, ast.arg)}
    if not isinstance(node, ast.Assign):
        return names_in(node, own)
    targets = [target for target in node.targets if not isinstance(target, ast.Name)]
    return {name for part in (node.value, *targets) for name in names_in(part, own)}


def _shared(steps: Sequence[ast.stmt], own: Set[str]) -> set[str]:
    """Variables that are handed to calls, themselves or in a lambda, and what comes of those calls: what they hold may
    change later, the one with the other. Those of plain numbers and texts are left out."""
    assigned = [(target, node.value) for node in steps if isinstance(node, ast.Assign) for target in node.targets]
    plain = {t.id for t, value in assigned if isinstance(t, ast.Name) and isinstance(value, ast.Constant | ast.UnaryOp)}
    handed = {name for node in steps for call in _calls_in(node) for name in _handed_to(call, own)} - plain
    made = {
        target.id
        for target, value in assigned
        if isinstance(target, ast.Name) and isinstance(value, ast.Call) and _handed_to(value, own) & handed
    }
    # What one call gives together may hang together.
    made |= {name for node in steps if _gives_several(node) for name in names_bound(node)}
    # Whoever holds a function may change what it reads.
    return handed | made | {node.name for node in steps if isinstance(node, DEFINITIONS)}


def _gives_several(node: ast.stmt) -> bool:
    is_assigned = isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple)
    return is_assigned and isinstance(node.value, ast.Call)  # type: ignore[attr-defined]


def _calls_in(node: ast.AST) -> list[ast.Call]:
    return nodes_of(node, ast.Call)


def _handed_to(call: ast.Call, own: Set[str]) -> set[str]:
    return {
        name for part in (*call.args, *(keyword.value for keyword in call.keywords)) for name in names_in(part, own)
    }
