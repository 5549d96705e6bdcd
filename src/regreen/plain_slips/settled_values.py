"""Values that are settled whatever happens: flags of one value, entries begun where they are, what is kept too late."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip, nodes_within
from regreen.syntax import callee_name, names_set, names_within, walk
from regreen.types import Edit


def flags_of_one_value(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`swapped = True` before a loop that does the same, and `if not swapped:` behind it, which never comes true."""
    may_be = max(program.source.count("= True"), program.source.count("= False")) > 1
    for function in program.functions() if may_be else ():
        inside = list(nodes_within(function))
        given: dict[str, list[ast.Assign | None]] = {}
        for node in inside:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                parent = program.parents[node]
                is_plain = isinstance(parent, ast.Assign) and parent.targets == [node]
                given.setdefault(node.id, []).append(parent if is_plain else None)  # type: ignore[arg-type]
        shared = {name for node in inside if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
        for name, steps in given.items():
            values = {program.text(step.value) if step else "" for step in steps}
            if len(steps) == 1 or name in shared or values not in ({"True"}, {"False"}):
                continue
            tests = [node.test for node in inside if isinstance(node, ast.If | ast.While)]
            first = min((step for step in steps if step), key=lambda step: step.lineno)
            is_asked = any(name in (program.text(test), program.text(test).removeprefix("not ")) for test in tests)
            is_begun = any(isinstance(program.parents[step], ast.If) for step in steps if step not in (first, None))
            if is_asked and is_begun and not isinstance(program.parents[first], ast.If):
                opposite = "False" if values == {"True"} else "True"
                yield PlainSlip("flag_of_one_value", program.put(first.value, opposite))


def entries_begun_where_known(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if key in table: table[key] = []` and then `table[key].append(x)`, or `else: table[key] += 1`."""
    for node in program.nodes:
        match node:
            case ast.If(
                test=ast.Compare(left=key, ops=[ast.In()], comparators=[table]),
                body=[ast.Assign(targets=[ast.Subscript() as entry], value=begun)],
            ) if _begins(program.text(begun)) and program.text(entry) == f"{program.text(table)}[{program.text(key)}]":
                block = _block_of(node, program)
                behind = [*node.orelse, *block[block.index(node) + 1 :][:1]]
                if behind and _builds_on(behind[0], program.text(entry), program):
                    between = program.span(key)[1], program.span(table)[0]
                    yield PlainSlip("entry_begun_where_known", (Edit(*between, " not in "),))


def _begins(text: str) -> bool:
    """Whether an expression, as it is written, is an empty container, 0 or 1."""
    return text in ("[]", "{}", "set()", "list()", "dict()", "0", "1")


def _block_of(node: ast.stmt, program: LocatedProgram) -> list[ast.stmt]:
    parent = program.parents[node]
    blocks = (getattr(parent, name, None) for name in ("body", "orelse", "finalbody"))
    return next(block for block in blocks if isinstance(block, list) and node in block)


def _builds_on(step: ast.stmt, entry: str, program: LocatedProgram) -> bool:
    """Whether a statement adds to an entry, or asks about it."""
    if isinstance(step, ast.AugAssign):
        return program.text(step.target) == entry
    if isinstance(step, ast.If):
        return f"in {entry}" in program.text(step.test)
    match step:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner))):
            return program.text(owner) == entry
    return False


def kept_too_late(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if n > first: first = n; second = first`: what was the first until then is gone before it is kept."""
    for node in program.nodes:
        match node:
            case ast.If(
                test=ast.Compare() | ast.BoolOp() as test,
                body=[
                    ast.Assign(targets=[ast.Name(id=best)], value=ast.Name(id=new)) as one,
                    ast.Assign(targets=[ast.Name()], value=ast.Name(id=kept)) as other,
                ],
            ) if kept == best and {best, new} <= set(names_within(test)):
                texts = program.text(one), program.text(other)
                edits = (Edit(*program.span(one), texts[1]), Edit(*program.span(other), texts[0]))
                yield PlainSlip("kept_too_late", edits)


def lost_items_of_rounds(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`for row in rows: row = row[::-1]`, which changes the variable alone: `row[:] = row[::-1]`."""
    for node in program.nodes:
        match node:
            case ast.For(
                target=ast.Name(id=item),
                body=[
                    *_,
                    ast.Assign(targets=[ast.Name(id=name) as target], value=ast.Subscript(value=ast.Name(id=of))),
                ],
            ) if item == name == of:
                end = program.span(target)[1]
                yield PlainSlip("lost_item_of_round", (Edit(end, end, "[:]"),))


def filled_tuples(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`self.seen = ()` with `self.seen.add(x)`: nothing is put into a tuple."""
    begun: dict[str, list[ast.expr | None]] = {}
    filled: dict[str, str] = {}
    for node in program.nodes:
        match node:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=value):
                begun.setdefault(program.text(target), []).append(value)
            case ast.Call(
                func=ast.Attribute(value=ast.Name() | ast.Attribute() as owner, attr="add" | "append" as name)
            ):
                filled[program.text(owner)] = name
            case ast.arg(arg=name):
                begun.setdefault(name, []).append(None)
    for filled_one, method in filled.items():
        values = begun.get(filled_one, [])
        if len(values) == 1 and isinstance(empty := values[0], ast.Tuple) and not empty.elts:
            yield PlainSlip("filled_tuple", program.put(empty, "set()" if method == "add" else "[]"))


def methods_for_texts(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`name = name.lower`, which keeps the method."""
    for node in program.nodes:
        match node:
            case ast.Assign(targets=[target], value=ast.Attribute(value=owner, attr=name) as method):
                if name in _OF_TEXTS and program.text(target) == program.text(owner):
                    end = program.span(method)[1]
                    yield PlainSlip("method_for_text", (Edit(end, end, "()"),))


_OF_TEXTS: Final = frozenset("lower upper strip lstrip rstrip title capitalize casefold split splitlines copy".split())


def used_nothings(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if key is None: a = key(a)`: where there is none, it is called."""
    for node in program.nodes:
        match node:
            case ast.If(
                test=ast.Compare(
                    left=ast.Name(id=name) as asked, ops=[ast.Is()], comparators=[ast.Constant(value=None) as none]
                ),
                body=[first, *_],
            ) if any(_is_used(part, name) for part in walk(first)):
                if name not in names_set(walk(first)):
                    between = program.span(asked)[1], program.span(none)[0]
                    yield PlainSlip("used_nothing", (Edit(*between, " is not "),))


def _is_used(node: ast.AST, name: str) -> bool:
    """Whether a node calls a variable, or asks it for an attribute or an item."""
    owner = node.func if isinstance(node, ast.Call) else getattr(node, "value", None)
    is_use = isinstance(node, ast.Call | ast.Attribute | ast.Subscript)
    return is_use and isinstance(owner, ast.Name) and owner.id == name


def undrained_lists(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`while inbox: outbox.append(inbox[-1])`: nothing leaves `inbox`, and the loop never ends."""
    for node in program.nodes:
        if not isinstance(node, ast.While) or not isinstance(node.test, ast.Name | ast.Attribute):
            continue
        items = program.text(node.test)
        parts = [part for step in node.body for part in walk(step)]
        uses = [part for part in parts if isinstance(part, ast.Name | ast.Attribute) and program.text(part) == items]
        around = [program.parents[use] for use in uses]
        ends = [one for one in around if isinstance(one, ast.Subscript) and program.text(one.slice) in ("-1", "0")]
        is_left = any(isinstance(part, ast.Break | ast.Return | ast.Raise | ast.Yield) for part in parts)
        # What is called may take something out of it.
        calls = [part for part in parts if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute)]
        is_plain = all(call.func.attr in ("append", "add") for call in calls)  # type: ignore[attr-defined]
        is_plain &= all(isinstance(part.func, ast.Attribute) for part in parts if isinstance(part, ast.Call))
        if uses and len(ends) == len(uses) == 1 and is_plain and not is_left and isinstance(ends[0].ctx, ast.Load):
            taken = "pop()" if program.text(ends[0].slice) == "-1" else "pop(0)"
            yield PlainSlip("undrained_list", program.put(ends[0], f"{items}.{taken}"))


def awaited_nothings(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`best = xs[0]` before a loop that asks `best is None or x < best`: it was to begin as None."""
    for function in program.functions() if "is None or" in program.source else ():
        given: dict[str, list[ast.stmt | None]] = {}
        for node in nodes_within(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                around = program.parents[node]
                is_plain = isinstance(around, ast.Assign) and around.targets == [node]
                given.setdefault(node.id, []).append(around if is_plain else None)  # type: ignore[arg-type]
        for loop in function.body:
            asked = {name for part in walk(loop) if (name := _asked_for_none(part))} if _is_loop(loop) else set()
            for name in sorted(asked):
                steps = given.get(name, [])
                first = steps[0] if steps else None
                values = [getattr(step, "value", None) for step in steps]
                is_before = first in function.body and function.body.index(first) < function.body.index(loop)
                if is_before and isinstance(values[0], ast.Subscript) and all(map(_is_some, values)):
                    yield PlainSlip("awaited_nothing", program.put(values[0], "None"))


def _is_loop(node: ast.stmt) -> bool:
    return isinstance(node, ast.For | ast.While)


def _asked_for_none(node: ast.AST) -> str:
    """`best` of `best is None or x < best`; empty for anything else."""
    match node:
        case ast.BoolOp(
            op=ast.Or(),
            values=[
                ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
                ast.Compare(ops=[ast.Lt() | ast.Gt() | ast.LtE() | ast.GtE()]) as other,
            ],
        ) if name in names_within(other):
            return name
    return ""


def _is_some(value: ast.expr | None) -> bool:
    """Whether what a variable is given is a value that is there."""
    return isinstance(value, ast.Subscript | ast.Name | ast.BinOp | ast.Tuple)


def places_taken_for_truth(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`if text.find(word):`, and `if not pivot:` of `pivot = next((r for r in range(n) ...), None)`: the first place is
    0, and found."""
    firsts = _first_places(program) if "next(" in program.source else set()
    for node in program.nodes:
        if not isinstance(node, ast.If | ast.While | ast.IfExp):
            continue
        denied = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
        asked = node.test.operand if denied else node.test  # type: ignore[attr-defined]
        match asked:
            case ast.Call(func=ast.Attribute(attr="find"), args=[ast.Constant(value=str())], keywords=[]):
                sign = "==" if denied else "!="
                yield PlainSlip("place_taken_for_truth", program.put(node.test, f"{program.text(asked)} {sign} -1"))
            case ast.Name(id=name) if name in firsts:
                word = "is" if denied else "is not"
                yield PlainSlip("place_taken_for_truth", program.put(node.test, f"{name} {word} None"))


def _first_places(program: LocatedProgram) -> set[str]:
    """The variables that are only given the first of some places from 0 on, or None."""
    found: dict[str, bool] = {}
    for node in program.nodes:
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Store):
            continue
        match program.parents[node]:
            case ast.Assign(
                targets=[_],
                value=ast.Call(
                    func=ast.Name(id="next"),
                    args=[
                        ast.GeneratorExp(
                            elt=ast.Name(id=place),
                            generators=[ast.comprehension(target=ast.Name(id=item), iter=ast.Call() as counted)],
                        ),
                        ast.Constant(value=None),
                    ],
                ),
            ) if place == item and callee_name(counted) == "range":
                found.setdefault(node.id, True)
            case _:
                found[node.id] = False
    return {name for name, is_place in found.items() if is_place}


SETTLED_VALUES: Final = (
    places_taken_for_truth,
    awaited_nothings,
    used_nothings,
    undrained_lists,
    flags_of_one_value,
    entries_begun_where_known,
    kept_too_late,
    lost_items_of_rounds,
    filled_tuples,
    methods_for_texts,
)
