"""What gets stuck: variables at one constant, at a parameter that every round sets anew, at what the last round gave,
or away from their bound; entries that are read before anything is written to them; and loops that go round once."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache

from regreen.select.signs.gains import count_in, signs_gained
from regreen.syntax import (
    FUNCTIONS,
    UNPARSABLE,
    Function,
    blocks_in,
    callee_name,
    constant_text,
    functions_of,
    names_within,
    nodes_of,
    parsed_or_none,
    tree,
    walk,
    whole_number,
)

_RISING = (ast.Lt, ast.LtE)
_FALLING = (ast.Gt, ast.GtE)
_LOOPS = (ast.For, ast.While)
_FEWEST_BINDINGS = 2


def stuck_variables(before: str, after: str) -> int:
    """How many variables of `after` are bound again and again, always to one constant, and changed in `before`.

    A change that takes another variable for one of these leaves its questions without a meaning.
    """
    try:
        return len(_stuck(after) - _stuck(before))
    except UNPARSABLE:
        return 0


@lru_cache(maxsize=64)
def _stuck(source: str) -> frozenset[tuple[str, str]]:
    """(function, variable) of each that is read. Raises what `ast.parse` raises."""
    functions = functions_of(tree(source))
    return frozenset((function.name, name) for function in functions for name in _stuck_in(function))


def _stuck_in(function: Function) -> Iterator[str]:
    nodes = [node for statement in function.body for node in walk(statement)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = [name.id for name in names if isinstance(name.ctx, ast.Store)]
    read = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    constants: defaultdict[str, list[str]] = defaultdict(list)
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    constants[target.id].append(constant_text(node.value.value))
    for name, values in constants.items():
        if name in read and len(values) == bound.count(name) >= _FEWEST_BINDINGS and len(set(values)) == 1:
            yield name


def counts_that_stay(before: str, after: str) -> int:
    """How many `count += 1` of `before` are `count = 1` in `after`: nothing is counted any more."""
    try:
        lost = Counter(_counted(before)) - Counter(_counted(after))
        return (lost & (Counter(_set_plainly(after)) - Counter(_set_plainly(before)))).total()
    except UNPARSABLE:
        return 0


def _counted(source: str) -> Iterator[tuple[str, str]]:
    """The variable and the number of each `count += 1`."""
    for node in nodes_of(tree(source), ast.AugAssign):
        if isinstance(node.op, ast.Add) and isinstance(node.value, ast.Constant):
            yield ast.unparse(node.target), constant_text(node.value.value)


def _set_plainly(source: str) -> Iterator[tuple[str, str]]:
    """The variable and the constant of each `count = 1`."""
    for node in nodes_of(tree(source), ast.Assign):
        if isinstance(node.value, ast.Constant):
            yield ast.unparse(node.targets[0]), constant_text(node.value.value)


def loops_run_once(before: str, after: str) -> int:
    """How many conditions of `while` in `before` are those of `if` in `after`."""
    try:
        gained = Counter(_asked(after, ast.If)) - Counter(_asked(before, ast.If))
        lost = Counter(_asked(before, ast.While)) - Counter(_asked(after, ast.While))
        return (gained & lost).total()
    except UNPARSABLE:
        return 0


def _asked(source: str, kind: type[ast.If | ast.While]) -> Iterator[str]:
    return (ast.unparse(node.test) for node in walk(tree(source)) if isinstance(node, kind))


def frozen_rounds(before: str, after: str) -> int:
    """How many variables the rounds of a loop of `after` set to nothing but a parameter that never changes.

    `start = gap` for `start = time`: once is enough for that. Those that `before` has, too, are left out.
    """
    return signs_gained(before, after, _frozen)


def _frozen(source: str) -> Iterator[str]:
    for function in functions_of(tree(source)):
        nodes = [node for statement in function.body for node in walk(statement)]
        bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
        given = {argument.arg for argument in (*function.args.posonlyargs, *function.args.args)} - bound
        for loop in (node for node in nodes if isinstance(node, ast.For | ast.While)):
            yield from (f"{function.name} {name}" for name in _set_to(loop, given))


def _set_to(loop: ast.For | ast.While, given: set[str]) -> Iterator[str]:
    """The variables that rounds read, and bind to names of `given` alone."""
    nodes = [node for statement in loop.body for node in walk(statement)]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = [name.id for name in names if isinstance(name.ctx, ast.Store)]
    read = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    frozen = [
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if isinstance(node.value, ast.Name) and node.value.id in given
    ]
    yield from (name for name in set(frozen) if name in read and frozen.count(name) == bound.count(name))


@lru_cache(maxsize=64)
def last_rounds(source: str) -> int:
    """How many variables have a value before a loop, get another in each of its rounds, and are read after it alone.

    `best = run` for `best = max(best, run)`: what all rounds but the last gave is lost. 0 where it is no program.
    """
    try:
        nodes = walk(tree(source))
    except UNPARSABLE:
        return 0
    return sum(len(set(_of_last_round(node))) for node in nodes if isinstance(node, FUNCTIONS))


def _of_last_round(function: Function) -> Iterator[str]:
    names = [node for statement in function.body for node in nodes_of(statement, ast.Name)]
    bound = Counter(name.id for name in names if isinstance(name.ctx, ast.Store))
    read = Counter(name.id for name in names if isinstance(name.ctx, ast.Load))
    for loop in nodes_of(function, ast.For):
        if any(isinstance(node, ast.Break) for node in walk(loop)):
            continue
        inside = [part for node in (loop.iter, *loop.body) for part in walk(node)]
        read_inside = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        for node in loop.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if bound[name] == _FEWEST_BINDINGS and read[name] and name not in read_inside:
                    yield name


def runaway_counts(before: str, after: str) -> int:
    """How many counts of `after` move away from the bound that their loop asks for: `while i < n: i -= 1`.

    Those that `before` has, too, are left out.
    """
    return signs_gained(before, after, _runaways)


def _runaways(source: str) -> Iterator[str]:
    for loop in walk(tree(source)):
        if not isinstance(loop, ast.While):
            continue
        tests = loop.test.values if isinstance(loop.test, ast.BoolOp) else [loop.test]
        steps = [part for statement in loop.body for part in nodes_of(statement, ast.AugAssign)]
        for test in tests:
            away = _away_from(test)
            for step in steps:
                is_one = isinstance(step.value, ast.Constant) and step.value.value == 1
                if is_one and isinstance(step.op, away) and _is_name(step.target, test):
                    yield ast.unparse(step.target)


def _away_from(test: ast.expr) -> tuple[type[ast.operator], ...]:
    """The operators by which a counter on the left of a comparison leaves the bound on its right."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return (
            (ast.Sub,) if isinstance(test.ops[0], _RISING) else (ast.Add,) if isinstance(test.ops[0], _FALLING) else ()
        )
    return ()


def _is_name(target: ast.expr, test: ast.expr) -> bool:
    left = test.left if isinstance(test, ast.Compare) else None
    return isinstance(target, ast.Name) and isinstance(left, ast.Name) and target.id == left.id


def unwritten_entries(before: str, after: str) -> int:
    """How many entries of a table `after` reads in each round before it writes them, and nowhere else.

    `best[i] = max(best[i], gain)` for `best[i - 1]`: all that it reads is what the table was filled with. Those that
    `before` has, too, are left out.
    """
    return signs_gained(before, after, _unwritten)


def _unwritten(source: str) -> Iterator[str]:
    for function in functions_of(tree(source)):
        tables = _filled_with_one(function)
        entries = [node for node in nodes_of(function, ast.Subscript) if _table_of(node) in tables]
        for loop in nodes_of(function, ast.For) if entries else ():
            yield from (f"{function.name} {ast.unparse(entry)}" for entry in _read_first(loop, entries))


def _filled_with_one(function: Function) -> set[str]:
    """The variables that begin as a list of one constant, `[0] * n`, and are read by their entries alone."""
    names = nodes_of(function, ast.Name)
    bound = Counter(name.id for name in names if isinstance(name.ctx, ast.Store))
    begun = {
        node.targets[0].id
        for node in nodes_of(function, ast.Assign)
        if isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.BinOp)
        if isinstance(node.value.op, ast.Mult) and isinstance(node.value.left, ast.List)
        if all(isinstance(item, ast.Constant) for item in node.value.left.elts)
    }
    read = Counter(name.id for name in names if isinstance(name.ctx, ast.Load))
    by_entry = Counter(map(_table_of, nodes_of(function, ast.Subscript)))
    given = Counter(node.value.id for node in nodes_of(function, ast.Return) if isinstance(node.value, ast.Name))
    return {name for name in begun if bound[name] == 1 and read[name] == by_entry[name] + given[name]}


def _read_first(loop: ast.For, entries: list[ast.Subscript]) -> Iterator[ast.Subscript]:
    """The entries at the place of a loop that it reads before it writes them, where nothing else writes any."""
    counted = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) else loop.target
    inside = set(nodes_of(loop, ast.Subscript))
    deeper = {node for part in loop.body for inner in walk(part) if isinstance(inner, _LOOPS) for node in walk(inner)}
    for table in {_table_of(entry) for entry in entries if entry in inside}:
        own = [entry for entry in entries if _table_of(entry) == table]
        written = [entry for entry in own if isinstance(entry.ctx, ast.Store) and whole_number(entry.slice) is None]
        at_place = [entry for entry in own if ast.unparse(entry.slice) == ast.unparse(counted) and entry in inside]
        if not written or not set(written) <= set(at_place) - deeper:
            continue
        first = min(entry.lineno for entry in written)
        reads = (entry for entry in at_place if isinstance(entry.ctx, ast.Load) and entry not in deeper)
        yield from (entry for entry in reads if entry.lineno <= first)


def _table_of(entry: ast.Subscript) -> str:
    return entry.value.id if isinstance(entry.value, ast.Name) else ""


def idle_questions(source: str) -> int:
    """How many comparisons of several that a `while` asks are of what no round changes: `i < len(a) and j < len(b)` in
    rounds that move `i` alone. 0 where it does not parse."""
    return count_in(source, _idle_questions)


@lru_cache(maxsize=64)
def _idle_questions(source: str) -> int:
    found = 0
    for loop in nodes_of(tree(source), ast.While):
        asked = loop.test.values if isinstance(loop.test, ast.BoolOp) else []
        parts = [part for step in loop.body for part in walk(step)]
        changed = {part.id for part in parts if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
        changed |= {name for part in parts if isinstance(part, ast.Attribute) for name in names_within(part.value)}
        changed |= {name for part in parts if isinstance(part, ast.Call) for name in _handed_over(part)}
        found += sum(_is_of_places(one) and not names_within(one) & changed for one in asked)
    return found


def _is_of_places(test: ast.expr) -> bool:
    """Whether a condition is `j < n`, `j < len(b)` or the like."""
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], (*_RISING, *_FALLING)):
        return False
    parts = [part for side in (test.left, *test.comparators) for part in walk(side)]
    is_plain = not any(isinstance(part, ast.Attribute | ast.Subscript) for part in parts)
    return is_plain and all(callee_name(part) == "len" for part in parts if isinstance(part, ast.Call))


def _handed_over(call: ast.Call) -> frozenset[str]:
    """The names of what a call may change: all that it is given as it is."""
    given = () if callee_name(call) == "len" else call.args
    return frozenset(part.id for part in given if isinstance(part, ast.Name))


def used_up_reads(source: str) -> int:
    """How many variables that a loop uses up, `while n > 0: ... n //= 10`, are read behind it, where they hold nothing
    any more. 0 where it does not parse."""
    return count_in(source, _used_up_reads)


@lru_cache(maxsize=64)
def _used_up_reads(source: str) -> int:
    found = 0
    for block in blocks_in(walk(tree(source))):
        for place, loop in enumerate(block):
            name = _used_up(loop) if isinstance(loop, ast.While) else ""
            if not name:
                continue
            behind = [part for step in block[place + 1 :] for part in walk(step) if isinstance(part, ast.Name)]
            uses = [part for part in behind if part.id == name]
            found += bool(uses) and isinstance(uses[0].ctx, ast.Load)
    return found


def _used_up(loop: ast.While) -> str:
    """The variable that is 0 behind a loop: `n` of `while n > 0: n //= 10`; empty where there is none."""
    test = loop.test.left if isinstance(loop.test, ast.Compare) else loop.test
    is_until_zero = isinstance(loop.test, ast.Name) or ast.unparse(loop.test).endswith((" > 0", " != 0", " >= 1"))
    if (
        not isinstance(test, ast.Name)
        or not is_until_zero
        or any(isinstance(p, ast.Break | ast.Return) for p in walk(loop))
    ):
        return ""
    changes = (step for step in loop.body if isinstance(step, ast.AugAssign | ast.Assign))
    for step in changes:
        target = step.target if isinstance(step, ast.AugAssign) else step.targets[0]
        divides = step.op if isinstance(step, ast.AugAssign) else getattr(step.value, "op", None)
        if isinstance(target, ast.Name) and target.id == test.id and isinstance(divides, ast.FloorDiv | ast.RShift):
            return test.id
    return ""


@lru_cache(maxsize=256)
def idle_counts(source: str) -> int:
    """How many tables of counts the rounds of a loop over a work list ask, and never change: `waiting[user] == 0` where
    nothing lessens it. 0 where the program does not parse."""
    parsed = parsed_or_none(source)
    return sum(map(_idle_counts_in, functions_of(parsed))) if parsed is not None else 0


def _idle_counts_in(function: Function) -> int:
    counts = {
        node.targets[0].id
        for node in nodes_of(function, ast.Assign)
        if isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.DictComp) and _counts(node.value.value)
    }
    lists = (loop for loop in nodes_of(function, ast.While) if isinstance(loop.test, ast.Name | ast.Attribute))
    return sum(len(_asked_entries(loop, counts) - _changed_tables(loop)) for loop in lists) if counts else 0


def _counts(value: ast.expr) -> bool:
    """Whether the values of a table are numbers of things: `len(others)`, or 0 at first."""
    return whole_number(value) is not None or (isinstance(value, ast.Call) and callee_name(value) in ("len", "sum"))


def _asked_entries(loop: ast.While, tables: set[str]) -> set[str]:
    sides = (side for node in nodes_of(loop, ast.Compare) for side in (node.left, *node.comparators))
    entries = (side.value for side in sides if isinstance(side, ast.Subscript))
    return {table.id for table in entries if isinstance(table, ast.Name) and table.id in tables}


def _changed_tables(loop: ast.While) -> set[str]:
    """The variables that a loop binds, stores entries in, or calls a method of."""
    changed = {node.id for node in nodes_of(loop, ast.Name) if not isinstance(node.ctx, ast.Load)}
    stored = (node.value for node in nodes_of(loop, ast.Subscript) if not isinstance(node.ctx, ast.Load))
    called = (node.func.value for node in nodes_of(loop, ast.Call) if isinstance(node.func, ast.Attribute))
    return changed | {owner.id for owner in (*stored, *called) if isinstance(owner, ast.Name)}


def bounds_that_meet(before: str, after: str) -> int:
    """How many `low = high` are in `after`, in a loop that asks about both, and not in `before`: it ends there,
    whatever it has come to. 0 where one is no program."""
    return signs_gained(before, after, _bounds_that_meet)


@lru_cache(maxsize=64)
def _bounds_that_meet(source: str) -> tuple[str, ...]:
    loops = nodes_of(tree(source), ast.While)
    return tuple(ast.unparse(node) for loop in loops for node in walk(loop) if _meets(node, names_within(loop.test)))


def _meets(node: ast.AST, asked: Collection[str]) -> bool:
    match node:
        case ast.Assign(targets=[ast.Name(id=one)], value=ast.Name(id=other)):
            return one != other and one in asked and other in asked
    return False
