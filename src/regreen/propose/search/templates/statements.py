"""Statements that are superfluous, out of order, at the wrong depth, or should hand back what they compute."""

from __future__ import annotations

import ast

from regreen.propose.search.place import Place
from regreen.propose.search.template import Draft, Drafts, Template
from regreen.types import Edit

_SIMPLE = (
    ast.Assign,
    ast.AugAssign,
    ast.AnnAssign,
    ast.Expr,
    ast.Return,
    ast.Break,
    ast.Continue,
    ast.Raise,
    ast.Delete,
    ast.Assert,
)
_COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try)


def delete_statement(node: ast.stmt, place: Place) -> Drafts:
    """A statement goes."""
    if not isinstance(node, ast.Pass) and place.scope.function is not None:
        yield place.delete(node, 0.5 if isinstance(node, _COMPOUND) else 1.0)


def swap_statements(node: ast.stmt, place: Place) -> Drafts:
    """A statement changes places with the next one."""
    block = place.program.block(node)
    index = block.index(node)
    following = block[index + 1] if index + 1 < len(block) else None
    if following is None or not (place.program.alone(node) and place.program.alone(following)):
        return
    first, second = place.program.lines(node), place.program.lines(following)
    texts = [place.program.source[slice(*span)] for span in (first, second)]
    if not texts[1].endswith("\n"):
        texts = [texts[0][:-1], texts[1] + "\n"]
    between = place.program.source[first[1] : second[0]]
    yield place.replace(first[0], second[1], texts[1] + between + texts[0])


def move_out(node: ast.stmt, place: Place) -> Drafts:
    """The last statement of a block moves behind the compound statement around it; the first one before it."""
    parent = place.parent(node)
    if not isinstance(parent, (*_COMPOUND, ast.ExceptHandler)) or not place.program.alone(node):
        return
    outer = parent if isinstance(parent, ast.stmt) else place.parent(parent)
    if not isinstance(outer, ast.stmt) or not place.program.alone(outer):
        return
    block = place.program.block(node)
    removal = place.delete(node).edits[0]
    text = _indented(node, place, place.program.indent(outer))
    start, end = place.program.lines(outer)
    if block[-1] is node:
        lead = "" if place.program.source[:end].endswith("\n") else "\n"
        yield Draft((removal, Edit(end, end, lead + text)))
    if block[0] is node and isinstance(outer, ast.For | ast.While | ast.If):
        yield Draft((Edit(start, start, text), removal), 0.7)


def move_in(node: ast.stmt, place: Place) -> Drafts:
    """A statement after a loop or an `if` moves to its end; one before it moves to its beginning."""
    block = place.program.block(node)
    index = block.index(node)
    if not place.program.alone(node) or isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return
    removal = place.delete(node).edits[0]
    before = block[index - 1] if index else None
    if isinstance(before, _COMPOUND) and place.program.alone(before.body[-1]):
        for target in _ends(before):
            if place.program.alone(target):
                text = _indented(node, place, place.program.indent(target))
                at = place.program.lines(target)[1]
                yield Draft((Edit(at, at, text), removal), 1.0 if target in before.body else 0.6)
    after = block[index + 1] if index + 1 < len(block) else None
    if isinstance(after, ast.For | ast.While | ast.If) and place.program.alone(after.body[0]):
        text = _indented(node, place, place.program.indent(after.body[0]))
        at = place.program.lines(after.body[0])[0]
        yield Draft((removal, Edit(at, at, text)), 0.8)


def _ends(node: ast.stmt) -> list[ast.stmt]:
    """The last statements of a compound one, at every depth."""
    found: list[ast.stmt] = []
    while isinstance(node, _COMPOUND):
        if isinstance(node, ast.If | ast.For | ast.While) and node.orelse:
            found.append(node.orelse[-1])
        node = node.body[-1]
        found.append(node)
    return found


def _indented(node: ast.stmt, place: Place, indent: str) -> str:
    """The whole lines of a statement at another depth."""
    return at_depth(place.program.lines(node), place, place.program.indent(node), indent)


def at_depth(span: tuple[int, int], place: Place, old: str, indent: str) -> str:
    """Whole lines at another depth, with the comments and blank lines among them."""
    lines = place.program.source[slice(*span)].strip("\n").split("\n")
    return "".join((indent + line[len(old) :] if line.startswith(old) else line) + "\n" for line in lines)


def unwrap_block(node: ast.If | ast.For | ast.While | ast.With | ast.Try, place: Place) -> Drafts:
    """`if c: body` becomes `body`; so does the first block of the others."""
    if not place.program.alone(node) or any(not place.program.alone(s) for s in node.body):
        return
    indent = place.program.indent(node)
    start, end = place.program.lines(node)
    yield place.replace(start, end, "".join(_indented(statement, place, indent) for statement in node.body))


def drop_else(node: ast.If | ast.For | ast.While, place: Place) -> Drafts:
    """The `else` of an `if` or a loop goes; its body then follows, or goes with it."""
    if not node.orelse or not all(place.program.alone(s) for s in (*node.body, *node.orelse)):
        return
    start = place.program.lines(node.body[-1])[1]
    end = place.program.lines(node)[1]
    if isinstance(node.orelse[0], ast.If) and place.program.source.startswith(
        "elif", place.program.spans[node.orelse[0]][0]
    ):
        yield place.replace(start, end, "")
        return
    indent = place.program.indent(node)
    yield place.replace(start, end, "".join(_indented(s, place, indent) for s in node.orelse))
    yield place.replace(start, end, "", 0.6)


def loop_else(node: ast.For | ast.While, place: Place) -> Drafts:
    """What follows a loop becomes its `else`."""
    block = place.program.block(node)
    index = block.index(node)
    following = block[index + 1] if index + 1 < len(block) else None
    if node.orelse or following is None or not (place.program.alone(following) and place.program.alone(node)):
        return
    start, end = place.program.lines(following)
    indent = place.program.indent(node)
    yield place.replace(start, end, f"{indent}else:\n" + _indented(following, place, indent + place.program.unit))


def return_value(node: ast.Expr | ast.Assign | ast.AugAssign, place: Place) -> Drafts:
    """`f(x)` alone on a line becomes `return f(x)`; so does the value of an assignment."""
    if place.scope.function is None or isinstance(node.value, ast.Yield | ast.YieldFrom | ast.Await):
        return
    if isinstance(node, ast.Expr):
        yield place.replace(*place.program.spans[node], f"return {place.text(node.value)}")
        if isinstance(node.value, ast.Call) and place.text(node.value.func) == "print" and node.value.args:
            yield place.replace(*place.program.spans[node], f"return {place.text(node.value.args[0])}")
        if isinstance(node.value, ast.Compare) and isinstance(node.value.ops[0], ast.Eq) and len(node.value.ops) == 1:
            target, value = place.text(node.value.left), place.text(node.value.comparators[0])
            yield place.replace(*place.program.spans[node], f"{target} = {value}")
    elif isinstance(node, ast.Assign):
        yield place.replace(*place.program.spans[node], f"return {place.text(node.value)}", 0.5)


def return_name(node: ast.Return, place: Place) -> Drafts:
    """`return`, `return x` becomes `return y`, `return self`, `return x, y`: another result altogether."""
    span = place.program.spans[node]
    old = place.text(node.value) if node.value is not None else ""
    share = 1.0 if node.value is None else 0.5
    for name in place.scope.locals:
        if name != old:
            yield place.replace(*span, f"return {name}", share * (0.4 if name == place.scope.receiver else 1.0))
    if node.value is None:
        yield from (place.replace(*span, f"return {value}", 0.6) for value in ("True", "False", "0", "[]", "''", "1"))
    elif not isinstance(node.value, ast.Constant):
        for value in ("True", "False", "0", "None", "[]", "''", "1", "-1"):
            yield place.replace(*span, f"return {value}", 0.2)


def other_result(node: ast.Return, place: Place) -> Drafts:
    """`return x` becomes what another `return` of the function hands back, or what the checks expect most."""
    if node.value is None:
        return
    others = [n for n in place.scope.nodes if isinstance(n, ast.Return) and n.value is not None and n is not node]
    for other in others:
        if other.value is not None and place.text(other.value) != place.text(node.value):
            yield place.put(node.value, place.code(other.value))
    if isinstance(node.value, ast.Constant):
        for text in (*place.evidence.outputs[:6], *map(repr, place.evidence.output_strings[:6])):
            yield place.put(node.value, text, 0.3)


TEMPLATES = (
    Template("delete_statement", (*_SIMPLE, *_COMPOUND), 0.03, delete_statement, 1, ("longer",)),
    Template("swap_statements", (*_SIMPLE, *_COMPOUND), 0.03, swap_statements, 1, ("unbound",)),
    Template("move_out", _SIMPLE, 0.06, move_out, 1.5, ("shorter", "negated", "none")),
    Template("move_in", (*_SIMPLE, *_COMPOUND), 0.05, move_in, 2, ("shorter", "unbound")),
    Template("unwrap_block", _COMPOUND, 0.02, unwrap_block, 1),
    Template("drop_else", (ast.If, ast.For, ast.While), 0.02, drop_else, 2, ("negated",)),
    Template("loop_else", (ast.For, ast.While), 0.004, loop_else, 1),
    Template("return_value", (ast.Expr, ast.Assign), 0.06, return_value, 1, ("none",)),
    Template("return_name", (ast.Return,), 0.04, return_name, 5, ("none", "kind")),
    Template("other_result", (ast.Return,), 0.03, other_result, 3, ("negated",)),
)
