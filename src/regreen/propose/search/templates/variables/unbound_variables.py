"""Variables that are read before anything gives them a value: never begun, or begun under another name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher

from regreen.propose.search.constants import (
    ALMOST_SURE,
    FAST_DECLINE,
    HALF,
    LEAST_LIKENESS_OF_NAMES,
    LIKELY,
    MAX_EXPRESSION_CHARACTERS,
    POSSIBLE,
    SELDOM,
    UNLIKELY,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name

_BY_METHOD = {
    **dict.fromkeys(("append", "extend", "insert", "sort", "reverse"), ("[]",)),
    **dict.fromkeys(("add", "discard", "union", "intersection"), ("set()",)),
    **dict.fromkeys(("get", "setdefault", "items", "keys", "values"), ("{}",)),
    **dict.fromkeys(("update", "remove", "pop", "clear", "copy"), ("{}", "[]", "set()")),
    **dict.fromkeys(("strip", "lower", "upper", "split", "join", "replace"), ("''",)),
}
"""What a variable holds at first whose method of this name is called."""
_WHOLE_AND_REST = {ast.Mod: "//", ast.FloorDiv: "%"}
_MOST_ATTRIBUTES = 6
_MOST_ARGUMENTS = 6
"""Variables with which a function of the module is called for a lost value, at most."""
_TRUTHS = ("False", "True", "None", "[]")
_MEMBERS = ("set()", "[]", "{}")
_NUMBERS = ("0", "1", "None")
_COMPARED = ("0", "None", "1", "float('-inf')", "float('inf')", "-1")
_ANY = ("0", "[]", "None", "''", "{}", "1", "False", "True", "set()")


def begin_variable(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out = []` comes before the loop that appends to `out`, where nothing has given it a value."""
    for name, first in _unbound(context).items():
        places = _statements_around(first, context)
        if not places or context.is_called(first):
            # No value makes up for a function.
            continue
        for rank, value in enumerate(_first_values(name, context)):
            for place in (places[-1], *places[:-1]):
                weight = (1.0 - FAST_DECLINE * min(rank, 6)) * (1.0 if place is places[-1] else HALF)
                yield from context.before(place, (f"{name} = {value}",), weight)
        for value, weight in _values_elsewhere(name, context):
            for place in places[:1] if len(places) == 1 else (places[0], places[-1]):
                yield from context.before(place, (f"{name} = {value}",), weight)
        yield from _taken_beside(name, context)


def _taken_beside(name: str, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`b = stack.pop()` just before `a = stack.pop()`, or behind it: which one is taken first matters."""
    for node in context.scope.nodes:
        call = node.value if isinstance(node, ast.Assign) else None
        if isinstance(call, ast.Call) and callee_name(call) in (
            "pop",
            "popleft",
            "next",
            "heappop",
            "input",
            "readline",
        ):
            line = f"{name} = {context.text(call)}"
            yield from context.before(node, (line,))  # type: ignore[arg-type]
            yield from context.after(node, (line,), LIKELY)  # type: ignore[arg-type]


def bind_variable(node: ast.Name | ast.arg, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`rows = {}` becomes `groups = {}`, or `for rows in ...` `for groups in ...`, where `groups` has no value."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
        return
    now = node.id if isinstance(node, ast.Name) else node.arg
    if now == context.scope.receiver or context.scope.function is None:
        return
    stores = [
        n for n in context.scope.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id == now
    ]
    is_free = now in context.scope.unused or len(stores) + (now in context.scope.parameters) > 1
    for name, first in _unbound(context).items():
        if context.parent(first) is context.parent(node):
            continue
        weight = 1.0 if _are_alike(now, name) else LIKELY if is_free else UNLIKELY
        start = context.program.spans[node][0]
        if context.program.source.startswith(now, start):
            # Names of other letters are read as if they had been written in these.
            yield context.replace(start, start + len(now), name, weight)


def _unbound(context: TemplateContext) -> dict[str, ast.Name]:
    """The names that the function reads, or adds to, before it gives them a value, each with its first reading."""
    return context.cached("unbound variables", lambda: _find_unbound(context))


def _find_unbound(context: TemplateContext) -> dict[str, ast.Name]:
    scope = context.scope
    names = [node for node in scope.nodes if isinstance(node, ast.Name)]
    outer = {name for around in scope.enclosing for name in (*around.parameters, *around.assigned)}
    known = {*scope.parameters, *outer, *scope.globals, *(scope.visible - scope.assigned), *_bound_otherwise(context)}
    first: dict[str, ast.Name] = {}
    for node in sorted(names, key=lambda name: context.program.spans[name]):
        first.setdefault(node.id, node)
    return {name: node for name, node in first.items() if name not in known and _is_read(node, context)}


def _bound_otherwise(context: TemplateContext) -> Iterator[str]:
    """Names that the order of the text says nothing of: those of comprehensions, imports, definitions and the like."""
    for node in context.scope.nodes:
        if isinstance(node, ast.comprehension):
            yield from (part.id for part in ast.walk(node.target) if isinstance(part, ast.Name))
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield from node.names
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and context.program.function(node) is not context.scope.function:
            # A function within is called later than it is written; what none of the two binds stays unbound.
            yield from {node.id} & _stored(context)
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.ExceptHandler)) and node.name:
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]


def _stored(context: TemplateContext) -> frozenset[str]:
    """The variables that the function gives a value, by more than adding to the one before."""
    return context.cached(
        "stored variables",
        lambda: frozenset(
            node.id
            for node in context.scope.nodes
            if isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and not isinstance(context.parent(node), ast.AugAssign)
        ),
    )


def _is_read(node: ast.Name, context: TemplateContext) -> bool:
    parent = context.parent(node)
    if isinstance(parent, ast.Assign | ast.AnnAssign) and parent.value is not None:
        # `total = total + x` reads first, and stands behind in the text.
        return isinstance(node.ctx, ast.Load) or any(
            isinstance(part, ast.Name) and part.id == node.id for part in ast.walk(parent.value)
        )
    return not isinstance(node.ctx, ast.Store) or isinstance(parent, ast.AugAssign)


def _statements_around(node: ast.AST, context: TemplateContext) -> list[ast.stmt]:
    """The statements of the function that a node stands in, the innermost first."""
    found: list[ast.stmt] = []
    while node is not context.scope.function and not isinstance(node, ast.Module):
        if isinstance(node, ast.stmt):
            found.append(node)
        node = context.parent(node)
    return found


def _first_values(name: str, context: TemplateContext) -> tuple[str, ...]:
    """What a variable may hold at first, by how it is used, the likeliest first."""
    uses = (node for node in context.scope.nodes if isinstance(node, ast.Name) and node.id == name)
    found = [value for use in uses for value in _values_for(use, context)]
    return tuple(dict.fromkeys(found or _ANY))


def _values_for(use: ast.Name, context: TemplateContext) -> tuple[str, ...]:
    parent = context.parent(use)
    if isinstance(parent, ast.Attribute):
        return _BY_METHOD.get(parent.attr, ())
    if isinstance(parent, ast.AugAssign) and parent.target is use:
        by_kind = {"str": ("''",), "list": ("[]",)}.get(context.kind(parent.value), ("0",))
        return ("1",) if isinstance(parent.op, ast.Mult) else by_kind
    if isinstance(parent, ast.Subscript) and parent.value is use:
        return "{}", "[]"
    if isinstance(parent, ast.Compare):
        return _MEMBERS if isinstance(parent.ops[-1], ast.In | ast.NotIn) and parent.left is not use else _COMPARED
    if isinstance(parent, ast.BinOp):
        return _NUMBERS
    if isinstance(parent, ast.If | ast.While | ast.IfExp | ast.BoolOp | ast.UnaryOp):
        return _TRUTHS
    return ()


def _values_elsewhere(name: str, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """What the function gives other variables, those with like names first, and what its parameters suggest."""
    for node in context.scope.nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value, other = context.text(node.value), node.targets[0].id
            if other != name and len(value) <= MAX_EXPRESSION_CHARACTERS and "\n" not in value:
                yield value, ALMOST_SURE if _are_alike(other, name) else SELDOM
    yield from _parts_of_others(name, context)
    for function in _helpers(context):
        likely = LIKELY if name in function or function in name else SELDOM
        yield from ((f"{function}({argument})", likely) for argument in context.scope.locals[:_MOST_ARGUMENTS])
    yield from _calls_by_names(name, context)
    is_row = any(_is_row(node, name) for node in context.scope.nodes)
    is_list = _first_values(name, context)[0] == "[]"
    for parameter in context.scope.parameters:
        if parameter == context.scope.receiver:
            continue
        if is_row:
            yield f"[0] * {parameter}", HALF
            yield f"[0] * len({parameter})", HALF
            yield f"[0] * ({parameter} + 1)", POSSIBLE
        elif is_list:
            yield f"[{parameter}]", HALF
        else:
            yield f"len({parameter})", POSSIBLE
            yield f"{parameter}[0]", UNLIKELY
            yield parameter, UNLIKELY


def _parts_of_others(name: str, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """What an iterator, a quotient, the object itself or a pair would give a variable: `next(names)`, `total // 60`
    beside `total % 60`, `self.head`, `[(row, column)]`."""
    for other in context.scope.locals:
        if other in context.scope.unused and other != context.scope.receiver:
            yield f"next({other})", LIKELY
            yield f"{other}.pop()", POSSIBLE
    unread = [other for other in context.scope.locals if other in context.scope.unused]
    loops = (part.target for part in context.scope.nodes if isinstance(part, ast.For))
    looped = [target.id for target in loops if isinstance(target, ast.Name)]
    for one in dict.fromkeys((*unread, *looped)):
        for other in context.scope.locals[:_MOST_ARGUMENTS]:
            if other not in (one, name, context.scope.receiver):
                yield f"{one} + {other}", POSSIBLE
                yield f"{other}.index({one})", POSSIBLE
                yield f"{other}[{one}]", POSSIBLE
    for node in context.scope.nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in _WHOLE_AND_REST:
            left, right = context.text(node.left), context.text(node.right)
            yield f"{left} {_WHOLE_AND_REST[type(node.op)]} {right}", LIKELY
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            taken = context.text(node.value)
            if taken in (f"{name}.pop()", f"{name}.popleft()", f"{name}.pop(0)"):
                yield from _first_pairs(name, node.targets[0], context)
    if own := context.scope.receiver:
        yield from ((f"{own}.{field}", HALF) for field in context.scope.attributes[:_MOST_ATTRIBUTES])
        yield from ((f"{own}.{method}()", HALF) for method in _bare_methods(context))


def _bare_methods(context: TemplateContext) -> list[str]:
    """The methods of the class that are called with nothing, the one around left out."""
    others = (one for one in context.program.functions if one is not context.scope.function)
    methods = (one for one in others if one.name in context.scope.methods and not one.name.startswith("__"))
    return [one.name for one in methods if len(one.args.args) == 1][:_MOST_ATTRIBUTES]


def _first_pairs(name: str, target: ast.Tuple, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """A list, or a deque, of one tuple of variables that the loops around give, for what tuples are taken off."""
    taken = {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
    loops = (part for part in context.scope.nodes if isinstance(part, ast.For))
    given = (part.id for loop in loops for part in ast.walk(loop.target) if isinstance(part, ast.Name))
    names = [one for one in dict.fromkeys((*given, *context.scope.parameters)) if one not in taken]
    pair = f"[({', '.join(names[: len(target.elts)])})]"
    if len(names) >= len(target.elts):
        is_queue = f"{name}.popleft" in context.program.source
        yield f"deque({pair})" if is_queue else pair, 1.0


def _helpers(context: TemplateContext) -> list[str]:
    """The functions of the module that are called with one argument, the one around left out."""
    top = (f for f in context.program.functions if context.program.parents[f] is context.program.tree)
    return [f.name for f in top if f is not context.scope.function and len(f.args.args) - len(f.args.defaults) == 1]


def _calls_by_names(name: str, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """Calls of the module's functions for whose parameters there are variables of the same names, those first that
    nothing calls."""
    called = context.cached_of_program(
        "functions called", lambda: {callee_name(n) for n in context.program.nodes if isinstance(n, ast.Call)}
    )
    for function in context.program.functions:
        wanted = [argument.arg for argument in function.args.args]
        needed = wanted[: len(wanted) - len(function.args.defaults)]
        of_module = context.program.parents[function] is context.program.tree
        if of_module and len(wanted) > 1 and function is not context.scope.function:
            known = [name for name in wanted if name in context.scope.locals]
            if set(needed) <= set(known) and name not in known:
                yield f"{function.name}({', '.join(known)})", HALF if function.name in called else 1.0


def _is_row(node: ast.AST, name: str) -> bool:
    """Whether a node is an entry of the variable."""
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == name


def _are_alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other).ratio() >= LEAST_LIKENESS_OF_NAMES


TEMPLATES = (
    Template("begin_variable", FUNCTIONS, begin_variable, ("name", "unbound")),
    Template("bind_variable", (ast.Name, ast.arg), bind_variable, ("name", "unbound")),
)
