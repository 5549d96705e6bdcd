"""Heaps that a program keeps in a list of its own: parents and children, the last item, both ways to put it right."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

from regreen.propose.search.constants import PROBABLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, callee_name, names_set, names_within, whole_number

_CHILD: Final = re.compile(r"\b2 \* \w+ \+ ([12])|\b\w+ \* 2 \+ ([12])")
_OPPOSITES: Final = {"up": "down", "down": "up", "swim": "sink", "sink": "swim"}


def parent_of_child(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`i // 2` becomes `(i - 1) // 2`, where the children of `i` are `2 * i + 1` and `2 * i + 2`; and the other way
    round, where they are `2 * i` and `2 * i + 1`."""
    if not isinstance(node.op, ast.FloorDiv | ast.RShift):
        return
    halves = whole_number(node.right) == (2 if isinstance(node.op, ast.FloorDiv) else 1)
    children = context.cached_of_program("children in a heap", lambda: set(_CHILD.findall(_plain_text(context))))
    if not halves or not children:
        return
    inner = node.left
    if isinstance(inner, ast.Name):
        yield context.put(node, f"({inner.id} - 1) // 2")
    elif isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Sub) and whole_number(inner.right) == 1:
        yield context.put(inner, context.expression(inner.left), PROBABLE)


def _plain_text(context: TemplateContext) -> str:
    """The sums of the program, as Python writes them."""
    return "\n".join(ast.unparse(part) for part in context.program.nodes if isinstance(part, ast.BinOp))


def last_one_is_gone(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`heap[0] = heap.pop()` becomes `last = heap.pop()` and `if heap: heap[0] = last`: the last one may have been the
    first."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or not isinstance(value, ast.Call):
        return
    heap = context.text(target.value)
    if context.text(value) == f"{heap}.pop()":
        last = context.new_name("last", "moved")
        lines = (f"{last} = {context.text(value)}", f"if {heap}:", f"\t{context.text(target)} = {last}")
        yield from context.restate(node, lines)


def put_right_both_ways(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self._up(i)` is followed by `self._down(i)`, where the class has both and the method calls one: what is changed
    may have become larger, or smaller."""
    call = node.value
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.keywords:
        return
    opposite = _opposite(call.func.attr)
    if not opposite:
        return
    methods = {part.name for part in context.program.nodes if isinstance(part, FUNCTIONS)}
    owner = context.text(call.func.value)
    called = {part.attr for part in context.scope.nodes if isinstance(part, ast.Attribute)}
    if opposite in methods and opposite not in called and owner == context.scope.receiver:
        given = ", ".join(context.text(part) for part in call.args)
        yield from context.after(node, (f"{owner}.{opposite}({given})",))
        yield from context.before(node, (f"{owner}.{opposite}({given})",), PROBABLE)


def _opposite(name: str) -> str:
    """`sift_down` of `sift_up`; empty where a name has no such word."""
    words = re.split(r"(_)", name)
    turned = [_OPPOSITES.get(word, word) for word in words]
    return "".join(turned) if turned != words else ""


def drop_the_least(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if len(kept) < most: heappush(kept, x)`, `else: paid += x`, becomes `heappush(kept, x)`, `if len(kept) > most:
    paid += heappop(kept)`: a later one may be worth more than one that is kept."""
    test, push = node.test, node.body[0]
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Lt | ast.LtE) or len(node.body) != 1:
        return
    call = push.value if isinstance(push, ast.Expr) else None
    if not isinstance(call, ast.Call) or callee_name(call) != "heappush" or len(call.args) != 2:
        return
    heap, item = context.text(call.args[0]), context.text(call.args[1])
    if context.text(test.left) != f"len({heap})":
        return
    most, pop = context.text(test.comparators[0]), context.text(call.func).replace("heappush", "heappop")
    lines = [context.text(push), f"if len({heap}) > {most}:"]
    dropped = node.orelse[0] if len(node.orelse) == 1 else None
    if isinstance(dropped, ast.AugAssign) and context.text(dropped.value) == item:
        yield from context.restate(node, (*lines, f"\t{context.text(dropped.target)} += {pop}({heap})"))
    elif not node.orelse:
        yield from context.restate(node, (*lines, f"\t{pop}({heap})"))


def drop_the_longest(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if total + x <= due: heappush(chosen, -x); total += x` becomes both steps and `if total > due: total +=
    heappop(chosen)`: what was chosen first may be the longest, and another one takes its place."""
    match node:
        case ast.If(
            test=ast.Compare(
                left=ast.BinOp(left=ast.Name(id=total), op=ast.Add(), right=ast.Name(id=item)),
                ops=[ast.LtE() | ast.Lt()],
                comparators=[bound],
            ),
            body=[ast.stmt(), ast.stmt()],
            orelse=[],
        ):
            pass
        case _:
            return
    if f"{total} += {item}" in map(context.text, node.body):
        yield from _give_one_back(node, f"{total} > {context.text(bound)}", f"{total} +=", context)


def give_back_the_dearest(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if have >= cost: have -= cost; heappush(held, -cost)` becomes `have -= cost; heappush(held, -cost)` and `if have
    < 0: have -= heappop(held)`: what was taken is given back where a cheaper one comes."""
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id=have), ops=[ast.GtE() | ast.Gt()], comparators=[ast.Name(id=cost)]),
            body=[ast.stmt(), ast.stmt()],
            orelse=[],
        ) if f"{have} -= {cost}" in map(context.text, node.body):
            yield from _give_one_back(node, f"{have} < 0", f"{have} -=", context)


def _give_one_back(node: ast.If, too_much: str, change: str, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The steps of a branch without its question, and behind them the greatest that a heap of negative numbers holds is
    taken off it where that is too much."""
    steps = [context.text(step) for step in node.body]
    for pushed in filter(None, map(_PUSHED.fullmatch, steps)):
        if pushed["sign"]:
            pop = f"{pushed['module']}heappop" if pushed["module"] else ""
            name, imports = (pop, ()) if pop else context.member_of("heapq", "heappop", by_itself=True)
            lines = (*steps, f"if {too_much}:", f"\t{change} {name}({pushed['heap']})")
            for given in context.restate(node, lines):
                yield WeightedEdits((*imports, *given.edits))


_PUSHED = re.compile(r"(?P<module>\w+\.)?heappush\((?P<heap>\w+), (?P<sign>-?)\w+\)")


def stop_where_in_order(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if data[p] > data[i]: ...; i = p` at the end of a loop `while i > 0:` gets `else: break`: where nothing moves,
    nothing ever will."""
    loop = context.parent(node)
    if not isinstance(loop, ast.While) or node is not loop.body[-1] or node.orelse:
        return
    moving = _set_within([node], context) & names_within(loop.test)
    ways_out = (part for part in context.program.below(loop) if isinstance(part, ast.Break | ast.Return))
    if moving and not moving & _set_within(loop.body[:-1], context) and next(ways_out, None) is None:
        yield from context.after(node, ("else:", "\tbreak"))


def _set_within(steps: Sequence[ast.stmt], context: TemplateContext) -> set[str]:
    return {name for step in steps for name in names_set((step, *context.program.below(step)))}


def take_time_with_it(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`room = heappop(busy)[1]` becomes `now, room = heappop(busy)`, where `heappush(busy, (now + length, room))`
    counts on from then: who waits begins when what is taken ends."""
    value, target = node.value, node.targets[0]
    if not isinstance(value, ast.Subscript) or whole_number(value.slice) != 1 or not isinstance(target, ast.Name):
        return
    taken = value.value
    if not isinstance(taken, ast.Call) or callee_name(taken) not in ("heappop", "pop", "popleft"):
        return
    for pair in (part for part in context.scope.nodes if isinstance(part, ast.Tuple) and len(part.elts) == 2):
        first = pair.elts[0]
        if context.text(pair.elts[1]) == target.id and isinstance(first, ast.BinOp):
            for name in dict.fromkeys(names_within(first)):
                yield from context.restate(node, (f"{name}, {target.id} = {context.text(taken)}",))


TEMPLATES = (
    Template("take_time_with_it", (ast.Assign,), take_time_with_it, ("content", "off_by_one")),
    Template("stop_where_in_order", (ast.If,), stop_where_in_order, ("hang",)),
    Template("give_back_the_dearest", (ast.If,), give_back_the_dearest, ("smaller", "content")),
    Template("drop_the_longest", (ast.If,), drop_the_longest, ("smaller", "content")),
    Template("drop_the_least", (ast.If,), drop_the_least, ("larger", "smaller", "content")),
    Template("parent_of_child", (ast.BinOp,), parent_of_child, ("order", "content", "index")),
    Template("last_one_is_gone", (ast.Assign,), last_one_is_gone, ("index",)),
    Template("put_right_both_ways", (ast.Expr,), put_right_both_ways, ("order", "content")),
)
