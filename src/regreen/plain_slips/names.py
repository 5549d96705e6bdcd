"""Names that nothing stands behind: an attribute that is misspelt, a total that only an object has."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Final

from regreen.plain_slips.given_kinds import kinds_given
from regreen.plain_slips.located_program import LocatedProgram, PlainSlip, is_own_attribute, names_stored
from regreen.standard_names import MEMBERS, MODULES
from regreen.syntax import CHANGING_METHODS, DEFINITIONS, FUNCTIONS, Function, walk
from regreen.types import Edit

_LIKE: Final = 0.85
"""Least likeness of a misspelt name to the right one, as `difflib` measures it."""


def misspelt_attributes(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`self.histroy` of a class that stands alone, has a `history`, and nothing of that name."""
    bases = {base.id for owner in program.classes() for base in owner.bases if isinstance(base, ast.Name)}
    for owner in program.classes():
        known = _attributes(owner)
        # What is derived from a class may give it what it has not itself.
        if known is None or owner.name in bases:
            continue
        for node in walk(owner):
            if not is_own_attribute(node) or isinstance(node.ctx, ast.Store):
                continue
            meant = get_close_matches(node.attr, sorted(known - {node.attr}), n=2, cutoff=_LIKE)
            if node.attr not in known and len(meant) == 1 and not node.attr.startswith("__"):
                end = program.span(node)[1]
                yield PlainSlip("misspelt_attribute", (Edit(end - len(node.attr), end, meant[0]),))


def _attributes(owner: ast.ClassDef) -> set[str] | None:
    """What an object of a class has; None where other classes or methods may give it more."""
    methods = {node.name for node in owner.body if isinstance(node, FUNCTIONS)}
    is_open = bool(methods & {"__getattr__", "__getattribute__"}) or "__init__" not in methods
    if owner.bases or owner.keywords or owner.decorator_list or is_open:
        return None
    if any(isinstance(node, ast.Name) and node.id in ("setattr", "__dict__", "vars") for node in walk(owner)):
        return None
    stored = {n.attr for n in walk(owner) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
    # Definitions may stand in a condition, as for one system or another.
    defined = {n.name for n in walk(owner) if isinstance(n, DEFINITIONS)}
    return stored | defined | {name for n in owner.body for name in names_stored(n) if not isinstance(n, FUNCTIONS)}


def unowned_totals(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`total += 1` in a method that has no such variable, of a class that has such an attribute."""
    for owner in program.classes():
        attributes = {n.attr for n in walk(owner) if is_own_attribute(n)}
        for method in owner.body:
            if not isinstance(method, FUNCTIONS) or not method.args.args:
                continue
            inside = walk(method)
            updated = [n.target for n in inside if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)]
            bound = {
                n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n not in updated
            }
            bound |= {n.arg for n in inside if isinstance(n, ast.arg)}
            bound |= {name for n in inside if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
            for target in updated:
                if target.id in attributes - bound and method.args.args[0].arg == "self":
                    start = program.span(target)[0]
                    yield PlainSlip("unowned_total", (Edit(start, start, "self."),))


def misspelt_methods(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`reached.value()` of a variable that is a dictionary wherever it is given a value."""
    for function in program.functions():
        kinds = kinds_given(walk(function), program)
        for node in walk(function):
            if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
                continue
            known = kinds.get(node.value.id, set())
            kind = next(iter(known)) if len(known) == 1 else None
            if kind is None or hasattr(kind, node.attr) or not isinstance(node.ctx, ast.Load):
                continue
            meant = get_close_matches(node.attr, [name for name in dir(kind) if name[0] != "_"], n=2, cutoff=_LIKE)
            meant = [_OF_OTHER_KINDS[kind, node.attr]] if (kind, node.attr) in _OF_OTHER_KINDS else meant
            if len(meant) == 1:
                end = program.span(node)[1]
                yield PlainSlip("misspelt_method", (Edit(end - len(node.attr), end, meant[0]),))


_OF_OTHER_KINDS: Final[dict[tuple[type, str], str]] = {
    (list, "push"): "append",
    (list, "add"): "append",
    (set, "append"): "add",
    (set, "push"): "add",
}
"""The method of a kind that does what another kind or another language has under this name."""


def shared_attributes(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`items = []` in a class whose methods do `self.items.append(x)`, beside attributes that it sets itself."""
    for owner in program.classes():
        first = next((n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        if first is None or owner.bases or owner.decorator_list or not first.args.args:
            continue
        inside = walk(owner)
        stored = {n.attr for n in inside if is_own_attribute(n) and not isinstance(n.ctx, ast.Load)}
        changed = {name for node in inside for name in _changed_attributes(node)}
        for stmt in owner.body:
            target = stmt.targets[0] if isinstance(stmt, ast.Assign) and len(stmt.targets) == 1 else None
            if not isinstance(stmt, ast.Assign) or not isinstance(target, ast.Name) or not _is_empty(stmt.value):
                continue
            is_shared = any(word in target.id.lower() for word in _SHARED) or _is_read_of_class(target.id, owner)
            if target.id in changed - stored and not is_shared:
                start, end = program.lines(stmt)
                line, indent = program.lines(first.body[-1])[1], program.indent(first.body[-1])
                written = f"{indent}self.{target.id} = {program.text(stmt.value)}\n"
                yield PlainSlip("shared_attribute", (Edit(start, end, ""), Edit(line, line, written)))


_SHARED: Final = ("regist", "cache", "instance", "pool", "all_", "known", "created")
"""Parts of the names of attributes that all objects of a class are meant to share."""


def _changed_attributes(node: ast.AST) -> Iterator[str]:
    """The attribute in `self.items.append(x)` and `self.items[key] = x`."""
    owner = node.value if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING_METHODS:
        owner = node.func.value
    if is_own_attribute(owner):
        yield owner.attr


def _is_empty(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("list", "dict", "set") and not node.args
    return isinstance(node, ast.List) or (isinstance(node, ast.Dict) and not node.keys)


def _is_read_of_class(name: str, owner: ast.ClassDef) -> bool:
    """Whether somebody says `Shop.items` or `cls.items`."""
    reads = (
        n for n in walk(owner) if isinstance(n, ast.Attribute) and n.attr == name and isinstance(n.value, ast.Name)
    )
    return any(read.value.id != "self" for read in reads)  # type: ignore[attr-defined]


def names_from_nowhere(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`found[:limit]` where no such variable is, and `self.limit` is; and `vlaues`, where nothing but `values` is."""
    if not program.unbound:
        return
    top = {node.name for node in program.module.body if isinstance(node, DEFINITIONS)}
    for function, owner in _functions_with_owner(program):
        # What a class within it defines is bound there alone.
        if any(isinstance(node, ast.ClassDef) for node in walk(function)):
            continue
        near = sorted(names_stored(function) | top)
        attributes = {n.attr for n in walk(owner) if is_own_attribute(n)} | _methods(owner) if owner else set()
        has_self = bool(function.args.args) and function.args.args[0].arg == "self"
        # Decorators and defaults stand in the class, and see its names.
        for node in (part for stmt in function.body for part in walk(stmt)):
            if not isinstance(node, ast.Name) or node.id not in program.unbound:
                continue
            meant = get_close_matches(node.id, near, n=2, cutoff=_LIKE_ENOUGH)
            if (item := _unread_item(node, program)) is not None:
                yield PlainSlip("misspelt_name", program.put(node, item))
            elif has_self and node.id in attributes:
                start = program.span(node)[0]
                yield PlainSlip("unowned_name", (Edit(start, start, "self."),))
            elif len(meant) == 1 and len(node.id) >= _LONG_ENOUGH and node.id not in MODULES | MEMBERS.keys():
                yield PlainSlip("misspelt_name", program.put(node, meant[0]))


def _unread_item(node: ast.Name, program: LocatedProgram) -> str | None:
    """The variable of the comprehension around a name, where nothing in it reads it and the name begins as it does."""
    around: ast.AST = node
    while not isinstance(around, ast.stmt):
        around = program.parents[around]
        generators: list[ast.comprehension] = getattr(around, "generators", [])
        if len(generators) == 1 and isinstance(target := generators[0].target, ast.Name):
            read = {part.id for part in walk(around) if isinstance(part, ast.Name) and part is not target}
            return target.id if target.id not in read and node.id.startswith(target.id) else None
    return None


_LIKE_ENOUGH: Final = 0.8
"""As `_LIKE`, for a name that is surely wrong."""
_LONG_ENOUGH: Final = 4
"""Characters of a name of which one may be wrong."""


def _functions_with_owner(program: LocatedProgram) -> Iterator[tuple[Function, ast.ClassDef | None]]:
    """The functions of the module and the methods of its classes, with the class."""
    for node in program.module.body:
        if isinstance(node, FUNCTIONS):
            yield node, None
        elif isinstance(node, ast.ClassDef):
            yield from ((method, node) for method in node.body if isinstance(method, FUNCTIONS))


def _methods(owner: ast.ClassDef) -> set[str]:
    return {node.name for node in owner.body if isinstance(node, FUNCTIONS)}


def kept_in_themselves(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`limit = limit` in a method of a class that reads `self.limit` and sets it nowhere."""
    for owner in program.classes():
        attributes = [node for node in walk(owner) if is_own_attribute(node)]
        set_there = {node.attr for node in attributes if not isinstance(node.ctx, ast.Load)}
        missing = {node.attr for node in attributes} - set_there - _methods(owner)
        for method in owner.body if not owner.bases else ():
            if not isinstance(method, FUNCTIONS) or not method.args.args or method.args.args[0].arg != "self":
                continue
            for node in walk(method):
                target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
                if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name) or target.id not in missing:
                    continue
                if isinstance(node.value, ast.Name) and node.value.id == target.id:
                    start = program.span(target)[0]
                    yield PlainSlip("kept_in_itself", (Edit(start, start, "self."),))


def updates_in_variables(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`balance = self.balance + amount` in a method that reads no `balance` and leaves `self.balance` as it is."""
    for owner in program.classes():
        for method in owner.body:
            if not isinstance(method, FUNCTIONS) or not method.args.args or method.args.args[0].arg != "self":
                continue
            inside = walk(method)
            read = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
            shared = {name for n in inside if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
            stored = {n.attr for n in inside if is_own_attribute(n) and not isinstance(n.ctx, ast.Load)}
            for node in inside:
                target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
                if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
                    continue
                is_update = isinstance(node.value, ast.BinOp) and any(
                    is_own_attribute(part) and part.attr == target.id for part in ast.walk(node.value)
                )
                if is_update and target.id not in read | shared | stored:
                    start = program.span(target)[0]
                    yield PlainSlip("update_in_variable", (Edit(start, start, "self."),))


NAMES: Final = (
    updates_in_variables,
    misspelt_methods,
    shared_attributes,
    misspelt_attributes,
    unowned_totals,
    names_from_nowhere,
    kept_in_themselves,
)
