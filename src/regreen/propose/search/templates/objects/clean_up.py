"""What has to be undone in any case, or can be undone only where it was done: state left behind, folders not made."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, UNLIKELY
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.objects.counterparts import OPPOSITES
from regreen.propose.search.templates.steps.statement_moves import at_depth
from regreen.syntax import callee_name

_MAY_RAISE = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom)
"""What may raise an exception on its way."""


def undo_in_any_case(node: ast.Assign | ast.AugAssign | ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.depth -= 1` after `self.depth += 1` and a call goes into a `finally`, with what else is undone there."""
    block = context.program.block(node)
    at = block.index(node)
    begun = _place_of_begun(node, block[:at], context)
    if begun is None or _place_of_begun(block[at - 1], block[: at - 1], context) is not None:
        return
    end = at + 1
    while end < len(block) and _place_of_begun(block[end], block[:end], context) is not None:
        end += 1
    held, undone = block[begun + 1 : at], block[at:end]
    may_end = any(isinstance(part, _MAY_RAISE) for statement in held for part in ast.walk(statement))
    if not may_end or not all(map(context.program.alone, (*held, *undone))):
        return
    indent = context.program.indent(node)
    deeper = indent + context.program.unit
    start, middle, stop = (
        context.program.lines(held[0])[0],
        context.program.lines(node)[0],
        context.program.lines(undone[-1])[1],
    )
    inside, after = (at_depth(span, context, indent, deeper) for span in ((start, middle), (middle, stop)))
    yield context.replace(start, stop, f"{indent}try:\n{inside}{indent}finally:\n{after}")


def _place_of_begun(undoing: ast.stmt, before: list[ast.stmt], context: TemplateContext) -> int | None:
    """The place of the statement that a later one of its block undoes; None where it undoes nothing."""
    for place in reversed(range(len(before))):
        if _undoes(undoing, before[place], context):
            return place
    return None


def _undoes(undoing: ast.stmt, begun: ast.stmt, context: TemplateContext) -> bool:
    """Whether `x -= 1` follows `x += 1`, `self.busy = False` `self.busy = True`, `stack.pop()` `stack.append(x)`."""
    if isinstance(undoing, ast.AugAssign) and isinstance(begun, ast.AugAssign):
        signs = {type(undoing.op), type(begun.op)}
        same = [context.text(part.target) + context.text(part.value) for part in (undoing, begun)]
        return signs == {ast.Add, ast.Sub} and same[0] == same[1]
    if isinstance(undoing, ast.Assign) and isinstance(begun, ast.Assign):
        target = undoing.targets[0]
        kept = isinstance(undoing.value, ast.Constant | ast.Name) and isinstance(target, ast.Attribute | ast.Subscript)
        return kept and context.text(target) == context.text(begun.targets[0])
    if isinstance(undoing, ast.Expr) and isinstance(begun, ast.Expr):
        last, first = _method(undoing.value), _method(begun.value)
        if last is None or first is None:
            return False
        same_owner = context.text(last.value) == context.text(first.value)
        return same_owner and last.attr in OPPOSITES.get(first.attr, ())
    return False


def _method(call: ast.expr) -> ast.Attribute | None:
    """The method that an expression calls: `xs.pop` of `xs.pop()`."""
    return call.func if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None


def remove_if_there(node: ast.Expr | ast.Delete, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.listeners.remove(listener)` runs only `if listener in self.listeners`; likewise `del table[key]`."""
    removed = list(_removed(node, context))
    if len(removed) != 1 or not context.program.alone(node) or "\n" in context.text(node):
        return
    (item, owner), text = removed[0], context.text(node)
    share = 1.0 if node.lineno in context.clues.raised_lines else UNLIKELY
    yield from context.restate(node, (f"if {item} in {owner}:", f"\t{text}"), share)
    for result in ("False", "None"):
        yield from context.before(node, (f"if {item} not in {owner}:", f"\treturn {result}"), share * HALF)


def _removed(node: ast.Expr | ast.Delete, context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The items that a statement takes out, each with what it is taken out of."""
    if isinstance(node, ast.Delete):
        for target in node.targets:
            if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
                yield context.text(target.slice), context.text(target.value)
    elif isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        method, arguments = node.value.func, node.value.args
        if method.attr in ("remove", "pop") and len(arguments) == 1 and isinstance(arguments[0], ast.Name):
            yield arguments[0].id, context.text(method.value)


def make_folder(
    node: ast.With | ast.Expr | ast.Assign | ast.Return, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """Before `path.write_text(text)` or `open(path, "w")` comes `path.parent.mkdir(parents=True, exist_ok=True)`."""
    for call in (part for part in _own_calls(node) if _writes(part, context)):
        method = call.func.value if isinstance(call.func, ast.Attribute) else None
        written = method if method is not None else call.args[0]
        if not isinstance(written, ast.Name | ast.Attribute):
            continue
        path = context.text(written)
        if f"{path}.parent.mkdir(" in context.program.source:
            continue
        yield from context.before(node, (f"{path}.parent.mkdir(parents=True, exist_ok=True)",))
        if method is None:
            makedirs, imports = context.member_of("os", "makedirs")
            dirname = makedirs.replace("makedirs", "path.dirname")
            for made in context.before(node, (f"{makedirs}({dirname}({path}) or '.', exist_ok=True)",), LIKELY):
                yield WeightedEdits((*imports, *made.edits), made.weight)


def _own_calls(node: ast.stmt) -> Iterator[ast.Call]:
    """The calls of a statement, without those of a block that it holds."""
    parts = [item.context_expr for item in node.items] if isinstance(node, ast.With) else [node]
    yield from (part for one in parts for part in ast.walk(one) if isinstance(part, ast.Call))


def _writes(call: ast.Call, context: TemplateContext) -> bool:
    """Whether a call opens a file to write it, or writes it at once."""
    name = callee_name(call)
    if name in ("write_text", "write_bytes"):
        return isinstance(call.func, ast.Attribute)
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    modes = (part.value for part in given if isinstance(part, ast.Constant) and isinstance(part.value, str))
    return name == "open" and bool(given) and any(mode.strip("b+t") in ("w", "a", "x") for mode in modes)


def give_up_on_others(node: ast.Try, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`except OSError: ...; raise` is followed by `except BaseException: self._release(); raise`, where the class has a
    method of its own that nothing calls."""
    owner, receiver = context.program.class_of(node), context.scope.receiver
    last = node.handlers[-1].body[-1] if node.handlers else None
    if owner is None or not isinstance(last, ast.Raise) or last.exc is not None:
        return
    called = {part.attr for part in context.program.nodes if isinstance(part, ast.Attribute)}
    for method in (part for part in owner.body if isinstance(part, ast.FunctionDef)):
        if method.name.startswith("_") and not method.name.endswith("_") and method.name not in called:
            lines = ("except BaseException:", f"\t{receiver}.{method.name}()", "\traise")
            at = context.program.spans[last][1]
            indent, unit = context.program.indent(node), context.program.unit
            added = "".join(f"\n{indent}{line}" for line in lines).replace("\t", unit)
            yield context.replace(at, at, added)


def gather_what_ends(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop with `result.extend(writer.feed(line))` is followed by `result.extend(writer.close())`, a method of the
    class that nothing calls: what it still holds belongs to the result."""
    for step in node.body:
        match step:
            case ast.Expr(value=ast.Call(func=adding, args=[ast.Call(func=ast.Attribute(value=ast.Name() as owner))])):
                for name in context.cached_of_program("methods never called", lambda: _never_called(context)):
                    yield from context.after(node, (f"{context.text(adding)}({owner.id}.{name}())",))


def _never_called(context: TemplateContext) -> list[str]:
    """The methods of the module that take nothing, give something, and are called nowhere."""
    called = {part.attr for part in context.program.nodes if isinstance(part, ast.Attribute)}
    classes = [part for part in context.program.tree.body if isinstance(part, ast.ClassDef)]
    methods = [part for owner in classes for part in owner.body if isinstance(part, ast.FunctionDef)]
    plain = [
        one for one in methods if len(one.args.args) == 1 and one.name not in called and not one.name.startswith("_")
    ]
    return [one.name for one in plain if any(isinstance(part, ast.Return) and part.value for part in ast.walk(one))]


TEMPLATES = (
    Template("gather_what_ends", (ast.For,), gather_what_ends, ("shorter", "content")),
    Template("give_up_on_others", (ast.Try,), give_up_on_others),
    Template("undo_in_any_case", (ast.Assign, ast.AugAssign, ast.Expr), undo_in_any_case, ("content", "off_by_one")),
    Template("remove_if_there", (ast.Expr, ast.Delete), remove_if_there, ("value", "key")),
    Template("make_folder", (ast.With, ast.Expr, ast.Assign, ast.Return), make_folder),
)
