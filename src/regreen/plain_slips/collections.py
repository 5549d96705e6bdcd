"""Collections that are shared or changed where they must not be: a path that changes later, a changed loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.plain_slips.located_program import (
    LocatedProgram,
    PlainSlip,
    gives_result,
    is_new_list,
    is_own_attribute,
    list_variables,
)
from regreen.syntax import Function, blocks_in, callee_name, names_within, walk, whole_number
from regreen.types import Edit

_HEAP_CALLS: Final = frozenset({"heappush", "heappop", "heapreplace", "heappushpop"})
_REMOVING: Final = frozenset({"remove", "discard"})
_ENDS: Final = (ast.Break, ast.Return, ast.Raise)


def kept_paths(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`found.append(path)` in a function that calls itself and puts items on `path` and takes them off again."""
    for function in program.functions():
        calls = [node for node in walk(function) if isinstance(node, ast.Call)]
        if not any(callee_name(call) == function.name for call in calls):
            continue
        grown = {_owner(call) for call in calls if callee_name(call) == "append"}
        shrunk = {_owner(call) for call in calls if callee_name(call) == "pop" and not call.args}
        for call in calls:
            kept = call.args[0] if callee_name(call) == "append" and len(call.args) == 1 else None
            if isinstance(kept, ast.Name) and kept.id in grown & shrunk:
                yield PlainSlip("kept_path", program.put(kept, f"{kept.id}[:]"))


def _owner(call: ast.Call) -> str:
    """The variable whose method is called; empty where there is none."""
    is_method = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
    return call.func.value.id if is_method else ""  # type: ignore[attr-defined]


def broken_heaps(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`heap.pop()` and `heap.append(x)` of a list that `heappush` keeps in order."""
    for function in program.functions():
        calls = [node for node in walk(function) if isinstance(node, ast.Call)]
        kept = [call for call in calls if callee_name(call) in _HEAP_CALLS and call.args]
        heaps = {program.text(call.args[0]) for call in kept}
        pushed = {program.text(call.args[0]) for call in kept if callee_name(call) == "heappush"}
        prefix = program.text(kept[0].func).rpartition(".")[0] if kept else ""
        prefix = f"{prefix}." if prefix else ""
        for call in calls:
            if not isinstance(call.func, ast.Attribute) or program.text(call.func.value) not in heaps:
                continue
            heap = program.text(call.func.value)
            if call.func.attr == "pop" and not call.args and heap in pushed and _knows(program, prefix, "heappop"):
                yield PlainSlip("broken_heap", program.put(call, f"{prefix}heappop({heap})"))
            is_added = call.func.attr == "append" and len(call.args) == 1
            if is_added and _is_a_heap_there(call, heap, program) and _knows(program, prefix, "heappush"):
                pushes = f"{prefix}heappush({heap}, {program.text(call.args[0])})"
                yield PlainSlip("broken_heap", program.put(call, pushes))


def _is_a_heap_there(call: ast.Call, heap: str, program: LocatedProgram) -> bool:
    """Whether a loop around a call takes items off the heap, which is filled no longer for the first time then, and
    does not put it in order anew."""
    around: ast.AST = call
    while around in program.parents:
        around = program.parents[around]
        if isinstance(around, ast.For | ast.While):
            calls = (part for part in walk(around) if isinstance(part, ast.Call))
            done = {callee_name(part) for part in calls if part.args and program.text(part.args[0]) == heap}
            if "heappop" in done:
                return "heapify" not in done
    return False


def _knows(program: LocatedProgram, prefix: str, name: str) -> bool:
    """Whether a function of `heapq` can be called so."""
    return bool(prefix) or any(
        isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names) for node in program.nodes
    )


def unlike_signs(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`heappush(low, heappop(high))` of a heap that holds negatives: `heappush(low, -n)`, and `-heappop(low)`."""
    pushed: dict[str, list[ast.expr]] = {}
    read: dict[str, list[ast.expr]] = {}
    for node in program.nodes:
        if isinstance(node, ast.Call) and callee_name(node) == "heappush" and len(node.args) == 2:
            pushed.setdefault(program.text(node.args[0]), []).append(node.args[1])
        elif isinstance(node, ast.Call) and callee_name(node) == "heappop" and len(node.args) == 1:
            read.setdefault(program.text(node.args[0]), []).append(node)
        elif isinstance(node, ast.Subscript) and whole_number(node.slice) == 0:
            read.setdefault(program.text(node.value), []).append(node)
    for heap, items in pushed.items():
        plain = [item for item in items if not _is_negative(item)]
        reads = read.get(heap, [])
        # What is turned on its way from one heap to another is as it was.
        is_turned = any(isinstance(getattr(item, "operand", None), ast.Name | ast.Attribute) for item in items)
        if (
            len(items) > 1 == len(plain)
            and is_turned
            and reads
            and all(_is_negative(program.parents[one]) for one in reads)
        ):
            (item,) = plain
            is_simple = isinstance(item, ast.Name | ast.Call | ast.Attribute | ast.Subscript)
            if is_simple:
                yield PlainSlip("unlike_sign", program.put(item, f"-{program.text(item)}"))


def _is_negative(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)


def changed_rounds(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`for x in xs:` with `xs.remove(x)` in it, and a next round: every other item is passed over."""
    for node in program.nodes:
        if not isinstance(node, ast.For) or not (isinstance(node.iter, ast.Name) or is_own_attribute(node.iter)):
            continue
        items = program.text(node.iter)
        for block in blocks_in(walk(node)):
            for place, stmt in enumerate(block):
                if _removes_from(stmt, items, program) and not any(
                    isinstance(later, _ENDS) for later in block[place + 1 :]
                ):
                    yield PlainSlip("changed_round", program.put(node.iter, f"list({items})"))


def _removes_from(stmt: ast.stmt, items: str, program: LocatedProgram) -> bool:
    """Whether a statement takes something off the collection of this text."""
    if isinstance(stmt, ast.Delete):
        return any(isinstance(t, ast.Subscript) and program.text(t.value) == items for t in stmt.targets)
    call = stmt.value if isinstance(stmt, ast.Expr) else None
    function = call.func if isinstance(call, ast.Call) else None
    if not isinstance(function, ast.Attribute) or function.attr not in _REMOVING:
        return False
    return program.text(function.value) == items


def spread_words(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`parts += name` of a list, in a loop over the words of a text: its letters would be added."""
    for function in program.functions():
        lists = _begun_empty(function)
        for loop in walk(function):
            if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name) or not _splits(loop.iter):
                continue
            for node in walk(loop):
                if not isinstance(node, ast.AugAssign) or not isinstance(node.op, ast.Add):
                    continue
                is_list = isinstance(node.target, ast.Name) and node.target.id in lists
                if is_list and isinstance(node.value, ast.Name) and node.value.id == loop.target.id:
                    start, end = program.span(node.target)[1], program.span(node.value)[0]
                    stop = program.span(node.value)[1]
                    yield PlainSlip("spread_word", (Edit(start, end, ".append("), Edit(stop, stop, ")")))


def _begun_empty(function: Function) -> set[str]:
    """The variables that a function begins as empty lists, and as nothing else."""
    assigned = [node for node in walk(function) if isinstance(node, ast.Assign)]
    pairs = [(node.targets[0].id, node.value) for node in assigned if isinstance(node.targets[0], ast.Name)]
    other = {name for name, value in pairs if not isinstance(value, ast.List)}
    return {name for name, value in pairs if isinstance(value, ast.List)} - other


def _splits(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and callee_name(node) in ("split", "splitlines")


def turned_pairs(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`heappush(heap, (town, cost + way))` where `cost, place = heappop(heap)` takes them the other way round."""
    for function in program.functions():
        taken = {owner: names for node in walk(function) for owner, names in _taken(node)}
        for call in walk(function):
            owner, pair = _put(call)
            names = taken.get(owner)
            if names is None or pair is None:
                continue
            first, second = (names_within(part) for part in pair.elts)
            if names[0] in second - first and names[1] not in second:
                turned = ", ".join(program.text(part) for part in reversed(pair.elts))
                yield PlainSlip("turned_pair", program.put(pair, f"({turned})"))


def _taken(node: ast.AST) -> Iterator[tuple[str, tuple[str, str]]]:
    """What a pair is taken from, and its two variables."""
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    names = [part.id for part in target.elts if isinstance(part, ast.Name)] if isinstance(target, ast.Tuple) else []
    call = node.value if isinstance(node, ast.Assign) else None
    if len(names) != _PAIR or not isinstance(call, ast.Call):
        return
    heap = call.args[0] if callee_name(call) == "heappop" and call.args else None
    owner = heap.id if isinstance(heap, ast.Name) else _owner(call) if callee_name(call) in ("pop", "popleft") else ""
    if owner:
        yield owner, (names[0], names[1])


def _put(node: ast.AST) -> tuple[str, ast.Tuple | None]:
    """What a pair is put into, and the pair; an empty name for anything else."""
    if not isinstance(node, ast.Call) or not node.args:
        return "", None
    pair = node.args[-1]
    if not isinstance(pair, ast.Tuple) or len(pair.elts) != _PAIR:
        return "", None
    heap = node.args[0] if callee_name(node) == "heappush" else None
    return (heap.id if isinstance(heap, ast.Name) else _owner(node)), pair


_PAIR: Final = 2


def unseen_results(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`rows = sorted(rows)` as the last statement of a function that was handed `rows` and gives no result."""
    for function in program.functions():
        last = function.body[-1]
        target = last.targets[0] if isinstance(last, ast.Assign) and len(last.targets) == 1 else None
        if not isinstance(target, ast.Name) or target.id not in _given(function) or gives_result(function):
            continue
        assert isinstance(last, ast.Assign)
        is_list = is_new_list(last.value) or (
            isinstance(last.value, ast.Name) and last.value.id in list_variables(function)
        )
        if is_list and target.id not in _declared(function):
            end = program.span(target)[1]
            yield PlainSlip("unseen_result", (Edit(end, end, "[:]"),))


def _given(function: Function) -> set[str]:
    return {argument.arg for argument in (*function.args.posonlyargs, *function.args.args)}


def _declared(function: Function) -> set[str]:
    """The names that a function shares with what is around it."""
    return {name for node in walk(function) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}


def tables_without_default(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`seen = defaultdict()`, which has no default, where `seen[key] += 1` or `seen[key].append(x)` asks for one."""
    for node in program.nodes:
        value = node.value if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if not isinstance(value, ast.Call) or callee_name(value) != "defaultdict" or value.args or value.keywords:
            continue
        assert isinstance(node, ast.Assign)
        factories = set(_factories_asked_for(program.text(node.targets[0]), program))
        if len(factories) == 1:
            end = program.span(value)[1] - 1
            yield PlainSlip("table_without_default", (Edit(end, end, factories.pop()),))


def _factories_asked_for(table: str, program: LocatedProgram) -> Iterator[str]:
    """What makes the values that a table is asked for before they are there."""
    for node in program.nodes:
        item: ast.expr | None = node.target if isinstance(node, ast.AugAssign) else None
        item = node.value if isinstance(node, ast.Attribute) else item
        if isinstance(item, ast.Subscript) and program.text(item.value) == table:
            if isinstance(node, ast.AugAssign):
                yield "int" if isinstance(node.op, ast.Add | ast.Sub) else ""
            elif isinstance(node, ast.Attribute):
                yield _FACTORIES.get(node.attr, "")


_FACTORIES: Final = {"append": "list", "extend": "list", "add": "set"}
"""What makes the empty collection, by a method of it."""


def uneven_updates(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`fees[car] = fee(stay)` where `fees[car] = fees.get(car, 0) + fee(stay)` stands elsewhere in the function."""
    for function in program.functions():
        adding: dict[tuple[str, str, str], str] = {}
        plain: list[tuple[tuple[str, str, str], ast.Assign]] = []
        for node in walk(function):
            target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
            if not isinstance(target, ast.Subscript) or not isinstance(node, ast.Assign):
                continue
            table, key = program.text(target.value), program.text(target.slice)
            if isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name):
                plain.append(((table, key, node.value.func.id), node))
            elif (told := _added_to(node.value, table, key, program)) is not None:
                adding[table, key, told[0]] = told[1]
        for name, node in plain:
            if name in adding:
                start = program.span(node.value)[0]
                yield PlainSlip("uneven_update", (Edit(start, start, f"{adding[name]} + "),))


def _added_to(value: ast.expr, table: str, key: str, program: LocatedProgram) -> tuple[str, str] | None:
    """What is called for `table.get(key, 0) + called(...)`, and the text of what it is added to."""
    if not isinstance(value, ast.BinOp) or not isinstance(value.op, ast.Add) or not isinstance(value.right, ast.Call):
        return None
    before = program.text(value.left)
    is_kept = before.startswith((f"{table}.get({key},", f"{table}[{key}]"))
    return (value.right.func.id, before) if is_kept and isinstance(value.right.func, ast.Name) else None


def places_from_behind(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`row[-i]` where `i` counts from 0, and nothing asks about it: the place before the first one is the first one."""
    for loop in program.nodes:
        rounds = [loop] if isinstance(loop, ast.For) else getattr(loop, "generators", [])
        for one in rounds:
            place = _counted_from_zero(one)
            if place and not _is_asked_about(place, loop):
                behind = [
                    n for n in walk(loop) if isinstance(n, ast.Subscript) and program.text(n.slice) == f"-{place}"
                ]
                # Two that are compared from behind begin with their first ones, which may be meant.
                for node in behind if len(behind) == 1 else ():
                    yield PlainSlip("place_from_behind", program.put(node.slice, f"-{place} - 1"))


def _counted_from_zero(rounds: ast.For | ast.comprehension) -> str:
    """`i` of `for i in range(n)` and of `for i, x in enumerate(xs)`; empty where a loop counts otherwise."""
    match rounds.target, rounds.iter:
        case ast.Name(id=place), ast.Call(func=ast.Name(id="range"), args=[_]):
            return place
        case ast.Tuple(elts=[ast.Name(id=place), *_]), ast.Call(func=ast.Name(id="enumerate"), args=[_], keywords=[]):
            return place
    return ""


def _is_asked_about(name: str, loop: ast.AST) -> bool:
    """Whether a condition in a loop names a variable: what follows may be for other places than the first."""
    parts = walk(loop)
    tests = [part.test for part in parts if isinstance(part, ast.If | ast.IfExp | ast.While)]
    tests += [test for part in parts if isinstance(part, ast.comprehension) for test in part.ifs]
    tests += [part for part in parts if isinstance(part, ast.BoolOp)]
    places = {id(node) for part in parts if isinstance(part, ast.Subscript) for node in walk(part.slice)}
    asked = (node for test in tests for node in walk(test) if id(node) not in places)
    return any(isinstance(node, ast.Name) and node.id == name for node in asked)


COLLECTIONS: Final = (
    places_from_behind,
    unseen_results,
    uneven_updates,
    tables_without_default,
    turned_pairs,
    kept_paths,
    broken_heaps,
    unlike_signs,
    changed_rounds,
    spread_words,
)
