"""Values that are used as no value of their kind can be: a list that is called, a function that is indexed."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Final

from regreen.plain_slips.given_kinds import kinds_given
from regreen.plain_slips.located_program import LocatedProgram, PlainSlip, is_own_attribute, names_stored
from regreen.syntax import DEFINITIONS, FUNCTIONS, callee_name, imported_name, walk
from regreen.types import Edit


def indexed_views(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`table.keys()[0]`: what the keys are seen through has no places."""
    if not program.stands_alone:
        return
    own = {node.name for node in program.nodes if isinstance(node, DEFINITIONS)}
    for node in program.nodes:
        match node:
            case ast.Subscript(
                value=ast.Call(
                    func=ast.Attribute(attr="keys" | "values" | "items" as name), args=[], keywords=[]
                ) as view,
                ctx=ast.Load(),
            ) if name not in own:
                yield PlainSlip("indexed_view", program.put(view, f"list({program.text(view)})"))


def unnamed_keys(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`xs.sort(lambda x: x[1])` and `sorted(xs, len)`, whose key has to be named."""
    own = {node.name for node in program.nodes if isinstance(node, DEFINITIONS)}
    for node in program.nodes:
        if not isinstance(node, ast.Call) or node.keywords or callee_name(node) in own:
            continue
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "sort"
        is_function = isinstance(node.func, ast.Name) and node.func.id in ("sorted", "min", "max")
        if not (is_method and len(node.args) == 1) and not (is_function and len(node.args) == 2):
            continue
        key = node.args[-1]
        is_named = isinstance(key, ast.Name) and callee_name(node) in ("sort", "sorted") and key.id in own | _MEASURES
        if isinstance(key, ast.Lambda) or is_named:
            start = program.span(key)[0]
            yield PlainSlip("unnamed_key", (Edit(start, start, "key="),))


_MEASURES: Final = frozenset({"len", "abs", "sum", "max", "min", "ord"})


def called_tables(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`self.size(root)` of an attribute, and `best(i)` of a variable, that is a list or a dict wherever it is set."""
    own = {node.name for node in program.nodes if isinstance(node, DEFINITIONS)}
    own |= vars(builtins).keys()
    imports = (node for node in program.nodes if isinstance(node, ast.Import | ast.ImportFrom))
    own |= {imported_name(alias) for stmt in imports for alias in stmt.names}
    called = [n for n in program.nodes if isinstance(n, ast.Call) and len(n.args) == 1 and not n.keywords]
    known = kinds_given(program.nodes, program) if called else {}
    for node in called:
        if not isinstance(node.func, ast.Name) and not is_own_attribute(node.func):
            continue
        kinds = known.get(program.text(node.func), {None})
        if kinds <= {list, dict} and callee_name(node) not in own and not isinstance(node.args[0], ast.Starred):
            end = program.span(node.func)[1]
            opened, closed = program.source.index("(", end), program.span(node)[1] - 1
            yield PlainSlip("called_table", (Edit(opened, opened + 1, "["), Edit(closed, closed + 1, "]")))


def indexed_functions(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`total[row]` of a function of the program, `self.find[x]` of a method, and `len[xs]`."""
    functions = {node.name for node in program.functions() if not node.decorator_list}
    stored = names_stored(program.module) | {
        n.attr for n in program.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
    }
    meant = {name for name in (functions | _BUILTINS) - stored if not name.startswith("__")}
    methods = {m.name for owner in program.classes() for m in owner.body if isinstance(m, FUNCTIONS)}
    for node in program.nodes:
        if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
            continue
        is_function = isinstance(node.value, ast.Name) and node.value.id in meant - (methods - _BUILTINS)
        is_method = is_own_attribute(node.value) and node.value.attr in meant & methods
        if (is_function or is_method) and not isinstance(node.slice, ast.Slice):
            end = program.span(node.value)[1]
            opened, closed = program.source.index("[", end), program.span(node)[1] - 1
            yield PlainSlip("indexed_function", (Edit(opened, opened + 1, "("), Edit(closed, closed + 1, ")")))


_BUILTINS: Final = frozenset("len max min sum sorted abs range int float print round any all ord chr".split())


def loose_pairs(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`queue.append(node, depth)` and `heappush(heap, cost, node)`: one value is put in, which is to be a pair."""
    own = {node.name for node in program.nodes if isinstance(node, DEFINITIONS)}
    for node in program.nodes:
        if not isinstance(node, ast.Call) or node.keywords or callee_name(node) in own:
            continue
        is_pushed = callee_name(node) == "heappush"
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr in ("append", "appendleft")
        is_put = is_method and program.stands_alone
        parts = node.args[1:] if is_pushed else node.args if is_put else []
        if len(parts) < 2 or any(isinstance(part, ast.Starred) for part in parts):
            continue
        start, end = program.span(parts[0])[0], program.span(parts[-1])[1]
        yield PlainSlip("loose_pair", (Edit(start, start, "("), Edit(end, end, ")")))


def turned_pushes(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`heappush((cost, node), heap)`: no heap is a tuple, and it comes first."""
    for node in program.nodes:
        match node:
            case ast.Call(args=[ast.Tuple() as item, ast.Name() | ast.Attribute() as heap], keywords=[]) if (
                callee_name(node) == "heappush"
            ):
                (start, begun), (ended, end) = program.span(item), program.span(heap)
                swapped = Edit(start, begun, program.text(heap)), Edit(ended, end, program.text(item))
                yield PlainSlip("turned_push", swapped)


def rounds_over_numbers(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`for i in len(xs):`, and `for i in n:` where `n` is a length wherever it is set."""
    for node in program.nodes:
        if not isinstance(node, ast.For | ast.comprehension):
            continue
        over = node.iter
        if isinstance(over, ast.Name):
            given = _values_of(over.id, program)
            is_number = bool(given) and all(value is not None and _is_length(value) for value in given)
        else:
            is_number = _is_length(over)
        if is_number:
            yield PlainSlip("round_over_number", program.put(over, f"range({program.text(over)})"))


def _is_length(node: ast.expr) -> bool:
    """Whether an expression is surely a whole number."""
    if isinstance(node, ast.BinOp):
        return all(_is_length(side) for side in (node.left, node.right)) and isinstance(node.op, ast.Add | ast.Sub)
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    is_one = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1
    return is_one and callee_name(node) in ("len", "int")  # type: ignore[arg-type]


def _values_of(name: str, program: LocatedProgram) -> list[ast.expr | None]:
    """What is assigned to a variable anywhere; None for what it is given otherwise."""
    found: list[ast.expr | None] = []
    for node in program.nodes:
        if isinstance(node, ast.arg) and node.arg == name:
            around = program.parents[node]
            is_one = isinstance(around, ast.arguments) and node is not around.vararg and node is not around.kwarg
            is_number = is_one and isinstance(node.annotation, ast.Name) and node.annotation.id == "int"
            found.append(ast.Constant(0) if is_number else None)
        elif isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            parent = program.parents[node]
            found.append(parent.value if isinstance(parent, ast.Assign) and node in parent.targets else None)
    return found


def values_behind_the_end(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`xs[len(xs)] = x` of a list: there is no such place yet."""
    known = kinds_given(program.nodes, program) if "[len(" in program.source else {}
    for node in program.nodes if known else ():
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target = node.targets[0]
        if not isinstance(target, ast.Subscript) or known.get(program.text(target.value), {None}) != {list}:
            continue
        owner = program.text(target.value)
        if program.text(target.slice) == f"len({owner})":
            yield PlainSlip("value_behind_end", program.put(node, f"{owner}.append({program.text(node.value)})"))


def entries_not_kept(program: LocatedProgram) -> Iterator[PlainSlip]:
    """`table.get(key, []).append(x)`, whose list nobody keeps; so does `xs = table.get(key, [])` with `xs.append(x)`
    where `table[key]` is never set."""
    for function in program.functions():
        inside = walk(function)
        stored = (n for n in inside if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store))
        set_there = {program.text(subscript.value) for subscript in stored}
        for node in inside:
            match node:
                case ast.Call(func=ast.Attribute(attr="get", value=owner), args=[_, default]) if _is_empty(default):
                    if program.text(owner) not in set_there and _is_filled(node, inside, program):
                        end = program.span(node.func)[1]
                        yield PlainSlip("entry_not_kept", (Edit(end - len("get"), end, "setdefault"),))


def _is_empty(node: ast.expr) -> bool:
    """Whether an expression makes an empty list, set or deque."""
    if isinstance(node, ast.List):
        return not node.elts
    is_made = isinstance(node, ast.Call) and not node.args and not node.keywords
    return is_made and callee_name(node) in ("list", "set", "deque")  # type: ignore[arg-type]


def _is_filled(node: ast.Call, inside: list[ast.AST], program: LocatedProgram) -> bool:
    """Whether something is put into what a call gives, and nothing else is done with it that could keep it."""
    parent = program.parents[node]
    if isinstance(parent, ast.Attribute):
        call = program.parents[parent]
        return parent.attr in _FILLING and isinstance(program.parents.get(call), ast.Expr)
    target = parent.targets[0] if isinstance(parent, ast.Assign) and len(parent.targets) == 1 else None
    if not isinstance(target, ast.Name):
        return False
    reads = [n for n in inside if isinstance(n, ast.Name) and n.id == target.id and n is not target]
    around = [program.parents[read] for read in reads]
    is_filled = any(isinstance(one, ast.Attribute) and one.attr in _FILLING for one in around)
    # Handed on or returned, it may be kept by another.
    is_asked = all(isinstance(one, _ASKING) or _is_counted(one) for one in around)
    return is_filled and is_asked and all(isinstance(read.ctx, ast.Load) for read in reads)


def _is_counted(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _COUNTING


_ASKING: Final = (ast.Attribute, ast.Subscript, ast.Compare, ast.UnaryOp, ast.BoolOp, ast.If, ast.While)
_COUNTING: Final = frozenset({"len", "sum", "min", "max"})
_FILLING: Final = frozenset({"append", "add", "extend", "appendleft", "insert"})

MISUSED_VALUES: Final = (
    indexed_views,
    unnamed_keys,
    called_tables,
    indexed_functions,
    loose_pairs,
    turned_pushes,
    rounds_over_numbers,
    values_behind_the_end,
    entries_not_kept,
)
