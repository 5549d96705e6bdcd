"""Values that are shared by accident: mutable defaults, aliases, repeated rows, late closures, class-wide lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import HALF, POSSIBLE, PROBABLE, UNLIKELY
from regreen.propose.search.expressions import OR, TEST, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template, here_or_everywhere
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.value_kinds import parameters_of
from regreen.syntax import CHANGING_METHODS, FUNCTIONS, Function, bound_values, callee_name, names_within
from regreen.types import Edit

_MUTABLE = (ast.List, ast.Dict, ast.Set)


def mutable_default(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`def f(x=[])` becomes `def f(x=None)` with `if x is None: x = []`; likewise `def f(now=time())`."""
    given = [*node.args.posonlyargs, *node.args.args]
    names = given[len(given) - len(node.args.defaults) :]
    pairs = [
        *zip(names, node.args.defaults, strict=True),
        *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
    ]
    body = statements_after_docstring(node)
    for name, default in pairs:
        if not isinstance(default, (*_MUTABLE, ast.Call)):
            continue
        value = context.text(default)
        for inserted in context.before(body[0], (f"if {name.arg} is None:", f"\t{name.arg} = {value}")):
            yield WeightedEdits((context.put(default, "None").edits[0], *inserted.edits))
        for inserted in context.before(body[0], (f"{name.arg} = {_copied(default)}({name.arg})",)):
            yield WeightedEdits(inserted.edits, POSSIBLE)


def _copied(default: ast.expr) -> str:
    return {ast.List: "list", ast.Dict: "dict", ast.Set: "set"}.get(type(default), "list")


def copy_alias(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`after = best` becomes `after = best[:]` or `best.copy()`: what is done with one is not done with the other."""
    target, value = node.targets[0], node.value
    if len(node.targets) > 1 or not isinstance(target, ast.Name) or not isinstance(value, ast.Name | ast.Attribute):
        return
    changed = context.cached("changed in place", lambda: frozenset(_changed_in_place(context)))
    if target.id not in changed and context.text(value) not in changed:
        return
    kind, text = context.kind(value), context.text(value)
    if kind in ("list", ""):
        yield context.put(value, f"{text}[:]")
    if kind in ("dict", "set", ""):
        yield context.put(value, f"{text}.copy()", 1.0 if kind else HALF)


def _changed_in_place(context: TemplateContext) -> Iterator[str]:
    """The variables and attributes of which items are set, or that something is added to or taken from."""
    for part in context.scope.nodes:
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store | ast.Del):
            yield context.text(part.value)
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING_METHODS:
            yield context.text(part.func.value)


def repeated_rows(node: ast.BinOp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[[0] * m] * n` becomes `[[0] * m for _ in range(n)]`."""
    for rows, count in ((node.left, node.right), (node.right, node.left)):
        if isinstance(node.op, ast.Mult) and isinstance(rows, ast.List) and len(rows.elts) == 1:
            yield context.put(node, f"[{context.text(rows.elts[0])} for _ in range({context.text(count)})]")


def late_closure(node: ast.Lambda, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lambda: i` becomes `lambda i=i: i`: the value at definition, not at the call; of several names all at once."""
    own = {argument.arg for argument in parameters_of(node)} | {context.scope.receiver}
    read = [n for n in context.program.below(node) if isinstance(n, ast.Name) and n.id not in own]
    names = list(dict.fromkeys(n.id for n in read if isinstance(n.ctx, ast.Load) and n.id in context.scope.assigned))
    together = [names] if len(names) > 1 else []
    start = context.program.spans[node][0] + len("lambda")
    colon = context.program.source.rindex(":", 0, context.program.spans[node.body][0])
    given = context.program.source[start:colon].strip()
    for chosen in (*together, *([name] for name in names)):
        defaults = ", ".join(f"{name}={name}" for name in chosen)
        if node.args.kwarg is not None:
            at = context.program.source.rindex("**", start, colon)
            yield context.replace(at, at, f"{defaults}, ")
        else:
            yield context.replace(start, colon, f" {given}, {defaults}" if given else f" {defaults}")


def late_closure_of_function(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`def add(x)` in a loop becomes `def add(x, i=i)`: the value at definition, not at the call."""
    inside = [n for n in context.program.below(node) if isinstance(n, ast.Name)]
    read = {n.id for n in inside if isinstance(n.ctx, ast.Load)}
    own = {argument.arg for argument in parameters_of(node)} | {n.id for n in inside if isinstance(n.ctx, ast.Store)}
    names = [name for name in _names_of_loops(node, context) if name in read and name not in own]
    together = [names] if len(names) > 1 else []
    for chosen in (*together, *([name] for name in names)):
        yield _with_defaults(node, ", ".join(f"{name}={name}" for name in chosen), context)


def _with_defaults(node: Function, defaults: str, context: TemplateContext) -> WeightedEdits:
    """A definition with further parameters behind all that it has but `**options`."""
    given = node.args
    if given.kwarg is not None:
        at = context.program.source.rindex("**", 0, context.program.spans[given.kwarg][0])
        return context.replace(at, at, f"{defaults}, ")
    parts = [*parameters_of(node), *given.defaults, *(value for value in given.kw_defaults if value is not None)]
    if not parts:
        at = context.program.source.index("(", context.program.spans[node][0]) + 1
        return context.replace(at, at, defaults)
    at = max(context.program.spans[part][1] for part in parts)
    return context.replace(at, at, f", {defaults}")


def _names_of_loops(node: Function, context: TemplateContext) -> list[str]:
    """The names that the loops around a definition bind, within its function."""
    found: dict[str, None] = {}
    outer = context.parent(node)
    while isinstance(outer, ast.stmt) and not isinstance(outer, (*FUNCTIONS, ast.ClassDef)):
        if isinstance(outer, ast.For | ast.AsyncFor | ast.While):
            stored = (n for n in context.program.below(outer) if isinstance(n, ast.Name))
            found.update(dict.fromkeys(n.id for n in stored if isinstance(n.ctx, ast.Store)))
        outer = context.parent(outer)
    return list(found)


def shared_attribute(node: ast.ClassDef, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`items = []` in a class body becomes `self.items = []` in `__init__`."""
    init = next((s for s in node.body if isinstance(s, FUNCTIONS) and s.name == "__init__"), None)
    for statement in node.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, (*_MUTABLE, ast.Call)):
            continue
        if not isinstance(statement.targets[0], ast.Name) or not context.program.alone(statement):
            continue
        line = f"self.{statement.targets[0].id} = {context.text(statement.value)}"
        if init is None:
            yield from context.restate(statement, ("def __init__(self):", f"\t{line}", ""))
        else:
            yield from context.before(init.body[0], (line,))


def copy_deeply(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `copy.deepcopy(x)`; where `copy` is not imported, in `y = x` alone. Or rows are copied one by one."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or context.kind(node) not in ("list", "dict", ""):
        return
    parent = context.parent(node)
    if (
        not isinstance(parent, ast.Assign | ast.Return | ast.Call | ast.List | ast.Yield | ast.DictComp)
        or getattr(parent, "func", None) is node
    ):
        return
    code = context.expression(node)
    if "deepcopy" in context.scope.globals:
        yield context.put(node, f"deepcopy({code.at(TEST)})")
    if "copy" in context.scope.globals:
        yield context.put(node, f"copy.deepcopy({code.at(TEST)})")
        yield context.put(node, f"copy.copy({code.at(TEST)})", PROBABLE)
    elif isinstance(parent, ast.Assign) and isinstance(node, ast.Name) and isinstance(parent.targets[0], ast.Name):
        deepcopy, imports = context.member_of("copy", "deepcopy")
        yield WeightedEdits((*imports, context.edit(node, Expression(f"{deepcopy}({node.id})"))))
    yield context.put(node, f"[row[:] for row in {code.at(OR)}]", UNLIKELY)


def copy_item_of_round(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for row in rows: row.pop(0)` becomes `for row in rows: row = list(row); row.pop(0)`: what is handed in stays."""
    if not isinstance(node.target, ast.Name):
        return
    item = node.target.id
    calls = (part.func for part in context.program.below(node) if isinstance(part, ast.Call))
    methods = [call.attr for call in calls if isinstance(call, ast.Attribute) and context.text(call.value) == item]
    changes = [method for method in methods if method in CHANGING_METHODS]
    if changes or _is_entered(node, item, context):
        is_dict = {*methods} & {"items", "keys", "values", "get", "setdefault", "popitem", "update"}
        for copied, weight in (("dict", 1.0 if is_dict else POSSIBLE), ("list", POSSIBLE if is_dict else 1.0)):
            yield from context.before(node.body[0], (f"{item} = {copied}({item})",), weight)


def _is_entered(loop: ast.For, item: str, context: TemplateContext) -> bool:
    """Whether a loop sets or deletes entries of its own item."""
    entries = (part for part in context.program.below(loop) if isinstance(part, ast.Subscript))
    return any(context.text(p.value) == item and isinstance(p.ctx, ast.Store | ast.Del) for p in entries)


def copy_all_levels(node: ast.Call | ast.Subscript | ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`dict(config)`, `{**config}`, `config.copy()` and `rows[:]` become `copy.deepcopy(config)`: what is within is
    shared."""
    copied = copied_value(node, context)
    if copied is not None and isinstance(context.parent(node), ast.Assign | ast.Return | ast.AnnAssign):
        deepcopy, imports = context.member_of("copy", "deepcopy")
        yield WeightedEdits((*imports, context.edit(node, Expression(f"{deepcopy}({context.text(copied)})"))))


def copied_value(node: ast.expr | None, context: TemplateContext) -> ast.expr | None:
    """What an expression copies at its first level: `xs` of `xs[:]`, `xs.copy()`, `{**xs}` and `list(xs)`; None where
    it copies nothing."""
    if isinstance(node, ast.Subscript):
        return node.value if context.text(node.slice) == ":" and isinstance(node.ctx, ast.Load) else None
    if isinstance(node, ast.Dict):
        return node.values[0] if node.keys == [None] else None
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "copy" and not node.args:
        return node.func.value
    is_made = isinstance(node.func, ast.Name) and node.func.id in ("dict", "list") and len(node.args) == 1
    return node.args[0] if is_made and isinstance(node.args[0], ast.Name | ast.Attribute) else None


def copy_each_level(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`node = node[key]` in a loop is preceded by `node[key] = dict(node[key])`: each level is a copy, not the first
    alone."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.Subscript) or not any(context.loops_around(node)):
        return
    if context.text(value.value) == target.id and not isinstance(value.slice, ast.Slice):
        level = context.text(value)
        yield from context.before(node, (f"{level} = dict({level})",))
        yield from context.before(node, (f"{level} = {level}.copy()",), UNLIKELY)


def own_copy_of_table(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`DAYS[1] = 29` in a function becomes `days = list(DAYS)` and `days[1] = 29`: a constant of the module stays."""
    for name in dict.fromkeys(_changed_in_place(context)):
        copied = _copied_constant(name, context) if name.isupper() and name not in context.scope.assigned else ""
        own = name.lower() if name.lower() not in context.scope.visible else f"own_{name.lower()}"
        uses = [part for part in context.scope.nodes if isinstance(part, ast.Name) and part.id == name]
        if copied and uses:
            renamed = [Edit(*context.program.spans[part], own) for part in uses]
            for begun in context.before(statements_after_docstring(node)[0], (f"{own} = {copied}({name})",)):
                yield WeightedEdits((*begun.edits, *renamed))


def _copied_constant(name: str, context: TemplateContext) -> str:
    """What copies a list, a dictionary or a set that a module begins with; empty where it is something else."""
    made: dict[type[ast.AST], str] = {ast.List: "list", ast.Dict: "dict", ast.Set: "set", ast.ListComp: "list"}
    for statement in context.program.tree.body:
        if isinstance(statement, ast.Assign) and context.text(statement.targets[0]) == name:
            return made.get(type(statement.value), "")
    return ""


def count_in_class(node: ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.count += 1` of `count = 0` in the class becomes `Account.count += 1`: all objects are counted."""
    owner, target = context.program.class_of(node), node.target
    if owner is None or not isinstance(target, ast.Attribute) or context.text(target.value) != context.scope.receiver:
        return
    begun = (part for part in owner.body if isinstance(part, ast.Assign))
    if any(context.text(part.targets[0]) == target.attr for part in begun):
        yield context.put(target, f"{owner.name}.{target.attr}")


def hand_out_copy(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return self.count, self.items` becomes `return self.count, list(self.items)`: what the object adds later is not
    seen by those who asked before."""
    held = context.cached("changed attributes", lambda: _changed_attributes(context))
    given = [node.value, *(node.value.elts if isinstance(node.value, ast.Tuple) else ())]
    given += node.value.values if isinstance(node.value, ast.Dict) else []
    for part in given:
        copier = held.get(context.text(part)) if isinstance(part, ast.Attribute) else None
        if isinstance(part, ast.Attribute) and copier:
            yield context.put(part, copier.format(context.text(part)))


def keep_own_copy(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`other.undone = self.undone` becomes `other.undone = list(self.undone)`, and so for all that is handed on there
    and changed in place: each object has its own."""
    assigned = context.cached("attributes handed on", lambda: _handed_on(context))
    yield from here_or_everywhere(node, assigned)


def _handed_on(context: TemplateContext) -> dict[ast.Assign, Edit]:
    """The assignments of a function that give an attribute what is changed in place elsewhere, with its copies."""
    held = context.cached("changed attributes", lambda: _changed_attributes(context))
    copiers = {name.rpartition(".")[2]: copier for name, copier in held.items()}
    found: dict[ast.Assign, Edit] = {}
    for part in context.scope.nodes:
        if not isinstance(part, ast.Assign) or not isinstance(part.value, ast.Name | ast.Attribute):
            continue
        target = part.targets[0]
        if isinstance(target, ast.Attribute) and target.attr in copiers:
            copied = copiers[target.attr].format(context.text(part.value))
            found[part] = context.edit(part.value, Expression(copied))
    return found


def _changed_attributes(context: TemplateContext) -> dict[str, str]:
    """The attributes that a class changes in place, `self.items` or `link.keys`, each with how it is copied:
    `list({})`."""
    owner = context.program.class_of(context.scope.function) if context.scope.function is not None else None
    if owner is None or not context.scope.receiver:
        return {}
    changed: dict[str, str] = {}
    for part in context.program.below(owner):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store | ast.Del):
            changed.setdefault(context.text(part.value), "{}.copy()")
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING_METHODS:
            changed.setdefault(context.text(part.func.value), "{}.copy()")
    for part in context.program.below(owner):
        if isinstance(part, ast.Assign | ast.AnnAssign) and part.value is not None:
            name = context.text(part.targets[0] if isinstance(part, ast.Assign) else part.target)
            if name in changed and isinstance(part.value, _MUTABLE):
                changed[name] = f"{_copied(part.value)}({{}})"
    return {name: copier for name, copier in changed.items() if "." in name}


def keep_copy_of_given(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.watchers = watchers or []` becomes `self.watchers = list(watchers or [])`: the giver's stay his."""
    value = node.value
    given, empty = (value.values[0], value.values[-1]) if isinstance(value, ast.BoolOp) else (value, None)
    if not isinstance(node.targets[0], ast.Attribute) or not isinstance(given, ast.Name):
        return
    kind = context.kind(empty) if empty is not None else context.scope.kinds.get(given.id, "")
    if given.id in context.scope.parameters and kind in ("list", "dict", "set"):
        yield context.wrap(value, kind)


def iterate_each_call(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`delays = waits(3)` before a nested function that says `next(delays)` moves into that: an iterator that was gone
    through gives nothing to the second call."""
    target, made = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(made, ast.Call) or not context.program.alone(node):
        return
    generators = context.cached_of_program("generators", lambda: frozenset(_generators(context)))
    if callee_name(made) not in generators | _ITERATORS:
        return
    for nested in context.scope.function.body if context.scope.function else ():
        if isinstance(nested, FUNCTIONS) and target.id in names_within(nested):
            first = statements_after_docstring(nested)[0]
            start, end = context.program.lines(node)
            for begun in context.before(first, (context.text(node),)):
                yield WeightedEdits((Edit(start, end, ""), *begun.edits))


def _generators(context: TemplateContext) -> Iterator[str]:
    """The functions of the program that yield."""
    for function in context.program.nodes:
        if isinstance(function, FUNCTIONS) and any(isinstance(part, ast.Yield) for part in ast.walk(function)):
            yield function.name


_ITERATORS: Final = frozenset(("iter", "map", "filter", "zip", "enumerate", "reversed", "count", "cycle", "chain"))


def take_off_a_copy(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`scores.remove(min(scores))` becomes `scores = sorted(scores)[1:]`, and of the greatest `[:-1]`: the list that
    others hold keeps all of them."""
    match node.value:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=items), attr="remove"),
            args=[ast.Call(func=ast.Name(id="min" | "max" as which), args=[ast.Name(id=same)])],
        ) if items == same:
            kept = "[1:]" if which == "min" else "[:-1]"
            yield from context.restate(node, (f"{items} = sorted({items}){kept}",))


def fresh_for_each(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`walk(u, seen) for u in starts`, of `seen = set()` before it, becomes `walk(u, set()) for u in starts`: what one
    walk has seen is new to the next."""
    call = context.parent(node)
    is_round = any(isinstance(part, ast.For | ast.GeneratorExp | ast.ListComp) for part in context.around(node))
    if not isinstance(call, ast.Call) or node not in call.args or not is_round or not isinstance(call.func, ast.Name):
        return
    for part in context.scope.nodes:
        for target, value in bound_values(part) if isinstance(part, ast.Assign) else ():
            if isinstance(target, ast.Name) and target.id == node.id and context.text(value) in ("set()", "[]", "{}"):
                yield context.put(node, context.text(value))


TEMPLATES = (
    Template("fresh_for_each", (ast.Name,), fresh_for_each, ("smaller", "shorter", "content")),
    Template("take_off_a_copy", (ast.Expr,), take_off_a_copy, ("content", "smaller", "larger")),
    Template("iterate_each_call", (ast.Assign,), iterate_each_call, ("repeats", "empty", "none")),
    Template("keep_copy_of_given", (ast.Assign,), keep_copy_of_given, ("content", "longer")),
    Template("hand_out_copy", (ast.Return,), hand_out_copy, ("longer", "content", "copy")),
    Template("keep_own_copy", (ast.Assign,), keep_own_copy, ("longer", "content", "copy")),
    Template("count_in_class", (ast.AugAssign,), count_in_class, ("content", "off_by_one")),
    Template("copy_item_of_round", (ast.For,), copy_item_of_round, ("content", "copy")),
    Template("copy_all_levels", (ast.Call, ast.Subscript, ast.Dict), copy_all_levels),
    Template("copy_each_level", (ast.Assign,), copy_each_level),
    Template("own_copy_of_table", FUNCTIONS, own_copy_of_table),
    Template("copy_alias", (ast.Assign,), copy_alias, ("content", "copy")),
    Template("mutable_default", FUNCTIONS, mutable_default),
    Template("repeated_rows", (ast.BinOp,), repeated_rows),
    Template("late_closure", (ast.Lambda,), late_closure),
    Template("late_closure_of_function", FUNCTIONS, late_closure_of_function),
    Template("shared_attribute", (ast.ClassDef,), shared_attribute),
    Template("copy_deeply", (ast.Name, ast.Attribute, ast.Subscript, ast.Call), copy_deeply, ("copy",)),
)
