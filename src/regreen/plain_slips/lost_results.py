"""Results that get lost on their way: printed and not given back, found by a call of the function itself and dropped,
or made of a slice that nobody has."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import Final

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip, is_own_function, nodes_within
from regreen.syntax import Function, callee_name
from regreen.types import Edit


def printed_results(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if n < 20: print(words[n])` with `else: return tens[n // 10]`, in a function whose results are used."""
    used = {callee_name(node) for node in program.nodes if isinstance(node, ast.Call) and _is_used(node, program)}
    for function in program.functions():
        last = function.body[-1]
        if function.name not in used or not isinstance(last, ast.If) or not last.orelse:
            continue
        ends = list(_ends(last))
        if any(isinstance(end, ast.Return) and end.value is not None for end in ends):
            for end in ends:
                match end:
                    case ast.Expr(
                        value=ast.Call(func=ast.Name(id="print") as printing, args=[shown], keywords=[]) as call
                    ) if not isinstance(shown, ast.JoinedStr | ast.Starred | ast.Constant):
                        start, begun = program.span(printing)[0], program.span(shown)[0]
                        edits = (Edit(start, begun, "return "), Edit(program.span(shown)[1], program.span(call)[1], ""))
                        yield PlainSlip("printed_result", edits)


def _is_used(call: ast.Call, program: LocatedProgram) -> bool:
    """Whether something is done with what a call gives."""
    return not isinstance(program.parents[call], ast.Expr)


def _ends(node: ast.If) -> Iterator[ast.stmt]:
    """The last statement of each branch."""
    for block in (node.body, node.orelse):
        if block and isinstance(block[-1], ast.If):
            yield from _ends(block[-1])
        elif block:
            yield block[-1]


def dropped_results(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`size = 1`, calls of the function itself as statements, and `return size`: what they found is to be added."""
    for function in program.functions():
        inside = nodes_within(function)
        given = [node.value for node in inside if isinstance(node, ast.Return) and node.value is not None]
        names = {value.id for value in given if isinstance(value, ast.Name)}
        if len(names) != 1 or not all(isinstance(value, ast.Name | ast.Constant) for value in given):
            continue
        (name,) = names
        dropped = [n for n in inside if _is_own_result(n, function) and isinstance(program.parents[n], ast.Expr)]
        if dropped and _only_takes_results(name, function, program):
            starts = (program.span(call)[0] for call in dropped)  # type: ignore[arg-type]
            yield PlainSlip("dropped_result", tuple(Edit(start, start, f"{name} += ") for start in starts))


def _only_takes_results(name: str, function: Function, program: LocatedProgram) -> bool:
    """Whether a variable is begun as a whole number or an empty list, and nothing is done with it but to add what calls
    of its function give, and to return it."""
    uses = [node for node in nodes_within(function) if isinstance(node, ast.Name) and node.id == name]
    around = [program.parents[use] for use in uses]
    added = [step for step in around if isinstance(step, ast.AugAssign) and _is_own_result(step.value, function)]
    begun = [step for step in around if isinstance(step, ast.Assign)]
    given = [step for step in around if isinstance(step, ast.Return)]
    if len(begun) != 1 or len(added) + len(given) + 1 != len(around):
        return False
    value = begun[0].value
    is_number = isinstance(value, ast.Constant) and type(value.value) is int
    return is_number or (isinstance(value, ast.List) and not value.elts)


def _is_own_result(node: ast.AST, function: Function) -> bool:
    """Whether a node is a call of the function itself; what another object has by that name is another function."""
    return isinstance(node, ast.Call) and callee_name(node) == function.name and is_own_function(node.func)


def changed_slices(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`rows[a:b].reverse()` and `rows[a:b].sort()`, of which nobody has the slice: `rows[a:b] = rows[a:b][::-1]`. In an
    array a slice is a part of it, so programs that import what has no lists are passed over."""
    if any(isinstance(node, ast.Import | ast.ImportFrom) and not _is_of_lists(node) for node in program.nodes):
        return
    for node in program.nodes:
        match node:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Subscript(slice=ast.Slice()) as part, attr=method)) as call
            ) if method in ("reverse", "sort"):
                text = program.text(part)
                keys = "".join(f", {program.text(keyword)}" for keyword in call.keywords)
                made = f"{text}[::-1]" if method == "reverse" else f"sorted({text}{keys})"
                yield PlainSlip("changed_slice", program.put(call, f"{text} = {made}"))


def _is_of_lists(node: ast.Import | ast.ImportFrom) -> bool:
    """Whether what is imported comes with Python, but for `array`."""
    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
    tops = {name.partition(".")[0] for name in names}
    return tops <= sys.stdlib_module_names - {"array", "ctypes"}


LOST_RESULTS: Final = (printed_results, dropped_results, changed_slices)
