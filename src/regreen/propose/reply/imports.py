"""Where imports go, and which ones a reply forgot."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Final

from regreen.propose.reply.layout import Layout, above
from regreen.propose.reply.name_analysis import PREDEFINED_NAMES, free_names
from regreen.propose.reply.parsing import BudgetedParser
from regreen.propose.reply.symbol_index import ImportedName, imports_of, module_names
from regreen.syntax import DEFINITIONS, docstring_statement, walk

_TYPING: Final = frozenset(
    {"Any", "AnyStr", "Callable", "ClassVar", "Collection", "Deque", "DefaultDict", "Dict", "Final", "FrozenSet"}
    | {"Generator", "Generic", "Hashable", "Iterable", "Iterator", "List", "Literal", "Mapping", "MutableMapping"}
    | {"NamedTuple", "NoReturn", "Optional", "Sequence", "Set", "Tuple", "Type", "TypeVar", "Union"}
)


def import_place(base: Layout) -> tuple[int, int]:
    """The line, from 0, before which imports are put, and how many blank lines follow them there."""
    head = [node for node in base.tree.body if node is not docstring_statement(base.tree)]
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


def missing_imports(source: str, changed: Sequence[ast.stmt], parser: BudgetedParser) -> list[ImportedName]:
    """Imports without which the changed code would fail on a name that everybody knows: typing's, and modules'."""
    tree = parser.tree(source)
    if not isinstance(tree, ast.Module) or any(line.name == "*" for line in imports_of(tree)):
        return []
    unknown = {name for node in changed for name in free_names(node)} - module_names(tree) - PREDEFINED_NAMES
    if not unknown:
        return []
    owners = {
        part.value.id
        for node in changed
        for part in walk(node)
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
    }
    modules = [ImportedName(None, name) for name in sorted(unknown & owners & sys.stdlib_module_names)]
    return modules + [ImportedName("typing", name) for name in sorted(unknown & _TYPING)]
