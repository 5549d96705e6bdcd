"""Whether checks can see the order in which a set is gone through, by their text."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from regreen.sandbox.guest.runner.syntax_trees import syntax_tree

_GO_THROUGH = frozenset(
    (
        "list tuple dict iter next repr str ascii format print enumerate zip map filter reversed sorted min max reduce "
        "chain islice join extend fromkeys pop deque array dumps pformat assertCountEqual"
    ).split()
)
"""Functions and methods whose answer may hang on the order of what they are given."""
_SHOW = (ast.For, ast.AsyncFor, ast.comprehension, ast.Starred, ast.FormattedValue)


def sees_order(texts: Iterable[str]) -> bool:
    """Whether anything in these texts goes through a collection, or shows one."""
    for text in texts:
        try:
            nodes = ast.walk(syntax_tree(text))
        except (SyntaxError, ValueError, RecursionError):
            # An example of a doctest: what it gives is shown.
            return True
        if any(map(_shows, nodes)):
            return True
    return False


def _shows(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Mod)
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name in _GO_THROUGH or isinstance(node, _SHOW)
