"""The first and the last of a sequence: ends with one neighbour, a first word that stays, a middle that is shared."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.expressions import (
    ATOM,
    COMPARISON,
    NOT,
    OR,
    SUM,
    TEST,
    Expression,
    bool_operation,
    function_call,
)
from regreen.propose.search.mutation import WeightedEdits, edit_position
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.last_groups import gathered_in
from regreen.syntax import callee_name, names_within, whole_number
from regreen.types import Edit

_PAIR: Final = 2


def ends_have_one_neighbour(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for i in range(1, len(xs) - 1)` takes both ends, too, and asks for a neighbour only where there is one."""
    bounds = node.iter.args if isinstance(node.iter, ast.Call) and callee_name(node.iter) == "range" else []
    if len(bounds) != _PAIR or whole_number(bounds[0]) != 1 or not isinstance(node.target, ast.Name):
        return
    place, last = node.target.id, context.text(bounds[1])
    length = _length_before(bounds[1], context)
    edits = []
    for part in context.program.below(node):
        if not isinstance(part, ast.Compare) or not length:
            continue
        text = context.text(part)
        at_end = (
            f"{place} == 0" if f"[{place} - 1]" in text else f"{place} == {last}" if f"[{place} + 1]" in text else ""
        )
        if at_end:
            edits.append(context.edit(part, bool_operation(Expression(at_end), "or", context.expression(part))))
    if edits:
        yield WeightedEdits((context.edit(node.iter, Expression(f"range({length})")), *edits))


def _length_before(bound: ast.expr, context: TemplateContext) -> str:
    """`len(xs)` of `len(xs) - 1`; empty for anything else."""
    is_last = isinstance(bound, ast.BinOp) and isinstance(bound.op, ast.Sub) and whole_number(bound.right) == 1
    return context.text(bound.left) if is_last else ""  # type: ignore[attr-defined]


def first_stays(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"".join(part.title() for part in parts)` becomes `parts[0] + "".join(part.title() for part in parts[1:])`."""
    each = node.args[0] if callee_name(node) == "join" and len(node.args) == 1 else None
    if not isinstance(each, ast.GeneratorExp | ast.ListComp) or len(each.generators) != 1:
        return
    loop, separator = each.generators[0], node.func.value if isinstance(node.func, ast.Attribute) else None
    if not isinstance(loop.iter, ast.Name) or loop.ifs or context.text(each.elt) == context.text(loop.target):
        return
    items = loop.iter.id
    rest = f"{context.text(each.elt)} for {context.text(loop.target)} in {items}[1:]"
    joined = f"{context.text(node.func)}({rest})"
    if isinstance(separator, ast.Constant) and separator.value == "":
        yield context.put(node, Expression(f"{items}[0] + {joined}", SUM))
        yield context.put(node, Expression(f"{items}[0].lower() + {joined}", SUM), HALF)
    else:
        yield context.put(each, f"[{items}[0], *({rest})]")


def product_of_both_ends(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[-1] * xs[-2]`, of sorted numbers, becomes `max(..., xs[0] * xs[1])`: two negative ones may be more."""
    factors = _factors(node)
    inner = context.parent(node)
    if len(factors) < _PAIR or (isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mult)):
        return
    places = [whole_number(f.slice) if isinstance(f, ast.Subscript) else None for f in factors]
    owners = {context.text(f.value) for f in factors if isinstance(f, ast.Subscript)}
    if len(owners) != 1 or None in places:
        return
    items = owners.pop()
    # Of three, the largest stays beside the two smallest.
    turned = sorted(-1 - place for place in places if place is not None)[:_PAIR]
    kept = [place for place in places if place is not None and place == (-1 if -1 in places else 0)][
        : len(places) - _PAIR
    ]
    other = " * ".join(f"{items}[{place}]" for place in (*turned, *kept))
    choose = "max" if places[0] is not None and places[0] < 0 else "min"
    yield context.put(node, Expression(f"{choose}({context.text(node)}, {other})", ATOM))


def _factors(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return [*_factors(node.left), *_factors(node.right)]
    return [node]


def centre_once(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`m[i][i] + m[i][n - 1 - i]` adds the second one `if i != n - 1 - i else 0`: the centre is one cell."""
    one, other = node.left, node.right
    if not isinstance(node.op, ast.Add) or not isinstance(one, ast.Subscript) or not isinstance(other, ast.Subscript):
        return
    if context.text(one.value) == context.text(other.value) and not isinstance(other.slice, ast.Slice):
        first, second = context.text(one.slice), context.text(other.slice)
        if first != second:
            yield context.put(other, Expression(f"{context.text(other)} if {first} != {second} else 0", TEST))


def separator_between(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out += "_" + c` becomes `out += ("_" if out else "") + c`: a separator stands between, and not in front."""
    target = node.target
    first = node.value
    while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add):
        first = first.left
    if not isinstance(node.op, ast.Add) or not isinstance(target, ast.Name) or not isinstance(first, ast.Constant):
        return
    if isinstance(first.value, str) and first.value:
        yield context.put(first, Expression(f'{context.text(first)} if {target.id} else ""', TEST))


def names_of_length(items: str, context: TemplateContext) -> list[str]:
    """The variables that hold how many items there are: `n` of `n = len(xs)`."""
    return [
        part.targets[0].id
        for part in context.scope.nodes
        if isinstance(part, ast.Assign)
        and isinstance(part.targets[0], ast.Name)
        and context.text(part.value) == f"len({items})"
    ]


def middle_pair(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[len(xs) // 2]` becomes the mean of the two in the middle, where their number is even."""
    items, place = context.text(node.value), _without_name(node.slice, context)
    halves = {f"len({items}) // 2", f"len({items})//2", *(f"{name} // 2" for name in names_of_length(items, context))}
    if not isinstance(node.ctx, ast.Load) or place not in halves:
        return
    half, statement = context.text(node.slice), context.program.statement(node)
    both = f"({items}[{half} - 1] + {items}[{half}]) / 2"
    if isinstance(statement, ast.Return):
        yield from context.before(statement, (f"if len({items}) % 2 == 0:", f"\treturn {both}"))
    yield context.put(node, Expression(f"{both} if len({items}) % 2 == 0 else {context.text(node)}", TEST), LIKELY)


def _without_name(node: ast.expr, context: TemplateContext) -> str:
    """An expression's text, that of what it was made of where it is a variable that is assigned once."""
    if not isinstance(node, ast.Name):
        return context.text(node)
    made = [
        part.value
        for part in context.scope.nodes
        if isinstance(part, ast.Assign) and any(context.text(target) == node.id for target in part.targets)
    ]
    return context.text(made[0]) if len(made) == 1 else node.id


def close_row(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row = [1]`, to which a loop adds, ends as it began: `row.append(1)` after the loop, but for the first row."""
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    begun = before.value if isinstance(before, ast.Assign) else None
    if not isinstance(begun, ast.List) or len(begun.elts) != 1 or not isinstance(begun.elts[0], ast.Constant):
        return
    assert isinstance(before, ast.Assign)
    row = context.text(before.targets[0])
    last = f"{row}.append({context.text(begun.elts[0])})"
    if f"{row}.append(" in context.text(node):
        yield from context.after(node, (last,))
        for loop in context.loops_around(node):
            if isinstance(loop, ast.For) and isinstance(loop.target, ast.Name):
                yield from context.after(node, (f"if {loop.target.id}:", f"\t{last}"))


def hull_of_both(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`Span(one.first, two.last)` becomes `Span(one.first, max(one.last, two.last))`: the first may well end later."""
    parts = [part for part in node.args if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)]
    if len(node.args) != _BOUNDS or len(parts) != _BOUNDS or parts[0].attr == parts[1].attr:
        return
    (low, high), owners = parts, [context.text(part.value) for part in parts]
    if owners[0] != owners[1]:
        latest = f"max({', '.join(f'{owner}.{high.attr}' for owner in owners)})"
        earliest = f"min({', '.join(f'{owner}.{low.attr}' for owner in owners)})"
        yield context.put(high, latest)
        yield WeightedEdits((context.edit(low, Expression(earliest)), context.edit(high, Expression(latest))), LIKELY)


_BOUNDS = 2


def at_both_ends(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`i == 0` becomes `i in (0, len(xs) - 1)` in a loop over the places of `xs`: the last is special, too."""
    if len(node.ops) != 1 or not isinstance(node.left, ast.Name) or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return
    length = _number_of_places(node.left.id, node, context)
    if length and whole_number(node.comparators[0]) == 0:
        word = "in" if isinstance(node.ops[0], ast.Eq) else "not in"
        yield context.put(node, Expression(f"{node.left.id} {word} (0, {length} - 1)", COMPARISON))


def _number_of_places(place: str, node: ast.AST, context: TemplateContext) -> str:
    """How many places a loop around a node goes through, by its variable; empty where nothing tells."""
    for loop in context.loops_around(node):
        if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Call) or len(loop.iter.args) != 1:
            continue
        target, counted = loop.target, context.text(loop.iter.args[0])
        if callee_name(loop.iter) == "enumerate" and isinstance(target, ast.Tuple):
            target, counted = target.elts[0], f"len({counted})"
        elif callee_name(loop.iter) != "range":
            continue
        if context.text(target) == place:
            return counted
    return ""


def text_in_front(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out += str(n % 2)` in a loop becomes `out = str(n % 2) + out`: what comes later stands before it. So do
    `codes[ch] += "0"` and all that is added to other entries of the table."""
    if not _grows_text(node, context):
        return
    owner = _table_or_name(node.target, context)
    others = (part for part in context.scope.nodes if isinstance(part, ast.AugAssign) and _grows_text(part, context))
    alike = [part for part in others if _table_or_name(part.target, context) == owner]
    edits = {}
    for part in [node] if isinstance(node.target, ast.Name) else alike:
        held = context.text(part.target)
        for changed in context.restate(part, (f"{held} = {context.expression(part.value).at(SUM)} + {held}",)):
            edits[part] = changed.edits[0]
    yield from here_or_everywhere(node, edits)


def _grows_text(node: ast.AugAssign, context: TemplateContext) -> bool:
    """Whether a step in a loop adds to the end of a text or a list."""
    if not isinstance(node.op, ast.Add) or not any(context.loops_around(node)):
        return False
    kinds = (context.kind(node.target), context.kind(node.value))
    if isinstance(node.target, ast.Subscript):
        return kinds[1] == "str" and kinds[0] in ("str", "")
    return isinstance(node.target, ast.Name) and kinds[0] in ("str", "list") and kinds[1] in (kinds[0], "")


def _table_or_name(target: ast.expr, context: TemplateContext) -> str:
    """What is added to, or the table of which it is an entry."""
    return context.text(target.value if isinstance(target, ast.Subscript) else target)


def last_but_not_alone(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row[0] + row[-1]` becomes `row[0] + (row[-1] if len(row) > 1 else 0)`: one alone is not counted twice.

    And `total += sum(rows[-1])`, where the function takes `rows[0]`, too, is done `if len(rows) > 1`.
    """
    if not isinstance(node, ast.Subscript) or whole_number(node.slice) != -1:
        return
    whole, around = context.text(node.value), context.parent(node)
    is_paired = isinstance(around, ast.BinOp) and isinstance(around.op, ast.Add) and around.right is node
    if is_paired and context.text(around.left).endswith(f"{whole}[0]"):  # type: ignore[attr-defined]
        yield context.put(node, Expression(f"{context.text(node)} if len({whole}) > 1 else 0", TEST))
    taken = context.cached("first items", lambda: [context.text(n) for n in context.scope.nodes if _is_first(n)])
    adding = next((part for part in context.around(node) if isinstance(part, ast.AugAssign)), None)
    if adding is not None and f"{whole}[0]" in taken and not is_paired:
        line = context.text(adding)
        yield from context.restate(adding, (f"if len({whole}) > 1:", f"\t{line}"))


def _is_first(node: ast.AST) -> bool:
    return isinstance(node, ast.Subscript) and whole_number(node.slice) == 0


def nothing_before_first(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[i] > xs[i - 1]` becomes `i == 0 or xs[i] > xs[i - 1]`, or `i > 0 and ...`, in a loop that begins with 0."""
    loop = next((part for part in context.loops_around(node) if isinstance(part, ast.For)), None)
    place = _counter_from_nothing(loop) if loop is not None else ""
    if not place or f"[{place} - 1]" not in context.text(node) or len(node.ops) > 1:
        return
    around = context.parent(node)
    beside = around.values if isinstance(around, ast.BoolOp) else []
    if not any(isinstance(part, ast.Compare) and context.text(part.left) == place for part in beside):
        for test, word in ((f"{place} == 0", "or"), (f"{place} > 0", "and")):
            yield context.put(node, bool_operation(Expression(test, COMPARISON), word, context.expression(node)))


def _counter_from_nothing(loop: ast.For) -> str:
    """The variable of a loop that begins with 0: `i` of `for i in range(n)`, and of `for i, x in enumerate(xs)`."""
    target, made = loop.target, loop.iter
    if not isinstance(made, ast.Call) or len(made.args) != 1 or made.keywords:
        return ""
    if isinstance(target, ast.Tuple) and callee_name(made) == "enumerate":
        target = target.elts[0]
    elif callee_name(made) != "range":
        return ""
    return target.id if isinstance(target, ast.Name) else ""


def skip_all_of_them(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In `while left < right:`, each `if not text[left].isalnum(): left += 1` becomes `while left < right and not ...`:
    several may follow one another."""
    if not isinstance(node.test, ast.Compare) or len(node.test.ops) != 1:
        return
    ends, asked = names_within(node.test), context.expression(node.test)
    steps = [
        part
        for part in node.body
        if isinstance(part, ast.If) and not part.orelse and len(part.body) == 1
        if isinstance(part.body[0], ast.AugAssign) and context.text(part.body[0].target) in ends
    ]
    edits = []
    for step in steps:
        start = context.program.first(step)
        edits.append(Edit(start, start + len("if"), "while"))
        edits.append(context.edit(step.test, bool_operation(asked, "and", context.expression(step.test))))
    if steps and not any(isinstance(step.test, ast.BoolOp) for step in steps):
        yield WeightedEdits(tuple(edits))


def least_for_first(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`low, high = numbers[0], numbers[-1]` becomes `low, high = min(numbers), max(numbers)`, where nothing has put
    them in order."""
    items, ways = context.text(node.value), {"0": "min", "-1": "max"}
    if context.text(node.slice) not in ways or f"{items}.sort" in context.program.source:
        return
    ends = {
        part: context.text(part.slice)
        for part in context.scope.nodes
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and context.text(part.value) == items
    }
    if set(ends.values()) == set(ways) and node is next(iter(ends)):
        whole = context.expression(node.value)
        edits = [context.edit(part, function_call(ways[end], whole)) for part, end in ends.items()]
        yield WeightedEdits(tuple(sorted(edits, key=edit_position)))


def first_that_is_written(node: ast.If | ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if place > 0: text += " + "` becomes `if text:`, and `if place == 0: text = "-"` becomes `if not text:`; the
    first that is written may not be the first of all."""
    loop = next(context.loops_around(node), None)
    if not isinstance(loop, ast.For):
        return
    negation = ""
    match node.test:
        case ast.Compare(left=ast.Name(id=place), ops=[ast.Gt() | ast.NotEq()], comparators=[ast.Constant(value=0)]):
            pass
        case ast.Compare(left=ast.Name(id=place), ops=[ast.Eq()], comparators=[ast.Constant(value=0) | ast.BinOp()]):
            negation = "not "
        case ast.Name(id=place):
            pass
        case _:
            return
    counts = "range(" in context.text(loop.iter) or "enumerate(" in context.text(loop.iter)
    if counts and place in names_within(loop.target):
        for name in sorted(gathered_in(loop, context)):
            if name.isidentifier():
                yield context.put(node.test, Expression(f"{negation}{name}", NOT))


def turn_at_the_first(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if row == rows - 1: step = -1` is followed by `elif row == 0: step = 1`; and `if x >= width: dx = -dx` asks
    `if x < 0 or x >= width:`: what turns round at one end turns round at the other as well."""
    test, step = node.test, node.body[0]
    if not isinstance(test, ast.Compare) or len(node.body) != 1 or node.orelse or not isinstance(step, ast.Assign):
        return
    place, turned, way = test.left, context.text(step.value), context.text(step.targets[0])
    at_the_end = len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.GtE | ast.Gt)
    if not at_the_end or not isinstance(place, ast.Name | ast.Attribute) or whole_number(test.comparators[0]) == 0:
        return
    name = context.text(place)
    if turned == "-1":
        lines = (f"if {context.text(test)}:", f"\t{way} = -1", f"elif {name} == 0:", f"\t{way} = 1")
        yield from context.restate(node, lines)
    elif turned in (f"-{way}", f"-1 * {way}", f"{way} * -1"):
        firsts = (f"{name} == 0",) if isinstance(test.ops[0], ast.Eq) else (f"{name} <= 0", f"{name} < 0")
        for first in firsts:
            yield context.put(test, Expression(f"{first} or {context.text(test)}", OR))


TEMPLATES = (
    Template("turn_at_the_first", (ast.If,), turn_at_the_first, ("index", "content")),
    Template("first_that_is_written", (ast.If, ast.IfExp), first_that_is_written, ("content", "longer")),
    Template("least_for_first", (ast.Subscript,), least_for_first, ("content",)),
    Template("skip_all_of_them", (ast.While,), skip_all_of_them, ("negated", "content")),
    Template("nothing_before_first", (ast.Compare,), nothing_before_first, ("content", "off_by_one", "index")),
    Template("last_but_not_alone", (ast.Subscript,), last_but_not_alone, ("larger", "content")),
    Template("hull_of_both", (ast.Call,), hull_of_both, ("shorter", "content")),
    Template("close_row", (ast.For,), close_row, ("shorter", "index")),
    Template("ends_have_one_neighbour", (ast.For,), ends_have_one_neighbour, ("shorter", "off_by_one")),
    Template("first_stays", (ast.Call,), first_stays, ("case", "content")),
    Template("product_of_both_ends", (ast.BinOp,), product_of_both_ends),
    Template("centre_once", (ast.BinOp,), centre_once),
    Template("at_both_ends", (ast.Compare,), at_both_ends, ("content", "negated")),
    Template("text_in_front", (ast.AugAssign,), text_in_front, ("reversed", "order", "content")),
    Template("separator_between", (ast.AugAssign,), separator_between, ("longer", "end")),
    Template("middle_pair", (ast.Subscript,), middle_pair, ("kind", "rounding")),
)
