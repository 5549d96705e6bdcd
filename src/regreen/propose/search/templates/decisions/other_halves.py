"""Conditions of which a half is missing: the other side, the other end, the other fields, what comes after."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, PROBABLE
from regreen.propose.search.expressions import AND, FACTOR, OR, Expression, bool_operation, comparison
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.sides import other_sides, with_orders_turned
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import OPPOSITE_SYMBOLS, ORDERS, callee_name, names_within, whole_number

_MOST_NUMBERS: Final = 4
_MOST_FIELDS: Final = 4


def ask_other_side(node: ast.Compare | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`node.left is None` becomes `node.left is None and node.right is None`, or `or`; `x < low` gains `or x > high`:
    both sides count."""
    if isinstance(node, ast.Call) and not isinstance(
        context.parent(node), ast.If | ast.While | ast.BoolOp | ast.UnaryOp
    ):
        return
    around = context.parent(node)
    whole, text = context.expression(node), context.text(node)
    beside = context.text(around) if isinstance(around, ast.BoolOp) else text
    ordered = isinstance(node, ast.Compare) and any(isinstance(op, ORDERS) for op in node.ops)
    for twin in other_sides(text, context):
        for other in (with_orders_turned(twin), twin) if ordered else (twin,):
            if other not in beside:
                for word, weight in (("and", 1.0), ("or", 1.0)):
                    yield context.put(node, bool_operation(whole, word, Expression(other, AND)), weight)


def guard_other_side(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if low is not None and x <= low: return False` is followed by the same of `high`, with `>=`."""
    if node.orelse or len(node.body) != 1 or "\n" in context.text(node.body[0]):
        return
    own = context.text(context.scope.function) if context.scope.function else context.program.source
    test, step = context.text(node.test), context.text(node.body[0])
    for twin in other_sides(f"{test}:{step}", context):
        asked, _, done = twin.partition(":")
        for question in dict.fromkeys((with_orders_turned(asked), asked)):
            if f"if {question}:" not in own:
                yield from context.after(node, (f"if {question}:", f"\t{done}"))


def ask_all_fields(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.num == other.num` becomes `self.num == other.num and self.den == other.den`: all fields count."""
    right = node.comparators[0]
    if (
        len(node.ops) != 1
        or not isinstance(node.ops[0], ast.Eq | ast.NotEq)
        or not isinstance(node.left, ast.Attribute)
    ):
        return
    if not isinstance(right, ast.Attribute) or right.attr != node.left.attr:
        return
    around = context.parent(node)
    beside = context.text(around) if isinstance(around, ast.BoolOp) else ""
    sign, word = ("==", "and") if isinstance(node.ops[0], ast.Eq) else ("!=", "or")
    for field in context.scope.attributes[:_MOST_FIELDS]:
        other = f"{context.text(node.left.value)}.{field} {sign} {context.text(right.value)}.{field}"
        if field != right.attr and other not in beside:
            yield context.put(node, bool_operation(context.expression(node), word, Expression(other, AND)))


def until_next_question(node: ast.While | ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while k:` before `if text[k] == c:` becomes `while k and text[k] != c:`: it goes on as long as that does not
    hold."""
    block = context.program.block(node)
    place = block.index(node)
    following = block[place + 1] if place + 1 < len(block) else None
    test = following.test if isinstance(following, ast.If) else None
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or type(test.ops[0]) not in OPPOSITE_SYMBOLS:
        return
    sides = context.expression(test.left), context.expression(test.comparators[0])
    opposite = comparison(sides[0], OPPOSITE_SYMBOLS[type(test.ops[0])], sides[1])
    if opposite.text not in context.text(node.test):
        yield context.put(node.test, bool_operation(context.expression(node.test), "and", opposite))


def still_above_zero(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while xs[k] != c: k = table[k - 1]` becomes `while k > 0 and xs[k] != c`: there is nothing before the first."""
    asked = names_within(node.test)
    changed = {
        context.text(target): part
        for part in node.body
        if isinstance(part, ast.Assign | ast.AugAssign)
        for target in (part.targets if isinstance(part, ast.Assign) else [part.target])
    }
    for name, step in changed.items():
        is_lowered = isinstance(step, ast.AugAssign) and isinstance(step.op, ast.Sub)
        if name not in asked or not (is_lowered or f"{name} - 1]" in context.text(step)):
            continue
        for question, weight in ((f"{name} > 0", 1.0), (f"{name} >= 0", PROBABLE), (name, HALF)):
            if question not in context.text(node.test):
                yield context.put(
                    node.test, Expression(f"{question} and {context.expression(node.test).at(AND)}", AND), weight
                )


def while_both_last(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while i < len(a)` becomes `while i < len(a) and j < len(b)`, where the loop reads `b[j]` and moves `j` on."""
    moved = {
        part.target.id
        for part in context.program.below(node)
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name) and isinstance(part.op, ast.Add)
    }
    read = (part for part in context.program.below(node) if isinstance(part, ast.Subscript))
    asked = context.text(node.test)
    found = dict.fromkeys(
        f"{part.slice.id} < len({context.text(part.value)})"
        for part in read
        if isinstance(part.slice, ast.Name) and part.slice.id in moved
    )
    for question in found:
        if question not in asked:
            whole = context.expression(node.test)
            yield context.put(node.test, bool_operation(whole, "and", Expression(question, AND)))
            yield context.put(node.test, Expression(f"{question} and {whole.at(AND)}", AND), LIKELY)


def ask_what_is_in_it(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`isinstance(value, dict)` becomes `isinstance(value, dict) and value`: an empty one counts as none."""
    if callee_name(node) != "isinstance" or len(node.args) != _TWO or not isinstance(node.args[0], ast.Name):
        return
    if isinstance(context.parent(node), ast.If | ast.IfExp | ast.BoolOp | ast.While):
        yield context.put(node, bool_operation(context.expression(node), "and", Expression(node.args[0].id)))


_TWO = 2


def or_at_other_end(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n < 2` becomes `n < 2 or n > 3`, and `row < 0` `row < 0 or row >= len(grid)`: outside is on
    both sides."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS):
        return
    asked, bound = context.text(node.left), node.comparators[0]
    is_below, whole = isinstance(node.ops[0], ast.Lt | ast.LtE), context.expression(node)
    around = context.parent(node)
    beside = context.text(around) if isinstance(around, ast.BoolOp) else ""
    for other, weight in _other_ends(node, asked, bound, context):
        question = f"{asked} {other}"
        if question not in beside:
            both = bool_operation(whole, "or", Expression(question, AND))
            if not is_below:
                both = Expression(f"{question} or {whole.at(OR)}", OR)
            yield context.put(node, both, weight)


def _other_ends(
    node: ast.Compare, asked: str, bound: ast.expr, context: TemplateContext
) -> Iterator[tuple[str, float]]:
    """The sign and the bound at the other end."""
    number = whole_number(bound)
    if isinstance(node.ops[0], ast.Lt | ast.LtE):
        if number == 0:
            tables = (part for part in context.scope.nodes if isinstance(part, ast.Subscript))
            held = dict.fromkeys(context.text(t.value) for t in tables if context.text(t.slice) == asked)
            yield from ((f">= len({table})", 1.0) for table in held)
            # `choose(n, r)`: of what it is a part of there cannot be more.
            others = (name for name in context.scope.parameters if asked in context.scope.parameters and name != asked)
            yield from ((f"> {name}", PROBABLE) for name in others if context.scope.kinds.get(name, "int") == "int")
        if number is not None:
            for text in _numbers_near(context):
                if float(text) > number:
                    yield from ((f"> {text}", 1.0), (f">= {text}", HALF))
    elif number is None:
        yield "< 0", 1.0
        yield "< 1", HALF
    else:
        for text in _numbers_near(context):
            if float(text) < number:
                yield from ((f"< {text}", 1.0), (f"<= {text}", HALF))


def _numbers_near(context: TemplateContext) -> list[str]:
    """Whole numbers of the function and of prose."""
    every = (*context.scope.numbers, *context.clues.numbers)
    return [text for text in dict.fromkeys(every) if text.isdigit()][: 2 * _MOST_NUMBERS]


def not_the_same_one(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`elif throw > second:` becomes `elif throw > second and throw != best:`, where `best` was compared before."""
    branch = context.parent(node)
    if not isinstance(branch, ast.If) or len(node.ops) != 1 or not isinstance(node.ops[0], ORDERS):
        return
    chain, asked = context.parent(branch), context.text(node.left)
    while isinstance(chain, ast.If) and branch in chain.orelse:
        test = chain.test
        if isinstance(test, ast.Compare) and context.text(test.left) == asked and len(test.ops) == 1:
            other = context.text(test.comparators[0])
            yield context.put(
                node, bool_operation(context.expression(node), "and", Expression(f"{asked} != {other}", AND))
            )
        branch, chain = chain, context.parent(chain)


def until_it_is_met(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`while node is not None:` becomes `while node is not None and node.key != key:`, where the loop only asks which
    of the two is greater."""
    asked = context.text(node.test)
    ordered = (part for part in context.program.below(node) if isinstance(part, ast.Compare) and len(part.ops) == 1)
    for part in ordered:
        if isinstance(part.ops[0], ORDERS) and isinstance(part.left, ast.Name | ast.Attribute | ast.Subscript):
            sides = context.expression(part.left), context.expression(part.comparators[0])
            other = comparison(sides[1], "!=", sides[0])
            if other.text not in asked and "len(" not in other.text:
                yield context.put(node.test, bool_operation(context.expression(node.test), "and", other))


def answer_by_unread_flag(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if has_blank: return "blank"` before another answer, where nothing reads `has_blank` and prose has that word."""
    flags = [
        name
        for name in context.scope.locals
        if name in context.scope.unused and context.scope.kinds.get(name, "") in ("bool", "")
    ]
    said = [text for text in context.clues.strings if text not in context.scope.strings][:_MOST_FIELDS]
    for flag in flags[:_MOST_FIELDS]:
        for text in said:
            for question, weight in ((flag, 1.0), (f"not {flag}", PROBABLE)):
                yield from context.before(node, (f"if {question}:", f"\treturn {text!r}"), weight)


def only_if_better(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if x != best: second = x` becomes `if x > second and x != best`: what is kept is the better one."""
    asked = context.text(node.test)
    for part in node.body:
        target = part.targets[0] if isinstance(part, ast.Assign) else None
        if isinstance(target, ast.Name) and isinstance(part.value, ast.Name) and any(context.loops_around(node)):  # type: ignore[attr-defined]
            kept, new = target.id, part.value.id  # type: ignore[attr-defined]
            for sign, weight in ((">", 1.0), ("<", LIKELY)):
                question = f"{new} {sign} {kept}"
                if question not in asked:
                    whole = context.expression(node.test).at(AND)
                    yield context.put(node.test, Expression(f"{question} and {whole}", AND), weight)


def tie_with_unread(node: ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[name for name in votes]` becomes `[name for name in votes if votes[name] == most]`, where
    nothing reads `most`."""
    if node.ifs:
        return
    end, items = context.outer(node.iter)[1], context.text(node.iter)
    unread = [name for name in context.scope.locals if name in context.scope.unused]
    targets = [part.id for part in ast.walk(node.target) if isinstance(part, ast.Name)]
    for name in (name for name in unread if name not in targets):
        for target in targets:
            table = items.partition(".")[0] if len(targets) == 1 else ""
            questions = [f"{target} == {name}"]
            if table.isidentifier() and isinstance(node.target, ast.Name):
                questions.insert(0, f"{table}[{target}] == {name}")
            for rank, question in enumerate(questions):
                yield context.replace(end, end, f" if {question}", LIKELY**rank)
                yield context.replace(end, end, f" if {question.replace('==', '!=')}", POSSIBLE)


def ask_each_character(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`any(c for c in word)` becomes `any(c.isdigit() for c in word)`: something is asked of each."""
    around = context.parent(node)
    if not isinstance(around, ast.GeneratorExp | ast.ListComp) or around.elt is not node:
        return
    call, target = context.parent(around), context.text(around.generators[0].target)
    if isinstance(call, ast.Call) and callee_name(call) in ("any", "all", "sum") and target == node.id:
        for method in _QUESTIONS:
            yield context.put(node, f"{node.id}.{method}()")


_QUESTIONS = ("isdigit", "isupper", "islower", "isalpha", "isalnum", "isspace")


def follow_the_other_way(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if change >= step: total += change; reference = height` gains `elif change <= -step: reference = height`: what
    falls as far is followed, too."""
    test, last = node.test, node.body[-1]
    if node.orelse or not isinstance(test, ast.Compare) or len(test.ops) != 1 or not any(context.loops_around(node)):
        return
    sign = {ast.GtE: "<=", ast.Gt: "<", ast.LtE: ">=", ast.Lt: ">"}.get(type(test.ops[0]))
    limit = context.expression(test.comparators[0])
    if sign and len(node.body) > 1 and isinstance(last, ast.Assign) and limit.text not in ("0", "0.0"):
        asked = f"elif {context.text(test.left)} {sign} -{limit.at(FACTOR)}:"
        yield from context.after(node, (asked, f"\t{context.text(last)}"))


def ask_all_between(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`not row[legs[0]] and not row[legs[-1]]` becomes `all(not row[leg] for leg in legs)`: not the ends alone."""
    first, last = context.text(node.values[0]), context.text(node.values[-1])
    if len(node.values) != _TWO:
        return
    for items in sorted({found for found in re.findall(r"\b([A-Za-z_][\w.]*)\[0\]", first) if f"{found}[-1]" in last}):
        item = context.new_name("one", "item")
        asked = first.replace(f"{items}[0]", item)
        if asked == last.replace(f"{items}[-1]", item):
            word = "all" if isinstance(node.op, ast.And) else "any"
            yield context.put(node, f"{word}({asked} for {item} in {items})")


TEMPLATES = (
    Template("ask_all_between", (ast.BoolOp,), ask_all_between, ("content", "negated")),
    Template("follow_the_other_way", (ast.If,), follow_the_other_way, ("smaller", "content")),
    Template("ask_each_character", (ast.Name,), ask_each_character, ("negated", "content")),
    Template("ask_other_side", (ast.Compare, ast.Call), ask_other_side, ("negated", "none", "index")),
    Template("guard_other_side", (ast.If,), guard_other_side, ("negated", "content")),
    Template("ask_all_fields", (ast.Compare,), ask_all_fields, ("negated",)),
    Template("until_next_question", (ast.While, ast.If), until_next_question, ("content", "hang")),
    Template("still_above_zero", (ast.While,), still_above_zero, ("hang", "index")),
    Template("while_both_last", (ast.While,), while_both_last, ("index",)),
    Template("ask_what_is_in_it", (ast.Call,), ask_what_is_in_it, ("content", "shorter")),
    Template("or_at_other_end", (ast.Compare,), or_at_other_end, ("index", "negated", "content")),
    Template("not_the_same_one", (ast.Compare,), not_the_same_one, ("content",)),
    Template("until_it_is_met", (ast.While,), until_it_is_met, ("hang", "none", "content")),
    Template("answer_by_unread_flag", (ast.Return,), answer_by_unread_flag, ("content",)),
    Template("only_if_better", (ast.If,), only_if_better, ("content",)),
    Template("tie_with_unread", (ast.comprehension,), tie_with_unread, ("longer", "content")),
)
