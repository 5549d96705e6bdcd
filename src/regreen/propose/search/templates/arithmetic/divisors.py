"""Divisors, multiples and remainders: a number that strikes out itself, a factor that is left over at the end, a sum
that is not taken modulo what all else is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE
from regreen.propose.search.expressions import (
    COMPARISON,
    OPERATOR_SYMBOLS,
    SUM,
    TERM,
    TEST,
    Expression,
    binary_operation,
    bool_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number

_WITH_STEP = 3


def from_next_multiple(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`range(p, n, p)` becomes `range(2 * p, n, p)`, or `range(p * p, n, p)`: `p` itself is none of its multiples."""
    if callee_name(node) != "range" or len(node.args) != _WITH_STEP or not isinstance(node.args[0], ast.Name):
        return
    step = node.args[0].id
    if context.text(node.args[2]) == step:
        yield context.put(node.args[0], f"2 * {step}")
        yield context.put(node.args[0], f"{step} * {step}", LIKELY)


def keep_the_cofactor(node: ast.While | ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """After `while d * d <= n`, in which `n //= d` takes each `d` that is found out, comes `if n > 1` with what was
    done for each of them: what is left of `n` is its largest prime factor."""
    if isinstance(context.parent(node), ast.While | ast.For):
        return
    for divided in context.program.below(node):
        pair = _divided(divided, context)
        if pair is None or not pair[1].isidentifier() or not _ends_at_the_root(node, *pair, context):
            continue
        number, divisor = pair
        for part in _done_for(divisor, node, context):
            line = re.sub(rf"\b{divisor}\b", number, context.text(part))
            for counter in _counters(node, context) - {divisor, number}:
                line = re.sub(rf"(?<!=)(?<!\+= )\b{counter}\b(?! \+=)", "1", line)
            yield from context.after(node, (f"if {number} > 1:", f"\t{line}"))
            if (alone := _POWER_OF_ONE.sub("", line)) != line:
                yield from context.after(node, (f"if {number} > 1:", f"\t{alone}"))
        return


_POWER_OF_ONE: Final = re.compile(r"\s?(?:\^|\*\*|x)\s?\{1\}(?=[\"'])")
"""An exponent of one in an f-string, which is not written where others are."""


def _divided(node: ast.AST, context: TemplateContext) -> tuple[str, str] | None:
    """`n` and `d` of `n //= d` and of `n = n // d`."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.FloorDiv):
        number, divisor = context.text(node.target), context.text(node.value)
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.FloorDiv):
        number, divisor = context.text(node.value.left), context.text(node.value.right)
        if number != context.text(node.targets[0]):
            return None
    else:
        return None
    return (number, divisor) if number.isidentifier() and divisor.isalnum() else None


def _ends_at_the_root(loop: ast.While | ast.For, number: str, divisor: str, context: TemplateContext) -> bool:
    """Whether a loop goes through divisors up to the square root of a number alone."""
    bound = context.text(loop.test if isinstance(loop, ast.While) else loop.iter)
    squared = (f"{divisor} * {divisor} <", f"{divisor} ** 2 <", f"{divisor}*{divisor} <", "** 0.5", "sqrt(", "**0.5")
    return bool(re.search(rf"\b{number}\b", bound)) and any(root in bound for root in squared)


def _done_for(divisor: str, loop: ast.While | ast.For, context: TemplateContext) -> list[ast.stmt]:
    """The statements of a loop that keep a divisor; those that count where none does."""
    kept: list[ast.stmt] = []
    counted: list[ast.stmt] = []
    for part in context.program.below(loop):
        if not isinstance(part, ast.Expr | ast.Assign | ast.AugAssign) or _divided(part, context) is not None:
            continue
        text = context.text(part)
        is_step = isinstance(part, ast.AugAssign) and context.text(part.target) == divisor
        if is_step or re.match(rf"{divisor} = ", text):
            continue
        if re.search(rf"\b{divisor}\b", text):
            kept.append(part)
        elif isinstance(part, ast.AugAssign) and whole_number(part.value) == 1:
            counted.append(part)
    return kept or counted


def _counters(loop: ast.While | ast.For, context: TemplateContext) -> set[str]:
    """The variables that a loop counts up by one, from zero."""
    return {
        part.target.id
        for part in context.program.below(loop)
        if isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name) and whole_number(part.value) == 1
    }


def last_digit_of_rest(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`back = back * 10 + n` in a loop with `n //= 10` becomes `back * 10 + n % 10`: one digit in each round."""
    loop, step = next(context.loops_around(node), None), context.program.statement(node)
    if loop is None or not context.is_read(node) or not isinstance(step, ast.Assign | ast.AugAssign | ast.Expr):
        return
    if isinstance(context.parent(node), ast.BinOp) and isinstance(context.parent(node).op, ast.Mod):  # type: ignore[attr-defined]
        return
    for part in context.program.below(loop):
        pair = _divided(part, context) if part is not step else None
        if pair is not None and pair[0] == node.id:
            yield context.put(node, binary_operation(Expression(node.id), "%", Expression(pair[1])))
            return


def both_of_pair_once(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if other != n:` of `other = n // d` becomes `if other != n and other != d:`: of a square both are one."""
    asked = context.text(node.test)
    for part in context.program.block(node):
        value = part.value if isinstance(part, ast.Assign) else None
        if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.FloorDiv):
            continue
        name, divisor = context.text(part.targets[0]), context.text(value.right)  # type: ignore[attr-defined]
        test = Expression(f"{name} != {divisor}", COMPARISON)
        if re.search(rf"\b{re.escape(name)}\b", asked) and test.text not in asked:
            yield context.put(node.test, bool_operation(context.expression(node.test), "and", test))


def pair_of_divisors(node: ast.For | ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """In a loop up to the square root of `n`, each `d` that divides `n` comes with `n // d`, unless both are one."""
    for question in context.program.below(node):
        remainder = (
            question.test.left if isinstance(question, ast.If) and isinstance(question.test, ast.Compare) else None
        )
        if not isinstance(remainder, ast.BinOp) or not isinstance(remainder.op, ast.Mod):
            continue
        number, divisor = context.text(remainder.left), context.text(remainder.right)
        if not _ends_at_the_root(node, number, divisor, context):
            continue
        other, square = f"{number} // {divisor}", f"{divisor} * {divisor}"
        for part in question.body:  # type: ignore[attr-defined]
            if isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add):
                total, added = context.text(part.target), context.text(part.value)
                if added == divisor:
                    yield from context.after(part, (f"if {square} != {number}:", f"\t{total} += {other}"))
                elif added == "2":
                    yield context.put(part.value, Expression(f"1 if {square} == {number} else 2", TEST))
                elif other in added:
                    yield context.put(part.value, Expression(f"{divisor} if {square} == {number} else {added}", TEST))
            elif isinstance(part, ast.Expr) and context.text(part).endswith(f".append({divisor})"):
                again = context.text(part).replace(f".append({divisor})", f".append({other})")
                yield from context.after(part, (f"if {square} != {number}:", f"\t{again}"))
                yield from context.after(part, (again,), LIKELY)
            elif isinstance(part, ast.Expr) and context.text(part).endswith(f".append({other})"):
                yield from context.restate(part, (f"if {square} != {number}:", f"\t{context.text(part)}"))


def modulo_once_more(
    node: ast.Return | ast.Assign | ast.AugAssign, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`return sum(ways)` becomes `return sum(ways) % MOD`, and so what is added up or multiplied, where the program
    takes everything else modulo a large number."""
    modulus = context.cached_of_program("large modulus", lambda: _large_modulus(context))
    if not modulus or node.value is None or f"% {modulus}" in context.text(node):
        return
    value = context.expression(node.value)
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        target = context.expression(node.target)
        whole = binary_operation(target, OPERATOR_SYMBOLS[type(node.op)][0], value)
        rest = binary_operation(whole, "%", Expression(modulus)).text
        yield from context.restate(node, (f"{target.text} = {rest}",))
    elif isinstance(node.value, ast.BinOp | ast.Call | ast.Subscript | ast.Name):
        is_plain = isinstance(node, ast.Assign) and not isinstance(node.value, ast.BinOp)
        rest_of = binary_operation(value, "%", Expression(modulus))
        yield context.put(node.value, rest_of, POSSIBLE if is_plain else 1.0)


def _large_modulus(context: TemplateContext) -> str:
    """What remainders are taken of all through a program, where that is a number above a million; empty for none."""
    nodes = context.program.nodes
    taken = [part for part in nodes if isinstance(part, ast.BinOp | ast.AugAssign) and isinstance(part.op, ast.Mod)]
    rests = [part.right if isinstance(part, ast.BinOp) else part.value for part in taken]
    given = [part for part in nodes if isinstance(part, ast.Assign)]
    known = {context.text(part.targets[0]): context.text(part.value) for part in given}
    for text in dict.fromkeys(context.text(rest) for rest in rests):
        if _LARGE.fullmatch(known.get(text, text)):
            return text
    return ""


_LARGE: Final = re.compile(r"\d{7,}|\d[\d_]{8,}|10 ?\*\* ?\d+ ?[+-] ?\d+|1e\d+|int\(1e\d+\) ?\+ ?\d+")


def up_to_multiple(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(now // step + 1) * step` becomes `(now + step - 1) // step * step`: what is a multiple already stays one."""
    if (
        not isinstance(node.op, ast.Mult)
        or not isinstance(node.left, ast.BinOp)
        or not isinstance(node.left.op, ast.Add)
    ):
        return
    division, one = node.left.left, node.left.right
    if whole_number(one) != 1 or not isinstance(division, ast.BinOp) or not isinstance(division.op, ast.FloorDiv):
        return
    step = context.text(node.right)
    if context.text(division.right) == step and isinstance(node.right, ast.Name | ast.Attribute | ast.Constant):
        begun = binary_operation(context.expression(division.left), "+", Expression(step)).text
        up = binary_operation(Expression(f"{begun} - 1", SUM), "//", Expression(step))
        yield context.put(node, binary_operation(up, "*", Expression(step)))


def first_multiple_from(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(low // p) * p` becomes `max(p * p, (low + p - 1) // p * p)`, or without `p * p`: the first multiple of `p` that
    is no less than `low`, and not `p` itself."""
    match node:
        case ast.BinOp(
            left=ast.BinOp(left=low, op=ast.FloorDiv(), right=ast.Name(id=p)), op=ast.Mult(), right=ast.Name(id=same)
        ):
            if p == same:
                first = f"({context.expression(low).at(SUM)} + {p} - 1) // {p} * {p}"
                yield context.put(node, f"max({p} * {p}, {first})")
                yield context.put(node, Expression(first, TERM), HALF)


TEMPLATES = (
    Template("first_multiple_from", (ast.BinOp,), first_multiple_from, ("shorter", "smaller", "index", "content")),
    Template("last_digit_of_rest", (ast.Name,), last_digit_of_rest, ("larger", "content")),
    Template("modulo_once_more", (ast.Return, ast.Assign, ast.AugAssign), modulo_once_more, ("larger", "content")),
    Template("up_to_multiple", (ast.BinOp,), up_to_multiple, ("content", "larger")),
    Template("both_of_pair_once", (ast.If,), both_of_pair_once, ("content", "longer")),
    Template("pair_of_divisors", (ast.For, ast.While), pair_of_divisors, ("shorter", "longer", "content")),
    Template("from_next_multiple", (ast.Call,), from_next_multiple, ("content", "shorter", "empty")),
    Template("keep_the_cofactor", (ast.While, ast.For), keep_the_cofactor, ("shorter", "content", "empty")),
)
