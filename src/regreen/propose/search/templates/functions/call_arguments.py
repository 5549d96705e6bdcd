"""Wrong arguments: swapped, superfluous, under the wrong keyword, or shared where they must be new."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    DECLINE,
    HALF,
    MAX_TURNED_ARGUMENTS,
    POSSIBLE,
    PROBABLE,
)
from regreen.propose.search.expressions import function_call
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.signatures import fields, names_to_give
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name


def swap_arguments(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(a, b)` becomes `f(b, a)`."""
    arguments = node.args
    for index in range(len(arguments) - 1):
        for other in range(index + 1, len(arguments)):
            one, two = arguments[index], arguments[other]
            if isinstance(one, ast.Starred) or isinstance(two, ast.Starred) or context.text(one) == context.text(two):
                continue
            yield context.swap(one, two, 1.0 if other == index + 1 else HALF)


def turn_arguments(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(a, b, c)` becomes `f(c, a, b)` or `f(b, c, a)`: the right arguments, in turn."""
    count = len(node.args)
    if not 3 <= count <= MAX_TURNED_ARGUMENTS or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    source = context.program.source
    texts = [source[_before(context, argument) : end_of_argument(context, argument)] for argument in node.args]
    if len(set(texts)) == count:
        start, end = _before(context, node.args[0]), end_of_argument(context, node.args[-1])
        for turned in ((texts[-1], *texts[:-1]), (*texts[1:], texts[0])):
            yield context.replace(start, end, ", ".join(turned))


def cross_calls(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a.take(x)` and then `b.give(x)` become `b.take(x)` and then `a.give(x)`."""
    block = context.program.block(node)
    following = block[block.index(node) + 1 : block.index(node) + 2]
    one, other = _owner(node), _owner(following[0]) if following else None
    if one is not None and other is not None and context.text(one) != context.text(other):
        yield context.swap(one, other)


def _owner(statement: ast.stmt) -> ast.expr | None:
    """The object whose method a statement calls; None for any other statement."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None


def swap_owner(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a.extend(b)` becomes `b.extend(a)`, `x.join(sep)` becomes `sep.join(x)`."""
    if isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        owner, argument = node.func.value, node.args[0]
        if not isinstance(argument, ast.Constant) or isinstance(owner, ast.Constant) or context.kind(argument) == "str":
            yield context.swap(owner, argument)


def drop_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(a, b)` becomes `f(a)` or `f(b)`; `f(a, key=b)` becomes `f(a)`."""
    pieces = sorted((*node.args, *node.keywords), key=lambda piece: context.program.spans[piece][0])
    if not pieces or (len(pieces) == 1 and isinstance(pieces[0], ast.GeneratorExp)):
        return
    for index in reversed(range(len(pieces))):
        if index:
            yield context.replace(
                end_of_argument(context, pieces[index - 1]), end_of_argument(context, pieces[index]), ""
            )
        elif len(pieces) > 1:
            yield context.replace(_before(context, pieces[0]), _before(context, pieces[1]), "", PROBABLE)
        else:
            yield context.replace(_before(context, pieces[0]), end_of_argument(context, pieces[0]), "", POSSIBLE)


def _before(context: TemplateContext, piece: ast.AST) -> int:
    start = context.program.spans[piece][0]
    if isinstance(piece, ast.expr) and context.program.bracketed(piece):
        return context.program.source.rindex("(", 0, start)
    return start


def end_of_argument(context: TemplateContext, piece: ast.AST) -> int:
    """Where an argument ends, with the brackets around it."""
    end = context.program.spans[piece][1]
    if isinstance(piece, ast.expr) and context.program.bracketed(piece):
        return context.program.source.index(")", end) + 1
    return end


def lead_behind(context: TemplateContext, piece: ast.AST) -> str:
    """What comes before an argument that goes behind another one: a line of its own, where that one has such."""
    source, start = context.program.source, context.program.spans[piece][0]
    before = source[source.rfind("\n", 0, start) + 1 : start]
    return ", " if before.strip() or not before else f",\n{before}"


def end_of_arguments(node: ast.Call, context: TemplateContext) -> tuple[int, str]:
    """Where a further argument goes, before a comma that ends them, and what comes before it."""
    pieces = [*node.args, *node.keywords]
    if not pieces:
        return context.program.spans[node][1] - 1, ""
    last = max(pieces, key=lambda piece: context.program.spans[piece][1])
    return end_of_argument(context, last), lead_behind(context, last)


def rename_keyword(node: ast.keyword, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(start=1)` becomes `f(end=1)` for parameters of the program's own functions."""
    owner = context.parent(node)
    if not isinstance(owner, ast.Call) or node.arg is None:
        return
    start = context.program.spans[node][0]
    for name in all_parameters(owner, context):
        if name not in {keyword.arg for keyword in owner.keywords}:
            yield context.replace(start, start + len(node.arg), name)


def all_parameters(node: ast.Call, context: TemplateContext) -> tuple[str, ...]:
    """The parameters of the program's own function, or the fields of its class, that a call calls."""
    name = callee_name(node)
    owner = context.program.class_of(node) if name in ("cls", "__class__") else None
    named = context.program.definitions.get(name, ())
    for found in (owner, *(_methods_of_parents(node, context) if is_call_of_parent(node) else named)):
        if isinstance(found, ast.ClassDef):
            return fields(found)
        if found is not None:
            return names_to_give(found)
    return ()


def is_call_of_parent(node: ast.Call) -> bool:
    """Whether a call is one of `super().name(...)`."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return isinstance(owner, ast.Call) and callee_name(owner) == "super"


def _methods_of_parents(node: ast.Call, context: TemplateContext) -> list[Function]:
    """The methods of the program's own classes that `super().name(...)` may call, the nearest first."""
    owner = context.program.class_of(node)
    found: list[Function] = []
    seen: set[str] = set()
    waiting = [] if owner is None else [context.text(base) for base in owner.bases]
    while waiting:
        name = waiting.pop(0)
        for parent in context.program.definitions.get(name, ()) if name not in seen else ():
            if isinstance(parent, ast.ClassDef):
                found += (s for s in parent.body if isinstance(s, FUNCTIONS) and s.name == callee_name(node))
                waiting += (context.text(base) for base in parent.bases)
        seen.add(name)
    return found


def fresh_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`d.setdefault(k, x)` becomes `d.setdefault(k, set())`; `xs.append(row)` becomes `xs.append(list(row))`."""
    if not isinstance(node.func, ast.Attribute) or not node.args or node.func.attr not in _KEEPERS:
        return
    last = node.args[-1]
    if isinstance(last, ast.Starred | ast.GeneratorExp):
        return
    for rank, value in enumerate(("set()", "[]", "{}", "0", "None", "''", "1", "float('inf')")):
        if value != context.text(last):
            yield context.put(last, value, (1.0 if len(node.args) > 1 else POSSIBLE) * (1.0 - DECLINE * rank))
    for function in ("list", "set", "dict", "tuple"):
        yield context.put(last, function_call(function, context.expression(last)), HALF)


_KEEPERS = frozenset(("setdefault", "get", "append", "add", "insert", "pop", "appendleft", "extend", "update"))


_CALLS = (ast.Call,)


def spread_generator(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`gather(f(x) for x in xs)` becomes `gather(*(f(x) for x in xs))`, and `gather(xs)` `gather(*xs)`."""
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        return
    argument = node.args[0]
    if isinstance(argument, ast.GeneratorExp):
        text = context.text(argument)
        inner = text if text.startswith("(") else f"({text})"
        function = context.text(node.func)
        yield context.put(node, f"{function}(*{inner})")


def name_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`timedelta(weeks)` becomes `timedelta(weeks=weeks)`: the parameter of that name may not come first."""
    last = node.args[-1] if node.args else None
    name = last.attr if isinstance(last, ast.Attribute) else last.id if isinstance(last, ast.Name) else ""
    if last is not None and name and all(keyword.arg != name for keyword in node.keywords):
        start = context.program.spans[last][0]
        yield context.replace(start, start, f"{name}=")


def as_just_stored(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`tree[2] = remove(tree[2], key)` behind `tree[0] = heir[0]` becomes `remove(tree[2], heir[0])`: what was stored
    in the line before is meant."""
    call = context.parent(node)
    if not isinstance(call, ast.Call) or node not in call.args:
        return
    statement = context.program.statement(node)
    block = context.program.block(statement)
    place = block.index(statement)
    before = block[place - 1] if place else None
    if isinstance(before, ast.Assign) and isinstance(before.value, ast.Subscript | ast.Attribute):
        yield context.put(node, context.expression(before.value))


TEMPLATES = (
    Template("as_just_stored", (ast.Name,), as_just_stored),
    Template("name_argument", (ast.Call,), name_argument, ("type", "content")),
    Template("spread_generator", (ast.Call,), spread_generator, ("type",)),
    Template("swap_arguments", _CALLS, swap_arguments),
    Template("turn_arguments", (ast.Call,), turn_arguments),
    Template("cross_calls", (ast.Expr,), cross_calls),
    Template("swap_owner", _CALLS, swap_owner),
    Template("drop_argument", _CALLS, drop_argument, ("arguments",)),
    Template("fresh_argument", _CALLS, fresh_argument, ("content", "repeats", "copy")),
    Template("rename_keyword", (ast.keyword,), rename_keyword, ("arguments",)),
)
