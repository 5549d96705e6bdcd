"""Missing statements: updates, additions to a collection, a fresh start, an early end."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.place import Place
from regreen.propose.search.template import Drafts, Template
from regreen.propose.search.templates.conditions import likely_conditions
from regreen.propose.search.templates.guards import likely_results
from regreen.syntax import FUNCTIONS

_SIMPLE = (
    ast.Assign,
    ast.AugAssign,
    ast.Expr,
    ast.Return,
    ast.If,
    ast.For,
    ast.While,
    ast.Try,
    ast.With,
    ast.Raise,
    ast.Break,
    ast.Continue,
)


def insert_update(node: ast.stmt, place: Place) -> Drafts:
    """`i += 1`, `total += x`, `a = b` around a statement of a loop."""
    block = place.program.block(node)
    for attribute in place.scope.counters:
        for update in (f"{attribute} += 1", f"{attribute} -= 1"):
            yield from place.after(node, (update,))
            yield from place.before(node, (update,))
    if not _in_loop(node, place):
        return
    stored = [
        n for n in place.scope.of_kind("int", "float", "") if n in place.scope.assigned or n in place.scope.parameters
    ]
    for name in stored[:8]:
        for update in (f"{name} += 1", f"{name} -= 1"):
            yield from place.after(node, (update,), 1.0 if node is block[-1] else 0.6)
            if node is block[0]:
                yield from place.before(node, (update,), 0.5)
        yield from place.after(node, (f"{name} = 0",), 0.4)
        if block[-1] is node:
            yield from place.after(node, (f"{name} //= 2",), 0.2)
            for other in place.scope.locals:
                if other not in (name, place.scope.receiver):
                    yield from place.after(node, (f"{name} = {other}",), 0.3)
                    if place.scope.kinds.get(other, "") in ("int", "float", ""):
                        yield from place.after(node, (f"{name} += {other}",), 0.3)


def insert_reset(node: ast.stmt, place: Place) -> Drafts:
    """`current = []`, `count = 0` where a round must begin afresh: values that the function starts with elsewhere."""
    for text in place.cached("starts", lambda: list(_starting_values(place))):
        if place.text(node) != text:
            yield from place.after(node, (text,), 1.0 if _in_loop(node, place) else 0.4)
            yield from place.before(node, (text,), 0.4)


def _starting_values(place: Place) -> Iterator[str]:
    for node in place.scope.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Constant | ast.List | ast.Dict):
            continue
        if isinstance(node.targets[0], ast.Name) and "\n" not in place.text(node):
            yield place.text(node)


def reset_attribute(node: ast.stmt, place: Place) -> Drafts:
    """`self.items = []` in a method that must begin afresh: values that the object starts with."""
    for text, weight in place.cached("first attributes", lambda: list(_first_attributes(place))):
        yield from place.after(node, (text,), weight)
        if place.program.block(node)[0] is node:
            yield from place.before(node, (text,), weight)


def _first_attributes(place: Place) -> Iterator[tuple[str, float]]:
    """How the object's own constructor begins its attributes, containers first."""
    owner = None if place.scope.function is None else place.parent(place.scope.function)
    if not isinstance(owner, ast.ClassDef) or place.scope.function in (None, *_constructors(owner)):
        return
    for constructor in _constructors(owner):
        for node in constructor.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute) and _is_plain(node.value):
                yield place.text(node), 0.4 if isinstance(node.value, ast.Constant) else 1.0


def _constructors(owner: ast.ClassDef) -> list[ast.FunctionDef]:
    return [n for n in owner.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]


def _is_plain(value: ast.expr) -> bool:
    """Nothing but a constant or an empty container."""
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id in ("list", "dict", "set") and not value.args
    if isinstance(value, ast.List | ast.Dict):
        return not (value.elts if isinstance(value, ast.List) else value.keys)
    return isinstance(value, ast.Constant)


def insert_addition(node: ast.stmt, place: Place) -> Drafts:
    """`seen.add(x)`, `result.append(x)`, `counts[x] = ...` after or before a statement."""
    names = [n for n in place.scope.locals if n != place.scope.receiver]
    receivers = [(n, place.scope.kinds.get(n, "")) for n in names]
    receivers += [(f"{place.scope.receiver}.{a}", _container(a, place)) for a in place.scope.attributes]
    for owner, kind in receivers:
        methods = _ADDERS.get(kind, ())
        for method in methods:
            for value in names:
                if value != owner:
                    yield from place.after(node, (f"{owner}.{method}({value})",))
                    yield from place.before(node, (f"{owner}.{method}({value})",), 0.8)
        for method in _REMOVERS.get(kind, ()):
            yield from place.after(node, (f"{owner}.{method}",), 0.5)
            yield from place.before(node, (f"{owner}.{method}",), 0.3)


def _container(attribute: str, place: Place) -> str:
    """What an attribute of the object is used as."""
    owner, source = f"{place.scope.receiver}.{attribute}", place.program.source
    if f"{owner}.append(" in source:
        return "list"
    return "set" if f"{owner}.add(" in source else ""


_ADDERS = {"set": ("add", "remove", "discard"), "list": ("append", "extend")}
_REMOVERS = {"list": ("pop()", "sort()", "reverse()", "pop(0)", "clear()"), "set": ("clear()",), "dict": ("clear()",)}


def fill_collection(node: ast.stmt, place: Place) -> Drafts:
    """`seen.add(x)` where `x in seen` is asked and nothing is ever put into `seen`."""
    for owner, kind, asked in place.cached("idle", lambda: list(_never_filled(place))):
        for value in dict.fromkeys(
            (*asked, *(n for n in place.scope.locals if n not in (owner, place.scope.receiver)))
        ):
            share = 1.0 if value in asked else 0.3
            for line in (f"{owner}.add({value})",) if kind == "set" else (f"{owner}.append({value})",):
                yield from place.before(node, (line,), share)
                yield from place.after(node, (line,), share * 0.9)
            if kind == "dict":
                yield from place.before(node, (f"{owner}[{value}] = True",), share)


def _never_filled(place: Place) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Collections that are asked what they hold and never given anything, with what they are asked for."""
    asked: dict[str, dict[str, None]] = {}
    for test in place.scope.nodes:
        if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In | ast.NotIn):
            owner = place.text(test.comparators[0])
            asked.setdefault(owner, {}).setdefault(place.text(test.left))
    filled = {place.text(n.value) for n in place.scope.nodes if isinstance(n, ast.Attribute) and n.attr in _FILLERS}
    filled |= {
        place.text(n.value) for n in place.scope.nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)
    }
    for owner, values in asked.items():
        kind = place.scope.kinds.get(owner, "")
        if owner in place.scope.locals and owner not in filled and kind in ("set", "list", "dict"):
            yield owner, kind, tuple(values)


_FILLERS = frozenset(("add", "append", "extend", "update", "insert", "setdefault", "appendleft"))


def mirror_statement(node: ast.stmt, place: Place) -> Drafts:
    """`out.extend(a[i:])` is followed by `out.extend(b[j:])`: the twin that went missing."""
    if "\n" in place.text(node):
        return
    texts = place.cached("texts", lambda: {place.text(n) for n in place.scope.nodes if isinstance(n, ast.stmt)})
    for renaming in place.cached("twins", lambda: list(_twins(place))):
        twin = _renamed(place.text(node), renaming)
        if twin not in texts:
            yield from place.after(node, (twin,))
            yield from place.before(node, (twin,), 0.7)


def _renamed(text: str, names: dict[str, str]) -> str:
    return _WORD.sub(lambda match: names.get(match.group(), match.group()), text)


_WORD = re.compile(r"[A-Za-z_]\w*")


def _twins(place: Place) -> Iterator[dict[str, str]]:
    """Names that play the same part in pieces of the same shape: `i < len(a) and j < len(b)`."""
    seen: set[frozenset[tuple[str, str]]] = set()
    for pieces in _parallels(place):
        for one in pieces:
            for two in pieces:
                found = _renaming(one, two) if one != two else None
                key = frozenset(found.items()) if found else None
                if found and key is not None and key not in seen:
                    seen.add(key)
                    yield found


def _parallels(place: Place) -> Iterator[list[str]]:
    for node in place.scope.nodes:
        if isinstance(node, ast.BoolOp):
            yield [place.text(value) for value in node.values]
        elif isinstance(node, ast.Tuple | ast.List) and len(node.elts) <= 4:
            yield [place.text(value) for value in node.elts]
        elif isinstance(node, ast.If) and node.orelse:
            yield from ([place.text(a), place.text(b)] for a, b in zip(node.body, node.orelse, strict=False))
        body = getattr(node, "body", None)
        if isinstance(body, list):
            yield [place.text(s) for s in body if isinstance(s, ast.Assign | ast.Expr | ast.AugAssign)][:6]


def _renaming(one: str, two: str) -> dict[str, str] | None:
    """The names to change to get from one text to the other, where nothing else differs."""
    if len(one) > 120 or _WORD.sub("@", one) != _WORD.sub("@", two):
        return None
    pairs = dict(zip(_WORD.findall(one), _WORD.findall(two), strict=True))
    changed = {a: b for a, b in pairs.items() if a != b}
    return changed if len(set(changed.values())) == len(changed) else None


def copy_statement(node: ast.stmt, place: Place) -> Drafts:
    """A simple statement of the function stands a second time, elsewhere."""
    for text, weight in place.cached("simple", lambda: list(_simple_statements(place))):
        if text != place.text(node):
            yield from place.after(node, (text,), weight)
            yield from place.before(node, (text,), weight * 0.8)


def _simple_statements(place: Place) -> Iterator[tuple[str, float]]:
    seen: set[str] = set()
    for node in place.scope.nodes:
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.Return):
            text = place.text(node)
            if len(text) <= 80 and "\n" not in text and text not in seen:
                seen.add(text)
                yield text, 0.4 if isinstance(node, ast.Return) else 1.0
    stored = [n for n in place.scope.locals if n in place.scope.assigned][:8]
    for name in stored:
        for other in place.scope.locals[:8]:
            if f"{name} = {other}" not in seen and other not in (name, place.scope.receiver):
                yield f"{name} = {other}", 0.6


def insert_exit(node: ast.stmt, place: Place) -> Drafts:
    """`if c: continue` or `if c: break` before a statement of a loop; a bare `break` or `return x` after one."""
    block = place.program.block(node)
    if block[-1] is node and not isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise):
        if _in_loop(node, place):
            yield from place.after(node, ("break",))
            yield from place.after(node, ("continue",), 0.6)
        for result in likely_results(place)[:5]:
            yield from place.after(node, (f"return {result}",), 0.4)
    if not _in_loop(node, place):
        return
    for condition, weight in likely_conditions(place):
        for exit_ in ("continue", "break"):
            yield from place.before(node, (f"if {condition.text}:", f"\t{exit_}"), 0.6 * weight)


def wrap_in_condition(node: ast.stmt, place: Place) -> Drafts:
    """A statement runs only under a condition of the function or a simple one."""
    if not place.program.alone(node) or isinstance(node, ast.If) or "\n" in place.text(node):
        return
    text = place.text(node)
    for condition, weight in likely_conditions(place):
        yield from place.restate(node, (f"if {condition.text}:", f"\t{text}"), weight)


def advance_loop(node: ast.While, place: Place) -> Drafts:
    """`while i < n` whose body leaves all of `i` and `n` alone gains `i += 1`, `n //= 2`, ... at its end."""
    tested = dict.fromkeys(n.id for n in ast.walk(node.test) if isinstance(n, ast.Name) and n.id in place.scope.locals)
    bound = {n.id for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    share = 0.3 if bound & set(tested) else 1.0
    for name in tested:
        for change in ("+= 1", "-= 1", "//= 2", "//= 10", "+= 2", "-= 2", "*= 2"):
            yield from place.after(node.body[-1], (f"{name} {change}",), share)
        yield from place.after(node.body[-1], (f"{name} = {name}.next",), share * 0.5)
        yield from place.after(node.body[-1], (f"{name}.pop()",), share * 0.3)


def _in_loop(node: ast.AST, place: Place) -> bool:
    node = place.parent(node)
    while node is not place.program.tree and not isinstance(node, FUNCTIONS):
        if isinstance(node, ast.For | ast.While | ast.AsyncFor):
            return True
        node = place.parent(node)
    return False


TEMPLATES = (
    Template("advance_loop", (ast.While,), 0.15, advance_loop, 7, ("hang",)),
    Template("insert_update", _SIMPLE, 0.03, insert_update, 10, ("hang",)),
    Template("insert_reset", _SIMPLE, 0.02, insert_reset, 5, ("longer",)),
    Template("reset_attribute", _SIMPLE, 0.03, reset_attribute, 4, ("longer",)),
    Template("insert_addition", _SIMPLE, 0.02, insert_addition, 20, ("hang", "shorter", "recursion", "repeats")),
    Template("fill_collection", _SIMPLE, 0.15, fill_collection, 4, ("hang", "recursion", "repeats", "longer")),
    Template("mirror_statement", (ast.Assign, ast.AugAssign, ast.Expr), 0.03, mirror_statement, 2, ("shorter",)),
    Template("copy_statement", _SIMPLE, 0.02, copy_statement, 12, ("shorter",)),
    Template("insert_exit", _SIMPLE, 0.02, insert_exit, 40, ("longer", "hang")),
    Template(
        "wrap_in_condition",
        (ast.Assign, ast.AugAssign, ast.Expr, ast.Return),
        0.02,
        wrap_in_condition,
        40,
        ("longer", "repeats"),
    ),
)
