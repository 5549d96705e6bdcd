"""Missing statements: guards and base cases, updates, additions to a collection, an early end, a result handed back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.place import Place
from regreen.propose.search.program import FUNCTIONS, Function, body_of
from regreen.propose.search.template import Drafts, Template
from regreen.propose.search.templates.conditions import likely_conditions

_EMPTY = {"list": "[]", "str": "''", "dict": "{}", "set": "set()", "tuple": "()", "int": "0", "float": "0.0", "bool": "False"}
_SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Raise)


def guard(node: Function, place: Place) -> Drafts:
    """`if not xs: return []` and its like before everything else: base cases and empty inputs."""
    first = body_of(node)[0]
    for condition, results, weight in _guards(place):
        for rank, result in enumerate(results):
            yield from place.before(first, (f"if {condition}:", f"\treturn {result}"), weight * 0.85**rank)


def _guards(place: Place) -> Iterator[tuple[str, tuple[str, ...], float]]:
    results = _results(place)
    parameters = [p for p in place.scope.parameters if p != place.scope.receiver]
    for name in parameters:
        kind = place.scope.kinds.get(name, "")
        if kind not in ("int", "float"):
            yield f"not {name}", tuple(dict.fromkeys((*results, name))), 1.0
            yield f"{name} is None", tuple(dict.fromkeys((*results, name))), 0.5
            yield f"len({name}) <= 1", tuple(dict.fromkeys((name, *results, f"{name}[0]"))), 0.5
        if kind in ("int", "float", ""):
            for test in ("== 0", "<= 1", "< 0", "== 1", "<= 0", "< 2", "== 2"):
                yield f"{name} {test}", tuple(dict.fromkeys((*results[:6], name, "1", "0"))), 0.8
    for one in parameters:
        for other in parameters:
            if one != other:
                yield from ((f"{one} {symbol} {other}", results, 0.5) for symbol in ("==", ">", "<", "in"))
                yield f"not {one} or not {other}", results, 0.2


def _results(place: Place) -> tuple[str, ...]:
    """What a function may hand back early: what it hands back elsewhere, what the checks expect, empty values."""
    returned = [n.value for n in place.scope.nodes if isinstance(n, ast.Return) and n.value is not None]
    constants = [place.text(value) for value in returned if isinstance(value, ast.Constant)]
    kinds = [place.kind(value) for value in returned]
    empty = [_EMPTY[kind] for kind in kinds if kind in _EMPTY]
    expected = place.evidence.outputs[:3]
    text = [repr(value) for value in place.evidence.output_strings[:3]]
    return tuple(dict.fromkeys((*empty, *constants, "None", "False", "True", "0", "[]", "''", "1", "-1", *expected, *text)))[:12]


def guard_raise(node: Function, place: Place) -> Drafts:
    """`if n < 0: raise ValueError(...)` before everything else, for the exceptions that the checks or the prose name."""
    first = body_of(node)[0]
    for exception in place.evidence.exceptions[:3]:
        for condition, _, weight in _guards(place):
            yield from place.before(first, (f"if {condition}:", f"\traise {exception}"), weight)


def default_value(node: Function, place: Place) -> Drafts:
    """`if x is None: x = []` before everything else; for a parameter that may be left out first."""
    first = body_of(node)[0]
    defaults = len(node.args.defaults)
    optional = {a.arg for a in node.args.args[len(node.args.args) - defaults :]}
    for name in place.scope.parameters:
        if name == place.scope.receiver:
            continue
        share = 1.0 if name in optional else 0.2
        kind = place.scope.kinds.get(name, "")
        for value in dict.fromkeys((_EMPTY.get(kind, "[]"), "[]", "{}", "set()", "0", "''")):
            yield from place.before(first, (f"if {name} is None:", f"\t{name} = {value}"), share)


def convert_parameter(node: Function, place: Place) -> Drafts:
    """`s = s.lower()`, `xs = list(xs)`, `xs = sorted(xs)` before everything else."""
    first = body_of(node)[0]
    for name in place.scope.parameters:
        if name == place.scope.receiver:
            continue
        for shape in _CONVERSIONS.get(place.scope.kinds.get(name, ""), _ANY):
            yield from place.before(first, (f"{name} = {shape.format(name)}",))


_CONVERSIONS = {
    "str": ("{}.lower()", "{}.strip()", "{}.replace(' ', '')", "{}.upper()", "{}.split()", "str({})"),
    "list": ("sorted({})", "list({})", "{}[:]", "list(set({}))", "set({})"),
    "int": ("abs({})", "int({})", "str({})"),
    "float": ("abs({})", "float({})", "round({})"),
    "dict": ("dict({})", "{}.copy()"),
    "set": ("set({})",),
    "tuple": ("list({})", "sorted({})"),
}
_ANY = ("sorted({})", "list({})", "{}.lower()", "{}.strip()", "abs({})", "str({})", "int({})", "{}.copy()")


def final_return(node: Function, place: Place) -> Drafts:
    """`return x` at the end of a function that ends without one."""
    last = node.body[-1]
    if isinstance(last, ast.Return | ast.Raise) or node.name == "__init__" or any(isinstance(n, ast.Yield) for n in place.scope.nodes):
        return
    stored = [n for n in place.scope.locals if n in place.scope.assigned]
    names = [*reversed(stored), *(n for n in place.scope.locals if n not in stored)]
    for name in names:
        yield from place.after(last, (f"return {name}",), 0.4 if name == place.scope.receiver else 1.0)
    for value in ("True", "False", "0", "[]", "''", "-1", "1", "{}"):
        yield from place.after(last, (f"return {value}",), 0.5)
    for attribute in place.scope.attributes:
        yield from place.after(last, (f"return {place.scope.receiver}.{attribute}",), 0.4)


def insert_update(node: ast.stmt, place: Place) -> Drafts:
    """`i += 1`, `total += x`, `a = b` around a statement of a loop."""
    block = place.program.block(node)
    for attribute in place.scope.counters:
        for update in (f"{attribute} += 1", f"{attribute} -= 1"):
            yield from place.after(node, (update,))
            yield from place.before(node, (update,))
    if not _in_loop(node, place):
        return
    stored = [n for n in place.scope.of_kind("int", "float", "") if n in place.scope.assigned or n in place.scope.parameters]
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
    """`current = []`, `count = 0` where a round or a branch must begin afresh; values that the function starts with elsewhere."""
    for text in place.cached("starts", lambda: list(_starting_values(place))):
        if place.text(node) != text:
            yield from place.after(node, (text,), 1.0 if _in_loop(node, place) else 0.4)
            yield from place.before(node, (text,), 0.4)


def _starting_values(place: Place) -> Iterator[str]:
    for node in place.scope.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            if isinstance(node.value, ast.Constant | ast.List | ast.Dict) and "\n" not in place.text(node):
                yield place.text(node)


def insert_addition(node: ast.stmt, place: Place) -> Drafts:
    """`seen.add(x)`, `result.append(x)`, `counts[x] = ...` after or before a statement."""
    names = [n for n in place.scope.locals if n != place.scope.receiver]
    receivers = [(n, place.scope.kinds.get(n, "")) for n in names]
    receivers += [(f"{place.scope.receiver}.{a}", "") for a in place.scope.attributes]
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


_ADDERS = {"set": ("add", "remove", "discard"), "list": ("append", "extend")}
_REMOVERS = {"list": ("pop()", "sort()", "reverse()", "pop(0)"), "set": ("clear()",)}


def fill_collection(node: ast.stmt, place: Place) -> Drafts:
    """`seen.add(x)` where `x in seen` is asked and nothing is ever put into `seen`."""
    for owner, kind, asked in place.cached("idle", lambda: list(_never_filled(place))):
        for value in dict.fromkeys((*asked, *(n for n in place.scope.locals if n not in (owner, place.scope.receiver)))):
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
    filled |= {place.text(n.value) for n in place.scope.nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)}
    for owner, values in asked.items():
        kind = place.scope.kinds.get(owner, "")
        if owner in place.scope.locals and owner not in filled and kind in ("set", "list", "dict"):
            yield owner, kind, tuple(values)


_FILLERS = frozenset(("add", "append", "extend", "update", "insert", "setdefault", "appendleft"))


def mirror_statement(node: ast.stmt, place: Place) -> Drafts:
    """`out.extend(a[i:])` is followed by `out.extend(b[j:])`: the twin that went missing."""
    if "\n" in place.text(node):
        return
    text = place.text(node)
    for renaming in place.cached("twins", lambda: list(_twins(place))):
        twin = _WORD.sub(lambda match, names=renaming: names.get(match.group(), match.group()), text)
        if twin != text and twin not in place.cached("texts", lambda: {place.text(n) for n in place.scope.nodes if isinstance(n, ast.stmt)}):
            yield from place.after(node, (twin,))
            yield from place.before(node, (twin,), 0.7)


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
    """`if c: continue`, `if c: break`, `if c: return x` before a statement of a loop; a bare `break` or `return` after one."""
    block = place.program.block(node)
    if block[-1] is node and not isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise):
        if _in_loop(node, place):
            yield from place.after(node, ("break",))
            yield from place.after(node, ("continue",), 0.6)
        for result in _results(place)[:5]:
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
    Template("guard", FUNCTIONS, 0.12, guard, 20, ("recursion", "zero", "index", "empty", "none", "type", "value")),
    Template("guard_raise", FUNCTIONS, 0.03, guard_raise, 25),
    Template("default_value", FUNCTIONS, 0.02, default_value, 6, ("type", "none", "attribute")),
    Template("convert_parameter", FUNCTIONS, 0.015, convert_parameter, 8, ("case", "space", "order", "copy")),
    Template("final_return", FUNCTIONS, 0.12, final_return, 5, ("none",)),
    Template("advance_loop", (ast.While,), 0.15, advance_loop, 7, ("hang",)),
    Template("insert_update", _SIMPLE, 0.03, insert_update, 10, ("hang",)),
    Template("insert_reset", _SIMPLE, 0.02, insert_reset, 5, ("longer",)),
    Template("insert_addition", _SIMPLE, 0.02, insert_addition, 20, ("hang", "shorter", "recursion", "repeats")),
    Template("fill_collection", _SIMPLE, 0.15, fill_collection, 4, ("hang", "recursion", "repeats", "longer")),
    Template("mirror_statement", (ast.Assign, ast.AugAssign, ast.Expr), 0.03, mirror_statement, 2, ("shorter",)),
    Template("copy_statement", _SIMPLE, 0.02, copy_statement, 12, ("shorter",)),
    Template("insert_exit", _SIMPLE, 0.02, insert_exit, 40, ("longer", "hang")),
    Template("wrap_in_condition", (ast.Assign, ast.AugAssign, ast.Expr, ast.Return), 0.02, wrap_in_condition, 40, ("longer", "repeats")),
)
