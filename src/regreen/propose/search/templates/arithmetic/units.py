"""Numbers in one unit that meet numbers in another one: minutes and seconds, cents and euros, percent and shares."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from regreen.propose.search.constants import SLOW_DECLINE
from regreen.propose.search.expressions import TERM, Expression, binary_operation, function_call
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within, updated, whole_number

_FACTORS: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("ms", "millis", "milliseconds"): ("/ 1000",),
    ("s", "secs", "seconds"): ("* 1000", "/ 60", "/ 3600"),
    ("mins", "minutes"): ("* 60", "/ 60"),
    ("hours",): ("* 60", "* 3600", "/ 24"),
    ("days",): ("* 24", "* 86400", "/ 7"),
    ("weeks",): ("* 7",),
    ("years",): ("* 12", "* 365"),
    ("months",): ("/ 12",),
    ("percent", "percentage", "pct"): ("/ 100", "* 100"),
    ("cents", "pence"): ("/ 100", "* 100"),
    ("euros", "dollars", "pounds"): ("* 100",),
    ("km", "kilometers", "kilometres"): ("* 1000",),
    ("meters", "metres"): ("/ 1000", "* 100"),
    ("cm",): ("/ 100", "* 10"),
    ("mm",): ("/ 10", "/ 1000"),
    ("kg", "kilograms"): ("* 1000",),
    ("grams",): ("/ 1000",),
    ("kb", "mb"): ("* 1024",),
    ("dozens",): ("* 12",),
}
"""For the words of each unit, what turns it into the units near it."""
_FACTORS_OF_WORDS: Final = {word: factors for words, factors in _FACTORS.items() for word in words}
_SHARES: Final = frozenset(("percent", "percentage", "pct"))


def other_unit_of_number(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`start + minutes` becomes `start + minutes * 60`: of two numbers of different units one is turned; here, or
    wherever the function reads it.
    """
    factors = _FACTORS_OF_WORDS.get(_unit(node), ())
    if not factors or not _meets_another(node, context):
        return
    alike = context.cached("numbers with units", lambda: _numbers_with_units(context))
    places = alike.get(context.text(node), [node])
    entries = context.cached_of_program("entries with units", lambda: _entries_with_units(context))
    everywhere = entries.get(_called(node), []) if not isinstance(node, ast.Name) else []
    for rank, factor in enumerate(factors):
        symbol, number = factor.split()
        edits = {
            place: context.edit(place, binary_operation(context.expression(place), symbol, Expression(number)))
            for place in places
        }
        weight = 1.0 - SLOW_DECLINE * rank
        for found in here_or_everywhere(node, edits):
            yield found._replace(weight=found.weight * weight)
        if len(everywhere) > len(places) and node is everywhere[0]:
            turned = (binary_operation(context.expression(place), symbol, Expression(number)) for place in everywhere)
            yield WeightedEdits(tuple(map(context.edit, everywhere, turned)), weight)


def _unit(node: ast.AST) -> str:
    """The last word of what a value is called: `minutes` of `row["wait_minutes"]` and of `wait_minutes`."""
    # A single letter is a unit only where it follows another word.
    word = _called(node).lower().rpartition("_")
    return word[2] if word[1] or len(word[2]) > 1 else ""


def _called(node: ast.AST) -> str:
    """The name of a value, its attribute's, or the text by which it is looked up; empty of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else _key(node)


def _key(node: ast.AST) -> str:
    """The text by which a value is looked up: `row["minutes"]`, `row.get("minutes", 0)`."""
    key: ast.AST | None = None
    if isinstance(node, ast.Subscript):
        key = node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        key = node.args[0]
    return key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else ""


def _numbers_with_units(context: TemplateContext) -> dict[str, list[ast.expr]]:
    """The places in the function where each value with a unit meets another number."""
    found: dict[str, list[ast.expr]] = {}
    for node in context.scope.nodes:
        if isinstance(node, _HELD) and _unit(node) in _FACTORS_OF_WORDS and _meets_another(node, context):
            found.setdefault(context.text(node), []).append(node)
    return found


def _entries_with_units(context: TemplateContext) -> dict[str, list[ast.expr]]:
    """The same for attributes and entries all through the program, by their own names: rows go by any."""
    found: dict[str, list[ast.expr]] = {}
    for node in context.program.nodes:
        if isinstance(node, _HELD[1:]) and _unit(node) in _FACTORS_OF_WORDS and _meets_another(node, context):
            found.setdefault(_called(node), []).append(node)
    return found


def _meets_another(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a value is read, and added, compared, stored, returned or handed on as it is."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or context.is_called(node):
        return False
    parent = context.parent(node)
    if isinstance(parent, ast.BinOp):
        if isinstance(parent.op, ast.Mult | ast.Div):
            return _unit(node) in _SHARES
        return isinstance(parent.op, ast.Add | ast.Sub)
    if isinstance(parent, ast.Assign | ast.AugAssign | ast.keyword):
        target = parent.targets[0] if isinstance(parent, ast.Assign) else parent
        name = target.arg or "" if isinstance(target, ast.keyword) else _unit(getattr(target, "target", target))
        return name.lower() != _unit(node)
    return isinstance(parent, ast.Compare | ast.Return | ast.Call)


_HELD: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)


def carry_rest(node: ast.AugAssign | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`minutes %= 60` is preceded by `hours += minutes // 60`: what goes beyond is carried to the next larger unit."""
    target, whole = updated(node, ast.Mod) or (None, None)
    if isinstance(target, ast.Name) and whole is not None:
        step = f"{target.id} // {context.expression(whole).at(TERM + 1)}"
        for name in _added_to(context):
            if name != target.id:
                yield from context.before(node, (f"{name} += {step}",))


def carry_at_the_end(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return hours, minutes` is preceded by `hours += minutes // 60` and `minutes %= 60`."""
    read = names_within(node)
    totals = [name for name in _added_to(context) if name in read]
    for large, small in pairwise(totals):
        yield from context.before(node, (f"{large} += {small} // 60", f"{small} %= 60"))


def _added_to(context: TemplateContext) -> list[str]:
    """The variables that a function adds to, in the order of their first values."""
    added = {
        context.text(part.target)
        for part in context.scope.nodes
        if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add)
    }
    stored = (part.id for part in context.scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store))
    return [name for name in dict.fromkeys(stored) if name in added]


def carry_to_next(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`month = 1` behind `if month == 12:` is followed by `year += 1`: what is full begins anew, and the next grows."""
    full, value = node.targets[0], node.value
    branch = context.parent(node)
    if not isinstance(branch, ast.If) or not isinstance(value, ast.Constant) or value.value not in (0, 1):
        return
    if not isinstance(full, ast.Name | ast.Attribute) or context.text(full) not in context.text(branch.test):
        return
    beside = " ".join(context.text(part) for part in context.program.block(node) if part is not node)
    if isinstance(full, ast.Name):
        larger = [name for name in context.scope.parameters if name != full.id]
    else:
        larger = [f"{context.text(full.value)}.{name}" for name in context.scope.attributes if name != full.attr]
    numbers = [name for name in larger if name not in beside and context.scope.kinds.get(name, "int") in ("int", "")]
    for name in numbers[:_LARGER_UNITS]:
        yield from context.after(node, (f"{name} += 1",))


_LARGER_UNITS: Final = 3


def rest_behind_larger(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `hours = seconds // 3600` the `seconds` of `divmod(seconds, 60)` become `seconds % 3600`: of the hours only
    the rest is left."""
    parent = context.parent(node)
    small = _divisor(parent, node)
    if small is None:
        return
    for part in context.scope.nodes:
        large = _divisor(part, part.left) if isinstance(part, ast.BinOp) else None
        is_before = large is not None and part.lineno < node.lineno  # type: ignore[attr-defined]
        if is_before and large > small and large % small == 0 and context.text(part.left) == node.id:  # type: ignore
            yield context.put(node, Expression(f"{node.id} % {large}", TERM))


def _divisor(node: ast.AST, divided: ast.expr) -> int | None:
    """The whole number by which an operation, or `divmod`, divides; None for all else."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv) and node.left is divided:
        return whole_number(node.right) or None
    if isinstance(node, ast.Call) and callee_name(node) == "divmod" and len(node.args) > 1 and node.args[0] is divided:
        return whole_number(node.args[1]) or None
    return None


def carry_taken(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`seconds -= 60` is followed by `minutes += 1`: what was taken off is one of the next larger unit."""
    if (
        not isinstance(node.op, ast.Sub)
        or whole_number(node.value) not in _FULL
        or not isinstance(node.target, ast.Name)
    ):
        return
    beside = " ".join(context.text(part) for part in context.program.block(node) if part is not node)
    for name in context.scope.locals:
        if name != node.target.id and name not in beside and context.scope.kinds.get(name, "int") in ("int", ""):
            yield from context.after(node, (f"{name} += 1",))


_FULL: Final = frozenset({60, 24, 12, 7, 100, 1000, 3600})


def seconds_of_milliseconds(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`datetime.fromtimestamp(stamp)` becomes `datetime.fromtimestamp(stamp / 1000)` where prose has milliseconds;
    what such a function gives is multiplied."""
    around = context.parent(node)
    if not _MILLISECONDS.search(context.clues.prose) or not context.is_read(node):
        return
    if isinstance(around, ast.Call) and node in around.args and callee_name(around) in _TAKING_SECONDS:
        yield context.put(node, binary_operation(context.expression(node), "/", Expression("1000")))
    elif isinstance(node, ast.Call) and callee_name(node) in _GIVING_SECONDS:
        scaled = binary_operation(context.expression(node), "*", Expression("1000"))
        yield context.put(node, scaled)
        yield context.put(node, function_call("int", scaled))


_MILLISECONDS: Final = re.compile(r"\b(?:milliseconds?|millis|ms)\b", re.IGNORECASE)
_TAKING_SECONDS: Final = ("fromtimestamp", "utcfromtimestamp", "sleep", "gmtime", "localtime", "wait", "settimeout")
_GIVING_SECONDS: Final = ("timestamp", "total_seconds", "time", "monotonic", "perf_counter")


_SCALED: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)
TEMPLATES = (
    Template("seconds_of_milliseconds", _SCALED, seconds_of_milliseconds, ("content", "raises")),
    Template("carry_taken", (ast.AugAssign,), carry_taken, ("content", "zero")),
    Template("rest_behind_larger", (ast.Name,), rest_behind_larger, ("content", "larger")),
    Template("carry_to_next", (ast.Assign,), carry_to_next, ("content",)),
    Template("carry_rest", (ast.AugAssign, ast.Assign), carry_rest),
    Template("carry_at_the_end", (ast.Return,), carry_at_the_end),
    Template("other_unit_of_number", _HELD, other_unit_of_number, ("content", "close")),
)
