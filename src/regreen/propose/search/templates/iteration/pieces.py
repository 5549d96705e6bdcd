"""How often something fits, and pieces of a sequence: every third one free, pieces of a size, parts of equal size."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.expressions import ATOM, SUM, TERM, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number


def as_often_as_it_fits(node: ast.If | ast.IfExp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if count >= 3: free = 1`, else 0, becomes `free = count // 3`; `if n >= 10: price -= 5` takes `n // 10 * 5`."""
    fits = _times(node.test, context)
    if not fits:
        return
    if isinstance(node, ast.IfExp):
        if whole_number(node.orelse) == 0:
            yield context.put(node, _so_often(fits, context.expression(node.body)))
        return
    first, other = node.body[0], node.orelse[0] if node.orelse else None
    if len(node.body) != 1 or len(node.orelse) > 1:
        return
    if isinstance(first, ast.Assign) and isinstance(other, ast.Assign) and whole_number(other.value) == 0:
        if context.text(first.targets[0]) == context.text(other.targets[0]):
            times = _so_often(fits, context.expression(first.value))
            yield from context.restate(node, (f"{context.text(first.targets[0])} = {times.text}",))
    elif isinstance(first, ast.AugAssign) and other is None and isinstance(first.op, ast.Add | ast.Sub):
        symbol = "+=" if isinstance(first.op, ast.Add) else "-="
        times = _so_often(fits, context.expression(first.value))
        yield from context.restate(node, (f"{context.text(first.target)} {symbol} {times.text}",))


def _times(test: ast.expr, context: TemplateContext) -> str:
    """`count // 3` of `count >= 3` and of `count > 2`; empty for anything else."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return ""
    size = whole_number(test.comparators[0])
    if isinstance(test.ops[0], ast.GtE) and (size is None or size > 1):
        if size is None and not isinstance(test.comparators[0], ast.Name | ast.Attribute):
            return ""
        divisor = context.text(test.comparators[0])
    elif isinstance(test.ops[0], ast.Gt) and size is not None and size > 0:
        divisor = str(size + 1)
    else:
        return ""
    return f"{context.expression(test.left).at(TERM)} // {divisor}"


def _so_often(fits: str, each: Expression) -> Expression:
    return Expression(fits if each.text == "1" else f"{fits} * {each.at(TERM + 1)}", TERM)


def step_by_pieces(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(len(xs) // n)` over which `xs[i:i + n]` is taken becomes `range(0, len(xs), n)`."""
    loop = context.parent(node)
    if callee_name(node) != "range" or not isinstance(loop, ast.For | ast.comprehension) or loop.iter is not node:
        return
    around = context.parent(loop) if isinstance(loop, ast.comprehension) else loop
    for part in context.program.below(around):
        piece = part.slice if isinstance(part, ast.Subscript) else None
        if not isinstance(piece, ast.Slice) or piece.lower is None or piece.upper is None:
            continue
        place, upper = context.text(loop.target), piece.upper
        if context.text(piece.lower) != place or not isinstance(upper, ast.BinOp) or not isinstance(upper.op, ast.Add):
            continue
        size = next((s for s in (upper.left, upper.right) if context.text(s) != place), None)
        if size is not None and whole_number(size) != 1 and len(node.args) < _WITH_STEP:
            length = f"len({context.text(part.value)})"  # type: ignore[attr-defined]
            yield context.put(node, f"range(0, {length}, {context.text(size)})")
            return


_WITH_STEP = 3


def share_the_rest(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """With `size = len(xs) // n`, part `i` of `n` begins at `i * size + min(i, len(xs) % n)`: the first parts have one
    more each, as long as something is left."""
    if not isinstance(node.iter, ast.Call) or callee_name(node.iter) != "range" or len(node.iter.args) != 1:
        return
    if not isinstance(node.target, ast.Name):
        return
    place, parts = node.target.id, context.text(node.iter.args[0])
    for size, whole in _sizes(parts, context):
        rest, edits = f"{whole} % {parts}", []
        for part in context.program.below(node):
            if not isinstance(part, ast.BinOp):
                continue
            sides = (context.text(part.left), context.text(part.right))
            if isinstance(part.op, ast.Mult) and size in sides:
                at = next((s for s in sides if s != size), size).strip("()")
                if re.fullmatch(rf"{place}( \+ 1)?", at):
                    edits.append(context.edit(part, Expression(f"{context.text(part)} + min({at}, {rest})", SUM)))
            elif isinstance(part.op, ast.Add) and sides[1] == size and sides[0].isidentifier():
                more = f"{context.text(part)} + (1 if {place} < {rest} else 0)"
                edits.append(context.edit(part, Expression(more, SUM)))
        if edits:
            yield WeightedEdits(tuple(edits))


def _sizes(parts: str, context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The variables that hold something divided by `parts`, and what is divided."""
    for node in context.scope.nodes:
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.FloorDiv) and context.text(value.right) == parts:
            yield context.text(node.targets[0]), context.expression(value.left).at(TERM)  # type: ignore[attr-defined]


def last_window(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(len(xs) - k)` over which `xs[i:i + k]` is taken becomes `range(len(xs) - k + 1)`: there is one more."""
    loop = context.parent(node)
    if callee_name(node) != "range" or not isinstance(loop, ast.For | ast.comprehension) or loop.iter is not node:
        return
    end = node.args[-1] if node.args and len(node.args) < _WITH_STEP else None
    if not isinstance(end, ast.BinOp) or not isinstance(end.op, ast.Sub):
        return
    place, size = context.text(loop.target), context.text(end.right)
    around = context.parent(loop) if isinstance(loop, ast.comprehension) else loop
    windows = {f"{place}:{place} + {size}", f"{place}:{place}+{size}", f"{place} : {place} + {size}"}
    taken = (part for part in context.program.below(around) if isinstance(part, ast.Subscript))
    if any(context.text(part.slice) in windows for part in taken):
        yield context.put(end, Expression(f"{context.text(end)} + 1", SUM))


def cut_only_longer(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return text[:n] + "..."` becomes `return text if len(text) <= n else text[:n] + "..."`: a short one stays."""
    cut = node.value.left if isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Add) else None
    part = cut.slice if isinstance(cut, ast.Subscript) else None
    if isinstance(part, ast.Slice) and part.lower is None and part.upper is not None and part.step is None:
        assert isinstance(cut, ast.Subscript)
        assert isinstance(node.value, ast.BinOp)
        whole, size = context.text(cut.value), context.text(part.upper)
        longest = size.partition(" - ")[0]
        for bound in dict.fromkeys((longest, size)):
            kept = f"{whole} if len({whole}) <= {bound} else {context.text(node.value)}"
            yield context.put(node.value, Expression(kept, TEST))


def go_on_behind_piece(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`start = number * size` in a loop whose pieces are of unlike size becomes `start += size` at the end of each
    round: a piece begins where the one before it ends."""
    loop, target = context.parent(node), node.targets[0]
    made = node.value if isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Mult) else None
    if not isinstance(loop, ast.For) or not isinstance(target, ast.Name) or made is None or node not in loop.body:
        return
    place = loop.target.id if isinstance(loop.target, ast.Name) else ""
    sizes = [part.id for part in (made.left, made.right) if isinstance(part, ast.Name) and part.id != place]
    bound = [part for part in context.scope.nodes if isinstance(part, ast.Assign) and part is not node]
    is_begun = any(context.text(part.targets[0]) == target.id for part in bound)
    if len(sizes) == 1 and is_begun and node is not loop.body[-1]:
        for step in context.after(loop.body[-1], (f"{target.id} += {sizes[0]}",)):
            yield WeightedEdits((*context.delete(node).edits, *step.edits))


def end_with_last_piece(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In `while start < len(xs)`, whose pieces `xs[start:end]` overlap, `if end >= len(xs): break` follows the
    piece: what comes behind the last one is part of it."""
    size = next((side for side in re.findall(r"len\(\w+\)", context.text(node.test))), "")
    cuts = [part for part in context.program.below(node) if isinstance(part, ast.Slice) and part.upper is not None]
    for cut in cuts if size else ():
        assert cut.upper is not None, "only slices with an end are taken"
        end = context.text(cut.upper)
        step = next((one for one in node.body if cut in context.program.below(one)), None)
        if end.isidentifier() and step is not None and step is not node.body[-1]:
            yield from context.after(step, (f"if {end} >= {size}:", "\tbreak"))


def dealt_out(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`names[row * columns:(row + 1) * columns]` becomes `names[row::rows]` in a loop of `rows` rounds, or
    `names[row::columns]`: each gets one in turn, as cards are dealt, and not a piece."""
    match node.slice:
        case ast.Slice(lower=ast.BinOp(left=left, op=ast.Mult(), right=right), upper=ast.expr(), step=None):
            sides = (left, right)
        case _:
            return
    for turn, size in (sides, sides[::-1]):
        bound = _rounds(context.text(turn), context)
        if bound:
            items = context.expression(node.value).at(ATOM)
            for steps in dict.fromkeys((bound, context.text(size))):
                yield context.put(node, Expression(f"{items}[{context.text(turn)}::{steps}]", ATOM))


def _rounds(turn: str, context: TemplateContext) -> str:
    """How many rounds a loop or comprehension with a variable has, as `rows` of `for row in range(rows)`; empty for
    none."""
    for part in context.scope.nodes:
        match part:
            case ast.For() | ast.comprehension():
                match part.iter:
                    case ast.Call(func=ast.Name(id="range"), args=[number]) if context.text(part.target) == turn:
                        return context.text(number)
    return ""


def turn_whole_pieces_alone(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs[i:i + k][::-1]` becomes `xs[i:i + k][::-1] if i + k <= len(xs) else xs[i:i + k]`: what is too short for a
    piece stays as it is."""
    match node:
        case ast.Subscript(
            value=ast.Subscript(value=items, slice=ast.Slice(lower=ast.expr(), upper=ast.expr() as end)) as piece,
            slice=ast.Slice(lower=None, upper=None, step=ast.UnaryOp()),
        ):
            short = context.text(piece)
            whole = f"{context.text(end)} <= len({context.text(items)})"
            yield context.put(node, Expression(f"{context.text(node)} if {whole} else {short}", TEST))


TEMPLATES = (
    Template("turn_whole_pieces_alone", (ast.Subscript,), turn_whole_pieces_alone, ("content", "order")),
    Template("dealt_out", (ast.Subscript,), dealt_out, ("content", "order")),
    Template("end_with_last_piece", (ast.While,), end_with_last_piece, ("longer",)),
    Template("go_on_behind_piece", (ast.Assign,), go_on_behind_piece, ("content", "shorter", "longer")),
    Template("cut_only_longer", (ast.Return,), cut_only_longer, ("longer", "content")),
    Template("last_window", (ast.Call,), last_window, ("shorter", "content")),
    Template("as_often_as_it_fits", (ast.If, ast.IfExp), as_often_as_it_fits, ("content",)),
    Template("step_by_pieces", (ast.Call,), step_by_pieces, ("longer", "shorter", "content")),
    Template("share_the_rest", (ast.For,), share_the_rest, ("shorter", "content")),
)
