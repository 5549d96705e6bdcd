"""Wrong recursion: an argument that stays the same, a result without this step's part, a result thrown away."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE, UNLIKELY, VERY_LIKELY
from regreen.propose.search.expressions import (
    ATOM,
    OR,
    SUM,
    TERM,
    Expression,
    added_terms,
    binary_operation,
    unary_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import Function, body_after_docstring, callee_name, names_within, whole_number
from regreen.types import Edit

_STEPS: Final = (
    ("-", "1", 1.0),
    ("+", "1", LIKELY),
    ("//", "2", POSSIBLE),
    ("//", "10", POSSIBLE),
    ("-", "2", UNLIKELY),
)
"""How an argument changes from call to call, and how often."""


def recursive_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """An argument of a recursive call gets smaller: `f(n)` becomes `f(n - 1)`, `f(xs)` becomes `f(xs[1:])`."""
    function = context.scope.function
    name = callee_name(node)
    if function is None or name != function.name:
        return
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            continue
        code = context.expression(argument)
        for symbol, number, weight in _STEPS:
            yield context.put(argument, binary_operation(code, symbol, Expression(number)), weight)
        for part in ("1:", ":-1", "0"):
            yield context.put(argument, f"{code.at(ATOM)}[{part}]", LIKELY)
        for parameter in context.scope.parameters:
            if parameter != context.scope.receiver and parameter != code.text:
                yield context.put(argument, binary_operation(code, "-", Expression(parameter)), HALF)
                yield context.put(argument, binary_operation(code, "+", Expression(parameter)), HALF)
                # A text that each level adds to comes first.
                yield context.put(argument, binary_operation(Expression(parameter), "+", code), HALF)
                yield context.put(argument, binary_operation(code, "%", Expression(parameter)), POSSIBLE)


def around_recursion(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The result of a recursive call gains this step's part: `1 + f(...)`, `x + f(...)`, `[x] + f(...)`."""
    function = context.scope.function
    name = callee_name(node)
    if function is None or name != function.name:
        return
    code = context.expression(node)
    yield context.put(node, binary_operation(Expression("1"), "+", code))
    yield context.put(node, binary_operation(code, "+", Expression("1")), HALF)
    yield context.put(node, unary_operation("not", code), POSSIBLE)
    for variable in context.scope.locals:
        if variable != context.scope.receiver:
            yield context.put(node, binary_operation(Expression(variable), "+", code), HALF)
            yield context.put(node, binary_operation(code, "+", Expression(variable)), UNLIKELY)
            yield context.put(node, Expression(f"{variable} * {code.at(TERM)}", TERM), POSSIBLE)
            yield context.put(node, binary_operation(Expression(f"[{variable}]"), "+", code), UNLIKELY)


def prepend_item(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`found.append(rest)`, for `rest` of what the function gives for less, becomes `found.append([word] + rest)`."""
    parent = context.parent(node)
    rests = context.cached("what recursion gives", lambda: frozenset(_given_by_recursion(context)))
    is_gathered = isinstance(parent, ast.Call) and callee_name(parent) in ("append", "add") and node in parent.args
    if node.id not in rests or not (is_gathered or isinstance(parent, ast.Yield | ast.ListComp | ast.GeneratorExp)):
        return
    rest = Expression(node.id)
    for variable in context.scope.locals:
        if variable not in (node.id, context.scope.receiver):
            weight = LIKELY if variable in context.scope.parameters else 1.0
            for item in (f"[{variable}]", variable):
                yield context.put(node, binary_operation(Expression(item), "+", rest), weight)
            yield context.put(node, binary_operation(rest, "+", Expression(f"[{variable}]")), weight * UNLIKELY)


def _given_by_recursion(context: TemplateContext) -> Iterator[str]:
    """The variables of loops over what the function itself gives."""
    function = context.scope.function
    for loop in context.scope.nodes:
        if isinstance(loop, ast.For | ast.comprehension) and isinstance(loop.target, ast.Name):
            calls = (part for part in ast.walk(loop.iter) if isinstance(part, ast.Call))
            if function is not None and any(callee_name(call) == function.name for call in calls):
                yield loop.target.id


def count_own_step(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return max(f(l), f(r))` becomes `return 1 + max(f(l), f(r))`: a step that leaves itself out, beside a base case.

    Of a result that is more than the recursive call alone; that one is `around_recursion`'s.
    """
    function, value = context.scope.function, node.value
    if function is None or value is None or not isinstance(value, ast.Call | ast.BinOp | ast.IfExp):
        return
    calls = [part for part in ast.walk(value) if isinstance(part, ast.Call) and callee_name(part) == function.name]
    if not calls or value in calls:
        return
    code = context.expression(value)
    yield context.put(value, binary_operation(Expression("1"), "+", code))
    for variable in context.scope.locals:
        if variable != context.scope.receiver:
            yield context.put(value, binary_operation(Expression(variable), "+", code), POSSIBLE)
            yield context.put(value, binary_operation(Expression(f"[{variable}]"), "+", code), UNLIKELY)
    for part in context.cached("read off nodes", lambda: _read_off(context)):
        yield context.put(value, binary_operation(Expression(part), "+", code), HALF)


def _read_off(context: TemplateContext) -> tuple[str, ...]:
    """`node.value` for each parameter of a recursive function whose `node.left` it hands on."""
    names = [name for name in context.scope.parameters if name != context.scope.receiver]
    nodes = [part for part in context.program.nodes if isinstance(part, ast.Attribute)]
    handed = {part.attr for part in context.scope.nodes if isinstance(part, ast.Attribute)}
    kept = dict.fromkeys(part.attr for part in nodes if isinstance(part.ctx, ast.Store) and part.attr not in handed)
    walked = {context.text(part.value) for part in context.scope.nodes if isinstance(part, ast.Attribute)}
    return tuple(f"{name}.{attribute}" for name in names if name in walked for attribute in kept)


def lost_recursion(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`flat.extend(item)` becomes `flat.extend(flatten(item))`, `d[k] = v` becomes `d[k] = merge(d[k], v)`.

    In a function that never calls itself, of a part of what it was given, or of something less: `n * (n - 1)` becomes
    `n * factorial(n - 1)`.
    """
    function = context.scope.function
    if function is None or calls_itself(context):
        return
    name = context.own_call(function)
    needed = len(context.scope.parameters) - len(function.args.defaults) - bool(context.scope.receiver)
    parent, text = context.parent(node), context.text(node)
    if isinstance(node, ast.BinOp):
        if needed == 1 and _is_reduced(node, context) and isinstance(parent, ast.BinOp | ast.AugAssign):
            yield context.replace(*context.outer(node), f"{name}({text})")
        return
    if needed in (1, 2) and isinstance(parent, ast.Return) and _is_next(node, context):
        table = context.scope.parameters[bool(context.scope.receiver)] if needed > 1 else ""
        if not table or context.text(node).startswith(f"{table}["):
            yield context.put(node, f"{name}({table + ', ' if table else ''}{text})")
        return
    if needed == 1 and _is_part(node, context) and (_is_operand(node, parent) or _is_gone_through(node, context)):
        yield context.put(node, f"{name}({text})")
    if needed == 2 and isinstance(parent, ast.Assign) and parent.value is node:
        target = parent.targets[0]
        if isinstance(target, ast.Subscript | ast.Attribute):
            yield context.put(node, f"{name}({context.text(target)}, {text})")


def _is_next(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a node is `parent[x]` or `node.next`, and the function has asked about just that: there is one more."""
    if not isinstance(node, ast.Attribute | ast.Subscript):
        return False
    text = context.text(node)
    asked = (part.test for part in context.scope.nodes if isinstance(part, ast.If))
    return any(context.text(part) == text for test in asked for part in ast.walk(test) if isinstance(part, type(node)))


def _is_reduced(node: ast.BinOp, context: TemplateContext) -> bool:
    """Whether a node is `n - 1` or `n // 10` of a parameter, in a function with a base case before it."""
    is_less = isinstance(node.op, ast.Sub | ast.FloorDiv | ast.RShift) and whole_number(node.right) is not None
    if not is_less or not isinstance(node.left, ast.Name) or node.left.id not in context.scope.parameters:
        return False
    conditions = (part for part in context.scope.nodes if isinstance(part, ast.If))
    return any(isinstance(part.body[-1], ast.Return) for part in conditions)


def _is_gone_through(node: ast.AST, context: TemplateContext) -> bool:
    """Whether a node is the table of `for key, value in table.items():`."""
    method = context.parent(node)
    if not isinstance(method, ast.Attribute) or method.attr not in ("items", "keys", "values"):
        return False
    call = context.parent(method)
    loop = context.parent(call)
    return isinstance(loop, ast.For | ast.comprehension) and loop.iter is call


def merge_deeply(node: ast.expr | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{**a, **b}`, `a | b` and `a.update(b)` become the function's own call with both: entries below are joined, too.

    In a function of two arguments that never calls itself.
    """
    function = context.scope.function
    if function is None or calls_itself(context):
        return
    if len(context.scope.parameters) - len(function.args.defaults) - bool(context.scope.receiver) != _PAIR:
        return
    name = context.own_call(function)
    if isinstance(node, ast.Expr):
        call = node.value
        if not isinstance(call, ast.Call) or callee_name(call) != "update" or len(call.args) != 1:
            return
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Subscript | ast.Attribute):
            owner = context.text(call.func.value)
            yield from context.restate(node, (f"{owner} = {name}({owner}, {context.text(call.args[0])})",))
    elif isinstance(node, ast.Dict):
        if len(node.keys) == _PAIR and node.keys == [None, None]:
            yield context.put(node, f"{name}({', '.join(context.text(value) for value in node.values)})")
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.Add):
        yield context.put(node, f"{name}({context.text(node.left)}, {context.text(node.right)})")


_PAIR = 2


def lost_level(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`child.lines()` within `lines(self, depth=0)` becomes `child.lines(depth + 1)`: what a step hands to the next.

    Where several calls hand over as little, all of them come first.
    """
    function = context.scope.function
    if function is None or not _hands_over_plainly(node, function):
        return
    others = [n for n in context.scope.nodes if isinstance(n, ast.Call) and _hands_over_plainly(n, function)]
    alike = [call for call in others if len(call.args) == len(node.args)]
    names = [name for name in context.scope.parameters if name != context.scope.receiver]
    positional = len(function.args.posonlyargs) + len(function.args.args) - bool(context.scope.receiver)
    given = len(node.args)
    ends = sorted(context.program.spans[call][1] - 1 for call in alike)
    end = context.program.spans[node][1] - 1
    for place, name in enumerate(names[given:], given):
        lead = (", " if node.args else "") + ("" if place == given < positional else f"{name}=")
        for value, weight in ((f"{name} + 1", 1.0), (name, VERY_LIKELY), (f"{name} - 1", HALF)):
            if value == name or context.scope.kinds.get(name, "") in ("int", ""):
                if ends[1:] and end == ends[0]:
                    yield WeightedEdits(tuple(Edit(at, at, lead + value) for at in ends), weight)
                yield context.replace(end, end, lead + value, weight)


def _hands_over_plainly(call: ast.Call, function: Function) -> bool:
    """Whether a function calls itself, with arguments one by one."""
    is_spread = any(isinstance(argument, ast.Starred | ast.GeneratorExp) for argument in call.args)
    return callee_name(call) == function.name and not call.keywords and not is_spread


def calls_itself(context: TemplateContext) -> bool:
    """Whether the function at hand calls itself anywhere."""
    return context.cached("calls itself", lambda: _calls_itself(context))


def _calls_itself(context: TemplateContext) -> bool:
    function = context.scope.function
    calls = (n for n in context.scope.nodes if isinstance(n, ast.Call))
    return function is not None and any(callee_name(call) == function.name for call in calls)


def _is_part(node: ast.expr, context: TemplateContext) -> bool:
    """Whether a node is the item of a loop, or an attribute or entry of a parameter or an item."""
    if isinstance(node, ast.Attribute | ast.Subscript):
        return isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)
    items = context.cached("items", lambda: frozenset(_items(context)))
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in items


def _items(context: TemplateContext) -> Iterator[str]:
    for loop in context.scope.nodes:
        if isinstance(loop, ast.For | ast.comprehension):
            yield from (part.id for part in ast.walk(loop.target) if isinstance(part, ast.Name))


def _is_operand(node: ast.expr, parent: ast.AST) -> bool:
    """Whether a node is handed over, added, or what a comprehension gathers."""
    if isinstance(parent, ast.Call):
        return node in parent.args and callee_name(parent) not in QUESTIONS
    if isinstance(parent, ast.ListComp | ast.GeneratorExp | ast.SetComp):
        return parent.elt is node
    return isinstance(parent, ast.BinOp | ast.AugAssign | ast.YieldFrom)


QUESTIONS = frozenset(("isinstance", "len", "type", "hasattr", "callable", "id", "print", "range"))
"""Functions that only ask of a part, or show it."""


def store_result(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`insert(root.left, x)` becomes `root.left = insert(root.left, x)`, at one or all such calls."""
    function = _called(node, context)
    alike = [n for n in context.scope.nodes if isinstance(n, ast.Expr) and function and _called(n, context) == function]
    yield from here_or_everywhere(node, {n: _stored(n, context) for n in alike})


def _called(node: ast.Expr, context: TemplateContext) -> str:
    """The program's function that is called, where its first argument can be assigned to; empty for other calls."""
    call = node.value
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and isinstance(_first(call), _HOLDERS)):
        return ""
    own = (*context.scope.globals, getattr(context.scope.function, "name", ""))
    return call.func.id if call.func.id in own else ""


def _stored(node: ast.Expr, context: TemplateContext) -> Edit:
    start = context.program.spans[node][0]
    assert isinstance(node.value, ast.Call), "only calls are stored"
    return Edit(start, start, f"{context.text(node.value.args[0])} = ")


def _first(call: ast.Call) -> ast.expr | None:
    return call.args[0] if call.args else None


_HOLDERS = (ast.Name, ast.Attribute, ast.Subscript)


def carry_parameter(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`child.lines("  ")` in `def lines(self, indent)` becomes `child.lines(indent + "  ")`: it grows at each level."""
    function = context.scope.function
    if function is None or callee_name(node) != function.name:
        return
    names = [name for name in context.scope.parameters if name != context.scope.receiver]
    for name, argument in zip(names, node.args, strict=False):
        read = names_within(argument)
        if isinstance(argument, ast.Starred) or name in read or isinstance(argument, ast.Name | ast.Attribute):
            continue
        text = context.text(argument)
        more = f"({text})" if isinstance(argument, ast.IfExp | ast.Lambda | ast.BoolOp | ast.Compare) else text
        yield context.put(argument, f"{name} + {more}")


def further_recursion(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(n - 1) + f(n - 2)` becomes `f(n - 1) + f(n - 2) + f(n - 3)`, with `if n < 0: return 0` first."""
    function = context.scope.function
    around = context.parent(node)
    if function is None or isinstance(around, ast.BinOp) or not isinstance(node.op, ast.Add):
        return
    steps = [_step_of(part, function.name) for part in added_terms(node)]
    name, last = steps[-1] if steps[-1] else ("", 0)
    if not all(steps) or last != len(steps) or len({step[0] for step in steps if step}) != 1:
        return
    further = context.edit(node, Expression(f"{context.text(node)} + {function.name}({name} - {last + 1})", SUM))
    first = body_after_docstring(function)[0]
    for guard in context.before(first, (f"if {name} < 0:", "\treturn 0")):
        yield WeightedEdits((*guard.edits, further))
    yield WeightedEdits((further,), HALF)


def _step_of(node: ast.expr, function: str) -> tuple[str, int] | None:
    """`n` and 2 of `f(n - 2)`; None for anything else."""
    argument = (
        node.args[0] if isinstance(node, ast.Call) and callee_name(node) == function and len(node.args) == 1 else None
    )
    if not isinstance(argument, ast.BinOp) or not isinstance(argument.op, ast.Sub):
        return None
    name, step = argument.left, whole_number(argument.right)
    return (name.id, step) if isinstance(name, ast.Name) and step is not None else None


def over_all_steps(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return other in self.needs.get(flag, ())` becomes `... or any(self.depends(f, other) for f in
    self.needs.get(flag, ()))`: what follows by one step follows by more, too."""
    function, value = context.scope.function, node.value
    parts = value.values if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or) else [value]
    last = parts[-1]
    if function is None or not isinstance(last, ast.Compare) or not isinstance(last.ops[0], ast.In):
        return
    sought, found = context.text(last.left), last.comparators[0]
    names = [name for name in context.scope.parameters if name != context.scope.receiver]
    begun = [name for name in names if name != sought and name in names_within(found)]
    if sought not in names or len(begun) != 1 or len(names) != len((sought, begun)):
        return
    step = context.new_name("step", "one", "further")
    handed = ", ".join(step if name == begun[0] else name for name in names)
    all_steps = f"any({context.own_call(function)}({handed}) for {step} in {context.text(found)})"
    if len(parts) > 1:
        yield context.put(last, all_steps)
    yield context.put(last, Expression(f"{context.text(last)} or {all_steps}", OR))


TEMPLATES = (
    Template("over_all_steps", (ast.Return,), over_all_steps, ("negated", "shorter")),
    Template("further_recursion", (ast.BinOp,), further_recursion),
    Template("recursive_argument", (ast.Call,), recursive_argument, ("recursion", "hang")),
    Template("carry_parameter", (ast.Call,), carry_parameter, ("content", "shorter")),
    Template("store_result", (ast.Expr,), store_result, ("recursion", "none", "attribute")),
    Template("lost_recursion", (ast.Name, ast.Attribute, ast.Subscript, ast.BinOp), lost_recursion),
    Template("merge_deeply", (ast.Dict, ast.BinOp, ast.Expr), merge_deeply, ("content", "shorter", "key")),
    Template("lost_level", (ast.Call,), lost_level, ("content", "hang")),
    Template("prepend_item", (ast.Name,), prepend_item, ("shorter", "content")),
    Template("around_recursion", (ast.Call,), around_recursion, ("off_by_one",)),
    Template("count_own_step", (ast.Return,), count_own_step, ("off_by_one", "zero")),
)
