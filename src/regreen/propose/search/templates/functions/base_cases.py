"""Where recursion ends: too late, with the base of something else, without a digit for 0, or never below 0."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from regreen.propose.search.expressions import (
    COMPARISON,
    Expression,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, whole_number


def widen_base(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if n == 0: return "0"` becomes `if n < 2: return str(n)` in a function that calls itself: one step earlier.

    `if not xs: return []` becomes `if len(xs) < 2: return xs` in the same way.
    """
    function = context.scope.function
    last = node.body[0]
    if function is None or not isinstance(last, ast.Return) or last.value is None or node.body[1:]:
        return
    called = (part for part in context.scope.nodes if isinstance(part, ast.Call))
    if not any(callee_name(call) == function.name for call in called):
        return
    wider = _wider(node.test, last.value, context)
    if wider is not None:
        test, result = wider
        yield WeightedEdits((context.edit(node.test, Expression(test, COMPARISON)), context.edit(last.value, result)))


def _wider(test: ast.expr, value: ast.expr, context: TemplateContext) -> tuple[str, Expression] | None:
    """The condition and the result of a base case that holds for one step more; None where it is no plain one."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) and isinstance(test.operand, ast.Name):
        name = test.operand.id
        return (f"len({name}) < 2", Expression(name)) if isinstance(value, ast.List | ast.Constant) else None
    is_first = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq)
    if not is_first or not isinstance(value, ast.Constant):
        return None
    assert isinstance(test, ast.Compare)
    name, first = context.text(test.left), context.text(test.comparators[0])
    if first not in ("0", "1") or not isinstance(test.left, ast.Name):
        return None
    result = f"str({name})" if isinstance(value.value, str) else name
    return f"{name} < {int(first) + 2}", Expression(result)


def base_of_combinations(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return []` of a function that puts items before what it gives for the rest becomes `return [[]]` or `[""]`."""
    function = context.scope.function
    is_empty = isinstance(node.value, ast.List) and not node.value.elts
    if not is_empty or function is None or node.value is None:
        return
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call))
    if any(callee_name(call) == function.name for call in calls):
        of_texts = "str" in {context.scope.kinds.get(name) for name in context.scope.parameters}
        for item in ('""', "[]", "()") if of_texts else ("[]", '""', "()"):
            yield context.put(node.value, f"[{item}]")


def end_with_last_digit(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if n == 0: return ""`, or `"0"`, before `return f(n // 2) + str(n % 2)` becomes `if n < 2: return str(n)`."""
    first = node.body[0]
    if len(node.body) != 1 or not isinstance(first, ast.Return) or not _is_empty(first.value):
        return
    asked = node.test.left if isinstance(node.test, ast.Compare) else node.test
    for part in context.scope.nodes:
        joined = part.value if isinstance(part, ast.Return) else None
        if not isinstance(joined, ast.BinOp) or not isinstance(joined.op, ast.Add):
            continue
        for digit in (joined.left, joined.right):
            remainders = [inner for inner in ast.walk(digit) if isinstance(inner, ast.BinOp)]
            taken = next((inner for inner in remainders if isinstance(inner.op, ast.Mod)), None)
            if taken is None or not isinstance(taken.left, ast.Name) or taken.left.id not in context.text(asked):
                continue
            number, base = taken.left.id, context.text(taken.right)
            alone = context.text(digit).replace(context.text(taken), number)
            smaller = context.edit(node.test, Expression(f"{number} < {base}", COMPARISON))
            yield WeightedEdits((smaller, context.edit(first.value, Expression(alone))))


def only_child(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return 1 + min(f(left), f(right))` comes after `if left is None: return 1 + f(right)`, and the other way round:
    where there is no child, nothing ends."""
    calls = [part for part in context.scope.nodes if isinstance(part, ast.Call) and _goes_down(part, node, context)]
    children = list(dict.fromkeys(context.text(call.args[0]) for call in calls))
    if len(children) != _TWO or len(calls) != _TWO:
        return
    first = context.program.statement(calls[0])
    own = context.text(calls[0].func)
    adds = any(isinstance(part, ast.BinOp) and whole_number(part.left) == 1 for part in context.scope.nodes)
    lines = [
        line
        for child, other in (children, reversed(children))
        for line in (f"if {child} is None:", f"\treturn {'1 + ' if adds else ''}{own}({other})")
    ]
    yield from context.before(first, lines)


def _goes_down(call: ast.Call, function: Function, context: TemplateContext) -> bool:
    """Whether a function calls itself with a child alone: a name, or a field of one."""
    is_own = context.text(call.func) == context.own_call(function) and len(call.args) == 1 and not call.keywords
    return is_own and isinstance(call.args[0], ast.Name | ast.Attribute)


_TWO = 2


def mirror_negative(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`power(b, e - 1)` never comes to an end where `e` is negative: `if e < 0: return 1 / power(b, -e)` first, or
    `return -f(-n)`."""
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    for call in context.scope.nodes:
        if not isinstance(call, ast.Call) or context.text(call.func) != node.name or len(call.args) != len(names):
            continue
        for name, argument in zip(names, call.args, strict=True):
            if not isinstance(argument, ast.BinOp) or not isinstance(argument.op, ast.Sub | ast.FloorDiv):
                continue
            if context.text(argument.left) == name:
                given = ", ".join(f"-{one}" if one == name else one for one in names)
                is_product = isinstance(context.parent(call), ast.BinOp) and "*" in context.text(context.parent(call))
                first = statements_after_docstring(node)[0]
                for result in (f"1 / {node.name}({given})",) if is_product else _MIRRORED:
                    line = "\treturn " + result.format(f"{node.name}({given})")
                    yield from context.before(first, (f"if {name} < 0:", line))
                return


_MIRRORED = ("-{}", "{}", '"-" + {}')


def _is_empty(node: ast.expr | None) -> TypeGuard[ast.expr]:
    is_text = isinstance(node, ast.Constant) and node.value in ("", "0")
    return is_text or (isinstance(node, ast.List) and not node.elts)


def end_below_divisor(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`n == 0` becomes `n < base` in a function that goes on with `n // base`: the last digit is one, too."""
    function, asked = context.scope.function, context.text(node)
    if function is None or not isinstance(node.left, ast.Name) or whole_number(node.comparators[0]) not in (0, 1):
        return
    own, name = context.own_call(function), node.left.id
    if not any(isinstance(part, ast.Call) and context.text(part.func) == own for part in context.scope.nodes):
        return
    divided = (
        part for part in context.scope.nodes if isinstance(part, ast.BinOp) and isinstance(part.op, ast.FloorDiv)
    )
    for divisor in dict.fromkeys(context.text(part.right) for part in divided if context.text(part.left) == name):
        if f"{name} < {divisor}" != asked:
            yield context.put(node, Expression(f"{name} < {divisor}", COMPARISON))


def end_at_base(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if i == len(digits): found.append(path)` ends with `return`, in a function that calls itself further down: there
    is nothing to go on with."""
    function, last = context.scope.function, node.body[-1]
    if function is None or node.orelse or isinstance(last, ast.Return | ast.Raise | ast.Break | ast.Continue):
        return
    if node not in function.body or any(isinstance(part, ast.Return) and part.value for part in context.scope.nodes):
        return
    own, following = context.own_call(function), function.body[function.body.index(node) + 1 :]
    goes_on = (part for step in following for part in (step, *context.program.below(step)))
    if any(isinstance(part, ast.Call) and context.text(part.func) == own for part in goes_on):
        yield from context.after(last, ("return",))


TEMPLATES = (
    Template("end_at_base", (ast.If,), end_at_base, ("recursion", "index", "longer", "hang", "key")),
    Template("end_below_divisor", (ast.Compare,), end_below_divisor),
    Template("widen_base", (ast.If,), widen_base, ("longer", "recursion", "content")),
    Template("base_of_combinations", (ast.Return,), base_of_combinations, ("shorter", "recursion")),
    Template("end_with_last_digit", (ast.If,), end_with_last_digit, ("zero", "empty", "shorter")),
    Template("only_child", FUNCTIONS, only_child, ("smaller", "larger", "recursion")),
    Template("mirror_negative", FUNCTIONS, mirror_negative, ("recursion", "hang", "sign", "content")),
)
