"""Reckoning with remainders: division modulo a prime, places in a cycle, and powers of matrices."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, TypeGuard

from regreen.propose.search.constants import LIKELY
from regreen.propose.search.expressions import ATOM, FACTOR, SHIFT, SUM, TERM, TEST, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import ORDERS, names_within, whole_number
from regreen.types import Edit

_LEAST_PRIME: Final = 1_000
_NAMES_OF_PRIMES: Final = frozenset({"m", "mod", "modulo", "modulus", "p", "prime", "md"})


def divide_by_inverse(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a // b % MOD` becomes `a * pow(b, MOD - 2, MOD) % MOD`: a remainder is divided by multiplying with the inverse
    (Fermat's little theorem)."""
    quotient = node.left
    if not isinstance(node.op, ast.Mod) or not isinstance(quotient, ast.BinOp) or not _is_prime(node.right, context):
        return
    if isinstance(quotient.op, ast.Div | ast.FloorDiv):
        prime, divisor = context.expression(node.right), context.expression(quotient.right).at(TEST)
        product = context.expression(quotient.left).at(TERM)
        power = f"pow({divisor}, {prime.at(SUM)} - 2, {prime.at(TEST)})"
        yield context.put(node, Expression(f"{product} * {power} % {prime.at(FACTOR)}", TERM))
        power = f"pow({divisor}, -1, {prime.at(TEST)})"
        yield context.put(node, Expression(f"{product} * {power} % {prime.at(FACTOR)}", TERM), LIKELY)


def _is_prime(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a number is large, or is called as such moduli are."""
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    if name.strip("_").lower() in _NAMES_OF_PRIMES:
        return True
    number = whole_number(node)
    return (number is not None and number >= _LEAST_PRIME) or context.text(node).startswith("10 ** 9")


def place_in_cycle(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`path[start + k % length]` becomes `path[start + (k - start) % length]`: a cycle is counted from its first
    place."""
    if not isinstance(node.op, ast.Add) or not isinstance(context.parent(node), ast.Subscript):
        return
    for start, rest in ((node.left, node.right), (node.right, node.left)):
        is_round = isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mod) and isinstance(start, ast.Name)
        if is_round and isinstance(rest, ast.BinOp) and context.text(start) not in names_within(rest.left):
            behind = binary_operation(context.expression(rest.left), "-", context.expression(start))
            yield context.put(rest.left, behind)


def begin_with_identity(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`result = [[1] * n for _ in range(n)]`, which is multiplied with a matrix in a loop, becomes the one that changes
    nothing: `[[int(i == j) for j in range(n)] for i in range(n)]`; so does a copy of the matrix itself."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not any(_multiplies(part, target.id) for part in context.scope.nodes):
        return
    if isinstance(value, ast.ListComp) and _is_square(value):
        bounds = value.generators[0].iter
        assert isinstance(bounds, ast.Call)
        size = context.text(bounds.args[0])
    elif copied := _copied_rows(value):
        size = f"len({copied})"
    else:
        return
    row, column = context.new_name("i", "row"), context.new_name("j", "column")
    yield context.put(value, f"[[int({row} == {column}) for {column} in range({size})] for {row} in range({size})]")


def _copied_rows(value: ast.expr) -> str:
    """The matrix of which a value is a copy, row by row; empty for anything else."""
    match value:
        case ast.ListComp(
            elt=ast.Subscript(slice=ast.Slice(lower=None, upper=None)) | ast.Call(func=ast.Name(id="list")),
            generators=[ast.comprehension(iter=ast.Name(id=matrix), ifs=[])],
        ):
            return matrix
    return ""


def _is_square(value: ast.ListComp) -> bool:
    """Whether a list of lists has one number in all its places."""
    bounds = value.generators[0].iter
    is_counted = isinstance(bounds, ast.Call) and ast.unparse(bounds.func) == "range" and len(bounds.args) == 1
    row = value.elt
    if isinstance(row, ast.BinOp) and isinstance(row.op, ast.Mult) and isinstance(row.left, ast.List):
        return is_counted and len(row.left.elts) == 1 and whole_number(row.left.elts[0]) is not None
    return is_counted and isinstance(row, ast.ListComp) and whole_number(row.elt) is not None


def _multiplies(node: ast.AST, name: str) -> bool:
    """Whether a statement gives a variable what a function makes of it and something else, or `name @ other`."""
    value = node.value if isinstance(node, ast.Assign) else None
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    if not isinstance(target, ast.Name) or target.id != name:
        return False
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.MatMult)
    given = value.args if isinstance(value, ast.Call) and len(value.args) in (2, 3) else []
    return any(isinstance(part, ast.Name) and part.id == name for part in given)


def counted_from_first(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`value % step` becomes `(value - first) % step`, where `first <= value` is asked: every so many from the first
    one."""
    if not isinstance(node.op, ast.Mod) or not isinstance(node.left, ast.Name | ast.Attribute):
        return
    counted = context.text(node.left)
    for first in context.cached("lower bounds", lambda: _lower_bounds(context)).get(counted, ()):
        steps = binary_operation(context.expression(node.left), "-", Expression(first))
        yield context.put(node, binary_operation(steps, "%", context.expression(node.right)))


def _lower_bounds(context: TemplateContext) -> dict[str, list[str]]:
    """For each name, the variables that the function asks it to reach: `first` of `first <= value`."""
    found: dict[str, dict[str, None]] = {}
    for part in context.scope.nodes:
        if not isinstance(part, ast.Compare):
            continue
        for left, op, right in zip([part.left, *part.comparators], part.ops, part.comparators, strict=False):
            low, high = (right, left) if isinstance(op, ast.Gt | ast.GtE) else (left, right)
            if isinstance(op, ORDERS) and isinstance(low, ast.Name | ast.Attribute):
                found.setdefault(context.text(high), {})[context.text(low)] = None
    return {high: list(lows) for high, lows in found.items()}


def begin_of_block(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`base = low` becomes `base = low >> bits << bits` where the function reads `low >> bits`, and `low // size *
    size` where it reads `low // size`: where the block begins in which it lies."""
    if not isinstance(node.value, ast.Name):
        return
    for part in context.scope.nodes:
        if not isinstance(part, ast.BinOp) or context.text(part.left) != node.value.id:
            continue
        symbol = {ast.RShift: "<<", ast.FloorDiv: "*"}.get(type(part.op))
        if symbol is not None:
            code = binary_operation(context.expression(part), symbol, context.expression(part.right))
            yield context.put(node.value, code)


def turn_within_list(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`shift = steps % (2 * height)` becomes `steps % len(cells)`, where places of `cells` are read: as many as there
    are."""
    if not isinstance(node.op, ast.Mod) or "len(" in context.text(node.right):
        return
    lists = context.cached("lists by place", lambda: _lists_by_place(context))
    for items in lists:
        if items not in context.text(node):
            yield context.put(node.right, f"len({items})")


def _lists_by_place(context: TemplateContext) -> list[str]:
    """The variables of which places are read that are worked out."""
    read = (part for part in context.scope.nodes if isinstance(part, ast.Subscript))
    worked_out = (part for part in read if isinstance(part.slice, ast.BinOp | ast.Name))
    names = (part.value.id for part in worked_out if isinstance(part.value, ast.Name))
    return [name for name in dict.fromkeys(names) if context.scope.kinds.get(name, "") in ("list", "str", "tuple", "")]


def rounds_behind_start(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rounds, rest = divmod(k, length)`, where `path[start + rest]` is read, becomes `divmod(k - start, length)`: the
    rounds begin where the cycle does."""
    around = context.parent(node)
    match around:
        case ast.Assign(targets=[ast.Tuple(elts=[_, ast.Name(id=rest)])], value=ast.Call(args=[number, _])) if (
            around.value is node and context.text(node.func) == "divmod"
        ):
            pass
        case _:
            return
    for part in context.scope.nodes:
        match part:
            case ast.Subscript(slice=ast.BinOp(left=ast.Name(id=one), op=ast.Add(), right=ast.Name(id=other))):
                start = one if other == rest else other if one == rest else ""
                if start and start not in names_within(number):
                    yield context.put(number, binary_operation(context.expression(number), "-", Expression(start)))


def power_of_remainder(node: ast.Call | ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`pow(x, MOD - 2)` becomes `pow(x, MOD - 2, MOD)`, and `x ** n % m` becomes `pow(x, n, m)`: the power itself would
    have billions of digits."""
    if isinstance(node, ast.BinOp):
        power = node.left
        if isinstance(node.op, ast.Mod) and isinstance(power, ast.BinOp) and isinstance(power.op, ast.Pow):
            yield context.put(node, f"pow({', '.join(map(context.text, (power.left, power.right, node.right)))})")
        return
    if context.text(node.func) != "pow" or len(node.args) != len(("base", "exponent")) or node.keywords:
        return
    moduli = [
        part.right for part in context.scope.nodes if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod)
    ]
    moduli += [part.value for part in context.scope.nodes if _reduces(part)]
    for modulus in dict.fromkeys(context.text(part) for part in moduli):
        start = context.program.spans[node.args[-1]][1]
        yield context.replace(start, start, f", {modulus}")


def _reduces(node: ast.AST) -> TypeGuard[ast.AugAssign]:
    return isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Mod)


def nothing_to_wait(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`k - t % k` becomes `-t % k`: up to the next multiple, which is nothing where one is reached."""
    match node:
        case ast.BinOp(
            left=ast.Name(id=step), op=ast.Sub(), right=ast.BinOp(left=at, op=ast.Mod(), right=ast.Name(id=same))
        ):
            if step == same:
                yield context.put(node, Expression(f"-{context.expression(at).at(ATOM)} % {step}", TERM))


def digits_without_zero(node: ast.While, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n, r = divmod(n, 26)` and `letters[r - 1]` become `divmod(n - 1, 26)` and `letters[r]`; `n -= 1` begins each
    round, too: letters that count as digits, none of which is 0, as those of columns."""
    for step in node.body:
        match step:
            case ast.Assign(
                targets=[ast.Tuple(elts=[ast.Name(id=number), ast.Name(id=digit)])],
                value=ast.Call(func=ast.Name(id="divmod"), args=[ast.Name(id=divided) as whole, _]),
            ) if number == divided:
                less = context.edit(whole, Expression(f"{number} - 1", SUM))
                yield WeightedEdits((less, *_digits_from_zero(digit, node, context)))
            case ast.Assign(
                targets=[ast.Name(id=digit)], value=ast.BinOp(left=ast.Name(id=number), op=ast.Mod(), right=base)
            ) if any(_takes_off(part, number, base, context) for part in node.body):
                for begun in context.before(node.body[0], (f"{number} -= 1",)):
                    yield WeightedEdits((*begun.edits, *_digits_from_zero(digit, node, context)))


def _takes_off(step: ast.stmt, number: str, base: ast.expr, context: TemplateContext) -> bool:
    """Whether a statement is `n //= base`, or `n = n // base`."""
    match step:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.FloorDiv(), value=by):
            return name == number and context.text(by) == context.text(base)
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(), op=ast.FloorDiv(), right=by)):
            return name == number and context.text(by) == context.text(base)
    return False


def _digits_from_zero(digit: str, loop: ast.While, context: TemplateContext) -> Iterator[Edit]:
    """The edits that make each `digit - 1` of a loop a `digit`."""
    for part in ast.walk(loop):
        match part:
            case ast.BinOp(left=ast.Name(id=name), op=ast.Sub(), right=ast.Constant(value=1)) if name == digit:
                yield context.edit(part, Expression(digit))


def largest_power_first(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`step = size // 2`, which a loop halves, becomes `step = 1 << size.bit_length()`: steps that are powers of
    two, as the parts of a binary indexed tree."""
    pairs = [(node.targets[0], node.value)]
    if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple):
        pairs = [*zip(node.targets[0].elts, node.value.elts, strict=False)]
    for target, value in pairs:
        match target, value:
            case ast.Name(id=step), ast.BinOp(left=size, op=ast.FloorDiv(), right=ast.Constant(value=2)):
                if any(_is_halved(part, step) for part in context.scope.nodes):
                    yield context.put(
                        value, Expression(f"1 << {context.expression(size).at(ATOM)}.bit_length()", SHIFT)
                    )


def _is_halved(node: ast.AST, name: str) -> bool:
    """Whether a statement is `step //= 2` or `step >>= 1`."""
    match node:
        case ast.AugAssign(target=ast.Name(id=step), op=ast.FloorDiv(), value=ast.Constant(value=2)):
            return step == name
        case ast.AugAssign(target=ast.Name(id=step), op=ast.RShift(), value=ast.Constant(value=1)):
            return step == name
    return False


def other_parity(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`row % 2`, reckoned with, becomes `1 - row % 2`: every other row, and the others."""
    around = context.parent(node)
    match node:
        case ast.BinOp(op=ast.Mod(), right=ast.Constant(value=2)) if not isinstance(around, ast.Compare | ast.If):
            yield context.put(node, binary_operation(Expression("1"), "-", context.expression(node)))


TEMPLATES = (
    Template("nothing_to_wait", (ast.BinOp,), nothing_to_wait, ("larger", "off_by_one")),
    Template("power_of_remainder", (ast.Call, ast.BinOp), power_of_remainder, ("content", "hang", "larger")),
    Template("rounds_behind_start", (ast.Call,), rounds_behind_start, ("content", "index")),
    Template("turn_within_list", (ast.BinOp,), turn_within_list, ("index", "content")),
    Template("counted_from_first", (ast.BinOp,), counted_from_first, ("content", "negated", "longer")),
    Template("begin_of_block", (ast.Assign,), begin_of_block, ("content",)),
    Template("divide_by_inverse", (ast.BinOp,), divide_by_inverse, ("content",)),
    Template("place_in_cycle", (ast.BinOp,), place_in_cycle, ("content", "index")),
    Template("begin_with_identity", (ast.Assign,), begin_with_identity, ("content",)),
    Template("digits_without_zero", (ast.While,), digits_without_zero, ("content", "index")),
    Template("largest_power_first", (ast.Assign,), largest_power_first, ("smaller", "larger", "index", "off_by_one")),
    Template("other_parity", (ast.BinOp,), other_parity, ("content", "larger", "smaller", "negated")),
)
