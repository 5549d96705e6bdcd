"""Requests of which half was read: anywhere for at the end, in a range of whole numbers for between, and the like."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import COMPARISON, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number


def at_an_end(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`part in text` becomes `text.endswith(part)`, or `text.startswith(part)`."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In):
        return
    part, text = node.left, node.comparators[0]
    are_texts = {context.kind(part), context.kind(text)} <= {"str", ""}
    if are_texts and isinstance(part, ast.Call | ast.Name) and isinstance(text, ast.Name):
        for method in ("endswith", "startswith"):
            yield context.put(node, f"{text.id}.{method}({context.text(part)})")


def between_bounds(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x in range(low, high)` becomes `low <= x <= high`: 2.5 is in no range, and the end is."""
    call = node.comparators[-1]
    if len(node.ops) > 1 or not isinstance(node.ops[0], ast.In) or not isinstance(call, ast.Call):
        return
    if callee_name(call) == "range" and len(call.args) in (1, 2):
        low = context.text(call.args[0]) if len(call.args) > 1 else "0"
        high, x = context.text(call.args[-1]), context.text(node.left)
        yield context.put(node, Expression(f"{low} <= {x} <= {high}", COMPARISON))
        yield context.put(node, Expression(f"{low} <= {x} < {high}", COMPARISON), LIKELY)


def place_in_whole(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[start:].index(x)` becomes `xs.index(x, start)`: the place in all of them."""
    method = node.func
    if not isinstance(method, ast.Attribute) or method.attr not in ("index", "find") or len(node.args) != 1:
        return
    held = method.value
    part = held.slice if isinstance(held, ast.Subscript) else None
    if isinstance(part, ast.Slice) and part.lower is not None and part.upper is None and part.step is None:
        whole, start = context.text(held.value), context.text(part.lower)  # type: ignore[attr-defined]
        yield context.put(node, f"{whole}.{method.attr}({context.text(node.args[0])}, {start})")


def keep_singles(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`list(dict.fromkeys(xs))` and `list(set(xs))` become `[x for x in xs if xs.count(x) == 1]`: those that
    come once."""
    inner = node.args[0] if callee_name(node) in ("list", "sorted") and len(node.args) == 1 else None
    if isinstance(inner, ast.Call) and context.text(inner.func) in ("dict.fromkeys", "set") and len(inner.args) == 1:
        items = context.text(inner.args[0])
        item = context.new_name("x", "item")
        once = f"[{item} for {item} in {items} if {items}.count({item}) == 1]"
        yield context.put(node, once if callee_name(node) == "list" else f"sorted({once})")


def each_word(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.istitle()` becomes `all(word[0].isupper() for word in text.split())`: the first letter of each word."""
    method = node.func
    if isinstance(method, ast.Attribute) and method.attr in ("istitle", "isupper", "islower") and not node.args:
        word, text = context.new_name("word", "part"), context.text(method.value)
        asked = "islower" if method.attr == "islower" else "isupper"
        yield context.put(node, f"all({word}[0].{asked}() for {word} in {text}.split())")


def places_that_overlap(node: ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[m.start() for m in re.finditer(part, text)]` becomes the places where `text` goes on with `part`."""
    found = node.generators[0].iter
    is_found = isinstance(found, ast.Call) and callee_name(found) == "finditer" and len(found.args) == 2
    if is_found and isinstance(node.elt, ast.Call) and callee_name(node.elt) == "start":
        part, text = map(context.text, found.args)  # type: ignore[attr-defined]
        place = context.new_name("i", "place")
        yield context.put(node, f"[{place} for {place} in range(len({text})) if {text}.startswith({part}, {place})]")


def other_triangle(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(i + 1, n)` becomes `range(i)`, and the other way round: the other half of a square."""
    loop = context.parent(node)
    if callee_name(node) != "range" or not isinstance(loop, ast.For | ast.comprehension):
        return
    first = node.args[0] if node.args else None
    if isinstance(first, ast.BinOp) and isinstance(first.left, ast.Name) and whole_number(first.right) == 1:
        if len(node.args) > 1:
            yield context.put(node, f"range({first.left.id})")
    elif isinstance(first, ast.Name) and len(node.args) == 1:
        for around in context.loops_around(loop):
            if isinstance(around, ast.For) and context.text(around.target) == first.id:
                bound = around.iter.args[-1] if isinstance(around.iter, ast.Call) and around.iter.args else None
                if bound is not None and callee_name(around.iter) == "range":  # type: ignore[arg-type]
                    yield context.put(node, f"range({first.id} + 1, {context.text(bound)})")
                return


def largest_step(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(xs) - min(xs)` becomes `max(abs(a - b) for a, b in zip(xs, xs[1:]))`: of neighbours alone."""
    sides = (node.left, node.right)
    if not isinstance(node.op, ast.Sub) or not all(isinstance(s, ast.Call) and len(s.args) == 1 for s in sides):
        return
    names = [callee_name(side) for side in sides]  # type: ignore[arg-type]
    items = {context.text(side.args[0]) for side in sides}  # type: ignore[attr-defined]
    if names == ["max", "min"] and len(items) == 1:
        (held,) = items
        yield context.put(node, f"max(abs(a - b) for a, b in zip({held}, {held}[1:]))")


def rest_of_words(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`words[0]` beside `words[-1]` becomes `" ".join(words[:-1])`, and `words[1]` beside `words[0]`
    `" ".join(words[1:])`: there may be more of them."""
    words, place = context.text(node.value), context.text(node.slice)
    made = (
        part.value
        for part in context.scope.nodes
        if isinstance(part, ast.Assign) and context.text(part.targets[0]) == words
    )
    splits = (call for call in made if isinstance(call, ast.Call) and callee_name(call) == "split" and not call.args)
    if not isinstance(node.ctx, ast.Load) or not any(True for _ in splits):
        return
    reads = {context.text(part) for part in context.scope.nodes if isinstance(part, ast.Subscript)}
    if place == "0" and f"{words}[-1]" in reads:
        yield context.put(node, f'" ".join({words}[:-1])')
    if place in ("1", "-1") and f"{words}[0]" in reads:
        yield context.put(node, f'" ".join({words}[1:])')


TEMPLATES = (
    Template("rest_of_words", (ast.Subscript,), rest_of_words, ("shorter", "content")),
    Template("at_an_end", (ast.Compare,), at_an_end, ("negated",)),
    Template("between_bounds", (ast.Compare,), between_bounds, ("negated", "shorter", "content")),
    Template("place_in_whole", (ast.Call,), place_in_whole, ("content", "off_by_one")),
    Template("keep_singles", (ast.Call,), keep_singles, ("longer", "content")),
    Template("each_word", (ast.Call,), each_word, ("negated",)),
    Template("places_that_overlap", (ast.ListComp,), places_that_overlap, ("shorter",)),
    Template("other_triangle", (ast.Call,), other_triangle, ("negated", "content")),
    Template("largest_step", (ast.BinOp,), largest_step, ("content",)),
)
