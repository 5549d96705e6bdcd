"""What a program imports and never reads."""

from __future__ import annotations

import ast
import re
from collections.abc import Set
from functools import lru_cache

from regreen.syntax import tree, walk


@lru_cache(maxsize=64)
def unread_imports(source: str) -> frozenset[str]:
    """The names that imports of a program bind and nothing reads, annotations and texts such as `__all__` included.

    Raises SyntaxError or ValueError for text that does not parse.
    """
    nodes = walk(tree(source))
    aliases = (alias for node in nodes if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names)
    bound = {(alias.asname or alias.name).partition(".")[0] for alias in aliases} - {"*", "annotations"}
    return frozenset(bound - {node.id for node in nodes if isinstance(node, ast.Name)} - _spoken_of(source, bound))


def _spoken_of(source: str, names: Set[str]) -> set[str]:
    """Names that stand in a text of the program: in `__all__`, or in an annotation."""
    return {name for name in names if re.search(rf"[\"'](?:[^\"'\n]*\W)?{name}\b", source)}
