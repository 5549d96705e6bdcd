"""Branches missing or wrong: a tie, an `else`, a case that prose names, the parts of a date, any for all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import (
    HALF,
    MAX_BRANCH_CHARACTERS,
    MAX_STATED_BRANCHES,
    POSSIBLE,
    PROBABLE,
    UNLIKELY,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import (
    COMPARISON_SYMBOLS,
    Expression,
    bool_operation,
    comparison,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.negations import negation
from regreen.propose.search.templates.iteration.rests_of_lists import turned
from regreen.syntax import FUNCTIONS, ORDERS, Function, bound_values, names_within
from regreen.types import Edit


def tie_branch(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a > best: best, names = a, [x]` gains `elif a == best: names.append(x)`."""
    test = node.test
    if node.orelse or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return
    if not isinstance(test.ops[0], ORDERS):
        return
    head = f"elif {context.text(test.left)} == {context.text(test.comparators[0])}:"
    for target, value in _assigned(node.body):
        old = context.text(target)
        if old in (context.text(test.left), context.text(test.comparators[0])):
            continue
        whole, one = _as_many(value, context), context.text(value)
        for line in (f"{old}.append({whole[1]})", f"{old}.extend({whole[0]})", f"{old} += {whole[0]}"):
            yield from context.after(node, (head, f"\t{line}"))
        for line in (f"{old} += 1", f"{old} = min({old}, {one})", f"{old} = max({old}, {one})", f"{old} = None"):
            yield from context.after(node, (head, f"\t{line}"), PROBABLE)


def _assigned(body: list[ast.stmt]) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets and values of the assignments of a block, tuples taken apart."""
    for statement in body:
        if isinstance(statement, ast.Assign):
            yield from bound_values(statement)


def _as_many(value: ast.expr, context: TemplateContext) -> tuple[str, str]:
    """The source of a value as several items, and as one item."""
    if isinstance(value, ast.List | ast.Tuple | ast.Set) and len(value.elts) == 1:
        return context.text(value), context.text(value.elts[0])
    if isinstance(value, ast.Call) and len(value.args) == 1:
        return context.text(value.args[0]), context.text(value.args[0])
    return context.text(value), context.text(value)


def other_quantifier(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if even(x): return True` in a loop and `return False` after it become `if not even(x): return False` and `True`:
    all are asked for, and the first one decided.
    """
    following = context.program.block(node)
    if node is following[-1]:
        return
    after = following[following.index(node) + 1]
    tests = [n for n in context.program.below(node) if isinstance(n, ast.If) and len(n.body) == 1 and not n.orelse]
    inner = [test for test in tests if _truth(test.body[0]) is not None]
    outer = _truth(after)
    if outer is None or len(inner) != 1 or _truth(inner[0].body[0]) is outer:
        return
    test, exit_ = inner[0].test, inner[0].body[0]
    spans = context.program.spans
    for negated in dict.fromkeys((negation(test, context).text, f"not ({context.text(test)})")):
        yield WeightedEdits(
            (
                Edit(*spans[test], negated),
                Edit(*spans[exit_], f"return {outer}"),
                Edit(*spans[after], f"return {not outer}"),
            )
        )


def cross_exits(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Where a function returns one of two values, `x` here and `y` there, they change places everywhere."""
    exits = [n.value for n in context.program.below(node) if isinstance(n, ast.Return) and n.value is not None]
    texts = list(dict.fromkeys(context.text(value) for value in exits))
    if len(texts) == 2 and len(exits) <= 4 and all(isinstance(v, ast.Name | ast.Constant) for v in exits):
        one, other = texts
        for kept in (None, *(exits if len(exits) > 2 else ())):
            crossed = [value for value in exits if value is not kept]
            yield WeightedEdits(
                tuple(context.edit(v, Expression(other if context.text(v) == one else one)) for v in crossed)
            )


def _truth(statement: ast.AST) -> bool | None:
    """The truth value that a statement returns."""
    value = statement.value if isinstance(statement, ast.Return) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None


def add_else(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if c: n += 1` gains `else: n = 0`, `else: n -= 1`, `else: break`, ..."""
    last = node.body[-1]
    if node.orelse or isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break):
        return
    for line, weight in dict.fromkeys(_otherwise(node, context)):
        yield from context.after(node, ("else:", f"\t{line}"), weight)


def ask_flag_in_else(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`else:` becomes `elif flag:` or `elif not flag:` of a parameter that nothing reads."""
    at = _else_of(node, context)
    for name in context.scope.parameters if at >= 0 else ():
        if name in context.scope.unused:
            yield context.replace(at, at + len("else"), f"elif {name}")
            yield context.replace(at, at + len("else"), f"elif not {name}")


def mirror_branch(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if len(a) > len(b) + 1: b.append(a.pop())` gains `elif len(b) > len(a): a.append(b.pop())`: the other way."""
    test = node.test
    if node.orelse or not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ORDERS):
        return
    if not all(map(context.program.alone, node.body)):
        return
    asked = context.text(test)
    lines = [context.text(part) for part in node.body]
    inside = context.program.below(test)
    names = dict.fromkeys(context.text(part) for part in inside if isinstance(part, ast.Name | ast.Attribute))
    done = "\n".join(lines)
    held = [name for name in names if len(re.findall(rf"(?<![\w.]){re.escape(name)}(?!\w)", done)) == 1]
    if len(held) != _TWO:
        return
    question, *answer = (turned(line, held, held[::-1]) for line in (asked, *lines))
    for other in dict.fromkeys((re.sub(r" [-+] 1$", "", question), question)):
        yield from context.after(node, (f"elif {other}:", *(f"\t{line}" for line in answer)))


_TWO = 2
_MOST_MARKS = 6
"""Characters of the checks that are tried."""


def add_stated_branch(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if mark == "P": run += 1` gains `elif mark == "A": run = 0`: prose quotes a text that nothing asks for."""
    test, last = node.test, node.body[-1]
    if node.orelse or isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break):
        return
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], ast.Eq) or len(test.ops) != 1:
        return
    known = test.comparators[0]
    if not isinstance(known, ast.Constant) or not isinstance(known.value, str):
        return
    named = {part.value for part in context.scope.nodes if isinstance(part, ast.Constant)}
    quoted = [text for text in context.clues.strings if text not in named and len(text) <= MAX_BRANCH_CHARACTERS]
    for text in quoted[:MAX_STATED_BRANCHES]:
        head = f"elif {context.text(test.left)} == {text!r}:"
        for line, weight in dict.fromkeys(_otherwise(node, context)):
            yield from context.after(node, (head, f"\t{line}"), weight)


def _otherwise(node: ast.If, context: TemplateContext) -> Iterator[tuple[str, float]]:
    for statement in node.body:
        if isinstance(statement, ast.AugAssign):
            target, value = context.text(statement.target), context.text(statement.value)
            other = "-" if isinstance(statement.op, ast.Add) else "+"
            yield from ((f"{target} {other}= {value}", 1.0), (f"{target} = 0", 1.0), (f"{target} = 1", VERY_LIKELY))
            yield from _added_items(target, node, context, "{0} += {1}")
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name | ast.Attribute):
            target, new = context.text(statement.targets[0]), statement.value
            if isinstance(new, ast.BinOp) and isinstance(new.op, ast.Add) and context.text(new.left) == target:
                yield from _added_items(target, node, context, "{0} = {0} + {1}")
            yield from ((f"{target} = {value}", HALF) for value in ("0", "None", "1", "False", "[]", "''", "True"))
            yield from ((f"{target} = {name}", POSSIBLE) for name in context.scope.locals if name != target)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and statement.value.args:
            function = context.text(statement.value.func)
            for name in context.scope.locals:
                yield f"{function}({name})", HALF
            yield from ((f"{function}({value})", UNLIKELY) for value in ("0", "None", "''", "[]", "1"))
    yield from (("break", HALF), ("continue", UNLIKELY), ("return False", POSSIBLE), ("return None", UNLIKELY))


def _added_items(target: str, node: ast.If, context: TemplateContext, shape: str) -> Iterator[tuple[str, float]]:
    """`out += c` or `out = out + c` for each variable that the condition asks about: what is not changed is kept."""
    asked = names_within(node.test)
    for name in context.scope.locals:
        if name in asked and name != target:
            yield shape.format(target, name), VERY_LIKELY


def compare_in_order(node: ast.BoolOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a.x < b.x or a.y < b.y` becomes `(a.x, a.y) < (b.x, b.y)`: the second counts where the first are equal."""
    links = [v for v in node.values if isinstance(v, ast.Compare) and len(v.ops) == 1]
    if len(links) != len(node.values) or not all(isinstance(link.ops[0], ORDERS) for link in links):
        return
    symbol = COMPARISON_SYMBOLS[type(links[-1].ops[0])]
    left = ", ".join(context.text(link.left) for link in links)
    right = ", ".join(context.text(link.comparators[0]) for link in links)
    yield context.put(node, comparison(Expression(f"({left})"), symbol, Expression(f"({right})")))
    first = links[0]
    same = comparison(context.expression(first.left), "==", context.expression(first.comparators[0]))
    if len(links) == 2:
        yield context.put(
            node,
            bool_operation(context.expression(first), "or", bool_operation(same, "and", context.expression(links[1]))),
        )


def nearer_of_both(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a: best = x elif b: best = y` becomes `if a: best = x` and `if b: best = min(best, y)`: both may hold."""
    other = node.orelse[0] if len(node.orelse) == 1 else None
    if not isinstance(other, ast.If) or other.orelse or len(node.body) != 1 or len(other.body) != 1:
        return
    one, two = node.body[0], other.body[0]
    start = context.program.spans[other][0]
    if not context.program.source.startswith("elif", start):
        return
    if isinstance(one, ast.Assign) and isinstance(two, ast.Assign):
        name = context.text(one.targets[0])
        if name == context.text(two.targets[0]) and isinstance(two.value, ast.BinOp | ast.Call | ast.Subscript):
            for best in ("min", "max"):
                kept = context.edit(two.value, Expression(f"{best}({name}, {context.text(two.value)})"))
                yield WeightedEdits((Edit(start, start + 2, ""), kept))


def narrow_else(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if mark == "W": ... else: ...` becomes `... elif mark == "L": ...`, where the checks have further marks."""
    chain = [node]
    while len(chain[-1].orelse) == 1 and isinstance(chain[-1].orelse[0], ast.If):
        chain.append(chain[-1].orelse[0])
    last = chain[-1]
    if (isinstance(context.parent(node), ast.If) and node in context.parent(node).orelse) or not last.orelse:  # type: ignore[attr-defined]
        return
    asked = [_mark_asked(one.test) for one in chain]
    names = {name for name, _ in asked}
    if len(names) != 1 or "" in names:
        return
    known = [mark for _, mark in asked]
    seen = dict.fromkeys(letter for text in context.clues.input_strings for letter in text)
    alike = (mark for mark in seen if mark.isalpha() == known[0].isalpha() and mark.isprintable())
    others = [mark for mark in alike if mark not in (*known, '"', "\\")]
    if len(others) < 2:
        return
    start = context.program.source.rfind("else", 0, context.program.spans[last.orelse[0]][0])
    for mark in others[:_MOST_MARKS]:
        yield context.replace(start, start + len("else"), f'elif {names.copy().pop()} == "{mark}"')


def _mark_asked(test: ast.expr) -> tuple[str, str]:
    """The variable and the character of `mark == "W"`; empty texts for anything else."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name) or not isinstance(test.ops[0], ast.Eq):
        return "", ""
    mark = test.comparators[0]
    is_text = len(test.ops) == 1 and isinstance(mark, ast.Constant) and isinstance(mark.value, str)
    return (test.left.id, mark.value) if is_text and len(mark.value) == 1 else ("", "")  # type: ignore[attr-defined]


def opposite_in_else(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if a > b: ... else: ...` becomes `if a > b: ... elif a < b: ...`: where both are equal, neither is meant."""
    test = node.test
    is_plain = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Lt | ast.Gt)
    at = _else_of(node, context)
    if is_plain and at >= 0:
        assert isinstance(test, ast.Compare)
        symbol = "<" if isinstance(test.ops[0], ast.Gt) else ">"
        turned_test = comparison(context.expression(test.left), symbol, context.expression(test.comparators[0])).text
        yield context.replace(at, at + len("else"), f"elif {turned_test}")


def _else_of(node: ast.If, context: TemplateContext) -> int:
    """Where the `else` of a choice stands in the text; below 0 where there is none, or an `elif`."""
    if not node.orelse or isinstance(node.orelse[0], ast.If):
        return -1
    begin, end = context.program.spans[node.body[-1]][1], context.program.first(node.orelse[0])
    return context.program.source.rfind("else", begin, end)


TEMPLATES = (
    Template("opposite_in_else", (ast.If,), opposite_in_else),
    Template("narrow_else", (ast.If,), narrow_else),
    Template("nearer_of_both", (ast.If,), nearer_of_both, ("content",)),
    Template("tie_branch", (ast.If,), tie_branch, ("shorter", "content")),
    Template("add_else", (ast.If,), add_else),
    Template("ask_flag_in_else", (ast.If,), ask_flag_in_else, ("longer", "content")),
    Template("mirror_branch", (ast.If,), mirror_branch, ("content", "shorter", "longer")),
    Template("add_stated_branch", (ast.If,), add_stated_branch, ("longer", "content")),
    Template("cross_exits", FUNCTIONS, cross_exits, ("negated",)),
    Template("other_quantifier", (ast.For, ast.While), other_quantifier, ("negated",)),
    Template("compare_in_order", (ast.BoolOp,), compare_in_order, ("order",)),
)
