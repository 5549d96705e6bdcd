"""Trees: what is asked of a node and its children alone, and holds of whole subtrees or not at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final, NamedTuple

from regreen.propose.search.expressions import COMPARISON, OR, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, walk
from regreen.types import Edit

_SIDES: Final = ("left", "right")
_STRICT: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class _Children(NamedTuple):
    """How a function compares a node with its children."""

    value: str
    """The attribute of a node that is compared."""
    takes_equal: bool
    """Whether a child that is equal is in order."""


def bound_subtrees(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function that compares a node with its two children, and asks itself of both, hands on what a whole subtree
    lies between: `ordered(node.left, low, node.value)`, for a grandchild may be out of order, too."""
    parameters = [argument.arg for argument in node.args.args if argument.arg not in ("self", "cls")]
    rest = _behind_the_first_answer(node)
    if len(parameters) != 1 or not rest or not _asks_itself_of_both(node):
        return
    tree, children = parameters[0], _compared_children(node, parameters[0])
    if children is None:
        return
    low, high, value = context.new_name("low"), context.new_name("high"), f"{tree}.{children.value}"
    below, above = ("<", ">") if children.takes_equal else ("<=", ">=")
    own = context.own_call(node)
    lines = (
        f"if {low} is not None and {value} {below} {low}:",
        "\treturn False",
        f"if {high} is not None and {value} {above} {high}:",
        "\treturn False",
        f"return {own}({tree}.left, {low}, {value}) and {own}({tree}.right, {value}, {high})",
    )
    at = context.program.spans[node.args.args[-1]][1]
    bounds = Edit(at, at, f", {low}=None, {high}=None")
    end = context.program.spans[rest[-1]][1]
    for restated in context.restate(rest[0], lines):
        body = restated.edits[0]
        yield WeightedEdits((bounds, Edit(body.start, end, body.text)))


def _behind_the_first_answer(function: Function) -> list[ast.stmt]:
    """What comes behind `if node is None: return True`."""
    for place, statement in enumerate(function.body):
        if isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], ast.Return):
            return function.body[place + 1 :]
    return []


def _asks_itself_of_both(function: Function) -> bool:
    asked = {
        part.args[0].attr
        for part in walk(function)
        if isinstance(part, ast.Call) and callee_name(part) == function.name and len(part.args) == 1
        if isinstance(part.args[0], ast.Attribute)
    }
    return asked == set(_SIDES)


def _compared_children(function: Function, tree: str) -> _Children | None:
    """What a function compares of a node and of both its children; None where it does not, or asks more functions."""
    seen: dict[str, tuple[str, bool]] = {}
    for part in walk(function):
        if isinstance(part, FUNCTIONS) and part is not function:
            return None
        if isinstance(part, ast.Compare) and len(part.ops) == 1 and isinstance(part.ops[0], _STRICT):
            sides = [_path(part.left), _path(part.comparators[0])]
            own = next((path for path in sides if path[:1] == [tree] and len(path) == 2), None)
            child = next((path for path in sides if path[:1] == [tree] and len(path) == 3), None)
            if own and child and own[1] == child[2] and child[1] in _SIDES:
                takes_equal = isinstance(part.ops[0], ast.Lt | ast.Gt) == _refuses(function, part)
                seen[child[1]] = own[1], takes_equal
    if set(seen) != set(_SIDES) or len({value for value, _ in seen.values()}) > 1:
        return None
    return _Children(seen["left"][0], all(takes for _, takes in seen.values()))


def _path(node: ast.expr) -> list[str]:
    """`["node", "left", "value"]` of `node.left.value`; empty for anything else."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [node.id, *reversed(names)] if isinstance(node, ast.Name) else []


def _refuses(function: Function, test: ast.Compare) -> bool:
    """Whether a comparison that holds leads to False."""
    return any(
        isinstance(part, ast.If)
        and test in walk(part.test)
        and isinstance(last := part.body[-1], ast.Return)
        and isinstance(last.value, ast.Constant)
        and last.value.value is False
        for part in walk(function)
    )


def whichever_child(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return node.left` where one of `node.left` and `node.right` is None becomes `return node.left or node.right`:
    the one that is there."""
    branch = context.parent(node)
    if not isinstance(branch, ast.If) or node is not branch.body[-1] or not isinstance(branch.test, ast.BoolOp):
        return
    asked = [context.text(part) for part in ast.walk(branch.test) if isinstance(part, ast.Attribute | ast.Name)]
    given = context.text(node.value) if node.value is not None else ""
    others = dict.fromkeys(text for text in asked if text != given and "." in text)
    if isinstance(branch.test.op, ast.Or) and isinstance(node.value, ast.Attribute) and given in asked:
        for other in others:
            yield context.put(node.value, Expression(f"{given} or {other}", OR))


def children_before_parents(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for v in order: size[parent[v]] += size[v]` goes through `reversed(order)`: what a child adds to its parent has
    to be whole by then."""
    if isinstance(node.iter, ast.Call) or not isinstance(node.target, ast.Name):
        return
    child = f"[{node.target.id}]"
    for step in (part for statement in node.body for part in walk(statement)):
        if isinstance(step, ast.AugAssign) and isinstance(step.target, ast.Subscript):
            table = context.text(step.target.value)
            reads = {context.text(part) for part in walk(step.value) if isinstance(part, ast.Subscript)}
            if f"{table}{child}" in reads and context.text(step.target) != f"{table}{child}":
                yield context.wrap(node.iter, "reversed")
                return


def ask_at_the_leaf(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if node is None: return total == 0` becomes `return False`, and is followed by `if node.left is None and
    node.right is None: return total == node.value`: a way ends at a leaf, and not behind a node that has one child."""
    match node:
        case ast.If(
            test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()])
            | ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)),
            body=[ast.Return(value=ast.Compare(left=ast.Name(id=rest), ops=[ast.Eq()], comparators=[zero]) as asked)],
            orelse=[],
        ):
            pass
        case _:
            return
    function = context.scope.function
    calls = [part for part in context.scope.nodes if isinstance(part, ast.Call) and function is not None]
    own = [call for call in calls if callee_name(call) == getattr(function, "name", "") and len(call.args) > 1]
    children = [context.text(call.args[0]) for call in own if context.text(call.args[0]).startswith(f"{name}.")]
    values = [
        context.text(part.right)
        for call in own
        for part in call.args[1:]
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and context.text(part.left) == rest
    ]
    if len(set(children)) > 1 and values and context.text(zero) == "0":
        ended = " and ".join(f"{child} is None" for child in dict.fromkeys(children))
        for added in context.after(node, (f"if {ended}:", f"\treturn {rest} == {values[0]}")):
            yield WeightedEdits((context.edit(asked, Expression("False")), *added.edits))


def children_that_are_there(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`queue.append(node.left)` and `queue.append(node.right)` become `if node.left: ...` and `if node.right: ...`, all
    of them at once: a leaf has no children to wait for."""
    alike = [(step, child) for step in context.program.block(node) if (child := _kept_child(step, context))]
    if len(alike) < len(_SIDES) or node is not alike[0][0]:
        return
    edits: list[Edit] = []
    for step, child in alike:
        guarded = list(context.restate(step, (f"if {child}:", f"\t{context.text(step)}")))
        if not guarded:
            return
        edits.extend(guarded[0].edits)
    yield WeightedEdits(tuple(edits))


def _kept_child(node: ast.stmt, context: TemplateContext) -> str:
    """The child that a step such as `queue.append(node.left)` keeps; empty for any other step."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not isinstance(call, ast.Call) or len(call.args) != 1 or not isinstance(call.func, ast.Attribute):
        return ""
    child = call.args[0]
    is_child = isinstance(child, ast.Attribute) and child.attr in _SIDES
    keeps = call.func.attr in ("append", "appendleft", "put", "push", "add", "enqueue")
    return context.text(child) if is_child and keeps else ""


def ask_which_child(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if key < parent.key: parent.left = child` asks `parent.left is node`: the key may be another one by now."""
    step = node.body[0]
    if not isinstance(step, ast.Assign) or not isinstance(step.targets[0], ast.Attribute):
        return
    link, test = step.targets[0], node.test
    owner = link.value
    is_of_keys = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (*_STRICT, ast.Eq))
    if not is_of_keys or link.attr not in _SIDES or not isinstance(owner, ast.Name):
        return
    sides = (part for part in context.scope.nodes if isinstance(part, ast.Attribute) and part.attr in _SIDES)
    for name in dict.fromkeys(part.value.id for part in sides if isinstance(part.value, ast.Name)):
        if name != owner.id:
            yield context.put(test, Expression(f"{context.text(link)} is {name}", COMPARISON))


def either_child(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`child = node.left` becomes `child = node.left or node.right`: the one that is there."""
    value = node.value
    if isinstance(value, ast.Attribute) and value.attr in _SIDES and not any(context.loops_around(node)):
        other = f"{context.text(value.value)}.{_SIDES[value.attr == _SIDES[0]]}"
        yield context.put(value, Expression(f"{context.text(value)} or {other}", OR))


def take_off_what_is_passed(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`node = node.right` after `if k == before + 1: return ...` is preceded by `k -= before + 1`: those that are
    passed are counted no more."""
    target, step = node.targets[0], node.value
    if not isinstance(step, ast.Attribute) or not isinstance(target, ast.Name) or step.attr not in _FORWARD:
        return
    if context.text(step.value) != target.id:
        return
    for name, passed in context.cached("counts that are asked for", lambda: _counts_asked(context)):
        if name != target.id:
            yield from context.before(node, (f"{name} -= {passed}",))


_FORWARD: Final = ("right", "next", "tail")


def _counts_asked(context: TemplateContext) -> list[tuple[str, str]]:
    """The variables that a loop compares and never changes, each with what it is compared with."""
    found: dict[tuple[str, str], None] = {}
    for part in context.scope.nodes:
        match part:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.LtE() | ast.Lt()], comparators=[other]):
                is_asked = not isinstance(other, ast.Constant) and next(context.loops_around(part), None) is not None
                if is_asked and not _is_moved(name, context):
                    found[name, context.text(other)] = None
    return list(found)


def _is_moved(name: str, context: TemplateContext) -> bool:
    stored = (part for part in context.scope.nodes if isinstance(part, ast.Name) and part.id == name)
    return any(isinstance(part.ctx, ast.Store) and next(context.loops_around(part), None) for part in stored)


TEMPLATES = (
    Template("take_off_what_is_passed", (ast.Assign,), take_off_what_is_passed, ("none", "content", "smaller")),
    Template("either_child", (ast.Assign,), either_child, ("none", "content")),
    Template("ask_which_child", (ast.If,), ask_which_child, ("content",)),
    Template("children_that_are_there", (ast.Expr,), children_that_are_there, ("attribute", "content")),
    Template("ask_at_the_leaf", (ast.If,), ask_at_the_leaf, ("negated", "content")),
    Template("children_before_parents", (ast.For,), children_before_parents, ("content", "smaller")),
    Template("bound_subtrees", FUNCTIONS, bound_subtrees, ("negated",)),
    Template("whichever_child", (ast.Return,), whichever_child, ("shorter", "none", "content")),
)
