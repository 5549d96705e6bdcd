"""Where imports go, and which ones a reply forgot."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Final

from regreen.propose.reply.layout import Layout, above
from regreen.propose.reply.names import BUILTINS, free_names
from regreen.propose.reply.parsing import Parser
from regreen.propose.reply.same import documented
from regreen.propose.reply.stock import ImportLine, bound_in, imports_of
from regreen.syntax import DEFINITIONS, walk

_TYPING: Final = frozenset(
    {"Any", "AnyStr", "Callable", "ClassVar", "Collection", "Deque", "DefaultDict", "Dict", "Final", "FrozenSet"}
    | {"Generator", "Generic", "Hashable", "Iterable", "Iterator", "List", "Literal", "Mapping", "MutableMapping"}
    | {"NamedTuple", "NoReturn", "Optional", "Sequence", "Set", "Tuple", "Type", "TypeVar", "Union"}
)


def import_place(base: Layout) -> tuple[int, int]:
    """The line, from 0, before which imports are put, and how many blank lines follow them there."""
    head = [node for node in base.tree.body if node is not documented(base.tree)]
    imports = 0
    while imports < len(head) and isinstance(head[imports], (ast.Import, ast.ImportFrom)):
        imports += 1
    if imports:
        return base.span(head[imports - 1])[1], 0
    if not head:
        return len(base.lines) - 1, 0
    first = base.span(head[0])[0]
    start = above(base.lines, first)
    blanks = 2 if isinstance(head[0], DEFINITIONS) else 1
    return (start or first), blanks


def missing_imports(source: str, changed: Sequence[ast.stmt], parser: Parser) -> list[ImportLine]:
    """Imports without which the changed code would fail on a name that everybody knows: typing's, and modules'."""
    tree = parser.tree(source)
    if not isinstance(tree, ast.Module) or any(line.name == "*" for line in imports_of(tree)):
        return []
    unknown = {name for node in changed for name in free_names(node)} - bound_in(tree) - BUILTINS
    if not unknown:
        return []
    owners = {
        part.value.id
        for node in changed
        for part in walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
    }
    modules = [ImportLine(None, name) for name in sorted(unknown & owners & sys.stdlib_module_names)]
    return modules + [ImportLine("typing", name) for name in sorted(unknown & _TYPING)]
