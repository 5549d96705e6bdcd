"""Conditions that ask the same of every pair or of every turn of their variables, but for one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Final

from regreen.propose.search.constants import HALF, POSSIBLE
from regreen.propose.search.expressions import (
    AND,
    COMPARISON_SYMBOLS,
    OR,
    SUM,
    Expression,
    bool_operation,
    comparison,
    unary_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.copied_statements import with_other_names
from regreen.syntax import callee_name, names_within, walk_in_order

_TURNED = 3
"""Variables of a condition that is asked in every turn: of two there are no more than both ways round."""


def first_difference_decides(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a[k] > b[k]: return True` in a loop becomes `if a[k] != b[k]: return a[k] > b[k]`: what is less decides, too.

    Of `return 1` it is `if a[k] < b[k]: return -1` that comes after it.
    """
    test, answer = node.test, node.body[0].value if isinstance(node.body[0], ast.Return) else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(answer, ast.Constant | ast.UnaryOp):
        return
    if node.orelse or type(test.ops[0]) not in _OTHER_WAY or not any(context.loops_around(node)):
        return
    left, right = context.text(test.left), context.text(test.comparators[0])
    given = context.text(answer)
    if given in ("True", "False"):
        told = context.text(test) if given == "True" else f"{left} {_OTHER_WAY[type(test.ops[0])]} {right}"
        yield from context.restate(node, (f"if {left} != {right}:", f"\treturn {told}"))
    elif given in _OPPOSITE_NUMBERS:
        lines = (f"if {left} {_OTHER_WAY[type(test.ops[0])]} {right}:", f"\treturn {_OPPOSITE_NUMBERS[given]}")
        yield from context.after(node, lines)


_OTHER_WAY: Final[dict[type[ast.cmpop], str]] = {ast.Lt: ">", ast.Gt: "<"}
_OPPOSITE_NUMBERS: Final = {"1": "-1", "-1": "1"}


def missing_pair(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a == b or b == c` becomes `a == b or b == c or a == c`: each is compared with each."""
    links = [v for v in node.values if isinstance(v, ast.Compare) and len(v.ops) == 1]
    names = [[n.id for n in (link.left, *link.comparators) if isinstance(n, ast.Name)] for link in links]
    symbols = {type(link.ops[0]) for link in links}
    if len(links) != len(node.values) or len(symbols) != 1 or any(len(pair) != 2 for pair in names):
        return
    compared = {frozenset(pair) for pair in names}
    symbol, word = COMPARISON_SYMBOLS[symbols.pop()], "and" if isinstance(node.op, ast.And) else "or"
    for one, other in combinations(dict.fromkeys(name for pair in names for name in pair), 2):
        if frozenset((one, other)) not in compared:
            extra = comparison(Expression(one), symbol, Expression(other))
            yield context.put(node, bool_operation(context.expression(node), word, extra))


def missing_turn(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a + b > c and b + c > a` gains `and a + c > b`: each variable takes its turn at the last place, or the first."""
    names = [_names_of(value) for value in node.values]
    inside = sorted(names[0])
    if len(set(inside)) != _TURNED or any(sorted(found) != inside for found in names):
        return
    if len({_shape(value) for value in node.values}) != 1:
        return
    word = "and" if isinstance(node.op, ast.And) else "or"
    for place in (-1, 0):
        lacking = set(inside) - {found[place] for found in names}
        if len(lacking) == 1:
            turn = next(turn for turn in permutations(dict.fromkeys(names[0])) if turn[place] in lacking)
            turned = dict(zip(dict.fromkeys(names[0]), turn, strict=True))
            extra = _renamed(node.values[0], [turned[name] for name in names[0]], context)
            yield context.put(node, bool_operation(context.expression(node), word, extra))


def ask_as_twin(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`c[0] == c[1]` becomes `c[0] == c[1] and c[0] != ""`, where `r[0] == r[1] and r[0] != ""` is asked elsewhere."""
    own = [node.left, *node.comparators]
    for whole, twin in context.cached("linked comparisons", lambda: list(_linked_comparisons(context))):
        told = [twin.left, *twin.comparators]
        if len(told) != len(own) or list(map(type, node.ops)) != list(map(type, twin.ops)):
            continue
        counterpart = dict(zip(map(context.text, told), map(context.text, own), strict=True))
        for other in whole.values:
            sides = [other.left, *other.comparators] if isinstance(other, ast.Compare) and other is not twin else []
            if not any(context.text(side) in counterpart for side in sides):
                continue
            first, *rest = (Expression(counterpart.get(context.text(side), context.text(side)), SUM) for side in sides)
            extra, word = first, "and" if isinstance(whole.op, ast.And) else "or"
            for operator, side in zip(other.ops, rest, strict=True):  # type: ignore[attr-defined]
                extra = comparison(extra, COMPARISON_SYMBOLS[type(operator)], side)
            if extra.text not in context.text(context.program.statement(node)):
                yield context.put(node, bool_operation(context.expression(node), word, extra))


def _linked_comparisons(context: TemplateContext) -> Iterator[tuple[ast.BoolOp, ast.Compare]]:
    """The comparisons that stand beside others in one condition, with that."""
    for part in context.scope.nodes:
        if isinstance(part, ast.BoolOp):
            yield from ((part, value) for value in part.values if isinstance(value, ast.Compare))


def even_pair(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a.start <= b.end and b.start <= a.end` becomes `a.start < b.end and b.start < a.end`: both or none."""
    links = [v for v in node.values if isinstance(v, ast.Compare) and len(v.ops) == 1]
    symbols = {COMPARISON_SYMBOLS[type(link.ops[0])] for link in links}
    if len(links) != len(node.values) or len(links) != _PAIR or len(symbols) != 1:
        return
    if len({(_shape(link.left), _shape(link.comparators[0])) for link in links}) > 1:
        # `j > 0 and xs[j] > key` asks two things.
        return
    other = _STRICTNESS.get(symbols.pop())
    if other is not None:
        sides = [(context.expression(link.left), context.expression(link.comparators[0])) for link in links]
        new = [comparison(left, other, right) for left, right in sides]
        yield WeightedEdits(tuple(context.edit(link, one) for link, one in zip(links, new, strict=True)))


_PAIR = 2
_STRICTNESS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def _names_of(value: ast.expr) -> list[str]:
    return [node.id for node in walk_in_order(value) if isinstance(node, ast.Name)]


def _shape(value: ast.expr) -> str:
    """An expression without its names: `a + b > c` and `b + c > a` have one shape."""
    return " ".join("name" if isinstance(node, ast.Name) else type(node).__name__ for node in walk_in_order(value))


def _renamed(value: ast.expr, new: Sequence[str], context: TemplateContext) -> Expression:
    """An expression with other names in the places of its own."""
    start = context.program.spans[value][0]
    text = context.program.source[start : context.program.spans[value][1]]
    nodes = [node for node in walk_in_order(value) if isinstance(node, ast.Name)]
    for node, name in sorted(zip(nodes, new, strict=True), key=lambda pair: -context.program.spans[pair[0]][0]):
        first, last = context.program.spans[node]
        text = text[: first - start] + name + text[last - start :]
    return Expression(text, context.expression(value).level)


def have_part_in_common(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a <= c <= b or a <= d <= b` becomes `a <= d and c <= b`: of two stretches one may lie within the other, too."""
    if not isinstance(node.op, ast.Or) or len(node.values) != 2:
        return
    one, other = (_within(value, context) for value in node.values)
    if one is None or other is None or (one[0], one[4]) != (other[0], other[4]):
        return
    low, begins, first, _, high = one
    _, _, last, ends, _ = other
    below = "<=" if begins == ends == "<=" else "<"
    yield context.put(node, Expression(f"{low} {below} {last} and {first} {below} {high}", AND))
    yield context.put(node, Expression(f"{low} < {last} and {first} < {high}", AND), HALF)


def _within(test: ast.expr, context: TemplateContext) -> tuple[str, str, str, str, str] | None:
    """The five parts of `low <= x <= high`."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 2 or not all(isinstance(op, _BELOW) for op in test.ops):
        return None
    signs = ["<=" if isinstance(op, ast.LtE) else "<" for op in test.ops]
    middle, high = test.comparators
    return context.text(test.left), signs[0], context.text(middle), signs[1], context.text(high)


_BELOW = (ast.Lt, ast.LtE)


def pairs_of_three(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a == b or c` becomes `a == b or a == c or b == c`: of three variables each is compared with each."""
    links = [value for value in node.values if isinstance(value, ast.Compare) and len(value.ops) == 1]
    alone = [value.id for value in node.values if isinstance(value, ast.Name)]
    if len(links) != 1 or len(alone) != 1 or len(node.values) != len(links) + len(alone):
        return
    sides = [links[0].left, *links[0].comparators]
    names = list(dict.fromkeys([*(side.id for side in sides if isinstance(side, ast.Name)), *alone]))
    if len(names) == _TURNED and type(links[0].ops[0]) in COMPARISON_SYMBOLS:
        symbol = COMPARISON_SYMBOLS[type(links[0].ops[0])]
        word, level = ("and", AND) if isinstance(node.op, ast.And) else ("or", OR)
        pairs = (f"{one} {symbol} {other}" for one, other in combinations(names, 2))
        yield context.put(node, Expression(f" {word} ".join(pairs), level))


def closed_as_opened(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.startswith("(")` becomes `text.startswith("(") and text.endswith(")")`: what is opened is closed."""
    other = {"startswith": "endswith", "endswith": "startswith"}.get(callee_name(node), "")
    mark = node.args[0] if len(node.args) == 1 else None
    if not other or not isinstance(mark, ast.Constant) or not isinstance(mark.value, str):
        return
    owner = context.text(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    opposite = "".join(_FACING.get(sign, sign) for sign in reversed(mark.value))
    asked = f"{owner}.{other}({opposite!r})"
    whole = context.text(context.program.statement(node))
    if owner and (opposite != mark.value or mark.value in _QUOTES) and asked not in whole.replace('"', "'"):
        further = Expression(asked.replace("'", '"') if '"' not in asked else asked)
        yield context.put(node, bool_operation(context.expression(node), "and", further))


_QUOTES = ("'", '"', "`", "|", "*", "_")
_FACING = dict(zip("([{<)]}>", ")]}>([{<", strict=True))


def same_kind_on_both(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`isinstance(value, dict)` becomes `isinstance(value, dict) and isinstance(result.get(key), dict)`, where the
    branch works on `result[key]`: both are of the kind, or it is no pair."""
    branch = context.parent(node)
    branch = context.parent(branch) if isinstance(branch, ast.BoolOp) else branch
    if callee_name(node) != "isinstance" or len(node.args) != 2 or not isinstance(branch, ast.If):
        return
    entries = {
        (context.text(part.value), context.text(part.slice))
        for statement in branch.body
        for part in ast.walk(statement)
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load) and isinstance(part.slice, ast.Name)
    }
    for table, key in sorted(entries):
        further = Expression(f"isinstance({table}.get({key}), {context.text(node.args[1])})")
        if further.text not in context.text(branch.test):
            yield context.put(node, bool_operation(context.expression(node), "and", further))


def missing_or_wrong(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`stack and stack.pop() != c` becomes `not stack or stack.pop() != c`, and the other way round: what is missing
    is refused as what is wrong is, or what is there is asked about."""
    first, rest = node.values[0], node.values[1:]
    is_denied = isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.Not)
    asked = first.operand if isinstance(first, ast.UnaryOp) else first
    if (
        len(rest) != 1
        or not isinstance(asked, ast.Name | ast.Attribute)
        or context.text(asked) not in context.text(rest[0])
    ):
        return
    code = context.expression(asked)
    if isinstance(node.op, ast.And) and not is_denied:
        yield context.put(node, bool_operation(unary_operation("not", code), "or", context.expression(rest[0])))
    elif isinstance(node.op, ast.Or) and is_denied:
        yield context.put(node, bool_operation(code, "and", context.expression(rest[0])))


def not_blank(node: ast.Call | ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`all(c == line[0] for c in line)` becomes `line[0] != " " and all(...)`: blanks that are alike win nothing."""
    first = _alike(node, context)
    if first is None:
        return
    code = context.expression(node)
    marks = [*context.clues.strings, *context.clues.input_strings]
    for mark in [mark for mark in dict.fromkeys((*marks, " ")) if len(mark) == 1 and not mark.isalnum()][:_MARKS]:
        known = comparison(first, "!=", Expression(repr(mark) if '"' in mark else f'"{mark}"'))
        yield context.put(node, bool_operation(known, "and", code))
    yield context.put(node, bool_operation(first, "and", code), POSSIBLE)


def _alike(node: ast.Call | ast.Compare, context: TemplateContext) -> Expression | None:
    """The first of some items that a condition finds to be alike: `xs[0]` of `len(set(xs)) == 1`; None for others."""
    if isinstance(node, ast.Compare):
        if len(node.ops) > 1 and all(isinstance(op, ast.Eq) for op in node.ops):
            return context.expression(node.left)
        match = re.fullmatch(r"len\(set\((\w+)\)\) == 1", context.text(node))
        return Expression(f"{match[1]}[0]") if match else None
    match = re.fullmatch(r"all\((\w+) == (\w+\[0\]) for \1 in \w+\)", context.text(node))
    return Expression(match[2]) if match else None


_MARKS: Final = 4
"""Marks of blanks that are tried."""


def part_as_elsewhere(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`0 <= a < h and new[a]` becomes `0 <= a < h and hall[a] != "#" and new[a]`, as another condition that begins so
    has it: both ask whether the same place can be gone to."""
    if not isinstance(node.op, ast.And):
        return
    own = [context.text(part) for part in node.values]
    for other in context.scope.nodes:
        if other is node or not isinstance(other, ast.BoolOp) or not isinstance(other.op, ast.And):
            continue
        theirs = [context.text(part) for part in other.values]
        shared = [part for part in theirs if part in own]
        for part in theirs if shared else ():
            if part not in own and "\n" not in part:
                start = context.program.spans[node.values[own.index(shared[-1])]][1]
                yield context.replace(start, start, f" and {part}", 1.0 if len(shared) > 1 else HALF)


def none_as_twin(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`left is None or right.is_blank` becomes `left is None or right is None or right.is_blank`, and so with
    `is not None` and `and`: what is asked of one is asked of the other before anything of it is read."""
    first = node.values[0]
    sign = ast.Is if isinstance(node.op, ast.Or) else ast.IsNot
    match first:
        case ast.Compare(left=ast.Name(id=known), ops=[op], comparators=[ast.Constant(value=None)]) if type(op) is sign:
            rest = [part for value in node.values[1:] for part in ast.walk(value)]
        case _:
            return
    asked = {part.left.id for part in rest if isinstance(part, ast.Compare) and isinstance(part.left, ast.Name)}
    read = [part.value.id for part in rest if isinstance(part, _PARTS) and isinstance(part.value, ast.Name)]
    word, link = ("is", "or") if sign is ast.Is else ("is not", "and")
    for name in dict.fromkeys(read):
        if name not in (known, *asked) and name in context.scope.visible:
            _, end = context.program.spans[first]
            yield context.replace(end, end, f" {link} {name} {word} None")


_PARTS = (ast.Attribute, ast.Subscript)


def turned_round_as_well(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a == end: ...` in `for a, b in pairs` is followed by the same with `a` and `b` swapped: a pair may be laid
    down either way round."""
    loop = next(context.loops_around(node), None)
    if not isinstance(loop, ast.For) or node.orelse or context.parent(node) is not loop:
        return
    pair = [part for part in ast.walk(loop.target) if isinstance(part, ast.Tuple)]
    names = [part.id for part in pair[-1].elts if isinstance(part, ast.Name)] if pair else []
    start, end = context.program.lines(node)
    text = context.program.source[start:end]
    if len(names) != len("ab") or not names_within(node.test) & set(names) or '"' in text or "'" in text:
        return
    turned = with_other_names(text, dict(zip(names, names[::-1], strict=True)))
    if context.program.alone(node) and text.endswith("\n"):
        yield context.replace(end, end, turned)


TEMPLATES = (
    Template("turned_round_as_well", (ast.If,), turned_round_as_well, ("negated", "smaller", "shorter")),
    Template("first_difference_decides", (ast.If,), first_difference_decides, ("content", "negated", "order")),
    Template("none_as_twin", (ast.BoolOp,), none_as_twin, ("attribute", "type")),
    Template("part_as_elsewhere", (ast.BoolOp,), part_as_elsewhere),
    Template("not_blank", (ast.Call, ast.Compare), not_blank),
    Template("missing_or_wrong", (ast.BoolOp,), missing_or_wrong, ("negated", "index")),
    Template("closed_as_opened", (ast.Call,), closed_as_opened, ("negated", "content")),
    Template("same_kind_on_both", (ast.Call,), same_kind_on_both, ("type", "attribute", "key")),
    Template("pairs_of_three", (ast.BoolOp,), pairs_of_three, ("negated", "content")),
    Template("have_part_in_common", (ast.BoolOp,), have_part_in_common),
    Template("missing_pair", (ast.BoolOp,), missing_pair),
    Template("missing_turn", (ast.BoolOp,), missing_turn),
    Template("ask_as_twin", (ast.Compare,), ask_as_twin, ("negated",)),
    Template("even_pair", (ast.BoolOp,), even_pair),
)
