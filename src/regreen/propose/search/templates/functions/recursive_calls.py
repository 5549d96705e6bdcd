"""What recursive calls are handed and what becomes of their results: all other items, bounds, mappings to merge."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from regreen.propose.search.constants import HALF
from regreen.propose.search.expressions import AND, ATOM, SUM, Expression, added_terms, binary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name, whole_number
from regreen.types import Edit


def all_others(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`items[i + 1:]`, of which a loop takes each `items[i]` once, becomes `items[:i] + items[i + 1:]`: all others."""
    part = node.slice
    first = part.lower if isinstance(part, ast.Slice) and part.upper is None and part.step is None else None
    is_next = isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add) and whole_number(first.right) == 1
    if is_next and isinstance(first.left, ast.Name) and isinstance(context.parent(node), ast.Call):  # type: ignore[union-attr]
        items, place = context.expression(node.value).at(ATOM), first.left.id  # type: ignore[union-attr]
        if any(place in context.text(loop.target) for loop in context.loops_around(node) if isinstance(loop, ast.For)):
            yield context.put(node, Expression(f"{items}[:{place}] + {items}[{place} + 1:]", SUM))


def merge_what_recursion_gives(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`out[prefix + key] = flatten(value, prefix)` becomes `out.update(flatten(value, prefix + key + "."))`."""
    target, call, function = node.targets[0], node.value, context.scope.function
    is_own = isinstance(call, ast.Call) and function is not None and callee_name(call) == function.name
    if not is_own or not isinstance(target, ast.Subscript):
        return
    assert isinstance(call, ast.Call)
    out, place = context.text(target.value), context.expression(target.slice)
    yield from context.restate(node, (f"{out}.update({context.text(call)})",))
    parts = {context.text(part) for part in ast.walk(target.slice) if isinstance(part, ast.Name)}
    start, source = context.program.spans[call][0], context.text(call)
    for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
        if context.text(argument) in parts:
            begin, end = (offset - start for offset in context.program.spans[argument])
            for separator in _SEPARATORS:
                grown = source[:begin] + binary_operation(place, "+", Expression(f'"{separator}"')).text + source[end:]
                yield from context.restate(node, (f"{out}.update({grown})",), 1.0 if separator == "." else HALF)


_SEPARATORS = (".", "/", "_", "-")


def hand_on_bounds(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`between(left, None, value) and between(right, value, None)` in `between(tree, low, high)` hands on the bounds
    that it was given: `between(left, low, value) and between(right, value, high)`."""
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    edits: dict[ast.expr, Edit] = {}
    for call in context.scope.nodes:
        if not isinstance(call, ast.Call) or callee_name(call) != node.name:
            continue
        given = names[1:] if isinstance(call.func, ast.Attribute) else names
        for argument, name in zip(call.args, given, strict=False):
            if isinstance(argument, ast.Constant):
                edits[argument] = context.edit(argument, Expression(name))
    if len(edits) > 1:
        yield WeightedEdits(tuple(edits.values()))


def narrow_bounds(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`ordered(tree.left, low, high) and ordered(tree.right, low, high)`, where `low < tree.value < high` was asked,
    hands `tree.value` on as the upper bound of what is left, and as the lower one of what is right."""
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    bounds, value = _bounds_of(names, context)
    edits: list[Edit] = []
    for call in context.scope.nodes:
        if not isinstance(call, ast.Call) or callee_name(call) != node.name or len(bounds) != len(_SIDES):
            continue
        first = context.text(call.args[0]) if call.args else ""
        for side, bound in zip(_SIDES, reversed(bounds), strict=True):
            given = next((argument for argument in call.args if context.text(argument) == bound), None)
            if given is not None and first.endswith(f".{side}"):
                edits.append(context.edit(given, Expression(value)))
    if len(edits) == len(_SIDES):
        yield WeightedEdits(tuple(edits))


_SIDES = ("left", "right")


def _bounds_of(names: Sequence[str], context: TemplateContext) -> tuple[list[str], str]:
    """The parameters that an attribute is compared with, in order, and that attribute."""
    found: dict[str, set[str]] = {}
    for part in context.scope.nodes:
        if not isinstance(part, ast.Compare):
            continue
        sides = [context.text(side) for side in (part.left, *part.comparators)]
        for value in (side for side in sides if "." in side and side.split(".")[0].isidentifier()):
            found.setdefault(value, set()).update(side for side in sides if side in names)
    value, bounds = max(found.items(), key=lambda item: len(item[1]), default=("", set[str]()))
    return [name for name in names if name in bounds], value


def go_on_at(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if largest != i: swap(...)`, behind `largest = i`, goes on with `sift(heap, size, largest)`: what was moved may
    have to go further."""
    function, test = context.scope.function, node.test
    is_moved = isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.NotEq)
    if function is None or not is_moved or node.orelse:
        return
    assert isinstance(test, ast.Compare)
    sides = {context.text(test.left), context.text(test.comparators[0])}
    given = list(context.scope.parameters)
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call))
    if len(sides) < 2 or len(sides & set(given)) != 1 or any(callee_name(c) == function.name for c in calls):
        return
    (old,), (new,) = sides & set(given), sides - set(given)
    own = [name for name in given if name != context.scope.receiver]
    name = context.own_call(function)
    if new.isidentifier():
        arguments = ", ".join(new if one == old else one for one in own)
        yield from context.after(node.body[-1], (f"{name}({arguments})",))


def only_if_rest(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return word + " and " + spoken(n % 100)` becomes `... + (" and " + spoken(n % 100) if n % 100 else "")`: of a
    rest of 0 there is nothing to tell."""
    whole, function = node.value, context.scope.function
    if not isinstance(whole, ast.BinOp) or not isinstance(whole.op, ast.Add) or function is None:
        return
    call, joint = whole.right, whole.left
    if not isinstance(call, ast.Call) or context.text(call.func) != context.own_call(function) or len(call.args) != 1:
        return
    rest = call.args[0]
    if isinstance(rest, ast.BinOp) and isinstance(rest.op, ast.Mod):
        told, asked = context.text(call), context.text(rest)
        if isinstance(joint, ast.BinOp) and isinstance(joint.right, ast.Constant):
            head, mark = context.text(joint.left), context.text(joint.right)
            yield context.put(whole, Expression(f'{head} + ({mark} + {told} if {asked} else "")', SUM))
        yield context.put(whole, Expression(f'{context.text(joint)} + ({told} if {asked} else "")', SUM), HALF)


def nothing_of_zero(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return TENS[tens] + "-" + ONES[ones]` becomes `return TENS[tens] + ("-" + ONES[ones] if ones else "")`."""
    whole = node.value
    joint = whole.left if isinstance(whole, ast.BinOp) and isinstance(whole.op, ast.Add) else None
    if (
        not isinstance(joint, ast.BinOp)
        or not isinstance(joint.op, ast.Add)
        or not isinstance(joint.right, ast.Constant)
    ):
        return
    assert isinstance(whole, ast.BinOp)
    last = whole.right
    if isinstance(last, ast.Subscript) and isinstance(last.slice, ast.Name) and isinstance(joint.right.value, str):
        head, mark = context.text(joint.left), context.text(joint.right)
        told = f'{mark} + {context.text(last)} if {last.slice.id} else ""'
        yield context.put(whole, Expression(f"{head} + ({told})", SUM))


def gather_what_call_gives(node: ast.If, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if explore(y, x) > 0: size += 1` becomes `size += explore(y, x)`: all that was found there counts."""
    test, counted = node.test, node.body[0]
    call = test.left if isinstance(test, ast.Compare) and len(test.ops) == 1 else test
    if node.orelse or len(node.body) > 1 or not isinstance(call, ast.Call):
        return
    is_counted = isinstance(counted, ast.AugAssign) and isinstance(counted.op, ast.Add)
    if is_counted and whole_number(counted.value) == 1:  # type: ignore[attr-defined]
        name = context.text(counted.target)  # type: ignore[attr-defined]
        yield from context.restate(node, (f"{name} += {context.text(call)}",))


def go_on_with_rest(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if first.value == value: return first.next` becomes `return purge(first.next, value)`, and `return items[1:]`
    becomes `return clean(items[1:])`: the rest is as its beginning was."""
    function, rest = context.scope.function, node.value
    if function is None or not isinstance(context.parent(node), ast.If):
        return
    is_rest = isinstance(rest, ast.Attribute) or (isinstance(rest, ast.Subscript) and isinstance(rest.slice, ast.Slice))
    if not is_rest or not isinstance(rest.value, ast.Name):  # type: ignore[union-attr]
        return
    assert isinstance(rest, ast.Attribute | ast.Subscript)
    whole = context.text(rest.value)
    own = [name for name in context.scope.parameters if name != context.scope.receiver]
    if whole in own:
        arguments = ", ".join(context.text(rest) if name == whole else name for name in own)
        yield context.put(rest, f"{context.own_call(function)}({arguments})")


def _is_own_call(node: ast.AST, function: Function) -> bool:
    return isinstance(node, ast.Call) and callee_name(node) == function.name


def take_off_all_before(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`pick(more, k - same)` behind `if k <= below + same` becomes `pick(more, k - below - same)`: all that comes
    before does not count any more."""
    if not isinstance(node.op, ast.Sub) or not isinstance(node.left, ast.Name | ast.Attribute):
        return
    whole, part = context.text(node.left), context.text(node.right)
    for branch in context.scope.nodes:
        test = branch.test if isinstance(branch, ast.If) and branch.lineno < node.lineno else None
        if not isinstance(test, ast.Compare) or context.text(test.left) != whole:
            continue
        before = test.comparators[0]
        if isinstance(before, ast.BinOp) and isinstance(before.op, ast.Add):
            terms = [context.text(before.left), context.text(before.right)]
            if part in terms and context.text(before) != part:
                code = binary_operation(Expression(f"{whole} - {terms[0]}", SUM), "-", Expression(terms[1], ATOM))
                yield context.put(node, code)


def larger_of_both(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`1 + depth(left) + depth(right)` becomes `1 + max(depth(left), depth(right))`, or `min`: one way and not both.

    And so does `value + left + right` of variables that hold what recursion gave.
    """
    function, around = context.scope.function, context.parent(node)
    is_within = isinstance(around, ast.BinOp) and isinstance(around.op, ast.Add) and around.left is node
    if function is None or not isinstance(node.op, ast.Add) or is_within:
        return
    kept = context.cached("results of recursion", lambda: _results_of_recursion(function, context))
    terms = added_terms(node)
    own = [term for term in terms if _is_own_call(term, function) or context.text(term) in kept]
    if len(own) != len(_SIDES):
        return
    sides = ", ".join(map(context.text, own))
    for chosen, weight in (("max", 1.0), ("min", HALF)):
        best = f"{chosen}({sides})"
        parts = [best if term is own[0] else context.text(term) for term in terms if term is not own[1]]
        yield context.put(node, Expression(" + ".join(parts), SUM if len(parts) > 1 else ATOM), weight)
        if len(parts) == 1:
            yield context.put(node, Expression(f"1 + {best}", SUM), weight * HALF)


def _results_of_recursion(function: Function, context: TemplateContext) -> frozenset[str]:
    """The variables that hold what the function itself returned, or what was made of it."""
    assigned = (part for part in context.scope.nodes if isinstance(part, ast.Assign))
    return frozenset(
        context.text(part.targets[0])
        for part in assigned
        if any(_is_own_call(inner, function) for inner in ast.walk(part.value))
    )


def gather_on_the_way(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`flatten(value, key)` becomes `flatten(value, prefix + key + ".")` where the function has `prefix + key`: what
    was gathered so far is handed on."""
    function = context.scope.function
    if not isinstance(function, FUNCTIONS) or callee_name(node) != function.name:
        return
    given = [argument for argument in (*node.args, *(k.value for k in node.keywords)) if isinstance(argument, ast.Name)]
    for part in context.scope.nodes:
        if not isinstance(part, ast.BinOp) or not isinstance(part.op, ast.Add) or not isinstance(part.left, ast.Name):
            continue
        if part.left.id in context.scope.parameters and isinstance(part.right, ast.Name):
            whole = context.text(part)
            for argument in (one for one in given if one.id in (part.right.id, part.left.id)):
                for end in ('"."', '"/"', '"_"', '":"'):
                    yield context.put(argument, Expression(f"{whole} + {end}", SUM))
                yield context.put(argument, Expression(whole, SUM))


def ask_by_own_method(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return self.parent.level` in `effective_level` becomes `self.parent.effective_level()`: another one of its kind
    goes on from there."""
    function, own = context.scope.function, context.scope.receiver
    if not isinstance(function, FUNCTIONS) or not own or not isinstance(node.value, ast.Attribute | ast.Name):
        return
    is_same = f"{own}.{node.attr}" in {context.text(part) for part in context.scope.nodes if part is not node}
    if is_same and context.text(node.value) != own and context.is_read(node):
        arguments = ", ".join(name for name in context.scope.parameters if name != own)
        yield context.put(node, f"{context.text(node.value)}.{function.name}({arguments})")


def take_out_what_moved(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`node.value = heir.value`, where `heir` comes from `node.right` and others are taken out by
    `node.left = remove(node.left, value)`, goes on with `node.right = remove(node.right, heir.value)`."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Attribute) or not isinstance(value, ast.Attribute) or target.attr != value.attr:
        return
    remove, heir = _own_call(context), context.text(value.value)
    side = next((side for side, name in _first_values(context) if name == heir), None)
    if remove and side and context.text(target.value) != heir:
        line = f"{side} = {remove}({side}, {context.text(value)})"
        block = context.program.block(node)
        following = block[block.index(node) + 1 :][:1]
        if following and context.text(following[0]).startswith(f"{side} = "):
            yield from context.restate(following[0], (line,))
        else:
            yield from context.after(node, (line,))


def _first_values(context: TemplateContext) -> Iterator[tuple[str, str]]:
    """Attribute and variable of `heir = node.right`."""
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute() as value):
                yield context.text(value), name


def _own_call(context: TemplateContext) -> str:
    """How the function calls itself in `node.left = remove(node.left, value)`; empty where it does not."""
    function = context.scope.function
    for part in context.scope.nodes:
        match part:
            case ast.Assign(targets=[ast.Attribute() as side], value=ast.Call(args=[first, _]) as call):
                is_own = isinstance(function, FUNCTIONS) and callee_name(call) == function.name
                if is_own and context.text(first) == context.text(side):
                    return context.text(call.func)
    return ""


def go_down_in_both(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return True` at the end becomes `return is_level(left) and is_level(right)`, where both were taken out of what
    the function was given, and a question before it answers `return False`."""
    function, value = context.scope.function, node.value
    if function is None or not isinstance(value, ast.Constant) or not isinstance(value.value, bool):
        return
    own = [name for name in context.scope.parameters if name != context.scope.receiver]
    if node is not function.body[-1] or len(own) != 1:
        return
    name, joint = context.own_call(function), "and" if value.value else "or"
    for sides in _both_parts(own[0], context):
        yield context.put(value, Expression(f"{name}({sides[0]}) {joint} {name}({sides[1]})", AND))


def _both_parts(whole: str, context: TemplateContext) -> Iterator[tuple[str, str]]:
    """The two parts of a parameter that go into one function each, the left and the right one, or the two there are."""
    calls = (part for part in context.scope.nodes if isinstance(part, ast.Call) and len(part.args) == 1)
    given = dict.fromkeys(context.text(call.args[0]) for call in calls)
    assigned = (part for part in context.scope.nodes if isinstance(part, ast.Assign))
    targets = (part.targets[0] for part in assigned if context.text(part.value) == whole)
    unpacked = [context.text(item) for target in targets if isinstance(target, ast.Tuple) for item in target.elts]
    for names in ([one for one in unpacked if one in given], unpacked, [f"{whole}.{side}" for side in _SIDES]):
        if len(names) == len(_SIDES):
            yield names[0], names[1]


def children_first(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`order.append(node)` before the loop in which a function calls itself comes behind it, and `return order` becomes
    `return order[::-1]`, or stays: what a node leads to is through before the node is (Tarjan 1976)."""
    call, function = node.value, context.scope.function
    is_kept = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "append"
    if not is_kept or function is None or not context.program.alone(node):
        return
    order = context.text(call.func.value)  # type: ignore[attr-defined]
    block = context.program.block(node)
    behind = (part for part in block[block.index(node) + 1 :] if isinstance(part, ast.For))
    loop = next((part for part in behind if _calls(part, context.own_call(function), context)), None)
    if loop is None:
        return
    answers = [
        part.value
        for part in context.program.nodes
        if isinstance(part, ast.Return) and isinstance(part.value, ast.Name) and part.value.id == order
    ]
    turned = [context.edit(answer, Expression(f"{order}[::-1]")) for answer in answers]
    for put in context.after(loop, (context.text(node),)):
        moved = (*context.delete(node).edits, *put.edits)
        if turned:
            yield WeightedEdits((*moved, *turned))
        yield WeightedEdits(moved)


def _calls(part: ast.AST, name: str, context: TemplateContext) -> bool:
    calls = (one for one in context.program.below(part) if isinstance(one, ast.Call))
    return any(context.text(call.func) == name for call in calls)


TEMPLATES = (
    Template("children_first", (ast.Expr,), children_first, ("order",)),
    Template("go_down_in_both", (ast.Return,), go_down_in_both, ("negated",)),
    Template("gather_what_call_gives", (ast.If,), gather_what_call_gives, ("smaller", "content")),
    Template("go_on_with_rest", (ast.Return,), go_on_with_rest, ("longer", "content")),
    Template("take_out_what_moved", (ast.Assign,), take_out_what_moved, ("content", "longer")),
    Template("gather_on_the_way", (ast.Call,), gather_on_the_way, ("content", "key", "shorter")),
    Template("ask_by_own_method", (ast.Attribute,), ask_by_own_method, ("content", "none")),
    Template("larger_of_both", (ast.BinOp,), larger_of_both, ("off_by_one", "larger", "content")),
    Template("take_off_all_before", (ast.BinOp,), take_off_all_before),
    Template("nothing_of_zero", (ast.Return,), nothing_of_zero, ("content", "longer")),
    Template("only_if_rest", (ast.Return,), only_if_rest, ("content", "longer")),
    Template("narrow_bounds", FUNCTIONS, narrow_bounds, ("negated", "content")),
    Template("go_on_at", (ast.If,), go_on_at, ("content",)),
    Template("all_others", (ast.Subscript,), all_others),
    Template("merge_what_recursion_gives", (ast.Assign,), merge_what_recursion_gives),
    Template("hand_on_bounds", FUNCTIONS, hand_on_bounds),
)
