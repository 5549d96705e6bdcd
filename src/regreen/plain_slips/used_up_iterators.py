"""Iterators that are gone through twice: the second time there is nothing left in them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Final

from regreen.plain_slips.located_program import LocatedProgram, PlainSlip
from regreen.syntax import DEFINITIONS, Function, blocks_in, callee_name, walk

_GIVING: Final = frozenset({"map", "filter", "zip", "reversed", "enumerate"})
_TAKING_ALL: Final = frozenset(
    "sum list tuple set frozenset sorted max min dict Counter deque join extend update".split()
)
_LEAVING: Final = (ast.Break, ast.Return, ast.Raise)


def used_up_iterators(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`numbers = map(int, row)`, gone through by one loop and by another one behind it; `list(map(int, row))`."""
    own = {node.name for node in program.nodes if isinstance(node, DEFINITIONS)}
    for function in program.functions():
        for block in blocks_in(walk(function)):
            for place, step in enumerate(block):
                made = _made(step, own)
                if made is None or not _is_gone_through_again(made[0], block[place + 1 :], function, program):
                    continue
                text = program.text(made[1])
                whole = f"[{text[1:-1]}]" if isinstance(made[1], ast.GeneratorExp) else f"list({text})"
                yield PlainSlip("used_up_iterator", program.put(made[1], whole))


def _made(step: ast.stmt, own: Collection[str]) -> tuple[str, ast.expr] | None:
    """The variable that a statement gives an iterator, and that; None for any other statement. `own` are the names that
    the module defines itself."""
    match step:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.GeneratorExp() as value):
            return name, value
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=function)) as value):
            return (name, value) if function in _GIVING and function not in own else None
    return None


def _is_gone_through_again(name: str, behind: list[ast.stmt], function: Function, program: LocatedProgram) -> bool:
    """Whether each use of a variable, which is given one value, goes through it to the end, and one follows another or
    comes again with each round of a loop."""
    uses = [node for node in walk(function) if isinstance(node, ast.Name) and node.id == name]
    reads = [node for node in uses if isinstance(node.ctx, ast.Load)]
    if len(uses) != len(reads) + 1 or not all(_takes_all(node, program) for node in reads):
        return False
    steps = [step for step in behind if any(node in reads for node in walk(step))]
    if not steps or sum(node in reads for step in behind for node in walk(step)) != len(reads):
        return False
    return (len(steps) > 1 and not isinstance(steps[0], ast.If | ast.Try)) or any(
        isinstance(step, ast.For) and _is_read_each_round(step, reads) for step in steps
    )


def _is_read_each_round(loop: ast.For, reads: list[ast.Name]) -> bool:
    """Whether the body of a loop that never ends early reads the variable."""
    within = [node for step in loop.body for node in walk(step)]
    return any(node in reads for node in within) and not any(isinstance(node, _LEAVING) for node in within)


def _takes_all(node: ast.Name, program: LocatedProgram) -> bool:
    """Whether what stands around a variable goes through all that it gives."""
    around = program.parents[node]
    if isinstance(around, ast.For):
        steps = [part for step in around.body for part in walk(step)]
        return around.iter is node and not any(isinstance(part, _LEAVING) for part in steps)
    if isinstance(around, ast.comprehension):
        whole = program.parents[around]
        return not isinstance(whole, ast.GeneratorExp) or _is_taken(whole, program)
    return (
        isinstance(around, ast.Call)
        and node in around.args
        and (callee_name(around) in _TAKING_ALL or _goes_through(around, around.args.index(node), program))
    )


def _is_taken(given: ast.expr, program: LocatedProgram) -> bool:
    call = program.parents[given]
    return isinstance(call, ast.Call) and given in call.args and callee_name(call) in _TAKING_ALL


def _goes_through(call: ast.Call, place: int, program: LocatedProgram) -> bool:
    """Whether a function of the module has a loop over the parameter at a place, which never ends early."""
    for function in program.functions():
        given = function.args.args
        if isinstance(call.func, ast.Name) and function.name == call.func.id and place < len(given):
            loops = [node for node in walk(function) if isinstance(node, ast.For)]
            return any(
                isinstance(loop.iter, ast.Name)
                and loop.iter.id == given[place].arg
                and not any(isinstance(part, _LEAVING) for part in walk(loop))
                for loop in loops
            )
    return False


USED_UP_ITERATORS: Final = (used_up_iterators,)
