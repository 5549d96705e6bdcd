"""What goes round: two ways between places on a circle, and an alphabet of each case for letters that are moved on."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from typing import Final, TypeGuard

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE
from regreen.propose.search.expressions import COMPARISON_SYMBOLS, OPERATOR_SYMBOLS, SUM, TERM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, names_within, whole_number
from regreen.types import Edit

_CIRCLES: Final = {360: {"degrees", "degree", "angle", "bearing", "heading"}, 24: {"hour", "hours", "clock"}} | {
    12: {"month", "months", "clock"},
    60: {"minute", "minutes", "second", "seconds"},
    7: {"weekday", "weekdays"},
    26: {"letter", "letters", "alphabet"},
}
"""How far it is round, and the words that speak of it."""
_SMALLEST: Final = 3
_MOST_CIRCLES: Final = 6
_ASKS_CASE: Final = ("upper", "lower", "<=", ">=")
"""What a condition holds that is true of letters of one case."""


def shorter_way_round(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`abs(a - b)` becomes `min(abs(a - b), 360 - abs(a - b))`: round a circle, it may be nearer the other way."""
    if callee_name(node) != "abs" or len(node.args) != 1 or not _is_difference(node.args[0]):
        return
    parent = context.parent(node)
    if isinstance(parent, ast.Call) and callee_name(parent) == "min":
        return
    way = context.text(node)
    for around, weight in _circles(context):
        if isinstance(parent, ast.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ast.Name):
            name = parent.targets[0].id
            yield from context.after(parent, (f"{name} = min({name}, {around} - {name})",), weight)
        else:
            yield context.put(node, f"min({way}, {around} - {way})", weight)


def _is_difference(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)


def _circles(context: TemplateContext) -> list[tuple[str, float]]:
    """How far it may be round, as text: what prose speaks of, numbers one beyond the last, lengths, parameters."""
    found = {str(number): 1.0 for number, words in _CIRCLES.items() if words & context.clues.words}
    told = [int(number) for number in context.clues.numbers if number.isdigit() and int(number) >= _SMALLEST]
    found |= {str(number): LIKELY for last in told for number in (last + 1, last) if str(number) not in found}
    lengths = (part for part in context.scope.nodes if isinstance(part, ast.Call) and callee_name(part) == "len")
    found |= {context.text(part): LIKELY for part in lengths}
    held = (*context.scope.parameters, *context.scope.attributes)
    found |= {name: POSSIBLE for name in held if context.scope.kinds.get(name, "") in ("int", "float")}
    return list(found.items())[:_MOST_CIRCLES]


def wrap_as_turned_back(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`look = look + 1` becomes `look = (look + 1) % 4` where `look = (look - 1) % 4` stands elsewhere: it goes round
    either way."""
    place, step = _step(node, context)
    if place:
        for around in context.cached(f"turns of {place}", lambda: sorted(_turns(place, context))):
            yield from context.restate(node, (f"{place} = ({step}) % {around}",))


def _step(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> tuple[str, str]:
    """`look` and `look + 1` of `look = look + 1` and of `look += 1`; two empty texts for what moves nothing on."""
    match node:
        case ast.AugAssign(target=target, op=ast.Add() | ast.Sub() as op, value=value):
            place, sign = context.text(target), OPERATOR_SYMBOLS[type(op)][0]
            return place, f"{place} {sign} {context.expression(value).at(TERM)}"
        case ast.Assign(targets=[target], value=ast.BinOp(left=before, op=ast.Add() | ast.Sub()) as moved):
            if context.text(before) == context.text(target):
                return context.text(target), context.text(moved)
    return "", ""


def _turns(place: str, context: TemplateContext) -> set[str]:
    """By what a variable is taken modulo where it is moved on."""
    found = set()
    for part in context.program.nodes:
        match part:
            case ast.AugAssign(target=target, op=ast.Mod(), value=around):
                is_moved = context.text(target) == place
            case ast.Assign(targets=[target], value=ast.BinOp(left=moved, op=ast.Mod(), right=around)):
                is_moved = context.text(target) == place and place in context.text(moved)
            case _:
                continue
        if is_moved:
            found.add(context.expression(around).at(TERM + 1))
    return found


def wrap_for_clamp(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(0, min(rows - 1, row))` becomes `row % rows`, everywhere or here: behind one edge comes the other."""
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call) and part in context.program.spans)
    made = {call: wrapped for call in calls if (wrapped := _wrapped(call, context)) is not None}
    yield from here_or_everywhere(node, {call: context.edit(call, wrapped) for call, wrapped in made.items()})


def _wrapped(call: ast.Call, context: TemplateContext) -> Expression | None:
    """`x % n` for `max(0, min(n - 1, x))`, in whatever order; None for another call."""
    inner = next((one for one in call.args if isinstance(one, ast.Call)), None)
    if inner is None or {callee_name(call), callee_name(inner)} != {"min", "max"}:
        return None
    bounds = [one for one in (*call.args, *inner.args) if one is not inner]
    first = [one for one in bounds if whole_number(one) == 0]
    last = [one for one in bounds if isinstance(one, ast.BinOp) and context.text(one).endswith("- 1")]
    place = [one for one in bounds if one not in first and one not in last]
    if [len(first), len(last), len(place)] != [1, 1, 1]:
        return None
    around = context.expression(last[0].left).at(TERM + 1)
    return Expression(f"{context.expression(place[0]).at(TERM)} % {around}", TERM)


def turn_other_way(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[k:] + xs[:k]`, which turns to the left, becomes `xs[-k:] + xs[:-k]`, which turns to the right; and back."""
    sides = (node.left, node.right)
    if not isinstance(node.op, ast.Add) or not all(isinstance(side, ast.Subscript) for side in sides):
        return
    items, front, back = context.text(node.left.value), context.text(node.left.slice), context.text(node.right.slice)  # type: ignore[attr-defined]
    if not front.endswith(":") or back != f":{front[:-1]}" or context.text(node.right.value) != items:  # type: ignore[attr-defined]
        return
    step = front[:-1]
    turned = step[1:] if step.startswith("-") else f"-{step}" if step.isidentifier() else f"-({step})"
    yield context.put(node, Expression(f"{items}[{turned}:] + {items}[:{turned}]", SUM))


def either_case(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`chr((ord(c) - ord("a") + k) % 26 + ord("a"))` counts from `base`, which is that of the letter's own case."""
    parts = [part for part in context.program.below(node) if isinstance(part, ast.expr)]
    codes = [part.args[0] for part in parts if _is_code(part) and not isinstance(part.args[0], ast.Constant)]
    if len({context.text(_without_case(code)) for code in codes}) != 1 or not _first_letters(node, context):
        return
    parent = context.parent(node)
    if isinstance(parent, ast.If) and any(case in context.text(parent.test) for case in _ASKS_CASE):
        return
    letter = context.text(_without_case(codes[0]))
    block = context.program.block(node)
    counted = [origin for one in block[block.index(node) :] for origin in _first_letters(one, context)]
    edits = [context.edit(origin, Expression("base")) for origin in counted]
    edits += [context.edit(code, Expression(letter)) for code in codes if _without_case(code) is not code]
    origins = ('ord("A")', 'ord("a")') if any(map(_is_code, counted)) else ("65", "97")
    for inserted in context.before(node, (f"base = {origins[0]} if {letter}.isupper() else {origins[1]}",)):
        yield WeightedEdits((*inserted.edits, *edits), HALF)


def _first_letters(node: ast.stmt, context: TemplateContext) -> list[ast.expr]:
    """`ord("a")` and `ord("A")` in a statement, or 97 and 65."""
    parts = context.program.below(node)
    codes = (part for part in parts if _is_code(part))
    found = [code for code in codes if isinstance(code.args[0], ast.Constant) and code.args[0].value in ("a", "A")]
    return [*found, *(part for part in parts if isinstance(part, ast.Constant) and whole_number(part) in (65, 97))]


def _is_code(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a node is the code of a character: `ord(c)`."""
    return isinstance(node, ast.Call) and callee_name(node) == "ord" and len(node.args) == 1


def _without_case(node: ast.expr) -> ast.expr:
    """`c` of `c.lower()` and `c.upper()`, and anything else as it is."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("lower", "upper"):
        return node.func.value
    return node


def turn_by_rest(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `xs[-k:] + xs[:-k]`, `k %= len(xs)`: a list is turned by more places than it has."""
    parts = (node.left, node.right)
    if not isinstance(node.op, ast.Add) or not all(isinstance(part, ast.Subscript) for part in parts):
        return
    items = {context.text(part.value) for part in parts}  # type: ignore[attr-defined]
    bounds = {n.id for part in parts for n in ast.walk(part.slice) if isinstance(n, ast.Name)}  # type: ignore[attr-defined]
    if len(items) == 1 and len(bounds) == 1:
        (held,), (steps,) = items, bounds
        if steps in context.scope.locals:
            yield from context.before(context.program.statement(node), (f"{steps} %= len({held}) or 1",), LIKELY)
            yield from context.before(context.program.statement(node), (f"{steps} %= len({held})",))


def wrap_letters(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`chr(ord(c) + k)` becomes `chr((ord(c) - ord("a") + k) % 26 + ord("a"))`: from `A` on for capital letters."""
    moved = node.args[0] if callee_name(node) == "chr" and len(node.args) == 1 else None
    if not isinstance(moved, ast.BinOp) or not isinstance(moved.op, ast.Add | ast.Sub):
        return
    letter = moved.left
    if not isinstance(letter, ast.Call) or callee_name(letter) != "ord" or "%" in context.text(moved):
        return
    sign = "+" if isinstance(moved.op, ast.Add) else "-"
    shift, code, given = context.text(moved.right), context.text(letter), context.text(letter.args[0])

    def wrapped(base: str) -> Edit:
        return Edit(*context.program.spans[node], f"chr(({code} - {base} {sign} {shift}) % 26 + {base})")

    asked = " ".join(context.text(part.test) for part in context.around(node) if isinstance(part, ast.If))
    first, other = ("A", "a") if "isupper" in asked or '"A"' in asked or "'A'" in asked else ("a", "A")
    base = context.new_name("base", "first")
    for begun in context.before(
        context.program.statement(node), (f'{base} = ord("A") if {given}.isupper() else ord("a")',)
    ):
        if "isupper" not in asked and "islower" not in asked:
            yield WeightedEdits((*begun.edits, wrapped(base)))
    yield WeightedEdits((wrapped(f'ord("{first}")'),), LIKELY)
    yield WeightedEdits((wrapped(f'ord("{other}")'),), LIKELY * LIKELY)


def wrap_within_letters(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`chr(ord(c) - base + shift + base)` becomes `chr((ord(c) - base + shift) % 26 + base)`: behind `z` comes `a`."""
    moved = node.args[0] if callee_name(node) == "chr" and len(node.args) == 1 else None
    if not isinstance(moved, ast.BinOp) or not isinstance(moved.op, ast.Add) or "ord(" not in context.text(moved.left):
        return
    place, base = context.text(moved.left), context.text(moved.right)
    if f"- {base}" in place and "%" not in place:
        yield context.put(moved, Expression(f"({place}) % 26 + {base}", SUM))


def wrap_steps(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ord(b) - ord(a)`, and `ord(c) - ord("a") + k`, become the same `% 26`: behind `z` comes `a`."""
    parent = context.parent(node)
    if isinstance(parent, ast.BinOp) or (isinstance(parent, ast.Call) and callee_name(parent) in ("chr", "abs")):
        return
    terms = list(_terms(node))
    codes = [term for term in terms if _is_code(term)]
    has_more = len(terms) > len(codes) or not any(isinstance(code.args[0], ast.Constant) for code in codes)
    if len(codes) == 2 and len(terms) <= _SMALLEST and has_more and "-" in context.text(node):
        yield context.put(node, Expression(f"({context.text(node)}) % 26", TERM))


def _terms(node: ast.expr) -> Iterator[ast.expr]:
    """What a sum or difference is made of."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from _terms(node.left)
        yield from _terms(node.right)
    else:
        yield node


def past_the_end(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`start <= now < end` becomes `(start <= now < end) if start <= end else (now >= start or now < end)`: from 22 to
    6 o'clock is a time, too."""
    if len(node.ops) != 2 or not all(isinstance(op, ast.Lt | ast.LtE) for op in node.ops):
        return
    low, middle, high = (context.text(part) for part in (node.left, *node.comparators))
    if any(isinstance(part, ast.Constant) for part in (node.left, node.comparators[1])):
        return
    first, last = (">=" if isinstance(node.ops[0], ast.LtE) else ">"), COMPARISON_SYMBOLS[type(node.ops[1])]
    round_the_end = f"{middle} {first} {low} or {middle} {last} {high}"
    yield context.put(node, Expression(f"{context.text(node)} if {low} <= {high} else {round_the_end}", TEST))


def same_letter_base(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`chr((ord(c) - 97 + k) % 26 + 65)` becomes `chr((ord(c) - 97 + k) % 26 + 97)`, or has 65 in both places."""
    moved = node.args[0] if callee_name(node) == "chr" and len(node.args) == 1 else None
    if not isinstance(moved, ast.BinOp) or not isinstance(moved.op, ast.Add):
        return
    taken = [
        part.right
        for part in ast.walk(moved.left)
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and "ord(" in context.text(part.left)
    ]
    if len(taken) == 1 and context.text(taken[0]) != context.text(moved.right):
        yield context.put(moved.right, context.expression(taken[0]))
        yield context.put(taken[0], context.expression(moved.right), LIKELY)


def keep_case(node: ast.Call | ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out.append(new)`, where `low = letter.lower()` was looked up, becomes `out.append(new.upper() if
    letter.isupper() else new)`: what takes the place of a letter has its case."""
    if isinstance(node, ast.Call):
        value = node.args[0] if callee_name(node) in ("append", "write") and len(node.args) == 1 else None
    else:
        value = node.value
    loop = next(context.loops_around(node), None)
    if not isinstance(loop, ast.For) or not isinstance(value, ast.Name | ast.Subscript):
        return
    lowered = {
        context.text(part.func.value)
        for part in ast.walk(loop)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr == "lower"
    }
    for letter in sorted(lowered):
        new = context.text(value)
        if letter.isidentifier() and letter != new and f"{letter}.isupper()" not in context.text(loop):
            yield context.put(value, Expression(f"{new}.upper() if {letter}.isupper() else {new}", TEST))


def turn_all_but_first(node: ast.BinOp | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ring[-1:] + ring[:-1]` becomes `ring[:1] + ring[-1:] + ring[1:-1]`, `ring.insert(0, ring.pop())` becomes
    `ring.insert(1, ring.pop())`: all but the first move on, as in the plan of a tournament."""
    if isinstance(node, ast.Call):
        match node:
            case ast.Call(func=ast.Attribute(attr="insert"), args=[place, ast.Call(args=[]) as taken]):
                if whole_number(place) == 0 and callee_name(taken) == "pop":
                    yield context.put(place, "1")
        return
    joined = context.text(node).replace(" ", "")
    ring = joined.partition("[")[0] or joined[1:].partition("[")[0]
    if joined in (f"{ring}[-1:]+{ring}[:-1]", f"[{ring}[-1]]+{ring}[:-1]"):
        yield context.put(node, Expression(f"{ring}[:1] + {ring}[-1:] + {ring}[1:-1]", SUM))
    elif joined in (f"{ring}[1:]+{ring}[:1]", f"{ring}[1:]+[{ring}[0]]"):
        yield context.put(node, Expression(f"{ring}[:1] + {ring}[2:] + {ring}[1:2]", SUM))


def round_the_list(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.place += 1` becomes `self.place = (self.place + 1) % len(self.tracks)`, where `self.tracks[self.place]` is
    looked up: after the last one comes the first."""
    place, step = _step(node, context)
    looked_up = (
        part.value
        for part in (context.program.nodes if "." in place else context.scope.nodes)
        if place and isinstance(part, ast.Subscript) and context.text(part.slice) == place
    )
    for items in dict.fromkeys(map(context.text, looked_up)):
        yield from context.restate(node, (f"{place} = ({step}) % len({items})",))


def stay_after_taking_out(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`turn = (turn + 1) % len(players)` behind `players.pop(turn)` becomes `turn %= len(players)`: the next one has
    moved up to that place."""
    match node:
        case ast.Assign(targets=[place], value=ast.BinOp(left=ast.BinOp(left=before), op=ast.Mod(), right=around)):
            block = context.program.block(node)
            behind = "".join(context.text(step) for step in block[: block.index(node)])
            turn, held = context.text(place), re.fullmatch(r"len\((.+)\)", context.text(around))
            if held and turn == context.text(before):
                items = held[1]
                if f"{items}.pop({turn})" in behind or f"del {items}[{turn}]" in behind or f"{items}.remove(" in behind:
                    yield from context.restate(node, (f"{turn} %= {context.text(around)}",))


def one_way_round(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`abs(later - earlier)` becomes `(later - earlier) % modulus`, for a whole number that the function knows, or by
    which it divides, counts or reckons days: it goes one way only, and begins anew."""
    match node:
        case ast.Call(func=ast.Name(id="abs"), args=[ast.BinOp(op=ast.Sub()) as distance]):
            for length in _lengths_of_rounds(names_within(distance), context):
                yield context.put(node, Expression(f"({context.text(distance)}) % {length}", TERM))


def _lengths_of_rounds(known: Collection[str], context: TemplateContext) -> Iterator[str]:
    """What may be the length of a round: names that say so, what something is divided by, steps, hours and days."""
    named = (name for name in context.scope.of_kind("int", "") if _LENGTH_OF_ROUND.search(name))
    found = dict.fromkeys(name for name in named if name not in known)
    for part in context.scope.nodes:
        match part:
            case ast.BinOp(op=ast.Mod() | ast.FloorDiv(), right=ast.Name() | ast.Constant() as length):
                found[context.text(length)] = None
            case ast.Call(func=ast.Name(id="range"), args=[_, _, length]) if not isinstance(length, ast.UnaryOp):
                found[context.text(length)] = None
    yield from found
    yield from (number for number in _OF_CALENDARS if number not in found and number in context.clues.numbers)


_LENGTH_OF_ROUND: Final = re.compile(r"mod|size|length|round|turn|total|full|^n$|^m$")
_OF_CALENDARS: Final = ("7", "12", "24", "60", "360")


TEMPLATES = (
    Template("one_way_round", (ast.Call,), one_way_round, ("smaller", "larger", "content")),
    Template("stay_after_taking_out", (ast.Assign,), stay_after_taking_out, ("content",)),
    Template("round_the_list", (ast.Assign, ast.AugAssign), round_the_list, ("index",)),
    Template("turn_all_but_first", (ast.BinOp, ast.Call), turn_all_but_first, ("repeats", "content")),
    Template("wrap_for_clamp", (ast.Call,), wrap_for_clamp, ("content", "smaller", "larger")),
    Template("wrap_as_turned_back", (ast.Assign, ast.AugAssign), wrap_as_turned_back, ("index", "key", "content")),
    Template("wrap_within_letters", (ast.Call,), wrap_within_letters, ("content",)),
    Template("same_letter_base", (ast.Call,), same_letter_base, ("content", "case")),
    Template("keep_case", (ast.Call, ast.Assign, ast.AugAssign), keep_case, ("case",)),
    Template("past_the_end", (ast.Compare,), past_the_end, ("negated", "shorter")),
    Template("turn_by_rest", (ast.BinOp,), turn_by_rest, ("content", "order")),
    Template("wrap_letters", (ast.Call,), wrap_letters, ("content",)),
    Template("wrap_steps", (ast.BinOp,), wrap_steps, ("content", "negative", "index")),
    Template("shorter_way_round", (ast.Call,), shorter_way_round),
    Template("turn_other_way", (ast.BinOp,), turn_other_way, ("order", "content")),
    Template("either_case", (ast.Assign, ast.AugAssign, ast.Expr), either_case, ("case",)),
)
