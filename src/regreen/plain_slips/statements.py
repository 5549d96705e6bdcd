"""Statements that do nothing as they stand: a result that nobody keeps, a comparison in the place of an assignment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.plain_slips.located_program import (
    LocatedProgram,
    PlainSlip,
    first_name,
    gives_result,
    is_own_function,
    list_variables,
    names_stored,
    nodes_within,
)
from regreen.syntax import (
    CHANGING_METHODS,
    DEFINITIONS,
    FUNCTIONS,
    Function,
    blocks_in,
    body_after_docstring,
    callee_name,
    walk,
)
from regreen.types import Edit

_PURE: Final = frozenset(
    "strip lstrip rstrip lower upper capitalize casefold swapcase removeprefix removesuffix zfill".split()
)
"""Methods of texts that give another text, and do nothing else."""
_GIVING_NONE: Final = frozenset({"sort", "reverse", "append", "extend", "insert"})
_OF_CLASSES: Final = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_UNCALLED: Final = frozenset({"clear", "close", "reverse", "sort", "pop", "popleft", "flush", "commit", "rollback"})


def forgotten_results(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`name.strip()` and `sorted(xs)` as statements, whose results nobody keeps."""
    for node in program.nodes:
        call = node.value if isinstance(node, ast.Expr) else None
        if not isinstance(call, ast.Call):
            continue
        kept = _changed_by(call, program)
        if kept is not None:
            start = program.span(call)[0]
            yield PlainSlip("forgotten_result", (Edit(start, start, f"{program.text(kept)} = "),))


def _changed_by(call: ast.Call, program: LocatedProgram) -> ast.expr | None:
    """The variable that somebody meant to change by a call that changes nothing; None where that is not plain."""
    if isinstance(call.func, ast.Attribute):
        owner = call.func.value
        is_pure = call.func.attr in _PURE or (call.func.attr == "replace" and len(call.args) == 2)
        is_text = is_pure and all(_is_constant(arg, program) for arg in call.args)
        return owner if is_text and isinstance(owner, ast.Name) else None
    if callee_name(call) == "sorted" and len(call.args) == 1 and isinstance(call.args[0], ast.Name):
        return call.args[0]
    return None


def _is_constant(node: ast.expr, program: LocatedProgram) -> bool:
    """Whether an expression is a literal, or the name of one in capitals: `PUNCTUATION`."""
    if isinstance(node, ast.Attribute):
        return program.text(node).startswith("string.")
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def idle_expressions(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`count == 0`, `total + x` and `self.heap.clear` as statements: what was meant is an assignment or a call."""
    for function in program.functions():
        own = {n.id for n in nodes_within(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for node in nodes_within(function):
            if not isinstance(node, ast.Expr) or node is _last_result(function):
                continue
            value = node.value
            if isinstance(value, ast.Compare) and _is_equation(value):
                written = f"{program.text(value.left)} = {program.text(value.comparators[0])}"
                yield PlainSlip("idle_comparison", program.put(node, written))
            elif (
                isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add | ast.Sub) and _is_one_of(value.left, own)
            ):
                symbol = "+" if isinstance(value.op, ast.Add) else "-"
                written = f"{program.text(value.left)} {symbol}= {program.text(value.right)}"
                yield PlainSlip("idle_sum", program.put(node, written))
            elif isinstance(value, ast.Attribute) and value.attr in _UNCALLED:
                yield PlainSlip("uncalled_statement", program.put(node, f"{program.text(value)}()"))


def _is_one_of(node: ast.expr, names: set[str]) -> bool:
    """Whether an expression is one of these variables; an operation on another may be there to see that it can be."""
    return isinstance(node, ast.Name) and node.id in names


def _is_equation(node: ast.Compare) -> bool:
    return len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq) and _is_kept(node.left)


def _is_kept(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript)


def lost_returns(program: LocatedProgram) -> Iterator[PlainSlip]:
    """A function that returns nothing, and ends with an expression that does nothing."""
    for function in program.functions():
        if (last := _last_result(function)) is not None:
            start = program.span(last)[0]
            yield PlainSlip("lost_return", (Edit(start, start, "return "),))


def _last_result(function: Function) -> ast.Expr | None:
    """The last statement of a function that gives no result otherwise, where it is an expression that does nothing."""
    body = body_after_docstring(function)
    last = body[-1] if body else None
    if not isinstance(last, ast.Expr) or not isinstance(last.value, _RESULTS) or _may_do(last.value):
        return None
    return None if gives_result(function) else last


def _may_do(value: ast.expr) -> bool:
    """Whether an expression may be there for what it does: a comprehension over calls, an operator of objects."""
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.LShift | ast.RShift | ast.BitOr)
    return isinstance(getattr(value, "elt", None), ast.Call | ast.Await)


_RESULTS: Final = (ast.BinOp, ast.Compare, ast.ListComp, ast.DictComp, ast.SetComp, ast.JoinedStr, ast.Name, ast.IfExp)


def early_results(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`return total` as the last line of the loop that adds to `total`, with nothing behind the loop."""
    for function in program.functions():
        body = body_after_docstring(function)
        loop = body[-1] if body else None
        last = loop.body[-1] if isinstance(loop, ast.For | ast.While) and len(loop.body) > 1 else None
        if not isinstance(loop, ast.For | ast.While) or loop.orelse or not isinstance(last, ast.Return):
            continue
        before = {name for stmt in body[:-1] for name in names_stored(stmt)}
        is_kept = isinstance(last.value, ast.Name) and last.value.id in before & _grown_in(loop)
        if is_kept and not isinstance(getattr(loop, "test", None), ast.Constant):
            start, end = program.line_start(last), program.span(last)[0]
            yield PlainSlip("early_result", (Edit(start, end, program.indent(loop)),))


def answers_at_once(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if x > most: return False` with `else: return True` as the end of a loop, which looks at the first item."""
    for block in blocks_in(program.nodes):
        for loop, after in zip(block, [*block[1:], None], strict=True):
            last = loop.body[-1] if isinstance(loop, ast.For) and not loop.orelse else None
            answers = _opposite_answers(last)
            if answers is None or not (after is None or _answer_of(after) is answers[1]):
                continue
            # What looks for one item, and then answers, passes over others.
            if any(isinstance(part, ast.Continue | ast.Break) for part in walk(loop)):
                continue
            start, end = program.lines(last.body[-1])[1], program.lines(loop)[1]  # type: ignore[union-attr]
            line = f"{program.indent(loop)}return {answers[1]}\n"
            yield PlainSlip("answer_at_once", (Edit(start, end, "" if after is not None else line),))


def _opposite_answers(node: ast.stmt | None) -> tuple[bool, bool] | None:
    """The answers of `if x: return True` with `else: return False`; None for anything else."""
    if not isinstance(node, ast.If) or len(node.body) != 1 or len(node.orelse) != 1:
        return None
    one, other = _answer_of(node.body[0]), _answer_of(node.orelse[0])
    return (one, other) if one is not None and other is not None and one is not other else None


def _answer_of(node: ast.stmt) -> bool | None:
    value = node.value if isinstance(node, ast.Return) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, bool) else None


def _grown_in(loop: ast.For | ast.While) -> set[str]:
    """The variables to which a loop adds in each round, whatever it asks."""
    found: set[str] = set()
    for stmt in loop.body:
        if isinstance(stmt, ast.AugAssign):
            found.add(first_name(stmt.target))
        elif isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Subscript):
            found.add(first_name(stmt.targets[0]))
        elif isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Call):
            called = stmt.value.func
            if isinstance(called, ast.Attribute) and called.attr in CHANGING_METHODS:
                found.add(first_name(called.value))
    return found


def turned_updates(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`count =+ 1`, which is `count = 1`."""
    for node in program.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.UnaryOp):
            continue
        start, end = program.span(node.targets[-1])[1], program.span(node.value.operand)[0]
        between = program.source[start:end]
        for turned, meant in (("=+", "+="), ("=-", "-=")):
            if turned in between and between.endswith(" ") and isinstance(node.value.op, ast.UAdd | ast.USub):
                yield PlainSlip("turned_update", (Edit(start, end, between.replace(turned, meant)),))


def kept_nothings(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`xs = xs.append(1)` and `ordered = xs.sort()` of a list, which keep None."""
    for function in program.functions():
        lists = list_variables(function)
        for node in nodes_within(function):
            call = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            owner, name = call.func.value, call.func.attr
            if not isinstance(owner, ast.Name) or owner.id not in lists or name not in _GIVING_NONE:
                continue
            assert isinstance(node, ast.Assign)
            if program.text(node.targets[0]) == owner.id:
                yield PlainSlip("kept_nothing", program.put(node, program.text(call)))
            elif name == "sort":
                yield PlainSlip("kept_nothing", program.put(call, _in_order(call, owner, program)))


def results_of_nothing(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`return xs.sort()` and `rows.append(row.sort())`: what is put in order gives None."""
    own = {node.name for node in program.nodes if isinstance(node, DEFINITIONS)}
    if not program.stands_alone or own & {"sort", "reverse"}:
        return
    for node in program.nodes:
        match node:
            case ast.Call(func=ast.Attribute(attr="sort" | "reverse" as name, value=owner), args=[]):
                parent = program.parents[node]
                if isinstance(parent, ast.Return | ast.Call):
                    made = _in_order(node, owner, program) if name == "sort" else f"{program.text(owner)}[::-1]"
                    yield PlainSlip("result_of_nothing", program.put(node, made))


def _in_order(call: ast.Call, items: ast.expr, program: LocatedProgram) -> str:
    """`sorted(xs, key=len)` for `xs.sort(key=len)`."""
    more = "".join(f", {program.text(part)}" for part in call.keywords)
    return f"sorted({program.text(items)}{more})"


def lost_awaits(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`self.flush()` as a statement of a coroutine, where `flush` is a coroutine of the program."""
    own = {node.name for node in program.nodes if isinstance(node, ast.AsyncFunctionDef)}
    own -= {node.name for node in program.nodes if isinstance(node, ast.FunctionDef)}
    for function in program.functions():
        for node in nodes_within(function) if isinstance(function, ast.AsyncFunctionDef) else ():
            call = node.value if isinstance(node, ast.Expr) else None
            if isinstance(call, ast.Call) and callee_name(call) in own and is_own_function(call.func):
                start = program.span(call)[0]
                yield PlainSlip("lost_await", (Edit(start, start, "await "),))


def lost_receivers(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`def size():` in a class, and `def add(x):` whose body speaks of `self`."""
    for owner in program.classes():
        for method in owner.body:
            if not isinstance(method, FUNCTIONS) or method.decorator_list:
                continue
            given = method.args
            names = [argument.arg for argument in (*given.posonlyargs, *given.args)]
            spoken = [node for node in walk(method) if isinstance(node, ast.Name) and node.id == "self"]
            # It may be made there, or be that of a function around or within.
            is_made = any(isinstance(node.ctx, ast.Store) for node in spoken) or owner not in program.module.body
            is_made |= any(isinstance(node, ast.arg) and node.arg.startswith("self") for node in walk(method))
            if not spoken or is_made or given.vararg or method.name in _OF_CLASSES:
                continue
            at = program.source.index("(", program.span(method)[0]) + 1
            yield PlainSlip("lost_receiver", (Edit(at, at, "self, " if names or given.kwonlyargs else "self"),))


def halved_wholes(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`n = n / 2`, or `n /= 2`, where `n % 2 == 0` was asked, or in a loop that takes `n % 2`: it is to stay whole."""
    for node in program.nodes:
        if isinstance(node, ast.If):
            pairs, steps = _divided_evenly(node.test, program), node.body
        elif isinstance(node, ast.While):
            pairs, steps = _remainders(node, program), [part for part in walk(node) if isinstance(part, ast.stmt)]
        else:
            continue
        for number, divisor in pairs:
            for step in steps:
                if program.text(step) in (f"{number} = {number} / {divisor}", f"{number} /= {divisor}"):
                    yield PlainSlip("halved_whole", program.put(step, f"{number} //= {divisor}"))


def _divided_evenly(test: ast.expr, program: LocatedProgram) -> set[tuple[str, str]]:
    """`n` and `2` of `n % 2 == 0`, as they are written."""
    match test:
        case ast.Compare(left=ast.BinOp(op=ast.Mod()) as rest, ops=[ast.Eq()], comparators=[ast.Constant(value=0)]):
            return _remainders(rest, program)
    return set()


def _remainders(node: ast.AST, program: LocatedProgram) -> set[tuple[str, str]]:
    """The numbers and divisors of the remainders that are taken within a node, as they are written."""
    taken = (part for part in walk(node) if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mod))
    return {(program.text(rest.left), program.text(rest.right)) for rest in taken}


STATEMENTS: Final = (
    halved_wholes,
    forgotten_results,
    idle_expressions,
    lost_returns,
    turned_updates,
    kept_nothings,
    results_of_nothing,
    lost_awaits,
    lost_receivers,
    early_results,
    answers_at_once,
)
