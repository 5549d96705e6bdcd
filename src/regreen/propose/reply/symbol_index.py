"""The symbols that the blocks of a reply define, and those of them that a set of definitions needs."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from regreen.propose.reply.layout import Layout
from regreen.propose.reply.name_analysis import bound_names, free_names
from regreen.propose.reply.reply_result import SyntaxProblem
from regreen.syntax import DEFINITIONS, Definition, module_statements, walk


@dataclass(frozen=True, slots=True)
class IndexedStatement:
    """A statement of a reply's module, and the text that holds it."""

    layout: Layout
    node: ast.stmt


@dataclass(frozen=True, slots=True)
class ImportedName:
    """One imported name, written as an import statement of its own by `str`."""

    module: str | None
    """Module of a `from` import, with its leading dots; None for a plain `import name`."""
    name: str
    alias: str | None = None

    @property
    def bound(self) -> str:
        return self.alias or (self.name.partition(".")[0] if self.module is None else self.name)

    def __str__(self) -> str:
        what = f"{self.name} as {self.alias}" if self.alias else self.name
        return f"import {what}" if self.module is None else f"from {self.module} import {what}"


@dataclass(slots=True)
class SymbolIndex:
    """Definitions, imports and assignments by the names that they bind; later ones win."""

    definitions: dict[str, tuple[Layout, Definition]] = field(default_factory=dict)
    statements: dict[str, IndexedStatement] = field(default_factory=dict)
    """Other statements that bind a name: assignments, and `if` and `try` with some in them."""
    imports: dict[str, ImportedName] = field(default_factory=dict)
    stars: list[ImportedName] = field(default_factory=list)
    broken: dict[str, SyntaxProblem] = field(default_factory=dict)
    places: dict[ast.stmt, tuple[int, Layout]] = field(default_factory=dict)
    """Each statement with its number in the order of the blocks, and the text that holds it."""

    def add(self, layout: Layout, broken: Mapping[str, SyntaxProblem]) -> None:
        """Add what one block defines."""
        self.broken.update(broken)
        for node in layout.tree.body:
            self.places[node] = len(self.places), layout
            if isinstance(node, DEFINITIONS):
                self.definitions.pop(node.name, None)
                self.definitions[node.name] = layout, node
                self.broken.pop(node.name, None)
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for line in import_lines(node):
                    if line.name == "*":
                        self.stars.append(line)
                    else:
                        self.imports[line.bound] = line
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Try, ast.If)) and not is_main(node):
                self.statements.update(dict.fromkeys(bound_names(node), IndexedStatement(layout, node)))

    def needed(self, roots: Iterable[ast.AST], known: Collection[str]) -> set[str]:
        """Names of the index that the roots use, directly or not, other than the known ones."""
        found: set[str] = set()
        pending = [name for root in roots for name in free_names(root)]
        while pending:
            name = pending.pop()
            if name in found or name in known:
                continue
            node = self.node(name)
            if node is not None or name in self.imports:
                found.add(name)
                pending.extend(free_names(node) if node is not None else ())
        return found

    def in_order(self, names: Iterable[str]) -> list[tuple[ast.stmt, Layout]]:
        """The definitions and statements that bind the names, in the order of the blocks, with their texts."""
        nodes = {node for name in names if (node := self.node(name)) is not None}
        return [(node, self.places[node][1]) for node in sorted(nodes, key=lambda node: self.places[node][0])]

    def node(self, name: str) -> ast.stmt | None:
        """The definition, or else the statement, that binds a name; None where neither does."""
        if name in self.definitions:
            return self.definitions[name][1]
        return self.statements[name].node if name in self.statements else None


def import_lines(node: ast.Import | ast.ImportFrom) -> list[ImportedName]:
    """The names of an import statement, each as an import of its own."""
    if isinstance(node, ast.Import):
        return [ImportedName(None, alias.name, alias.asname) for alias in node.names]
    module = "." * node.level + (node.module or "")
    return [ImportedName(module, alias.name, alias.asname) for alias in node.names]


def is_main(node: ast.stmt) -> bool:
    """Whether a statement is `if __name__ == ...`."""
    return isinstance(node, ast.If) and any(
        isinstance(part, ast.Name) and part.id == "__name__" for part in walk(node.test)
    )


def module_names(tree: ast.Module) -> set[str]:
    """Every name that a module binds, in its blocks too."""
    names: set[str] = set()
    for node in tree.body:
        names |= bound_names(node)
    return names


def imports_of(tree: ast.Module) -> set[ImportedName]:
    """Every name that a module imports outside of functions."""
    found: set[ImportedName] = set()
    for node in module_statements(tree.body):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.update(import_lines(node))
    return found


def index_symbols(layouts: Sequence[tuple[Layout, Mapping[str, SyntaxProblem]]]) -> SymbolIndex:
    """The index of several blocks; of two symbols with one name, the later block's wins."""
    index = SymbolIndex()
    for layout, broken in layouts:
        index.add(layout, broken)
    return index
