"""Which kinds of values a program gives to its variables and attributes."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable
from typing import Final

from regreen.plain_slips.located_program import LocatedProgram
from regreen.syntax import callee_name


def kinds_given(nodes: Iterable[ast.AST], program: LocatedProgram) -> dict[str, set[type | None]]:
    """The kinds of values that these nodes give to each variable and attribute; None for any that is not plain."""
    found: dict[str, set[type | None]] = {}
    for node in nodes:
        if isinstance(node, ast.arg):
            found.setdefault(node.arg, set()).add(None)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            parent = program.parents[node]
            is_plain = isinstance(parent, ast.AnnAssign) or (isinstance(parent, ast.Assign) and node in parent.targets)
            value = getattr(parent, "value", None) if is_plain else None
            found.setdefault(program.text(node), set()).add(kind_of(value))
    return found


def kind_of(value: ast.expr | None) -> type | None:
    """The kind of what an expression makes, where its form tells: a list for `[0] * n`, a deque for `deque(xs)`."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        return list if isinstance(value.left, ast.List) or isinstance(value.right, ast.List) else None
    if isinstance(value, ast.Call):
        return _MADE_BY.get(callee_name(value) or "")
    return _KINDS.get(type(value))


_KINDS: Final[dict[type, type]] = {
    ast.Dict: dict,
    ast.DictComp: dict,
    ast.List: list,
    ast.ListComp: list,
    ast.Set: set,
    ast.SetComp: set,
    ast.JoinedStr: str,
}
_MADE_BY: Final[dict[str, type]] = {
    "list": list,
    "sorted": list,
    "dict": dict,
    "defaultdict": dict,
    "Counter": dict,
    "OrderedDict": dict,
    "set": set,
    "deque": deque,
}
