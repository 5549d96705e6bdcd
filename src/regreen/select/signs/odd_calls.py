"""Calls and sums that nobody writes so: a coroutine that is not awaited, an entry begun with nothing, half of a mean;
two calls that were alike of which one is handed more, a text whose case is set beside one whose case is not, and items
of what has none in order."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeGuard

from regreen.select.added_statements import blocks_of
from regreen.select.signs.gains import signs_gained
from regreen.syntax import UNPARSABLE, Function, callee_name, functions_of, nodes_of, tree, walk

_EXTREMES = frozenset({"max", "min"})


def idle_calls(before: str, after: str) -> int:
    """How many calls in `after` have lost what makes them work: the `await`, or the second argument of `setdefault`.

    0 where one is no program.
    """
    return signs_gained(before, after, _idle_calls)


@lru_cache(maxsize=64)
def _idle_calls(source: str) -> Counter[str]:
    nodes = walk(tree(source))
    found = Counter(
        f"{ast.unparse(node.func)}()"
        for node in nodes
        if isinstance(node, ast.Call) and callee_name(node) == "setdefault" and len(node.args) == 1
    )
    own = {node.name for node in nodes if isinstance(node, ast.AsyncFunctionDef)}
    statements = (node.value for node in nodes if isinstance(node, ast.Expr))
    return found + Counter(
        ast.unparse(value)
        for value in statements
        if isinstance(value, ast.Call) and (callee_name(value) in own or ast.unparse(value.func) == "asyncio.sleep")
    )


@lru_cache(maxsize=64)
def half_means(source: str) -> int:
    """How many sums there are of which the last part alone is divided by their number: `low + high / 2`.

    0 where it is no program.
    """
    try:
        nodes = walk(tree(source))
    except UNPARSABLE:
        return 0
    inner = {id(node.left) for node in nodes if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)}
    return sum(_is_half_mean(node) for node in nodes if isinstance(node, ast.BinOp) and id(node) not in inner)


def _is_half_mean(node: ast.BinOp) -> bool:
    last = node.right
    if not isinstance(node.op, ast.Add) or not isinstance(last, ast.BinOp):
        return False
    if not isinstance(last.op, ast.Div | ast.FloorDiv) or not isinstance(last.right, ast.Constant):
        return False
    parts = [*_added(node.left), last.left]
    return last.right.value == len(parts) and len(set(map(_form, parts))) == 1 and _form(parts[0]) != ""


@lru_cache(maxsize=64)
def means_of_others(source: str) -> int:
    """How many sums are divided by how many others there are: `sum(grades[name]) / len(grades)`.

    0 where it is no program.
    """
    try:
        return sum(_is_mean_of_others(node) for node in walk(tree(source)) if isinstance(node, ast.BinOp))
    except UNPARSABLE:
        return 0


def _is_mean_of_others(node: ast.BinOp) -> bool:
    match node:
        case ast.BinOp(left=ast.Call(func=ast.Name(id="sum"), args=[summed]), op=ast.Div() | ast.FloorDiv()):
            counted = [ast.unparse(part.args[0]) for part in ast.walk(node.right) if _is_length(part)]
            is_part = isinstance(summed, ast.Subscript) and isinstance(summed.slice, ast.Slice)
            is_whole = isinstance(summed, ast.Name | ast.Attribute | ast.Subscript) and not is_part
            return bool(counted) and is_whole and ast.unparse(summed) not in counted
    return False


def _is_length(node: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and bool(node.args)


def _added(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _added(node.left)
        yield node.right
    else:
        yield node


def _form(node: ast.expr) -> str:
    """What parts of one mean have in common: variables, or items of one collection; "" for anything else."""
    if isinstance(node, ast.Name):
        return "variable"
    if isinstance(node, ast.Attribute):
        return ast.dump(node.value)
    if not isinstance(node, ast.Subscript):
        return ""
    while isinstance(node, ast.Subscript):
        node = node.value
    return ast.dump(node)


def uneven_calls(before: str, after: str) -> int:
    """How many calls are handed more or less than others of the same function in their statement, or than the same
    method of another object in the next one, since, where all were handed as much: `f(left, depth) + f(right)`,
    `before = old.get(name, ABSENT)` and `after = new.get(name)`. 0 where one is no program.
    """
    try:
        even, calls = _calls(before), _calls(after)
    except UNPARSABLE:
        return 0
    alike = {(name, len(counts)) for name, counts in even if len(set(counts)) == 1}
    return sum(len(set(counts)) > 1 and (name, len(counts)) in alike for name, counts in calls - even)


@lru_cache(maxsize=64)
def _calls(source: str) -> frozenset[tuple[str, tuple[int, ...]]]:
    """The functions that simple statements call more than once, and how much each call hands over."""
    found: set[tuple[str, tuple[int, ...]]] = set()
    for statement in walk(tree(source)):
        if isinstance(statement, ast.Return | ast.Assign | ast.AugAssign | ast.Expr):
            handed: dict[str, list[int]] = {}
            for call in nodes_of(statement, ast.Call):
                handed.setdefault(ast.unparse(call.func), []).append(len(call.args) + len(call.keywords))
            found |= {(name, tuple(sorted(counts))) for name, counts in handed.items() if len(counts) > 1}
    return frozenset(found | {pair for block in blocks_of(source) for pair in _calls_of_neighbours(block)})


def _calls_of_neighbours(block: Sequence[ast.stmt]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The methods that two assignments, one behind the other, ask of two objects for the same."""
    for one, other in pairwise(block):
        match one, other:
            case (
                ast.Assign(value=ast.Call(func=ast.Attribute(value=first, attr=method), args=[asked, *more])),
                ast.Assign(value=ast.Call(func=ast.Attribute(value=second, attr=same), args=[again, *further])),
            ):
                texts = [ast.unparse(part) for part in (first, second, asked, again)]
                if method == same and texts[0] != texts[1] and texts[2] == texts[3]:
                    yield f"{method}({texts[2]})", tuple(sorted((len(more), len(further))))


def one_sided_cases(source: str) -> int:
    """How many comparisons set the case of a text and not that of the parameter beside it: `name in text.lower()`.

    0 where the text does not parse.
    """
    try:
        functions = functions_of(tree(source))
        return sum(_one_sided_in(function) for function in functions)
    except UNPARSABLE:
        return 0


def _one_sided_in(function: Function) -> int:
    nodes = [node for statement in function.body for node in walk(statement)]
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    given = {argument.arg for argument in (*function.args.posonlyargs, *function.args.args)} - bound
    found = 0
    for node in nodes:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], _SAMENESS):
            sides = (node.left, node.comparators[0])
            names = {side.id for side in sides if isinstance(side, ast.Name)}
            cased = {base.id for side in sides if isinstance(base := _cased(side), ast.Name)}
            found += bool(names & given and cased & given)
    return found


def _cased(node: ast.expr) -> ast.expr | None:
    """What a call sets the case of: `text` of `text.lower()`."""
    called = node.func if isinstance(node, ast.Call) else None
    return called.value if isinstance(called, ast.Attribute) and called.attr in _CASES else None


_SAMENESS = (ast.Eq, ast.NotEq, ast.In, ast.NotIn)
_CASES = frozenset({"lower", "upper", "casefold", "title", "capitalize", "swapcase"})


def iterated_extremes(before: str, after: str) -> int:
    """How many loops go through the largest or smallest of items in `after`, and in `before` not: `for c in max(rows)`.

    Of several rows the largest is the one whose first item is, which few mean. 0 where one is no program.
    """
    return signs_gained(before, after, _iterated_extremes)


@lru_cache(maxsize=64)
def _iterated_extremes(source: str) -> tuple[str, ...]:
    loops = (node.iter for node in walk(tree(source)) if isinstance(node, ast.For | ast.comprehension))
    calls = (source for source in loops if isinstance(source, ast.Call))
    return tuple(ast.unparse(call) for call in calls if callee_name(call) in _EXTREMES and not call.keywords)


def places_in_sets(before: str, after: str) -> int:
    """How often `after` takes items by their place from what a set was made into, and `before` not: `list(set(xs))[0]`,
    `zip(names, {*ages})`.

    A set has no order that the next run would keep. 0 where one is no program.
    """
    return signs_gained(before, after, _places_in_sets)


@lru_cache(maxsize=64)
def _places_in_sets(source: str) -> tuple[str, ...]:
    nodes = walk(tree(source))
    owners = [node.value for node in nodes if isinstance(node, ast.Subscript)]
    made = {ast.unparse(node.targets[0]) for node in nodes if isinstance(node, ast.Assign) and _is_set(node.value)}
    numbered = (node for node in nodes if isinstance(node, ast.Call) and callee_name(node) in ("zip", "enumerate"))
    in_order = [part for call in numbered for part in call.args]
    odd = [owner for owner in owners if _is_from_set(owner)]
    odd += [part for part in in_order if _is_set(part) or ast.unparse(part) in made]
    return tuple(map(ast.unparse, odd))


def lost_orders(before: str, after: str) -> int:
    """How many sets that `before` sorted `after` has as they are: `sorted({...})` as `{...}`, or as `list({...})`.

    And how many of its sorted collections are sets: `sorted(xs)` as `set(xs)`, or are not sorted any more where what
    `xs.sort()` gives was meant for them: `ordered = xs`. `xs.reverse()` for `xs.sort()` counts, too.

    Checks may pass by the order in which a set happens to come. 0 where one is no program.
    """
    try:
        ordered = set(_sorted_sets(before)) - set(_sorted_sets(after))
        sets = sum(ast.unparse(node) in ordered for node in nodes_of(tree(after), ast.expr)) if ordered else 0
        still_sorted = _arguments(after, "sorted")
        unsorted = _arguments(before, "sorted") - still_sorted
        made_sets = {text for text in unsorted & _arguments(after, "set") if f"set({text})" not in still_sorted}
        turned = len((_changed_by(before, "sort") - _changed_by(after, "sort")) & _changed_by(after, "reverse"))
        lost = max(_sorts(before) - _sorts(after), 0) if _keeps_sort(before) else 0
        return sets + len(made_sets) + turned + lost
    except UNPARSABLE:
        return 0


def resorted_ranks(before: str, after: str) -> int:
    """How many calls of `after` sort what `most_common` gives, by nothing that they name, and of `before` not: the most
    common first is what it is for. 0 where one is no program."""
    return signs_gained(before, after, _resorted)


@lru_cache(maxsize=64)
def _resorted(source: str) -> tuple[str, ...]:
    calls = (node for node in nodes_of(tree(source), ast.Call) if callee_name(node) == "sorted")
    plain = (call for call in calls if call.args and all(keyword.arg != "key" for keyword in call.keywords))
    return tuple(ast.unparse(call) for call in plain if ".most_common(" in ast.unparse(call.args[0]))


def sorted_again(before: str, after: str) -> int:
    """1 where `after` sorts more often than `before`, which sorts already, else 0: who sorts a result seldom sorts what
    it is made of, too. 0 where one is no program."""
    try:
        return int(0 < _sorts(before) < _sorts(after))
    except UNPARSABLE:
        return 0


def _changed_by(source: str, method: str) -> set[str]:
    """What a program calls a method of in a statement: `helper` of `helper.sort()`."""
    calls = [node.value for node in nodes_of(tree(source), ast.Expr)]
    methods = [call.func for call in calls if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)]
    return {ast.unparse(part.value) for part in methods if part.attr == method}


def _sorts(source: str) -> int:
    """How many calls of a program sort something, but for those of what has just got one more item."""
    calls = sum(isinstance(node, ast.Call) and callee_name(node) in ("sort", "sorted") for node in walk(tree(source)))
    pairs = (pair for block in blocks_of(source) for pair in pairwise(block))
    return calls - sum(_sorts_what_grew(one, other) for one, other in pairs)


def _sorts_what_grew(one: ast.stmt, other: ast.stmt) -> bool:
    """Whether `xs.sort()` comes right behind `xs.append(x)`."""
    match one, other:
        case (
            ast.Expr(value=ast.Call(func=ast.Attribute(value=grown, attr="append" | "insert" | "extend"))),
            ast.Expr(value=ast.Call(func=ast.Attribute(value=ordered, attr="sort"))),
        ):
            return ast.unparse(grown) == ast.unparse(ordered)
    return False


def _keeps_sort(source: str) -> bool:
    """Whether a program keeps what `xs.sort()` gives, which is None."""
    values = [node.value for node in walk(tree(source)) if isinstance(node, ast.Assign | ast.Return)]
    return any(isinstance(v, ast.Call) and isinstance(v.func, ast.Attribute) and v.func.attr == "sort" for v in values)


_TAKING_KEYS: Final = frozenset({"max", "min", "sorted", "sort"})


def lost_keys(before: str, after: str) -> int:
    """How many calls of `max`, `min`, `sorted` and `sort` have lost their `key`: it was written for some purpose.

    0 where one is no program, or calls more of them or fewer.
    """
    try:
        (calls, keys), (calls_now, keys_now) = _keyed_calls(before), _keyed_calls(after)
    except UNPARSABLE:
        return 0
    return max(keys - keys_now, 0) if calls == calls_now else 0


@lru_cache(maxsize=64)
def _keyed_calls(source: str) -> tuple[int, int]:
    """How many calls there are that take a `key`, and how many of them have one."""
    calls = [node for node in nodes_of(tree(source), ast.Call) if callee_name(node) in _TAKING_KEYS]
    return len(calls), sum(any(keyword.arg == "key" for keyword in call.keywords) for call in calls)


@lru_cache(maxsize=64)
def _arguments(source: str, function: str) -> frozenset[str]:
    """What a function is called with first, as text."""
    calls = (node for node in nodes_of(tree(source), ast.Call) if callee_name(node) == function)
    return frozenset(ast.unparse(call.args[0]) for call in calls if call.args)


@lru_cache(maxsize=64)
def _sorted_sets(source: str) -> tuple[str, ...]:
    """The sets that are sorted where they are made."""
    calls = (node for node in nodes_of(tree(source), ast.Call) if callee_name(node) == "sorted")
    return tuple(ast.unparse(call.args[0]) for call in calls if call.args and _is_set(call.args[0]))


def _is_set(node: ast.expr) -> bool:
    is_made = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
    return is_made or isinstance(node, ast.Set | ast.SetComp)


def _is_from_set(node: ast.expr) -> bool:
    is_sequence = isinstance(node, ast.Call) and callee_name(node) in ("list", "tuple") and len(node.args) == 1
    items = node.args[0] if isinstance(node, ast.Call) and is_sequence else None
    return isinstance(items, ast.Set | ast.SetComp) or (isinstance(items, ast.Call) and callee_name(items) == "set")
