"""Tables of results, each entry worked out from earlier ones (dynamic programming): which entries are read, and where
an entry builds on none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import AND, COMPARISON, SUM, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number

_ENDLESS = re.compile(r"10 ?\*\* ?\d+|1e\d+|\d{5,}|float\(['\"]inf['\"]\)|(?:math\.)?inf|sys\.maxsize")
"""What stands for more than any result."""


def items_before(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a[i] == b[j]` in loops that begin at 1 becomes `a[i - 1] == b[j - 1]`: row 0 of the table stands for no item."""
    sides = (node.left, *node.comparators)
    places = [side.slice for side in sides if isinstance(side, ast.Subscript) and isinstance(side.slice, ast.Name)]
    from_one = {
        context.text(loop.target)
        for loop in context.loops_around(node)
        if isinstance(loop, ast.For) and _first_place(loop) == 1
    }
    if len(places) == len(sides) and {context.text(place) for place in places} <= from_one:
        edits = [context.edit(place, binary_operation(context.expression(place), "-", _ONE)) for place in places]
        yield WeightedEdits(tuple(edits))


_ONE = Expression("1")


def _first_place(loop: ast.For) -> int | None:
    """1 for `for i in range(1, n)`; None for a loop over anything but a range from a written number."""
    call = loop.iter
    if not isinstance(call, ast.Call) or callee_name(call) != "range" or not call.args:
        return None
    return whole_number(call.args[0]) if len(call.args) > 1 else 0


def build_on_reached(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if s[j:i] in words: ok[i] = True` asks `ok[j]`, too, and `if coin <= i: ok[i] = True` asks `ok[i - coin]`."""
    for part in node.body:
        if not isinstance(part, ast.Assign) or not isinstance(part.targets[0], ast.Subscript):
            continue
        entry = part.targets[0]
        table = context.text(entry.value)
        is_true = isinstance(part.value, ast.Constant) and part.value.value is True
        if not is_true or f"{table}[" in context.text(node.test):
            continue
        test = context.expression(node.test)
        for earlier in _earlier_places(entry, node, context):
            yield context.put(node.test, Expression(f"{table}[{earlier}] and {test.at(AND)}", AND))


def reach_back(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ways[i] += ways[i - step]` is done only `if step <= i`: an index below 0 is one from the end."""
    if not any(True for _ in context.loops_around(node)):
        return
    for part in context.program.below(node):
        place = part.slice if isinstance(part, ast.Subscript) else None
        if (
            not isinstance(place, ast.BinOp)
            or not isinstance(place.op, ast.Sub)
            or not isinstance(place.left, ast.Name)
        ):
            continue
        if isinstance(place.right, ast.Name):
            back, from_place = place.right.id, place.left.id
            around = (other for other in context.around(node) if isinstance(other, ast.If))
            if not any(back in context.text(other.test) for other in around) and "\n" not in context.text(node):
                yield from context.restate(node, (f"if {back} <= {from_place}:", f"\t{context.text(node)}"))
            return


def answer_unreached(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `return least[goal]`, of what began as `float("inf")`, `if least[goal] == float("inf"): return -1`."""
    if not isinstance(node.value, ast.Subscript | ast.Name):
        return
    given = context.text(node.value)
    table = context.text(node.value.value) if isinstance(node.value, ast.Subscript) else given
    for part in context.scope.nodes:
        targets = part.targets if isinstance(part, ast.Assign) else []
        begun = part.value if table in map(context.text, targets) else None  # type: ignore[attr-defined]
        found = _INFINITY.search(context.text(begun)) if begun is not None else None
        if found is not None:
            answers = (("-1", 1.0), ("None", LIKELY), ("0", LIKELY))
            for answer, weight in answers if "-" not in found.group() else (answers[1], answers[2], answers[0]):
                yield from context.before(node, (f"if {given} == {found.group()}:", f"\treturn {answer}"), weight)
            return


_INFINITY = re.compile(r"float\([\"']-?inf[\"']\)|-?math\.inf|-?\binf\b")


def add_reached(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ways[i] += 1` in a loop over earlier places becomes `ways[i] += ways[j]`, or `ways[i - step]`."""
    if not isinstance(node.target, ast.Subscript) or whole_number(node.value) != 1 or not isinstance(node.op, ast.Add):
        return
    table = context.text(node.target.value)
    for earlier in _earlier_places(node.target, node, context):
        yield context.put(node.value, f"{table}[{earlier}]")


def _earlier_places(entry: ast.Subscript, node: ast.AST, context: TemplateContext) -> Iterator[str]:
    """Where the entry that another one builds on may stand: at the variable of another loop, or so far before it."""
    place = context.text(entry.slice)
    others = [loop.target for loop in context.loops_around(node) if isinstance(loop, ast.For)]
    if place not in {context.text(other) for other in others}:
        return
    for other in others:
        name = context.text(other)
        if isinstance(other, ast.Name) and name != place:
            is_text = context.kind(other) in ("str", "list")
            yield f"{place} - len({name})" if is_text else name
            if not is_text:
                yield f"{place} - {name}"


def running_total(node: ast.Assign | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sums.append(x)` behind `sums = [0]` becomes `sums.append(sums[-1] + x)`, and `sums[i] = xs[i]` in a loop
    becomes `sums[i] = sums[i - 1] + xs[i]`."""
    if not any(True for _ in context.loops_around(node)):
        return
    if isinstance(node, ast.Expr):
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append":
            sums = context.text(call.func.value)
            if len(call.args) == 1 and sums in _begun_with_one(context) and f"{sums}[" not in context.text(node):
                yield _added_to(call.args[0], f"{sums}[-1]", context)
        return
    target = node.targets[0]
    if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
        before, sums = _place_before(target.slice, node, context), target.value.id
        if before and not re.search(rf"\b{sums}\b", context.text(node.value)):
            yield _added_to(node.value, f"{sums}[{before}]", context)


def _added_to(value: ast.expr, earlier: str, context: TemplateContext) -> WeightedEdits:
    return context.put(value, binary_operation(Expression(earlier), "+", context.expression(value)))


def _begun_with_one(context: TemplateContext) -> frozenset[str]:
    """The variables that begin as a list of one item."""

    def found() -> frozenset[str]:
        begun = (part for part in context.scope.nodes if isinstance(part, ast.Assign))
        return frozenset(
            context.text(part.targets[0])
            for part in begun
            if isinstance(part.value, ast.List) and len(part.value.elts) == 1
        )

    return context.cached("lists begun with one item", found)


def _place_before(place: ast.expr, node: ast.AST, context: TemplateContext) -> str:
    """`i - 1` of `i` in a loop that begins at 1 or later, `i` of `i + 1`; empty where no entry is before."""
    if isinstance(place, ast.BinOp):
        is_next = isinstance(place.op, ast.Add) and isinstance(place.left, ast.Name) and whole_number(place.right) == 1
        return context.text(place.left) if is_next else ""
    for loop in context.loops_around(node):
        if isinstance(loop, ast.For) and context.text(loop.target) == context.text(place):
            return f"{context.text(place)} - 1" if (_first_place(loop) or 0) > 0 else ""
    return ""


def leave_the_window(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`total += xs[i]` in `for i in range(k, n)` becomes `total += xs[i] - xs[i - k]`: one enters, and one leaves."""
    item = node.value
    if not isinstance(item, ast.Subscript) or not isinstance(node.op, ast.Add):
        return
    for loop in context.loops_around(node):
        call = loop.iter if isinstance(loop, ast.For) else None
        is_range = isinstance(call, ast.Call) and callee_name(call) == "range" and len(call.args) > 1
        if not is_range or context.text(loop.target) != context.text(item.slice):  # type: ignore[union-attr]
            continue
        size = call.args[0]  # type: ignore[union-attr]
        if whole_number(size) not in (0, 1):
            place = binary_operation(context.expression(item.slice), "-", context.expression(size))
            left = f"{context.text(item.value)}[{place.text}]"
            yield context.put(item, Expression(f"{context.text(item)} - {left}", SUM))


def clear_the_rest(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After a loop with `if x != 0: xs[kept] = x; kept += 1`, `xs[kept:]` is filled with 0, or deleted."""
    for question in context.program.below(node):
        if not isinstance(question, ast.If) or len(question.body) < _MOVED_AND_COUNTED:
            continue
        counted = question.body[-1]
        moved = next((p for p in question.body if isinstance(p, ast.Assign)), None)
        if not isinstance(counted, ast.AugAssign) or moved is None or not isinstance(counted.target, ast.Name):
            continue
        target, place = moved.targets[0], counted.target.id
        if not isinstance(target, ast.Subscript) or context.text(target.slice) != place:
            continue
        items = context.text(target.value)
        asked = next((p for p in ast.walk(question.test) if isinstance(p, ast.Constant)), None)
        rest = context.new_name("place", "rest", "j")
        filler = context.text(asked) if asked is not None else "None"
        yield from context.after(
            node, (f"for {rest} in range({place}, len({items})):", f"\t{items}[{rest}] = {filler}")
        )
        yield from context.after(node, (f"del {items}[{place}:]",), LIKELY)


_MOVED_AND_COUNTED = 2


def best_of_table(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return lengths[-1]` becomes `return max(lengths)` where `lengths[i] = max(lengths[i], lengths[j] + 1)` was kept
    for each place: the best may end anywhere."""
    table = context.text(node.value)
    if not isinstance(node.value, ast.Name) or context.text(node.slice) not in ("-1", "n - 1", f"len({table}) - 1"):
        return
    if not isinstance(context.parent(node), ast.Return | ast.IfExp):
        return
    for part in context.scope.nodes:
        kept = part.value if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Subscript) else None
        if kept is not None and context.text(part.targets[0].value) == table:  # type: ignore[attr-defined]
            best = callee_name(kept) if isinstance(kept, ast.Call) else "max"
            if best in ("max", "min") and context.text(kept).count(f"{table}[") > 0:
                yield context.put(node, f"{best}({table})")
                return


def from_first_place(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return counts[:n]` of `counts = [0] * (n + 1)` becomes `return counts[1:]`: place 0 stands for nothing."""
    part, table = node.slice, context.text(node.value)
    if not isinstance(part, ast.Slice) or part.lower is not None or part.upper is None or part.step is not None:
        return
    size = context.text(part.upper)
    for begun in context.scope.nodes:
        value = begun.value if isinstance(begun, ast.Assign) and context.text(begun.targets[0]) == table else None
        if isinstance(value, ast.BinOp | ast.ListComp) and f"({size} + 1)" in context.text(value):
            yield context.replace(*context.program.spans[part], "1:")
            return


def clear_blocked(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if cell == "#": continue` before `ways[c] += ways[c - 1]` also does `ways[c] = 0`: no way leads through it."""
    loop = context.parent(node)
    if not isinstance(loop, ast.For) or len(node.body) != 1 or not isinstance(node.body[0], ast.Continue):
        return
    targets = [part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name)]
    for part in context.program.below(loop):
        entry = part.target if isinstance(part, ast.AugAssign) else None
        if isinstance(entry, ast.Subscript) and context.text(entry.slice) in targets:
            yield from context.before(node.body[0], (f"{context.text(entry)} = 0",))
            return


def corner_of_sums(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x + s[i - 1][j] + s[i][j - 1]` gains `- s[i - 1][j - 1]`, and `s[b][d] - s[a][d] - s[b][c]` gains `+ s[a][c]`:
    what both of the sums hold."""
    if isinstance(context.parent(node), ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub):
        return
    first, second = (node.left.right if isinstance(node.left, ast.BinOp) else node.left), node.right
    cells = [_cell(part, context) for part in (first, second)]
    if None in cells or type(getattr(node.left, "op", node.op)) is not type(node.op):
        return
    (table, row, column), (other, below, beside) = cells  # type: ignore[misc]
    if table != other or row == below or column == beside:
        return
    sign = "-" if isinstance(node.op, ast.Add) else "+"
    for corner in (f"{table}[{row}][{beside}]", f"{table}[{below}][{column}]"):
        if corner not in context.text(node):
            yield context.put(node, binary_operation(context.expression(node), sign, Expression(corner)))


def _cell(part: ast.expr, context: TemplateContext) -> tuple[str, str, str] | None:
    """The table, the row and the column of `table[row][column]`; None for anything else."""
    if isinstance(part, ast.Subscript) and isinstance(part.value, ast.Subscript):
        return context.text(part.value.value), context.text(part.value.slice), context.text(part.slice)
    return None


def both_tables(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`up[-1]` becomes `min(up[-1], down[-1])`, or `max`, where two tables begin alike: each of both may be the way."""
    root: ast.expr = node
    while isinstance(root, ast.Subscript):
        root = root.value
    if not isinstance(root, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    if isinstance(context.parent(node), ast.Subscript | ast.Call):
        return
    begun = context.cached("begun tables", lambda: dict(_begun_tables(context)))
    text, start = context.text(node), context.program.spans[node][0]
    place = context.program.spans[root][0] - start
    for other, value in begun.items():
        if other != root.id and value == begun.get(root.id):
            twin = text[:place] + other + text[place + len(root.id) :]
            yield from (context.put(node, f"{best}({text}, {twin})") for best in ("min", "max"))


def _begun_tables(context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The variables that begin with a table, and with what, the numbers in it aside."""
    for part in context.scope.nodes:
        is_table = isinstance(part, ast.Assign) and isinstance(part.value, ast.BinOp | ast.ListComp | ast.List)
        if is_table and isinstance(part.targets[0], ast.Name):  # type: ignore[attr-defined]
            kept = re.sub(r"\d+", "0", context.text(part.value))  # type: ignore[attr-defined]
            yield part.targets[0].id, kept  # type: ignore[attr-defined]


def carry_table(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`table[i][j] = 0` becomes `table[i][j] = max(table[i - 1][j], table[i][j - 1])`, where `table[i - 1][j - 1]` is
    built on: what was reached before stays reached, as in the longest common subsequence."""
    target = node.targets[0]
    if (
        not isinstance(target, ast.Subscript)
        or not isinstance(target.value, ast.Subscript)
        or whole_number(node.value) != 0
    ):
        return
    table, row, column = map(context.text, (target.value.value, target.value.slice, target.slice))
    if f"{table}[{row} - 1][{column} - 1]" in context.program.source:
        above, left = f"{table}[{row} - 1][{column}]", f"{table}[{row}][{column} - 1]"
        yield context.put(node.value, f"max({above}, {left})")


def ask_whether_reached(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`best[n] if best[n] else -1` becomes `best[n] if best[n] < INF else -1`, where the table begins with INF: 0 is
    reached, and what is not is no 0."""
    parent = context.parent(node)
    if not isinstance(parent, ast.If | ast.IfExp | ast.UnaryOp) or not isinstance(node, ast.Subscript | ast.Name):
        return
    is_not = isinstance(parent, ast.UnaryOp)
    is_asked = isinstance(parent.op, ast.Not) if isinstance(parent, ast.UnaryOp) else parent.test is node
    if not is_asked:
        return
    for part in (*context.scope.nodes, *context.program.tree.body):
        if isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name):
            name, value = part.targets[0].id, context.text(part.value)
            if _ENDLESS.fullmatch(value) and name != context.text(node):
                text = f"{context.text(node)} {'>=' if is_not else '<'} {name}"
                yield context.put(parent if is_not else node, Expression(text, COMPARISON))  # type: ignore[arg-type]


def ends_of_the_span(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a[k - 1] * a[k] * a[k + 1]` in `for k in range(left + 1, right)` becomes `a[left] * a[k] * a[right]`: the last
    one of a span stands between its ends."""
    match node:
        case ast.For(
            target=ast.Name(id=place),
            iter=ast.Call(
                func=ast.Name(id="range"), args=[ast.BinOp(left=ast.Name(id=low), op=ast.Add()), ast.Name(id=high)]
            ),
        ):
            ends = {f"{place} - 1": low, f"{place} + 1": high}
        case _:
            return
    parts = [part for part in context.program.below(node) if isinstance(part, ast.Subscript)]
    edits = [
        context.edit(part.slice, Expression(ends[context.text(part.slice)]))
        for part in parts
        if context.text(part.slice) in ends and isinstance(part.value, ast.Name)
    ]
    if edits:
        yield WeightedEdits(tuple(edits))


TEMPLATES = (
    Template("ends_of_the_span", (ast.For,), ends_of_the_span, ("content", "smaller", "larger")),
    Template("ask_whether_reached", (ast.Subscript, ast.Name), ask_whether_reached),
    Template("carry_table", (ast.Assign,), carry_table, ("smaller", "content")),
    Template("both_tables", (ast.Subscript,), both_tables, ("larger", "content")),
    Template("corner_of_sums", (ast.BinOp,), corner_of_sums, ("content", "longer")),
    Template("items_before", (ast.Compare,), items_before, ("index", "content")),
    Template("build_on_reached", (ast.If,), build_on_reached, ("negated", "content")),
    Template("reach_back", (ast.Assign, ast.AugAssign), reach_back, ("content", "longer")),
    Template("answer_unreached", (ast.Return,), answer_unreached, ("content",)),
    Template("add_reached", (ast.AugAssign,), add_reached, ("content",)),
    Template("running_total", (ast.Assign, ast.Expr), running_total, ("content",)),
    Template("leave_the_window", (ast.AugAssign,), leave_the_window, ("content",)),
    Template("best_of_table", (ast.Subscript,), best_of_table, ("content",)),
    Template("from_first_place", (ast.Subscript,), from_first_place, ("content", "shorter", "order")),
    Template("clear_blocked", (ast.If,), clear_blocked, ("content",)),
    Template("clear_the_rest", (ast.For, ast.While), clear_the_rest, ("content", "longer")),
)
