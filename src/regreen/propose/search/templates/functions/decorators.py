"""Functions that make functions: the inner one is not returned, or what the outer one gathers is not passed on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import ALMOST_SURE, FAST_DECLINE, HALF, LIKELY, POSSIBLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name


def return_inner(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that defines another and returns nothing ends with `return inner`."""
    inner = [statement for statement in node.body if isinstance(statement, FUNCTIONS)]
    if not inner or any(_is_own_return(part, node, context) for part in context.program.below(node)):
        return
    for rank, function in enumerate(reversed(inner)):
        yield from context.after(node.body[-1], (f"return {function.name}",), 1.0 if not rank else HALF)


def _is_own_return(part: ast.AST, function: Function, context: TemplateContext) -> bool:
    return isinstance(part, ast.Return | ast.Yield) and context.program.function(part) is function


def pass_gathered(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(x)` becomes `f(x, **options)` or `f(x, *rest)` for what the function gathers and does not read, and
    `f(**options)` becomes `f(*rest, **options)`."""
    end = context.program.spans[node][1] - 1
    given = {context.text(argument) for argument in (*node.args, *node.keywords)}
    if any(isinstance(argument, ast.GeneratorExp) for argument in node.args) or _ends_in_comma(end, context):
        return
    lead = ", " if given else ""
    calls_parameter = callee_name(node) in _parameters_in_reach(context)
    for text in _unread_gathered(context):
        if text not in given and (text.startswith("**") or not node.keywords):
            yield context.replace(end, end, lead + text, 1.0 if calls_parameter else LIKELY)
        elif text not in given and not node.args:
            begin = context.program.spans[node.func][1] + 1
            yield context.replace(begin, begin, f"{text}, ", 1.0 if calls_parameter else LIKELY)


def _ends_in_comma(end: int, context: TemplateContext) -> bool:
    return context.program.source[:end].rstrip().endswith(",")


def _parameters_in_reach(context: TemplateContext) -> frozenset[str]:
    scopes = (context.scope, *context.scope.enclosing)
    return frozenset(name for scope in scopes for name in scope.parameters)


def _unread_gathered(context: TemplateContext) -> Iterator[str]:
    """`*rest` and `**options` of the function, stars included, where nothing reads them."""
    function = context.scope.function
    if function is None:
        return
    read = {n.id for n in context.scope.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    for argument, stars in ((function.args.vararg, "*"), (function.args.kwarg, "**")):
        if argument is not None and argument.arg not in read:
            yield stars + argument.arg


def key_of_all(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key = args` becomes `key = (args, tuple(sorted(kwargs.items())))`: what is looked up depends on both."""
    function = context.scope.function
    given = None if function is None else function.args
    if given is None or given.vararg is None or given.kwarg is None or not isinstance(node.ctx, ast.Load):
        return
    if node.id != given.vararg.arg or not isinstance(context.parent(node), _KEEPERS):
        return
    options = given.kwarg.arg
    yield context.put(node, f"({node.id}, tuple(sorted({options}.items())))")
    yield context.put(node, f"({node.id}, frozenset({options}.items()))", HALF)


_KEEPERS = (ast.Assign, ast.Subscript, ast.Compare, ast.Tuple, ast.NamedExpr)
"""Where a key is made or looked up."""


def spread_options(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{"kind": kind}` becomes `{"kind": kind, **details}` for options that nothing reads."""
    end = context.program.spans[node][1] - 1
    lead = "" if not node.keys or _ends_in_comma(end, context) else ", "
    for text in _unread_gathered(context):
        if text.startswith("**"):
            yield context.replace(end, end, lead + text)


def keep_options(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`made.update(options)` before a statement, `self.options = options` after one, for options that nothing reads."""
    for text in _unread_gathered(context):
        name = text.lstrip("*")
        for table in context.scope.of_kind("dict"):
            if table != name and text.startswith("**"):
                yield from context.before(node, (f"{table}.update({name})",), ALMOST_SURE)
        if context.scope.receiver and context.program.block(node)[-1] is node:
            yield from context.after(node, (f"{context.scope.receiver}.{name} = {name}",), POSSIBLE)
            yield from context.after(node, (f"{context.scope.receiver}.__dict__.update({name})",), POSSIBLE)


def keep_identity(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """The inner function of a decorator gets `@functools.wraps(function)`: it keeps the name of what it stands for."""
    outer = context.parent(node)
    if not isinstance(outer, FUNCTIONS) or node.decorator_list or not (node.args.vararg or node.args.kwarg):
        return
    called = {callee_name(part) for part in context.program.below(node) if isinstance(part, ast.Call)}
    for name in (argument.arg for argument in outer.args.args if argument.arg in called):
        wraps, imported = context.member_of("functools", "wraps")
        for decorated in context.before(node, (f"@{wraps}({name})",)):
            yield WeightedEdits((*imported, *decorated.edits))


def compare_or_freeze(node: ast.ClassDef, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`@dataclass` becomes `@dataclass(order=True)`, or `@dataclass(frozen=True)`: it can be sorted, or be a key."""
    for decorator in node.decorator_list:
        if context.text(decorator) in ("dataclass", "dataclasses.dataclass"):
            for option in ("order=True", "frozen=True"):
                yield context.put(decorator, f"{context.text(decorator)}({option})")


def register_decorated(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A decorator that gives its function back as it is keeps it first: `self.commands[name] = function`,
    `handlers.append(function)`, `REGISTRY[function.__name__] = function`."""
    last, given = node.body[-1], [argument.arg for argument in node.args.args if argument.arg != context.scope.receiver]
    if not isinstance(last, ast.Return) or len(given) != 1 or context.text(last) != f"return {given[0]}":
        return
    function = given[0]
    outer = [name for around in context.scope.enclosing for name in around.parameters if name != context.scope.receiver]
    keys = [*outer, f"{function}.__name__"]
    values = [function, *([f"({function}, {', '.join(outer[1:])})"] if len(outer) > 1 else [])]
    for held, first in _held(context):
        lines = []
        if isinstance(first, ast.List):
            lines += [f"{held}.append({function})", *(f"{held}.append(({key}, {function}))" for key in outer)]
        else:
            lines += [f"{held}[{key}] = {value}" for key in keys for value in values]
            lines += [f"{held}.setdefault({key}, []).append({function})" for key in outer]
            lines += [f"{held}[{key}].append({function})" for key in outer]
        for rank, line in enumerate(lines):
            yield from context.before(last, (line,), max(1.0 - FAST_DECLINE * rank, HALF))


def _held(context: TemplateContext) -> Iterator[tuple[str, ast.expr]]:
    """What the module and the class around a function begin as an empty list or table."""
    owner = context.program.class_of(context.scope.function) if context.scope.function is not None else None
    for part in context.program.nodes if owner is None else (*context.program.tree.body, *ast.walk(owner)):
        if not isinstance(part, ast.Assign) or not _is_collection(part.value):
            continue
        target = part.targets[0]
        of_module = isinstance(target, ast.Name) and context.parent(part) is context.program.tree
        of_object = isinstance(target, ast.Attribute) and context.text(target.value) == context.scope.receiver
        if of_module or of_object:
            yield context.text(target), part.value


def _is_collection(value: ast.expr) -> bool:
    if isinstance(value, ast.Call):
        return callee_name(value) in ("dict", "defaultdict", "OrderedDict")
    return isinstance(value, ast.List | ast.Dict)


TEMPLATES = (
    Template("register_decorated", FUNCTIONS, register_decorated, ("content", "index", "none")),
    Template("keep_identity", FUNCTIONS, keep_identity, ("content", "name")),
    Template("compare_or_freeze", (ast.ClassDef,), compare_or_freeze, ("type",)),
    Template("return_inner", FUNCTIONS, return_inner, ("type", "none")),
    Template("pass_gathered", (ast.Call,), pass_gathered, ("type",)),
    Template("key_of_all", (ast.Name,), key_of_all),
    Template("spread_options", (ast.Dict,), spread_options, ("content", "key")),
    Template("keep_options", (ast.Return, ast.Assign, ast.Expr), keep_options, ("key", "attribute", "content")),
)
