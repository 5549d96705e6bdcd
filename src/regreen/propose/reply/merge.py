"""Merges what a reply defines into the program; text outside of what is replaced stays byte for byte."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from regreen.propose.reply.assembly import LineChange, apply_changes, helper_change, import_change, missing_imports
from regreen.propose.reply.code_equality import same_code, same_nodes
from regreen.propose.reply.completeness import elision, is_stub
from regreen.propose.reply.fit import reindented, replacement_lines
from regreen.propose.reply.layout import Layout, methods_of
from regreen.propose.reply.name_analysis import bound_names, free_names
from regreen.propose.reply.parsing import BudgetedParser
from regreen.propose.reply.reply_result import ReplyFault, ReplyFaultKind, ReplyProgram, SyntaxProblem
from regreen.propose.reply.signature import signature_problem
from regreen.propose.reply.symbol_index import ImportedName, SymbolIndex, imports_of, module_names
from regreen.syntax import DEFINITIONS, Definition, Function, body_after_docstring

_SELVES = ("self", "cls", "mcs")


class _MergeFailure(Exception):
    """The reply cannot be merged into the program; carries the fault."""

    def __init__(self, fault: ReplyFault) -> None:
        super().__init__(fault.detail)
        self.fault = fault


@dataclass(slots=True)
class _MergeState:
    """Changes, names and notes gathered so far."""

    changes: list[LineChange] = field(default_factory=list)
    replaced: dict[tuple[int, int], LineChange] = field(default_factory=dict)
    """Replacements by the lines that they replace: of two for the same lines, the later one counts."""
    roots: list[ast.stmt] = field(default_factory=list)
    """Definitions of the reply that the program has as well, changed or not."""
    changed: list[ast.stmt] = field(default_factory=list)
    """Statements of the reply that go into the program."""
    names: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stubs: list[str] = field(default_factory=list)
    """Functions that the reply gives without a body, and that stay as they are."""
    anchors: list[int] = field(default_factory=list)
    """First lines, from 0, of the definitions that the reply has too: helpers go before the first of them."""


def merge_definitions(
    base: Layout, index: SymbolIndex, entry: str | None, parser: BudgetedParser
) -> ReplyProgram | ReplyFault:
    """The program with the functions and classes of a reply in the places of its own.

    Every definition that both have and that differs is taken. Other symbols of the reply come along where these need
    them.
    """
    try:
        return _Merger(base, index, entry, parser).merged()
    except _MergeFailure as failure:
        return failure.fault


class _Merger:
    """One merge of the symbols of a reply into a program."""

    def __init__(self, base: Layout, index: SymbolIndex, entry: str | None, parser: BudgetedParser) -> None:
        self._base = base
        self._index = index
        self._entry = entry
        self._parser = parser
        self._state = _MergeState()
        self._known = module_names(base.tree)

    def merged(self) -> ReplyProgram | ReplyFault:
        for name, (layout, node) in self._index.definitions.items():
            self._definition(name, layout, node)
        if not self._state.roots:
            return self._nothing_shared()
        self._constants()
        needed = self._index.needed(self._state.roots, self._known)
        self._refuse_broken(needed)
        imports = self._imports(needed)
        helpers = self._index.in_order(needed)
        self._state.notes.extend(f"the helper `{h.name}` came along" for h, _ in helpers if isinstance(h, DEFINITIONS))
        source = self._assembled(imports, helpers)
        if missing := missing_imports(source, [*self._state.changed, *(node for node, _ in helpers)], self._parser):
            self._state.notes.extend(f"`{line}` was added, because the reply uses it" for line in missing)
            source = self._assembled([*imports, *missing], helpers)
        return self._checked(source)

    def _nothing_shared(self) -> ReplyFault:
        """The fault of a reply that has the function only elsewhere: in a class that the program does not have."""
        found = ", ".join(f"`{name}`" for name in list(self._index.definitions)[:5])
        detail = f"The reply defines {found}, which the program does not. Give the function as it stands there."
        return ReplyFault(ReplyFaultKind.NO_FUNCTION, detail)

    def _checked(self, source: str) -> ReplyProgram | ReplyFault:
        tree = self._parser.tree(source)
        if isinstance(tree, SyntaxProblem):
            return ReplyFault(ReplyFaultKind.SYNTAX, str(tree), tree.line)
        if same_code(self._base.source, source):
            if self._state.stubs:
                return ReplyFault(
                    ReplyFaultKind.ELIDED, f"The body of `{self._state.stubs[0]}` is left out. Write it in full."
                )
            return ReplyFault(ReplyFaultKind.UNCHANGED, "The code is the same as before.")
        notes = [f"`{name}` has no body in the reply and was kept" for name in self._state.stubs]
        return ReplyProgram(
            source, tuple(dict.fromkeys([*self._state.notes, *notes])), 0, tuple(dict.fromkeys(self._state.names))
        )

    def _definition(self, name: str, layout: Layout, node: Definition) -> None:
        """Take one definition of the reply: for the module or for a class; others are left to those that use them."""
        base = self._base
        if isinstance(node, ast.ClassDef):
            if name in base.classes:
                self._class(base.classes[name], layout, node)
            elif name in base.functions:
                raise _MergeFailure(
                    ReplyFault(ReplyFaultKind.SIGNATURE, f"`{name}` has to be a function, not a class.")
                )
        elif name in base.functions:
            self._function(name, base.functions[name], layout, node, is_method=False)
        elif name in base.classes:
            raise _MergeFailure(ReplyFault(ReplyFaultKind.SIGNATURE, f"`{name}` has to be a class, not a function."))
        elif name in base.methods:
            self._lone_method(name, base.methods[name], layout, node)
        elif statement := base.lambdas.get(name):
            self._state.roots.append(node)
            self._replace(
                name, statement, reindented(layout, node, base.indent(statement), base.unit, self._parser), node
            )

    def _lone_method(
        self, name: str, owners: list[tuple[ast.ClassDef, Function]], layout: Layout, node: Function
    ) -> None:
        """Put a method that came without its class back into it; a helper that only shares its name stays out."""
        first = next((argument.arg for argument in (*node.args.posonlyargs, *node.args.args)), "")
        if first not in _SELVES and name != self._entry and not node.decorator_list:
            return
        if len(owners) > 1:
            classes = ", ".join(f"`{owner.name}`" for owner, _ in owners)
            raise _MergeFailure(
                ReplyFault(
                    ReplyFaultKind.AMBIGUOUS,
                    f"`{name}` is a method of {classes}. Give it within its `class` statement.",
                )
            )
        owner, place = owners[0]
        self._state.notes.append(f"`{name}` was put back into the class `{owner.name}`")
        self._function(f"{owner.name}.{name}", place, layout, node, is_method=True)

    def _function(self, name: str, place: Function, layout: Layout, node: Function, *, is_method: bool) -> None:
        self._state.roots.append(node)
        self._state.anchors.append(self._base.span(place)[0])
        if _adds_nothing(node, place):
            return
        if is_stub(node) and not is_stub(place):
            self._state.stubs.append(name)
            return
        written = [*layout.text(node), *layout.comments_after(node)]
        if remark := elision(place, node, self._base.text(place), written):
            detail = f"A part of `{name}` is left out: `{remark}`. Write the whole function."
            raise _MergeFailure(ReplyFault(ReplyFaultKind.ELIDED, detail))
        if problem := signature_problem(place, node, is_method=is_method):
            raise _MergeFailure(ReplyFault(ReplyFaultKind.SIGNATURE, problem))
        lines, notes = replacement_lines(layout, node, self._base, place, self._parser)
        self._state.notes.extend(notes)
        self._replace(name, place, lines, node)

    def _replace(self, name: str, place: ast.stmt, lines: Sequence[str], node: ast.stmt) -> None:
        first, last = self._base.span(place)
        self._state.anchors.append(first)
        self._state.replaced[first, last] = LineChange(first, last, lines)
        self._state.changed.append(node)
        self._state.names.append(name)

    def _class(self, place: ast.ClassDef, layout: Layout, node: ast.ClassDef) -> None:
        """Take a class member by member: what the reply leaves out stays."""
        mine = methods_of(place)
        self._state.roots.append(node)
        if same_nodes([node], [place]):
            return
        if not mine:
            margin = self._base.indent(place)
            self._replace(place.name, place, reindented(layout, node, margin, self._base.unit, self._parser), node)
            return
        self._heading(place, layout, node)
        self._attributes(place, layout, node)
        margin = self._base.indent(next(iter(mine.values())))
        for key, method in methods_of(node).items():
            if key in mine:
                self._function(f"{place.name}.{key}", mine[key], layout, method, is_method=True)
            else:
                end = self._base.span(place)[1]
                lines = reindented(layout, method, margin, self._base.unit, self._parser)
                self._state.changes.append(LineChange(end, end, ["", *lines]))
                self._state.changed.append(method)
                self._state.notes.append(f"the method `{key}` was added to `{place.name}`")

    def _heading(self, place: ast.ClassDef, layout: Layout, node: ast.ClassDef) -> None:
        """Take the bases of a class, where the reply names others."""
        same = same_nodes(node.bases, place.bases) and same_nodes(node.keywords, place.keywords)
        if same or not (node.bases or node.keywords):
            return
        old, new = (x.span(y.body[0])[0] for x, y in ((self._base, place), (layout, node)))
        if old > place.lineno - 1 and new > node.lineno - 1:
            margin = self._base.indent(place)
            heading = [margin + line.removeprefix(layout.indent(node)) for line in layout.lines[node.lineno - 1 : new]]
            self._state.changes.append(LineChange(place.lineno - 1, old, heading))

    def _attributes(self, place: ast.ClassDef, layout: Layout, node: ast.ClassDef) -> None:
        """Take class variables: new values for old ones, and new variables before the first method."""
        mine = {name: s for s in place.body if _assigns(s) for name in bound_names(s)}
        method = next(iter(methods_of(place).values()))
        margin = self._base.indent(method)
        above = [self._base.span(s)[1] for s in mine.values() if s.lineno < method.lineno]
        for statement in node.body:
            if not _assigns(statement) or not layout.alone(statement):
                continue
            old = next((mine[name] for name in bound_names(statement) if name in mine), None)
            lines = [margin + layout.cut(statement)]
            if old is None:
                first = max(above, default=self._base.span(method)[0])
                self._state.changes.append(LineChange(first, first, lines if above else [*lines, ""]))
            elif self._base.alone(old) and not same_nodes([old], [statement]):
                self._state.changes.append(LineChange(*self._base.span(old), lines))

    def _constants(self) -> None:
        """Take variables of the module that both have, unless their value calls a function: that is a usage example."""
        if not self._index.statements:
            return
        functions = {*self._base.functions, *self._base.classes, *self._index.definitions}
        used = {name for node in (*self._state.roots, *self._base.tree.body) for name in free_names(node)}
        own = {name: s for s in self._base.tree.body if _assigns(s) for name in bound_names(s)}
        for name, item in self._index.statements.items():
            place = own.get(name)
            if place is None or name not in used or not _assigns(item.node) or not self._base.alone(place):
                continue
            if name not in self._base.lambdas and free_names(item.node) & functions:
                continue
            if not same_nodes([place], [item.node]):
                self._replace(name, place, [item.layout.cut(item.node)], item.node)

    def _refuse_broken(self, needed: set[str]) -> None:
        """Fail on a helper that is used and does not parse: the program could not run."""
        used = {name for node in self._state.roots for name in free_names(node)} | needed
        for name in sorted(used & self._index.broken.keys() - self._known):
            problem = self._index.broken[name]
            raise _MergeFailure(ReplyFault(ReplyFaultKind.SYNTAX, f"`{name}` does not parse. {problem}", problem.line))

    def _imports(self, needed: set[str]) -> list[ImportedName]:
        """The imports to add: needed ones, other sources of a name that the program imports, and star imports."""
        here = imports_of(self._base.tree)
        found = [line for name, line in self._index.imports.items() if name in needed]
        bound = {line.bound: line for line in here}
        used = {name for node in self._state.changed for name in free_names(node)}
        for name in sorted(used & bound.keys() & self._index.imports.keys()):
            line = self._index.imports[name]
            if line not in here and not _same_package(line, bound[name]):
                self._state.notes.append(f"`{name}` now comes from `{line}`")
                found.append(line)
        found.extend(line for line in self._index.stars if line not in here and used - self._known)
        return [line for line in dict.fromkeys(found) if line not in here]

    def _assembled(self, imports: Sequence[ImportedName], helpers: Sequence[tuple[ast.stmt, Layout]]) -> str:
        unit = self._base.unit
        texts = [
            (node, reindented(layout, node, "", unit, self._parser) if layout.alone(node) else [layout.cut(node)])
            for node, layout in helpers
        ]
        line = min(self._state.anchors, default=len(self._base.lines))
        added = [*import_change(self._base, imports), *helper_change(self._base, texts, line)]
        return apply_changes(self._base, [*added, *self._state.changes, *self._state.replaced.values()])


def _adds_nothing(node: Function, place: Function) -> bool:
    """Whether a new function changes nothing in the old one; missing `async` and decorators are no change."""
    if isinstance(node, ast.AsyncFunctionDef) and not isinstance(place, ast.AsyncFunctionDef):
        return False
    pairs: list[tuple[Sequence[ast.AST], Sequence[ast.AST]]]
    pairs = [([node.args], [place.args]), (body_after_docstring(node), body_after_docstring(place))]
    if node.decorator_list:
        pairs.append((node.decorator_list, place.decorator_list))
    return all(same_nodes(one, other) for one, other in pairs)


def _assigns(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Assign, ast.AnnAssign))


def _same_package(one: ImportedName, other: ImportedName) -> bool:
    """Whether both import parts of one package under its own name, as `os` and `os.path` do."""
    return one.module is None and other.module is None and not one.alias and not other.alias
