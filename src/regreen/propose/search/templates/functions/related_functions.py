"""Calls of the wrong function: a related one, or another function of the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, UNLIKELY, VERY_LIKELY
from regreen.propose.search.expressions import Expression, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, ORDERS, Function, callee_name
from regreen.types import Edit

_KIN = (
    (("min", "max"), 1.0),
    (("any", "all"), 1.0),
    (("sum", "len", "max", "min"), 0.5),
    (("int", "round"), 0.8),
    (("round", "float"), 0.6),
    (("floor", "ceil", "round", "trunc"), 0.9),
    (("int", "str", "float"), 0.4),
    (("list", "tuple", "set", "sorted"), 0.5),
    (("sorted", "reversed", "list"), 0.5),
    (("ord", "chr"), 0.9),
    (("abs", "int", "round"), 0.2),
    (("zip", "enumerate", "zip_longest", "product"), 0.3),
    (("range", "len", "enumerate"), 0.3),
    (("map", "filter"), 0.6),
    (("sin", "cos", "tan"), 0.8),
    (("asin", "acos", "atan", "atan2"), 0.8),
    (("radians", "degrees"), 0.9),
    (("sqrt", "pow", "exp", "log"), 0.4),
    (("log", "log2", "log10"), 0.8),
    (("bin", "hex", "oct", "str"), 0.7),
    (("permutations", "combinations", "product", "combinations_with_replacement"), 0.8),
    (("set", "list", "dict"), 0.3),
    (("isinstance", "issubclass"), 0.5),
    (("getattr", "hasattr"), 0.5),
    (("setattr", "getattr", "delattr"), 0.4),
    (("heappush", "heappop", "heappushpop", "heapify", "heapreplace"), 0.6),
    (("nlargest", "nsmallest"), 1.0),
    (("bisect", "bisect_left", "bisect_right", "insort", "insort_left"), 0.9),
    (("deepcopy", "copy"), 0.8),
    (("gcd", "lcm"), 0.9),
    (("factorial", "comb", "perm"), 0.5),
    (("mean", "median", "mode", "stdev", "pstdev", "variance", "pvariance"), 0.7),
    (("sum", "mean", "median", "max", "min", "prod", "std", "var"), 0.7),
    (("argmax", "argmin", "argsort"), 0.9),
    (("zeros", "ones", "empty", "full"), 0.6),
    (("hstack", "vstack", "concatenate", "stack"), 0.8),
    (("date", "datetime", "time", "timedelta"), 0.4),
    (("match", "search", "fullmatch", "findall", "finditer"), 0.9),
    (("defaultdict", "Counter", "dict", "OrderedDict"), 0.4),
    (("repr", "str"), 0.6),
    (("quote", "quote_plus"), 0.9),
    (("unquote", "unquote_plus"), 0.9),
    (("takewhile", "dropwhile", "filter", "filterfalse"), 0.8),
    (("dumps", "dump", "loads", "load"), 0.6),
    (("accumulate", "sum", "chain"), 0.3),
    (("reader", "DictReader"), 0.9),
    (("writer", "DictWriter"), 0.5),
)

_HANDED_ON = (
    ast.Assign
    | ast.AugAssign
    | ast.keyword
    | ast.Dict
    | ast.Return
    | ast.Call
    | ast.ListComp
    | ast.SetComp
    | ast.GeneratorExp
    | ast.List
    | ast.Tuple
    | ast.BinOp
    | ast.Compare
    | ast.FormattedValue
)
"""Where a value goes on to somewhere else, perhaps not before a function of the program has been asked."""


def _related() -> dict[str, tuple[tuple[str, float], ...]]:
    table: dict[str, dict[str, float]] = {}
    for family, weight in _KIN:
        for name in family:
            for other in family:
                if other != name:
                    row = table.setdefault(name, {})
                    row[other] = max(weight, row.get(other, 0.0))
    return {name: tuple(sorted(row.items(), key=lambda pair: -pair[1])) for name, row in table.items()}


_RELATED = _related()


def other_function(node: ast.Call | ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`min(x)` becomes `max(x)`, `math.floor(x)` becomes `math.ceil(x)`; also where a function is only named."""
    target = node.func if isinstance(node, ast.Call) else node
    parent = context.parent(node)
    if isinstance(node, ast.Name) and (
        node.id not in PYTHON_BUILTINS or (isinstance(parent, ast.Call) and parent.func is node)
    ):
        return
    if isinstance(target, ast.Name):
        for other, weight in _RELATED.get(target.id, ()):
            if other in context.scope.visible:
                yield context.put(target, other, weight)
            elif (module := _imported_from(target.id, context)) in _MODULES and other not in PYTHON_BUILTINS:
                imported = context.member_of(module, other, by_itself=True)[1]
                yield WeightedEdits((*imported, context.edit(target, Expression(other))), weight)
    elif isinstance(target, ast.Attribute) and context.text(target.value) in _MODULES:
        end = context.program.spans[target][1]
        for other, weight in _RELATED.get(target.attr, ()):
            if other not in PYTHON_BUILTINS or other == "pow" or context.text(target.value) in _ARRAY_MODULES:
                yield context.replace(end - len(target.attr), end, other, weight)
            else:
                yield context.put(target, other, weight * VERY_LIKELY)


def _imported_from(name: str, context: TemplateContext) -> str:
    """The module that a name is imported from by itself; empty where it is none of those."""

    def found() -> dict[str, str]:
        imports = (node for node in context.program.nodes if isinstance(node, ast.ImportFrom))
        return {alias.asname or alias.name: node.module or "" for node in imports for alias in node.names}

    return context.cached_of_program("modules of names", found).get(name, "")


_ARRAY_MODULES = ("np", "numpy")
"""Modules that have functions of their own under the names of builtins."""
_MODULES = frozenset(
    (
        *_ARRAY_MODULES,
        "math",
        "re",
        "heapq",
        "bisect",
        "itertools",
        "copy",
        "statistics",
        "datetime",
        "json",
        "cmath",
        "operator",
        "csv",
        "urllib.parse",
    )
)


def own_function(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A call of one function of the program becomes a call of another, or of the function itself."""
    if isinstance(node.func, ast.Name) and node.func.id in context.scope.globals:
        for function in context.program.functions:
            if function.name != node.func.id and context.program.parents[function] is context.program.tree:
                yield context.put(
                    node.func, function.name, 1.0 if len(function.args.args) == len(node.args) else UNLIKELY
                )
    elif isinstance(node.func, ast.Attribute):
        own = context.text(node.func.value) == context.scope.receiver
        end = context.program.spans[node.func][1]
        for name in context.scope.methods if own else _methods_beside(node.func.attr, context):
            if name != node.func.attr and name != "__init__":
                yield context.replace(end - len(node.func.attr), end, name)


def uncalled_function(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`bool(text)`, or `text` alone, becomes `read_bool(text)`, which the program has and nothing uses."""
    for function, arguments in context.cached("uncalled", lambda: _uncalled(context)).items():
        if function is context.scope.function or isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            continue
        if isinstance(node, ast.Call):
            if len(node.args) == arguments and not node.keywords and isinstance(node.func, ast.Name):
                yield context.put(node.func, function.name)
        elif arguments == 1 and isinstance(around := context.parent(node), _HANDED_ON):
            kept = isinstance(around, ast.Assign | ast.keyword | ast.Dict | ast.Return)
            yield context.put(node, f"{function.name}({context.text(node)})", HALF if kept else UNLIKELY)
            if context.kind(node) in ("list", "tuple", "") and isinstance(node, ast.Name | ast.Attribute):
                yield context.put(node, f"tuple(map({function.name}, {context.text(node)}))", UNLIKELY)


def compare_by_uncalled(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """All `time < best` of a function become `minutes(time) < minutes(best)`, and `max(times)` becomes
    `max(times, key=minutes)`, for a function of one argument which the program has and nothing uses."""
    for function, arguments in context.cached("uncalled", lambda: _uncalled(context)).items():
        if function is node or arguments != 1:
            continue
        edits = []
        for part in context.program.below(node):
            if isinstance(part, ast.Compare) and isinstance(part.ops[0], ORDERS):
                sides = (part.left, *part.comparators)
                if all(isinstance(side, ast.Name | ast.Attribute | ast.Subscript) for side in sides):
                    edits += [context.edit(s, Expression(f"{function.name}({context.text(s)})")) for s in sides]
            elif isinstance(part, ast.Call) and context.text(part.func) in _ORDERING and len(part.args) == 1:
                items = part.args[0]
                if isinstance(items, ast.Name | ast.Attribute) and not part.keywords:
                    at = context.program.spans[items][1]
                    edits.append(Edit(at, at, f", key={function.name}"))
        if edits:
            yield WeightedEdits(tuple(edits))


_ORDERING = frozenset(("sorted", "min", "max"))


def _uncalled(context: TemplateContext) -> dict[Function, int]:
    """The functions of the module that neither it nor a check uses, with how many arguments they need."""
    named = {node.id for node in context.program.nodes if isinstance(node, ast.Name)} | context.clues.keywords
    own = (function for function in context.program.functions if function.name not in named)
    top = (function for function in own if context.program.parents[function] is context.program.tree)
    entry = (context.clues.entry_point or "").rpartition(".")[2]
    return {f: len(f.args.args) - len(f.args.defaults) for f in top if f.name != entry and not f.decorator_list}


def _methods_beside(name: str, context: TemplateContext) -> tuple[str, ...]:
    """The methods, special ones left out, of the class of the program that defines this one; none where none does."""
    for owner in context.program.nodes:
        if isinstance(owner, ast.ClassDef):
            methods = tuple(statement.name for statement in owner.body if isinstance(statement, FUNCTIONS))
            if name in methods:
                return tuple(method for method in methods if not method.startswith("__"))
    return ()


def apply_own(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not options.get("on"):` becomes `if not read_switch(options.get("on")):`, which reads others elsewhere."""
    around = context.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or not isinstance(around, _ASKED_ABOUT):
        return
    if isinstance(around, ast.If | ast.While | ast.IfExp) and around.test is not node:
        return
    for name in context.cached("own converters", lambda: _converters(context)):
        if name not in context.text(node):
            yield context.put(node, f"{name}({context.text(node)})")


_ASKED_ABOUT = (ast.If, ast.While, ast.IfExp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Assign, ast.Return, ast.keyword)
_MOST_CONVERTERS = 4


def _converters(context: TemplateContext) -> list[str]:
    """The functions of the module that make a value of another one, and are called with one argument somewhere."""
    here = context.scope.function
    called = {callee_name(n) for n in context.program.nodes if isinstance(n, ast.Call) and len(n.args) == 1}
    return [
        function.name
        for function in context.program.tree.body
        if isinstance(function, ast.FunctionDef)
        and function is not here
        and function.name in called
        and len(function.args.args) - len(function.args.defaults) == 1
        and any(isinstance(part, ast.Return) and part.value is not None for part in ast.walk(function))
    ][:_MOST_CONVERTERS]


def both_sides(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`max(left(x), right(x))` becomes `left(x) + right(x)`: the one and the other, not the larger of them."""
    if callee_name(node) not in ("max", "min") or len(node.args) != _PAIR or node.keywords:
        return
    one, other = node.args
    if not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred):
        is_alike = type(one) is type(other) and not isinstance(one, ast.Constant)
        both = binary_operation(context.expression(one), "+", context.expression(other))
        yield context.put(node, both, 1.0 if is_alike else UNLIKELY)


_PAIR = 2


def keep_compared(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if find(a) == find(b)` keeps what it compares, `a, b = find(a), find(b)`, where the rest reads `a` and `b`: the
    representatives of two sets are joined, not two of their items."""
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.Eq | ast.NotEq):
        return
    calls = (test.left, test.comparators[0])
    if context.parent(node) is not context.scope.function or not all(_asks_for_name(call) for call in calls):
        return
    called, names = zip(*((context.text(c.func), context.text(c.args[0])) for c in calls), strict=True)  # type: ignore[attr-defined]
    end = context.program.spans[test][1]
    read = {n.id for n in context.scope.nodes if isinstance(n, ast.Name) and context.program.spans[n][0] > end}
    if len(set(called)) != 1 or len(set(names)) == 1 or not read.intersection(names):
        return
    kept = f"{', '.join(names)} = {', '.join(context.text(call) for call in calls)}"
    asked = [context.edit(call, Expression(name)) for call, name in zip(calls, names, strict=True)]
    for begun in context.before(node, (kept,)):
        yield WeightedEdits((*begun.edits, *asked))


def _asks_for_name(call: ast.expr) -> bool:
    """Whether an expression is a call with one variable, and nothing else."""
    return (
        isinstance(call, ast.Call) and len(call.args) == 1 and not call.keywords and isinstance(call.args[0], ast.Name)
    )


def uncalled_throughout(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out += left` and `out += right` become `out += ended(left)` and `out += ended(right)`, for a function of one
    argument which the program has and nothing uses."""
    for function, arguments in context.cached("uncalled", lambda: _uncalled(context)).items():
        if function is not node and arguments == 1:
            for values in context.cached("values added in one block", lambda: _added_together(context)):
                called = (Expression(f"{function.name}({context.text(value)})") for value in values)
                yield WeightedEdits(tuple(map(context.edit, values, called)))


def _added_together(context: TemplateContext) -> list[list[ast.expr]]:
    """What statements of one block add to one collection or number: two values or more of each."""
    found: dict[tuple[int, str], list[ast.expr]] = {}
    for part in context.scope.nodes:
        if not isinstance(part, ast.AugAssign | ast.Expr):
            continue
        block, call = id(context.program.block(part)), part.value
        if isinstance(part, ast.AugAssign) and isinstance(call, ast.Name):
            found.setdefault((block, context.text(part.target)), []).append(call)
        elif isinstance(call, ast.Call) and callee_name(call) in ("append", "extend", "add") and len(call.args) == 1:
            found.setdefault((block, context.text(call.func)), []).append(call.args[0])
    return [values for values in found.values() if len(values) > 1]


def wrap_as_neighbour(node: ast.Tuple | ast.Call | ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`unquote(path), anchor` becomes `unquote(path), unquote(anchor)`: what stands beside goes through that, too."""
    parts = node.elts if isinstance(node, ast.Tuple) else node.values if isinstance(node, ast.Dict) else node.args
    wrapped = [part for part in parts if isinstance(part, ast.Call) and len(part.args) == 1 and not part.keywords]
    for function in dict.fromkeys(context.text(part.func) for part in wrapped):
        for part in parts:
            value = part.body if isinstance(part, ast.IfExp) else part
            if isinstance(value, ast.Name | ast.Attribute | ast.Subscript) and not isinstance(
                getattr(node, "ctx", None), ast.Store
            ):
                yield context.put(value, f"{function}({context.text(value)})")


def sibling_function(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return -total()` becomes `return -atom()`: another of the functions that are defined beside it in a function, or
    beside the function itself, and that take as many arguments. What the other branch calls is likelier."""
    if not isinstance(node.func, ast.Name) or node.keywords:
        return
    owners: list[ast.Module | Function] = [context.program.tree]
    function = context.scope.function
    while function is not None:
        owners.append(function)
        function = context.program.function(context.parent(function))
    choice = next((part for part in context.around(node) if isinstance(part, ast.If)), None)
    called = {part.func.id for part in ast.walk(choice) if _calls_name(part)} if choice else set()  # type: ignore[attr-defined]
    for owner in owners:
        beside = {part.name: part for part in owner.body if isinstance(part, FUNCTIONS)}
        if node.func.id in beside:
            for name, function in beside.items():
                least = len(function.args.args) - len(function.args.defaults)
                if name != node.func.id and least <= len(node.args) <= len(function.args.args):
                    yield context.put(node.func, name, 1.0 if name in called else HALF)


def _calls_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def own_for_builtin(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(str(value))` becomes `len(cell_text(value))`, by which the module makes texts of such values elsewhere."""
    if not isinstance(node.func, ast.Name) or node.func.id not in _CONVERTING or len(node.args) != 1 or node.keywords:
        return
    for name in context.cached("own converters", lambda: _converters(context)):
        yield context.put(node.func, name)


_CONVERTING = frozenset({"str", "repr", "int", "float", "round", "bool", "list", "sorted"})


TEMPLATES = (
    Template("own_for_builtin", (ast.Call,), own_for_builtin, ("content", "space", "type", "value")),
    Template("sibling_function", (ast.Call,), sibling_function, ("content", "recursion")),
    Template("uncalled_throughout", FUNCTIONS, uncalled_throughout),
    Template("wrap_as_neighbour", (ast.Tuple, ast.Call, ast.Dict), wrap_as_neighbour, ("kind", "type", "content")),
    Template("keep_compared", (ast.If,), keep_compared),
    Template("both_sides", (ast.Call,), both_sides),
    Template("other_function", (ast.Call, ast.Name), other_function, ("negated", "rounding", "order")),
    Template("own_function", (ast.Call,), own_function),
    Template("apply_own", (ast.Call, ast.Name, ast.Subscript, ast.Attribute), apply_own, ("negated", "kind", "type")),
    Template("compare_by_uncalled", FUNCTIONS, compare_by_uncalled, ("order", "content", "negated")),
    Template(
        "uncalled_function",
        (ast.Call, ast.Name, ast.Subscript, ast.Attribute),
        uncalled_function,
        ("negated", "kind", "content"),
    ),
)
