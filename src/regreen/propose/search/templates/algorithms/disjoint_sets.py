"""Sets that are joined (union and find): whole sets by their roots, and not single members."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, UNLIKELY
from regreen.propose.search.expressions import BIT_XOR, COMPARISON_SYMBOLS, SUM, Expression, comparison
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import bound_values, names_within

_ROOT_FINDERS = re.compile("find|root|leader|representative")
_BOTH = 2


def join_roots(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`parent[a] = b` where `root_a != root_b` was asked becomes `parent[root_a] = root_b`; so where `find(a)` was."""
    test = node.test
    roots = [test.left, *test.comparators] if isinstance(test, ast.Compare) else []
    held = {name: context.text(call.args[-1]) for name, call in _given_calls(context) if call.args}
    found = {part.id: held.get(part.id, "") for part in roots if isinstance(part, ast.Name)}
    asked = (part for part in roots if isinstance(part, ast.Call) and len(part.args) == 1 and not part.keywords)
    found |= {context.text(call): context.text(call.args[0]) for call in asked}
    by_item = {item: name for name, item in found.items() if item}
    for stmt in context.program.below(node):
        target = stmt.targets[0] if isinstance(stmt, ast.Assign) else None
        if not isinstance(target, ast.Subscript):
            continue
        parts = [part for part in (target.slice, stmt.value) if context.text(part) in by_item]  # type: ignore[attr-defined]
        if parts:
            yield WeightedEdits(tuple(context.edit(part, Expression(by_item[context.text(part)])) for part in parts))


def _given_calls(context: TemplateContext) -> Iterator[tuple[str, ast.Call]]:
    """The variables of the function that hold what a call returned, with that call."""
    for part in context.scope.nodes:
        for target, value in bound_values(part) if isinstance(part, ast.Assign) else ():
            if isinstance(target, ast.Name) and isinstance(value, ast.Call):
                yield target.id, value


def find_roots(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`parent[a] = b` becomes `parent[find(a)] = find(b)`, where the program has such a function: union-find.

    What holds a root is left, as in `parent[a] = find(b)`, and what has one in a variable becomes that:
    `parent[rb] = ra`.
    """
    target = node.targets[0]
    if not isinstance(target, ast.Subscript) or not isinstance(target.slice, ast.Name):
        return
    held = {context.text(call): name for name, call in _given_calls(context)}
    for function in context.program.functions:
        names = [one.arg for one in function.args.args]
        if not _ROOT_FINDERS.search(function.name) or function is context.scope.function or not names:
            continue
        is_method = names[0] == context.scope.receiver
        head = f"{context.scope.receiver}.{function.name}" if is_method else function.name
        table = f"{context.text(target.value)}, " if len(names) - is_method > 1 else ""
        edits = []
        if not isinstance(node.value, ast.Name) and not context.text(node.value).startswith(f"{head}("):
            continue
        for part in (part for part in (target.slice, node.value) if isinstance(part, ast.Name)):
            root = f"{head}({table}{part.id})"
            if part.id not in held.values() or root in held:
                edits.append(context.edit(part, Expression(held.get(root, root))))
        if edits:
            yield WeightedEdits(tuple(edits))


def compare_found(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if one != other`, after `a, b = find(one), find(other)`, becomes `if a != b`: what was found is meant."""
    right = node.comparators[0]
    if len(node.ops) != 1 or not isinstance(node.left, ast.Name) or not isinstance(right, ast.Name):
        return
    found: dict[str, str] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Assign) and part.lineno < node.lineno:
            for target, value in bound_values(part):
                if isinstance(target, ast.Name) and isinstance(value, ast.Call | ast.Subscript):
                    given = [name.id for name in ast.walk(value) if isinstance(name, ast.Name)]
                    found |= {name: target.id for name in given if name in (node.left.id, right.id)}
    one, other = found.get(node.left.id), found.get(right.id)
    if one and other and one != other and {one, other}.isdisjoint({node.left.id, right.id}):
        symbol = COMPARISON_SYMBOLS[type(node.ops[0])]
        yield context.put(node, comparison(Expression(one), symbol, Expression(other)))


def joined_already(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a, b = find(a), find(b)` is followed by `if a == b: return`: what is one group already is not joined again."""
    names = _both_found(node, context)
    if not names:
        return
    given = [part.value for part in context.scope.nodes if isinstance(part, ast.Return) and part.value is not None]
    results = ["return", "return False"]
    for rank, result in enumerate(reversed(results) if any(isinstance(v, ast.Constant) for v in given) else results):
        yield from context.after(node, (f"if {names[0]} == {names[1]}:", f"\t{result}"), LIKELY**rank)


def _both_found(node: ast.Assign, context: TemplateContext) -> list[str]:
    """`a` and `b` of `a, b = find(a), find(b)`, or of `a = find(a)` and then `b = find(b)`; none of anything else."""
    target, value = node.targets[0], node.value
    targets, values = getattr(target, "elts", [target]), getattr(value, "elts", [value])
    block = context.program.block(node)
    before = block[block.index(node) - 1] if block.index(node) else None
    if len(targets) == 1 and isinstance(before, ast.Assign):
        targets, values = [*before.targets, target], [before.value, value]
    calls = [part for part in values if isinstance(part, ast.Call)]
    functions = {context.text(call.func) for call in calls}
    are_found = len(targets) == len(values) == len(calls) == _BOTH and len(functions) == 1
    are_roots = are_found and (isinstance(target, ast.Tuple) or _ROOT_FINDERS.search(functions.pop()) is not None)
    return [context.text(part) for part in targets] if are_roots else []


def ask_at_root(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`size[v]` becomes `size[find(v)]`, where the program has such a function: a root alone keeps what all share."""
    if not isinstance(node.ctx, ast.Load) or not isinstance(node.slice, ast.Name):
        return
    functions = (one for one in context.program.functions if one is not context.scope.function)
    for function in (one for one in functions if _ROOT_FINDERS.search(one.name)):
        names = [one.arg for one in function.args.args]
        is_method = bool(names) and names[0] == context.scope.receiver
        if len(names) - is_method != 1 or context.text(node.value) in ast.unparse(function):
            continue
        head = f"{context.scope.receiver}.{function.name}" if is_method else function.name
        yield context.put(node.slice, f"{head}({node.slice.id})")


def join_only_apart(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """Behind `a, b = find(a), find(b)` the steps that join come under `if a != b:`, and those that note what came of it
    do not: what is one group already has no more members for it."""
    names = _both_found(node, context)
    block = context.program.block(node)
    rest = block[block.index(node) + 1 :]
    if not names or not rest or any(isinstance(part, ast.If) and _asks_apart(part, names, context) for part in rest):
        return
    for size in range(len(rest), 0, -1):
        steps, left_out = rest[:size], rest[size:]
        likely = 1.0 if left_out and isinstance(left_out[0], ast.Expr) else HALF if size == len(rest) else UNLIKELY
        yield from context.below((f"if {names[0]} != {names[1]}:",), steps, likely)


def _asks_apart(node: ast.If, names: list[str], context: TemplateContext) -> bool:
    """Whether a step asks whether two roots are one, or are not."""
    asked = [f"{one} {sign} {other}" for one, other in (names, names[::-1]) for sign in ("!=", "==")]
    return context.text(node.test) in asked


def link_with_both_ways(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`parity[a] = w`, where `a, x = find(u)` and `b, y = find(v)`, becomes `x ^ y ^ w`, or `x + w - y`: a root is as
    far from the other one as both are from theirs, and from each other."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or not isinstance(target.slice, ast.Name) or isinstance(value, ast.BinOp):
        return
    ways = []
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=root), ast.Name(id=way)])], value=ast.Call()):
                ways.append((root, way))
    if len(ways) != _BOTH or target.slice.id not in dict(ways):
        return
    linked, step = target.slice.id, context.expression(value)
    (_, x), (_, y) = sorted(ways, key=lambda pair: pair[0] != linked)
    if x not in names_within(value):
        yield context.put(value, Expression(f"{x} ^ {y} ^ {step.at(BIT_XOR + 1)}", BIT_XOR))
        yield context.put(value, Expression(f"{y} + {step.at(SUM)} - {x}", SUM))
        yield context.put(value, Expression(f"{x} + {step.at(SUM)} - {y}", SUM))


def follow_to_the_end(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return parents.get(one) or one` and `return parents.get(one, one)` go on as long as there is a parent: `while
    (above := parents.get(one)) not in (None, one): one = above`, and `return one`."""
    match node.value:
        case ast.BoolOp(op=ast.Or(), values=[ast.Call() as asked, ast.Name(id=one)]):
            pass
        case ast.Call(args=[_, ast.Name(id=one)]) as asked:
            pass
        case _:
            return
    match asked:
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[ast.Name(id=key), *_]) if key == one:
            above = context.new_name("above", "parent")
            head = f"while ({above} := {context.text(table)}.get({one})) not in (None, {one}):"
            yield from context.restate(node, (head, f"\t{one} = {above}", f"return {one}"))


TEMPLATES = (
    Template("follow_to_the_end", (ast.Return,), follow_to_the_end, ("content", "longer")),
    Template("link_with_both_ways", (ast.Assign,), link_with_both_ways, ("content",)),
    Template("join_only_apart", (ast.Assign,), join_only_apart, ("larger", "smaller", "content")),
    Template("ask_at_root", (ast.Subscript,), ask_at_root, ("smaller", "content")),
    Template("joined_already", (ast.Assign,), joined_already, ("key", "smaller", "larger", "hang")),
    Template("compare_found", (ast.Compare,), compare_found),
    Template("find_roots", (ast.Assign,), find_roots, ("content", "longer")),
    Template("join_roots", (ast.If,), join_roots),
)
