"""Puts changed lines, imports and helpers into the text of a program."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from regreen.propose.reply.layout import Layout, comments_start
from regreen.propose.reply.name_analysis import PREDEFINED_NAMES, free_names
from regreen.propose.reply.parsing import BudgetedParser
from regreen.propose.reply.symbol_index import ImportedName, imports_of, module_names
from regreen.syntax import DEFINITIONS, docstring_statement, walk

_TYPING_NAMES: Final = frozenset(
    {"Any", "AnyStr", "Callable", "ClassVar", "Collection", "Deque", "DefaultDict", "Dict", "Final", "FrozenSet"}
    | {"Generator", "Generic", "Hashable", "Iterable", "Iterator", "List", "Literal", "Mapping", "MutableMapping"}
    | {"NamedTuple", "NoReturn", "Optional", "Sequence", "Set", "Tuple", "Type", "TypeVar", "Union"}
)


@dataclass(frozen=True, slots=True)
class LineChange:
    """Lines `first` to `last`, from 0, `last` excluded, and what takes their place."""

    first: int
    last: int
    lines: Sequence[str]


def apply_changes(base: Layout, changes: Sequence[LineChange]) -> str:
    """The program with all changes made; insertions at one line keep their order."""
    lines = list(base.lines)
    for change in sorted(changes, key=lambda change: (change.first, change.last))[::-1]:
        lines[change.first : change.last] = change.lines
    return "\n".join(lines)


def import_change(base: Layout, imports: Sequence[ImportedName]) -> list[LineChange]:
    """The change that adds imports, after the program's own; none for no imports."""
    if not imports:
        return []
    at, blanks = _import_place(base)
    ordered = sorted(imports, key=lambda line: line.module != "__future__")
    return [LineChange(at, at, [*map(str, ordered), *[""] * blanks])]


def helper_change(base: Layout, helpers: Sequence[tuple[ast.stmt, Sequence[str]]], line: int) -> list[LineChange]:
    """The change that adds helpers, before the module's statement that holds `line`, from 0; none for no helpers."""
    if not helpers:
        return []
    top = next((s for s in base.tree.body if base.span(s)[0] <= line < base.span(s)[1]), None)
    at = comments_start(base.lines, base.span(top)[0]) if top else line
    lines: list[str] = []
    for (node, text), (after, _) in zip(helpers, [*helpers[1:], (None, ())], strict=True):
        apart = after is None or isinstance(node, DEFINITIONS) or isinstance(after, DEFINITIONS)
        lines.extend([*text, *[""] * (2 * apart)])
    return [LineChange(at, at, lines)]


def _import_place(base: Layout) -> tuple[int, int]:
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
    start = comments_start(base.lines, first)
    blanks = 2 if isinstance(head[0], DEFINITIONS) else 1
    return (start or first), blanks


def missing_imports(source: str, changed: Sequence[ast.stmt], parser: BudgetedParser) -> list[ImportedName]:
    """Imports that the changed code lacks beyond doubt: names of typing, and standard modules used as `module.name`."""
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
    return modules + [ImportedName("typing", name) for name in sorted(unknown & _TYPING_NAMES)]
