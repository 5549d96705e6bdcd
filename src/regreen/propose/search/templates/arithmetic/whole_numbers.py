"""Arithmetic of whole numbers: a product divided too early, a quotient cut off the wrong way, digits that replace one
another, a number that falls out of its row, numbers that are handed over in any order."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

from regreen.propose.search.constants import HALF, POSSIBLE
from regreen.propose.search.expressions import BIT_AND, FACTOR, POWER, SUM, TERM, TEST, Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.arithmetic.numbers import number_literal
from regreen.propose.search.templates.steps.insertions import in_loop
from regreen.syntax import FUNCTIONS, Function, callee_name, names_within, updated, whole_number

_MULTIPLES = re.compile(r"\bmultiples?\b|\blcm\b", re.IGNORECASE)
_FEWEST_IN_ROW = 3
"""Numbers of which two steps can be compared."""
_PARAMETERS_SORTED = (2, 3)
_ANY_ORDER = frozenset({"order", "shorter", "longer", "shortest", "longest", "smaller", "larger", "either"})
"""Words of prose about parameters that may come in any order."""


def one_more_of_rest(node: ast.Assign | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`end = start + size`, in a loop over `i` and with `extra` of `size, extra = divmod(n, parts)` that nothing reads,
    becomes `end = start + size + (i < extra)`: the first parts have one more each."""
    loop = next(context.loops_around(node), None)
    place = loop.target if isinstance(loop, ast.For) else None
    if isinstance(place, ast.Tuple) and place.elts:
        place = place.elts[0]
    value = node.value if isinstance(node, ast.Assign) else node.args[0] if len(node.args) == 1 else None
    if isinstance(value, ast.IfExp):
        # As long as the rest is given to the last part alone.
        value = value.body
    if not isinstance(place, ast.Name) or value is None:
        return
    for size, rest in context.cached("quotients with a rest", lambda: _rests_left(context)):
        if size in names_within(value) and isinstance(value, ast.Name | ast.BinOp):
            whole = node.value if isinstance(node, ast.Assign) else node.args[0]
            more = f"{context.expression(value).at(SUM)} + (1 if {place.id} < {rest} else 0)"
            yield context.put(whole, Expression(more, SUM))


def _rests_left(context: TemplateContext) -> list[tuple[str, str]]:
    """Quotients and their remainders, of which nothing reads the latter."""
    found = []
    for part in context.scope.nodes:
        pair = part.targets[0] if isinstance(part, ast.Assign) else None
        if isinstance(pair, ast.Tuple) and isinstance(part.value, ast.Call) and callee_name(part.value) == "divmod":  # type: ignore[attr-defined]
            names = [each.id for each in pair.elts if isinstance(each, ast.Name)]
            if len(names) == 2 and names[1] in context.scope.unused:
                found.append((names[0], names[1]))
    return found


def multiply_first(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a // b * c` becomes `a * c // b`, which loses less."""
    quotient = node.left
    if isinstance(node.op, ast.Mult) and isinstance(quotient, ast.BinOp) and isinstance(quotient.op, ast.FloorDiv):
        product = binary_operation(context.expression(quotient.left), "*", context.expression(node.right))
        yield context.put(node, binary_operation(product, "//", context.expression(quotient.right)))
        divisor = context.text(quotient.right)
        begun = context.text(quotient.left).removesuffix(f" + {divisor} - 1")
        if begun != context.text(quotient.left) and begun.isidentifier():
            # Rounded up, only when all is multiplied.
            whole = f"({begun} * {context.expression(node.right).at(TERM)} + {divisor} - 1) // {divisor}"
            yield context.put(node, Expression(whole, TERM))


def double_or_next(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`depth * 2` becomes `depth + 1`, `size - 1` becomes `size // 2`, and the other way round: one step, or twice."""
    other = _STEPS.get((type(node.op), whole_number(node.right)))
    if other is not None:
        symbol, number = other
        yield context.put(node, binary_operation(context.expression(node.left), symbol, Expression(number)))


def divide_whole(node: ast.BinOp | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`i = n / 2` becomes `i = n // 2`, and `n /= 2` becomes `n //= 2`: a whole number, as indices are.

    And `round(x / width)` becomes `x // width`."""
    if isinstance(node.op, ast.Div):
        right = node.value if isinstance(node, ast.AugAssign) else node.right
        start = context.program.spans[node.target if isinstance(node, ast.AugAssign) else node.left][1]
        at = context.program.source.find("/", start, context.program.spans[right][0])
        if at > 0:
            yield context.replace(at, at + 1, "//")
        around = context.parent(node)
        is_rounded = isinstance(around, ast.Call) and context.text(around.func) in ("round", "int")
        if is_rounded and isinstance(node, ast.BinOp) and len(around.args) == 1:  # type: ignore[attr-defined]
            assert isinstance(around, ast.Call)
            yield context.put(around, binary_operation(context.expression(node.left), "//", context.expression(right)))


_STEPS: dict[tuple[type[ast.operator], int | None], tuple[str, str]] = {
    (ast.Mult, 2): ("+", "1"),
    (ast.Add, 1): ("*", "2"),
    (ast.FloorDiv, 2): ("-", "1"),
    (ast.Sub, 1): ("//", "2"),
}


def least_multiple(node: ast.BinOp | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`step *= m` becomes `step = step * m // gcd(step, m)`, where there is a `gcd`: what both divide counts once."""
    if not isinstance(node.op, ast.Mult) or (divisor := _divisor_function(context)) is None:
        return
    left, right = (node.target, node.value) if isinstance(node, ast.AugAssign) else (node.left, node.right)
    if not isinstance(left, ast.Name) or not isinstance(right, ast.Name):
        return
    multiple = f"{left.id} * {right.id} // {divisor}({left.id}, {right.id})"
    if isinstance(node, ast.AugAssign):
        yield from context.restate(node, (f"{left.id} = {multiple}",))
    else:
        yield context.put(node, Expression(multiple, TERM))


def _divisor_function(context: TemplateContext) -> str | None:
    """How the function is called that gives the greatest common divisor; None where there is none."""
    if "gcd" in context.scope.visible:
        return "gcd"
    return "math.gcd" if "math" in context.scope.globals else None


def cut_towards_zero(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a // b` becomes `int(a / b)`: of a negative number, `//` gives the next smaller one."""
    if isinstance(node.op, ast.FloorDiv):
        quotient = binary_operation(context.expression(node.left), "/", context.expression(node.right))
        yield context.put(node, f"int({quotient.at(TEST)})")


def append_digit(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`count = int(c)` in a loop becomes `count = count * 10 + int(c)`: a number has more digits than one."""
    targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
    target = targets[0]
    if len(targets) > 1 or not isinstance(target, ast.Name):
        return
    if not in_loop(node, context) or not _reads_digit(node.value):
        return
    base = "base" if "base" in context.scope.parameters else "10"
    begun = f"({target.id} or 0)" if target.id in context.scope.begun_with_none else target.id
    number = binary_operation(Expression(f"{begun} * {base}", TERM), "+", context.expression(node.value))
    yield from context.restate(node, (f"{target.id} = {number.text}",))


def _reads_digit(node: ast.expr) -> bool:
    """Whether an expression is the value of one digit: `int(c)`, `ord(c) - ord("0")`, `DIGITS.index(c)`."""
    if isinstance(node, ast.Call):
        return callee_name(node) in ("int", "index") and len(node.args) == 1
    return isinstance(node, ast.BinOp) and isinstance(node.left, ast.Call) and callee_name(node.left) == "ord"


def regular_number(node: ast.List | ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[90, 85, 70, 60]` becomes `[90, 80, 70, 60]`: the one number that is out of step, also in a row of pairs."""
    for column in _columns(node):
        values = [whole_number(item) for item in column]
        known = [value for value in values if value is not None]
        if len(known) == len(values) and (odd := _out_of_step(known)) is not None:
            place, value = odd
            yield context.put(column[place], number_literal(value))


def _columns(node: ast.List | ast.Tuple) -> Iterator[Sequence[ast.expr]]:
    """The items of a list, or, of tuples of one length, those at each place."""
    if len(node.elts) < _FEWEST_IN_ROW:
        return
    rows = [item for item in node.elts if isinstance(item, ast.Tuple | ast.List)]
    if not rows:
        yield node.elts
    elif len(rows) == len(node.elts) and len({len(row.elts) for row in rows}) == 1:
        yield from zip(*(row.elts for row in rows), strict=True)


def _out_of_step(values: Sequence[int]) -> tuple[int, int] | None:
    """The place of the only number that must change to make all steps equal, and what it must be."""
    found = [(place, wanted) for place in range(len(values)) if (wanted := _in_step(values, place)) is not None]
    return found[0] if len(found) == 1 else None


def _in_step(values: Sequence[int], place: int) -> int | None:
    """What the number at a place must be to be in step with the others; None where those have no equal steps."""
    others = [(n, value) for n, value in enumerate(values) if n != place]
    (first, low), (last, high) = others[0], others[-1]
    step, rest = divmod(high - low, last - first)
    even = all(value == low + step * (n - first) for n, value in others)
    return low + step * (place - first) if step and even and not rest and len(others) >= _FEWEST_IN_ROW else None


def sort_parameters(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a, b, c = sorted((a, b, c))` at the start of a function whose numbers may be handed over in any order."""
    names = [name for name in context.scope.parameters if name != context.scope.receiver]
    body = statements_after_docstring(node)
    if len(names) not in _PARAMETERS_SORTED or not body or node is not context.scope.function:
        return
    kinds = {context.kind(ast.Name(name, ast.Load())) for name in names}
    if not kinds <= {"", "int", "float"} or not _have_items(context).isdisjoint(names):
        return
    weight = 1.0 if _ANY_ORDER & context.clues.words else POSSIBLE * HALF
    listed = ", ".join(names)
    yield from context.before(body[0], (f"{listed} = sorted(({listed}))",), weight)


def _have_items(context: TemplateContext) -> set[str]:
    """The variables that are no numbers: indexed, gone through or measured."""
    found: set[str] = set()
    for part in context.scope.nodes:
        if isinstance(part, ast.Subscript):
            found.add(context.text(part.value))
        elif isinstance(part, ast.For | ast.comprehension):
            found.add(context.text(part.iter))
        elif isinstance(part, ast.Call) and callee_name(part) == "len":
            found.update(map(context.text, part.args))
    return found


def sign_above(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Before `shared = gcd(top, bottom)` comes `if bottom < 0: top, bottom = -top, -bottom`: a fraction has its sign
    above."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) not in _SHARING or len(call.args) != 2:
        return
    top, bottom = (
        next((n.id for n in ast.walk(arg) if isinstance(n, ast.Name) and n.id != "abs"), "") for arg in call.args
    )
    if top and bottom and top != bottom:
        lines = (f"if {bottom} < 0:", f"\t{top}, {bottom} = -{top}, -{bottom}")
        yield from context.before(node, lines)


_SHARING = frozenset(("gcd", "_gcd", "hcf", "greatest_common_divisor"))


def shift_numbers(node: ast.Tuple | ast.List | ast.Set, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(6, 7)` becomes `(5, 6)`: numbers in a row that are all one off, as those of days that are counted from 0."""
    numbers = [whole_number(part) for part in node.elts]
    first = numbers[0] if len(numbers) > 1 else None
    if first is None or numbers != list(range(first, first + len(numbers))):
        return
    for step in (-1, 1):
        edits = (context.edit(part, Expression(str(first + at + step))) for at, part in enumerate(node.elts))
        yield WeightedEdits(tuple(edits))


def lowest_after_shift(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n >> k == 1` becomes `(n >> k & 1) == 1`: the bit at `k`, whatever is above it."""
    shifted = isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.RShift)
    if shifted and len(node.ops) == 1 and whole_number(node.comparators[0]) in (0, 1):
        yield context.put(node.left, Expression(f"({context.text(node.left)} & 1)"))


def whole_power_of_ten(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`1e9` becomes `10 ** 9`: a float of that size is off by one or more, and its remainders with it."""
    found = re.fullmatch(r"1[eE]\+?(\d{1,2})", context.text(node)) if isinstance(node.value, float) else None
    if found is not None:
        yield context.put(node, Expression(f"10 ** {found[1]}", POWER))


def step_by_lowest_bit(node: ast.AugAssign | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`i += 1` in a loop over the nodes of a binary indexed tree becomes `i += i & -i`, and `i -= 1` `i -= i & -i`."""
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    loop = next(context.loops_around(node), None)
    if not isinstance(target, ast.Name) or not isinstance(loop, ast.While) or not isinstance(loop.test, ast.Compare):
        return
    place, text = target.id, context.text(loop)
    if f"[{place}]" not in text or context.text(loop.test.left) != place:
        return
    sign = "-" if isinstance(loop.test.ops[0], ast.Gt | ast.GtE) else "+"
    line = f"{place} {sign}= {place} & -{place}"
    if line != context.text(node):
        yield from context.restate(node, (line,))


def keep_low_bits(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`b << 4` becomes `b << 4 & 0xFF`: what is moved out of a byte, or of 32 bits, is gone."""
    if not isinstance(node.op, ast.LShift) or isinstance(node.left, ast.Constant):
        return
    words = context.clues.words
    masks = ["0xFF"] if words & _BYTES else ["0xFFFFFFFF", "0xFF"]
    masks += [f"{(1 << int(width)) - 1:#X}".replace("X", "x") for width in context.clues.numbers if width in _WIDTHS]
    for mask in dict.fromkeys(masks):
        yield context.put(node, Expression(f"({context.text(node)}) & {mask}", BIT_AND))


_BYTES = frozenset(("byte", "bytes", "nibble", "nibbles", "octet"))
_WIDTHS = frozenset(("4", "8", "16", "32", "64"))


def shift_before_adding(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`value = value + digit * base` becomes `value = value * base + digit`: each digit moves those before it on."""
    target, added = updated(node, ast.Add) or (None, None)
    if not isinstance(added, ast.BinOp) or not isinstance(added.op, ast.Mult) or not in_loop(node, context):
        return
    assert target is not None
    total = context.text(target)
    for base, digit in ((added.right, added.left), (added.left, added.right)):
        if isinstance(base, ast.Name | ast.Constant | ast.Attribute):
            code = f"{total} = {total} * {context.text(base)} + {context.expression(digit).at(TERM)}"
            yield from context.restate(node, (code,))


def bits_from_left(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`1 << place` in `for place, letter in enumerate(letters)` becomes `1 << (len(letters) - 1 - place)`: the first
    one counts most."""
    place = node.right
    if not isinstance(node.op, ast.LShift) or not isinstance(place, ast.Name):
        return
    for loop in context.loops_around(node):
        counted, target = loop.iter if isinstance(loop, ast.For) else None, getattr(loop, "target", None)
        if not isinstance(counted, ast.Call) or not counted.args:
            continue
        first = target.elts[0] if isinstance(target, ast.Tuple) else target
        if not isinstance(first, ast.Name) or first.id != place.id:
            continue
        items = counted.args[-1] if callee_name(counted) == "range" else counted.args[0]
        if callee_name(counted) == "enumerate" and isinstance(items, ast.Constant) and isinstance(items.value, str):
            yield context.put(place, f"({len(items.value) - 1} - {place.id})")
        elif callee_name(counted) == "enumerate":
            yield context.put(place, f"(len({context.text(items)}) - 1 - {place.id})")
        elif callee_name(counted) == "range":
            yield context.put(place, f"({context.expression(items).at(SUM)} - 1 - {place.id})")


def common_multiple(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`period *= step` becomes `period = period * step // gcd(period, step)`, where the program knows `gcd`, or prose
    speaks of multiples: the least one counts."""
    knows = "gcd" in context.program.source or _MULTIPLES.search(context.clues.prose)
    if not isinstance(node.op, ast.Mult) or not isinstance(node.target, ast.Name) or not knows:
        return
    name, step = node.target.id, context.expression(node.value).at(TERM + 1)
    gcd, imported = context.member_of("math", "gcd")
    for changed in context.restate(node, (f"{name} = {name} * {step} // {gcd}({name}, {context.text(node.value)})",)):
        yield WeightedEdits((*imported, *changed.edits))


def count_begun_part(node: ast.AugAssign | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`parts += 1` behind `parts = n // size` is done `if n % size != 0`: a part that is begun counts, and none
    that is not."""
    block = context.program.block(node)
    place = block.index(node) if node in block else 0
    before = block[place - 1] if place else None
    if not isinstance(before, ast.Assign) or not isinstance(before.value, ast.BinOp):
        return
    name = context.text(before.targets[0])
    if context.text(node) not in (f"{name} += 1", f"{name} = {name} + 1") or not isinstance(
        before.value.op, ast.FloorDiv
    ):
        return
    whole, size = context.expression(before.value.left), context.expression(before.value.right)
    yield from context.restate(node, (f"if {whole.at(TERM)} % {size.at(FACTOR)} != 0:", f"\t{context.text(node)}"))


def bit_of_place(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`mask & i` for a place `i` that a loop counts becomes `mask & (1 << i)`: each bit stands for a place."""
    if not isinstance(node.op, ast.BitAnd) or not isinstance(node.right, ast.Name):
        return
    rounds: list[ast.For | ast.comprehension] = []
    for part in context.around(node):
        rounds += [part] if isinstance(part, ast.For | ast.comprehension) else getattr(part, "generators", [])
    counted = [each for each in rounds if _COUNTED.match(context.text(each.iter))]
    if any(node.right.id in names_within(each.target) for each in counted):
        yield context.put(node.right, f"(1 << {node.right.id})")


_COUNTED: Final = re.compile(r"(range|enumerate)\(")
"""What gives places."""


TEMPLATES = (
    Template("bit_of_place", (ast.BinOp,), bit_of_place, ("content", "shorter")),
    Template("one_more_of_rest", (ast.Assign, ast.Call), one_more_of_rest, ("content", "shorter", "longer")),
    Template("count_begun_part", (ast.AugAssign, ast.Assign), count_begun_part, ("larger", "off_by_one")),
    Template("common_multiple", (ast.AugAssign,), common_multiple, ("larger",)),
    Template("bits_from_left", (ast.BinOp,), bits_from_left),
    Template("shift_before_adding", (ast.Assign, ast.AugAssign), shift_before_adding, ("content", "larger")),
    Template("keep_low_bits", (ast.BinOp,), keep_low_bits, ("content", "larger")),
    Template("whole_power_of_ten", (ast.Constant,), whole_power_of_ten, ("close", "off_by_one", "kind")),
    Template("step_by_lowest_bit", (ast.AugAssign, ast.Assign), step_by_lowest_bit, ("content",)),
    Template("lowest_after_shift", (ast.Compare,), lowest_after_shift, ("negated",)),
    Template("shift_numbers", (ast.Tuple, ast.List, ast.Set), shift_numbers, ("negated", "content")),
    Template("sign_above", (ast.Assign,), sign_above, ("sign",)),
    Template("divide_whole", (ast.BinOp, ast.AugAssign), divide_whole, ("fraction", "kind")),
    Template("double_or_next", (ast.BinOp,), double_or_next),
    Template("least_multiple", (ast.BinOp, ast.AugAssign), least_multiple),
    Template("multiply_first", (ast.BinOp,), multiply_first, ("rounding", "off_by_one")),
    Template("cut_towards_zero", (ast.BinOp,), cut_towards_zero, ("off_by_one",)),
    Template("append_digit", (ast.Assign, ast.AugAssign), append_digit),
    Template("regular_number", (ast.List, ast.Tuple), regular_number),
    Template("sort_parameters", FUNCTIONS, sort_parameters),
)
