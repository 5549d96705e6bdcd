"""Values that are shared by accident: mutable defaults, aliases, repeated rows, late closures, class-wide lists."""

from __future__ import annotations

import ast

from regreen.propose.search.code import OR, TEST
from regreen.propose.search.place import Place
from regreen.propose.search.program import body_of
from regreen.propose.search.template import Draft, Drafts, Template
from regreen.syntax import FUNCTIONS, Function

_MUTABLE = (ast.List, ast.Dict, ast.Set)


def mutable_default(node: Function, place: Place) -> Drafts:
    """`def f(x=[])` becomes `def f(x=None)` with `if x is None: x = []`."""
    names = node.args.args[len(node.args.args) - len(node.args.defaults) :]
    pairs = [
        *zip(names, node.args.defaults, strict=True),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    body = body_of(node)
    for name, default in pairs:
        called = isinstance(default, ast.Call) and place.text(default.func) in (
            "list",
            "dict",
            "set",
            "defaultdict",
            "deque",
        )
        if default is None or not (isinstance(default, _MUTABLE) or called):
            continue
        value = place.text(default)
        for draft in place.before(body[0], (f"if {name.arg} is None:", f"\t{name.arg} = {value}")):
            yield Draft((place.put(default, "None").edits[0], *draft.edits))
        for draft in place.before(body[0], (f"{name.arg} = {_copied(default)}({name.arg})",)):
            yield Draft(draft.edits, 0.4)


def _copied(default: ast.expr) -> str:
    return {ast.List: "list", ast.Dict: "dict", ast.Set: "set"}.get(type(default), "list")


def repeated_rows(node: ast.BinOp, place: Place) -> Drafts:
    """`[[0] * m] * n` becomes `[[0] * m for _ in range(n)]`."""
    for rows, count in ((node.left, node.right), (node.right, node.left)):
        if isinstance(node.op, ast.Mult) and isinstance(rows, ast.List) and len(rows.elts) == 1:
            yield place.put(node, f"[{place.text(rows.elts[0])} for _ in range({place.text(count)})]")


def late_closure(node: ast.Lambda, place: Place) -> Drafts:
    """`lambda: i` becomes `lambda i=i: i`: the value of now, not of later."""
    own = {a.arg for a in node.args.args}
    names = dict.fromkeys(
        n.id
        for n in ast.walk(node.body)
        if isinstance(n, ast.Name) and n.id in place.scope.assigned and n.id not in own
    )
    start = place.program.spans[node][0] + len("lambda")
    colon = place.program.source.rindex(":", 0, place.program.spans[node.body][0])
    given = place.program.source[start:colon].strip()
    for name in names:
        text = f" {given}, {name}={name}" if given else f" {name}={name}"
        yield place.replace(start, colon, text)


def shared_attribute(node: ast.ClassDef, place: Place) -> Drafts:
    """`items = []` in a class body becomes `self.items = []` in `__init__`."""
    init = next((s for s in node.body if isinstance(s, FUNCTIONS) and s.name == "__init__"), None)
    for statement in node.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, (*_MUTABLE, ast.Call)):
            continue
        if not isinstance(statement.targets[0], ast.Name) or not place.program.alone(statement):
            continue
        line = f"self.{statement.targets[0].id} = {place.text(statement.value)}"
        if init is None:
            yield from place.restate(statement, ("def __init__(self):", f"\t{line}", ""))
        else:
            yield from place.before(init.body[0], (line,))


def copy_deeply(node: ast.expr, place: Place) -> Drafts:
    """`x` becomes `copy.deepcopy(x)` where `copy` is imported, or rows are copied one by one."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or place.kind(node) not in ("list", "dict", ""):
        return
    parent = place.parent(node)
    if (
        not isinstance(parent, ast.Assign | ast.Return | ast.Call | ast.List | ast.Yield)
        or getattr(parent, "func", None) is node
    ):
        return
    code = place.code(node)
    if "deepcopy" in place.scope.globals:
        yield place.put(node, f"deepcopy({code.at(TEST)})")
    if "copy" in place.scope.globals:
        yield place.put(node, f"copy.deepcopy({code.at(TEST)})")
        yield place.put(node, f"copy.copy({code.at(TEST)})", 0.6)
    yield place.put(node, f"[row[:] for row in {code.at(OR)}]", 0.3)


TEMPLATES = (
    Template("mutable_default", FUNCTIONS, 0.3, mutable_default, 1),
    Template("repeated_rows", (ast.BinOp,), 0.1, repeated_rows, 1),
    Template("late_closure", (ast.Lambda,), 0.03, late_closure, 1),
    Template("shared_attribute", (ast.ClassDef,), 0.1, shared_attribute, 1),
    Template("copy_deeply", (ast.Name, ast.Attribute, ast.Subscript, ast.Call), 0.006, copy_deeply, 1, ("copy",)),
)
