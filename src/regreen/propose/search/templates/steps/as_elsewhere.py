"""What the rest of the module does in the same place, and this function does not.

"Bugs as deviant behavior" (Engler et al., SOSP 2001): where most of a program agrees, the one that differs is wrong.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    ALMOST_SURE,
    LIKELY,
    MAX_ATTRIBUTES,
    MAX_ATTRIBUTES_ASKED,
    MAX_CONDITION_CHARACTERS,
    MAX_COPIED_CHARACTERS,
    POSSIBLE,
    PROBABLE,
)
from regreen.propose.search.expressions import TEST, Expression, binary_operation, bool_operation, unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, blocks_in, names_read, names_within, walk

_NEAR = 3
"""Statements behind a call among which its followers are looked for."""
_STATUS_WORDS = ("status", "code")


def follow_as_elsewhere(node: ast.stmt, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`db.execute(...)` is followed by `db.commit()`, as it is in another function."""
    called = _called(node, context)
    if not called:
        return
    block = context.program.block(node)
    later = {context.text(statement) for statement in block[block.index(node) + 1 :]}
    followers = context.cached("followers", lambda: _followers(context))
    for text, names in followers.get(called, {}).items():
        if text not in later and names <= context.scope.visible:
            yield from context.after(node, (text,))


def _called(node: ast.AST, context: TemplateContext) -> str:
    """What a statement calls, as it is written; empty where it is no call, or keeps only a part of its result."""
    value = node.value if isinstance(node, ast.Expr | ast.Assign) else None
    call = value.value if isinstance(value, ast.Await) else value
    return context.text(call.func) if isinstance(call, ast.Call) else ""


def _followers(context: TemplateContext) -> dict[str, dict[str, frozenset[str]]]:
    """What is called -> simple calls that follow it somewhere in the module, each with the names that it reads."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for function in context.program.functions:
        for block in blocks_in(walk(function)):
            for place, statement in enumerate(block):
                called = _called(statement, context)
                for follower in block[place + 1 : place + 1 + _NEAR] if called else ():
                    if isinstance(follower, ast.Expr) and _called(follower, context) not in ("", called):
                        text = context.text(follower)
                        if "\n" not in text and len(text) <= MAX_COPIED_CHARACTERS:
                            found.setdefault(called, {})[text] = _names_read(follower)
    return found


def _names_read(node: ast.AST) -> frozenset[str]:
    return frozenset(names_read(ast.walk(node)))


def decorate_as_elsewhere(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A function gets a decorator that its neighbours have below those that it has: `@login_required`."""
    own = {context.text(decorator) for decorator in node.decorator_list}
    offered: dict[str, float] = {}
    for other in context.program.block(node):
        if other is not node and isinstance(other, FUNCTIONS) and other.decorator_list:
            is_alike = _kinds(other, context) & _kinds(node, context)
            for decorator in other.decorator_list:
                text = context.text(decorator)
                if text not in own and "\n" not in text and not (is_alike and _kind(decorator, context) in is_alike):
                    offered[text] = max(offered.get(text, 0.0), 1.0 if is_alike else POSSIBLE)
    start = _definition_start(node, context)
    for text, weight in offered.items():
        yield context.replace(start, start, f"@{text}\n{context.program.indent(node)}", weight)


def _definition_start(node: Function, context: TemplateContext) -> int:
    """Where `def` stands, behind the decorators."""
    if not node.decorator_list:
        return context.program.first(node)
    last = context.program.spans[node.decorator_list[-1]][1]
    line = context.program.line_end(last)
    return line + len(context.program.indent(node))


def _kinds(function: Function, context: TemplateContext) -> frozenset[str]:
    return frozenset(_kind(decorator, context) for decorator in function.decorator_list)


def _kind(decorator: ast.expr, context: TemplateContext) -> str:
    """What decorates, without its arguments."""
    return context.text(decorator.func if isinstance(decorator, ast.Call) else decorator)


def answer_as_elsewhere(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return body` becomes `return body, 201`, where other functions return a status as well."""
    statuses = context.cached("statuses", lambda: _statuses(context))
    if node.value is None or not statuses:
        return
    parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    if len(parts) > 1 and _is_status(parts[1]):
        return
    end = context.program.spans[parts[0]][1]
    for text, weight in _statuses_in_reach(statuses, context).items():
        if isinstance(node.value, ast.Tuple):
            yield context.replace(end, end, f", {text}", weight)
        else:
            yield context.put(node.value, f"{context.text(node.value)}, {text}", weight)


def _statuses(context: TemplateContext) -> tuple[ast.expr, ...]:
    """The second parts of what the functions of the module return, where these are statuses."""
    returns = (n.value for n in context.program.nodes if isinstance(n, ast.Return))
    pairs = (value.elts for value in returns if isinstance(value, ast.Tuple) and len(value.elts) > 1)
    return tuple(parts[1] for parts in pairs if _is_status(parts[1]))


def _is_status(node: ast.expr) -> bool:
    """Whether this is a number of three digits, or an attribute that is called like one."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int and 100 <= node.value < 600
    return isinstance(node, ast.Attribute) and any(word in node.attr.lower() for word in _STATUS_WORDS)


def _statuses_in_reach(statuses: tuple[ast.expr, ...], context: TemplateContext) -> dict[str, float]:
    """Statuses with their weights: those that the checks expect, those of the module, attributes of what is at hand."""
    found = {text: 1.0 for text in context.clues.outputs if text.isdigit() and 100 <= int(text) < 600}
    for status in statuses:
        if _names_read(status) <= context.scope.visible:
            found.setdefault(context.text(status), ALMOST_SURE if isinstance(status, ast.Attribute) else PROBABLE)
    named = (n.attr for n in context.program.nodes if isinstance(n, ast.Attribute))
    attributes = [name for name in dict.fromkeys(named) if any(word in name.lower() for word in _STATUS_WORDS)]
    for parameter in context.scope.parameters:
        for name in attributes[:MAX_ATTRIBUTES]:
            found.setdefault(f"{parameter}.{name}", LIKELY)
    return found


def convert_as_elsewhere(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`other` becomes `other.to(self.unit)`, which another method of the class makes of its `other`."""
    parent = context.parent(node)
    is_called = isinstance(parent, ast.Attribute) and isinstance(context.parent(parent), ast.Call)
    if is_called or not isinstance(node.ctx, ast.Load) or node.id not in context.scope.parameters[1:]:
        return
    conversions = context.cached("conversions", lambda: _conversions(context))
    for text in conversions.get(node.id, ()):
        yield context.put(node, text)


def _conversions(context: TemplateContext) -> dict[str, tuple[str, ...]]:
    """For each parameter, what other methods call on theirs of that name and go on with, the object's own at hand."""
    found: dict[str, dict[str, None]] = {}
    for method in _other_methods(context):
        for part in ast.walk(method):
            call = part.value if isinstance(part, ast.Attribute) else None
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                owner, names = call.func.value, _names_read(call)
                if (
                    isinstance(owner, ast.Name)
                    and names <= {owner.id, context.scope.receiver}
                    and "\n" not in (text := context.text(call))
                ):
                    found.setdefault(owner.id, {})[text] = None
    return {name: tuple(texts) for name, texts in found.items() if name != context.scope.receiver}


def _other_methods(context: TemplateContext) -> list[Function]:
    """The methods of the class around this one."""
    function = context.scope.function
    owner = context.program.class_of(function) if function is not None else None
    body = () if owner is None else owner.body
    return [part for part in body if isinstance(part, FUNCTIONS) and part is not function]


def factor_as_elsewhere(
    node: ast.Return | ast.AugAssign | ast.BinOp, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`return net` becomes `return net * (1 - self.discount)`, a factor that another method takes."""
    value = node.right if isinstance(node, ast.BinOp) else node.value
    is_sum = isinstance(node, ast.Return) or isinstance(node.op, ast.Add | ast.Sub)
    factors = context.cached("factors", lambda: _factors(context))
    if not is_sum or not factors or not isinstance(value, ast.Name | ast.Attribute | ast.BinOp | ast.Call):
        return
    if context.kind(value) not in ("int", "float", ""):
        return
    own = context.text(value)
    for text, code in factors.items():
        if text not in own:
            yield context.put(value, binary_operation(context.expression(value), "*", code))


def _factors(context: TemplateContext) -> dict[str, Expression]:
    """What other methods multiply by and is made of attributes of the object and numbers alone."""
    receiver, found = context.scope.receiver, {}
    for method in _other_methods(context) if receiver else ():
        for part in ast.walk(method):
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Mult):
                code = part.right
                attributes = [inner for inner in ast.walk(code) if isinstance(inner, ast.Attribute)]
                if isinstance(code, ast.BinOp) and attributes and _names_read(code) == {receiver}:
                    found[context.text(code)] = context.expression(code)
    return found


def ask_as_elsewhere(
    node: ast.If | ast.While | ast.IfExp | ast.comprehension | ast.Return, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`node is not None` becomes `node is not None and node.is_word`, which another function asks of such a node."""
    tests = [node.value] if isinstance(node, ast.Return) else _tests_of(node)
    for test in tests:
        if test is None or (isinstance(node, ast.Return) and context.kind(test) != "bool"):
            continue
        names = names_within(test)
        old = context.expression(test)
        for extra in context.cached("asked elsewhere", lambda: _asked_elsewhere(context)):
            if extra.text.partition(".")[0].removeprefix("not ") in names and extra.text not in old.text:
                yield context.put(test, bool_operation(old, "and", extra))
        for extra in _flags_of(names, context):
            if extra.text not in old.text:
                yield context.put(test, bool_operation(old, "and", extra), PROBABLE)


def _flags_of(names: set[str], context: TemplateContext) -> Iterator[Expression]:
    """What methods ask of their own object, asked of each of these names: `node.is_word` for `self.is_word`."""
    flags = context.cached("flags asked", lambda: _flags_asked(context))
    for name in sorted(names & set(context.scope.locals) - {context.scope.receiver}):
        for flag, is_negated in flags:
            code = Expression(f"{name}.{flag}")
            yield unary_operation("not", code) if is_negated else code


def _flags_asked(context: TemplateContext) -> list[tuple[str, bool]]:
    """The attributes of `self` that a condition asks for by themselves, and whether it asks that they are false."""
    found: dict[tuple[str, bool], None] = {}
    for test in (test for node in context.program.nodes for test in _tests_of(node)):
        is_negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        asked = test.operand if isinstance(test, ast.UnaryOp) and is_negated else test
        if isinstance(asked, ast.Attribute) and isinstance(asked.value, ast.Name) and asked.value.id == "self":
            found.setdefault((asked.attr, is_negated))
    return list(found)[:MAX_ATTRIBUTES_ASKED]


def _asked_elsewhere(context: TemplateContext) -> list[Expression]:
    """Short tests of other functions over an attribute or a method of a name that this one has, too: `node.is_word`."""
    own = frozenset(context.scope.locals) - {context.scope.receiver}
    found: dict[str, Expression] = {}
    for node in context.program.nodes:
        for test in _tests_of(node):
            if context.program.function(test) is context.scope.function:
                continue
            names = names_within(test)
            code = context.expression(test)
            is_of_object = any(isinstance(part, ast.Attribute) for part in ast.walk(test))
            if names and names <= own and is_of_object and len(code.text) <= MAX_CONDITION_CHARACTERS:
                found.setdefault(code.text, code)
    return list(found.values())[:MAX_ATTRIBUTES_ASKED]


def _tests_of(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        return [node.test]
    return node.ifs if isinstance(node, ast.comprehension) else []


def wrap_as_elsewhere(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`hook(request)` becomes `await settle(hook(request))`, where the results of such calls go through that."""
    around = context.parent(node)
    wrappers = context.cached_of_program("wrapped calls", lambda: _wrapped_calls(context))
    is_wrapped = isinstance(around, ast.Call) and any(context.text(around.func) == wrapper for wrapper, _ in wrappers)
    if is_wrapped or isinstance(around, ast.Await):
        return
    for (wrapper, is_awaited), inner in wrappers.items():
        if context.text(node.func) in inner and wrapper != context.text(node.func):
            code = f"{wrapper}({context.text(node)})"
            yield context.put(node, Expression(f"await {code}", TEST) if is_awaited else code)


def _wrapped_calls(context: TemplateContext) -> dict[tuple[str, bool], frozenset[str]]:
    """The functions of the program, or imported ones, by which calls alone are wrapped, and what these call; each with
    whether the whole is awaited."""
    found: dict[tuple[str, bool], set[str]] = {}
    for part in context.program.nodes:
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and len(part.args) == 1 and not part.keywords:
            inner = part.args[0]
            if isinstance(inner, ast.Call) and part.func.id not in PYTHON_BUILTINS:
                key = part.func.id, isinstance(context.parent(part), ast.Await)
                found.setdefault(key, set()).add(context.text(inner.func))
    return {key: frozenset(inner) for key, inner in found.items()}


def call_together(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self._unlink(found)` is followed by `self._push(found)`: another method that calls the one calls the other."""
    call, receiver = node.value, context.scope.receiver
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords or not receiver:
        return
    own = context.text(call.func)
    if not own.startswith(f"{receiver}.") or own.count(".") > 1:
        return
    called = {context.text(part.func) for part in context.scope.nodes if isinstance(part, ast.Call)}
    for method in _other_methods(context):
        parts = [part for part in context.program.below(method) if isinstance(part, ast.Expr)]
        with_one = [part.value for part in parts if isinstance(part.value, ast.Call) and len(part.value.args) == 1]
        beside = dict.fromkeys(context.text(part.func) for part in with_one)
        if own in beside:
            for other in beside:
                if other != own and other.startswith(f"{receiver}.") and other not in called:
                    yield from context.after(node, (f"{other}({context.text(call.args[0])})",))


def begin_as_sibling(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`errors = []` in a method becomes `errors = super().check(value)`, as the method of that name in another class
    begins it."""
    function = context.scope.function
    if function is None or not isinstance(context.parent(function), ast.ClassDef):
        return
    others = (one for one in context.program.functions if one.name == function.name and one is not function)
    for other in others:
        for part in walk(other):
            is_same = isinstance(part, ast.Assign) and context.text(part.targets[0]) == context.text(node.targets[0])
            if is_same and context.text(part.value) != context.text(node.value):  # type: ignore[attr-defined]
                value = part.value  # type: ignore[attr-defined]
                if isinstance(value, ast.Call) and set(names_read(walk(value))) - {"super"} <= context.scope.visible:
                    yield context.put(node.value, context.text(value))


TEMPLATES = (
    Template("begin_as_sibling", (ast.Assign,), begin_as_sibling),
    Template("call_together", (ast.Expr,), call_together),
    Template("wrap_as_elsewhere", (ast.Call,), wrap_as_elsewhere, ("attribute", "type", "content")),
    Template("follow_as_elsewhere", (ast.Expr, ast.Assign), follow_as_elsewhere),
    Template("decorate_as_elsewhere", FUNCTIONS, decorate_as_elsewhere),
    Template("answer_as_elsewhere", (ast.Return,), answer_as_elsewhere),
    Template("convert_as_elsewhere", (ast.Name,), convert_as_elsewhere),
    Template("factor_as_elsewhere", (ast.Return, ast.AugAssign, ast.BinOp), factor_as_elsewhere),
    Template(
        "ask_as_elsewhere",
        (ast.If, ast.While, ast.IfExp, ast.comprehension, ast.Return),
        ask_as_elsewhere,
        ("negated", "longer"),
    ),
)
