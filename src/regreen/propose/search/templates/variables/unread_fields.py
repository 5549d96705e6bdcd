"""Fields of objects that are kept and that nothing of the program reads: somebody meant them to count."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import LIKELY, PROBABLE, VERY_LIKELY
from regreen.propose.search.expressions import (
    ATOM,
    COMPARISON,
    Expression,
    binary_operation,
    bool_operation,
    unary_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.decisions.filters import bound_by, class_fields
from regreen.syntax import FUNCTIONS, names_within, python_literal

_MOST_UNREAD = 4
"""Where more fields than these are read nowhere, the program is a part of something else."""
_SIGNS = (("+", 1.0), ("-", VERY_LIKELY), ("*", LIKELY))


def add_unread_field(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`start` becomes `start + job.minutes`, `price` becomes `price * self.count`, for a field that nothing reads."""
    around = context.parent(node)
    if not context.is_read(node) or isinstance(around, ast.Attribute | ast.Subscript | ast.keyword):
        return
    code = context.expression(node)
    for field in context.cached("unread fields", lambda: _fields_at_hand(context)):
        if not code.text.startswith(field):
            for sign, weight in _SIGNS:
                yield context.put(node, binary_operation(code, sign, Expression(field)), weight)


def ask_unread_field(
    node: ast.If | ast.While | ast.IfExp | ast.comprehension, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`if a` becomes `if a and not job.done`, `[job for job in jobs]` gets `if not job.done`, for such a field."""
    fields = context.cached("unread fields", lambda: _fields_at_hand(context))
    if isinstance(node, ast.comprehension) and not node.ifs:
        end, bound = context.outer(node.iter)[1], bound_by(node.target)
        for field in fields:
            if field.partition(".")[0] in bound:
                yield context.replace(end, end, f" if not {field}")
                yield context.replace(end, end, f" if {field}", LIKELY)
        return
    test = node.ifs[-1] if isinstance(node, ast.comprehension) else node.test
    old = context.expression(test)
    for field in fields:
        for asked in (Expression(field), unary_operation("not", Expression(field))):
            yield context.put(test, bool_operation(old, "and", asked))
            yield context.put(test, bool_operation(old, "or", asked), PROBABLE)


def _fields_at_hand(context: TemplateContext) -> list[str]:
    """How the function can read the fields that nothing reads."""
    unread = context.cached_of_program("fields unread", lambda: _unread(context))
    if not unread or len(unread) > _MOST_UNREAD or context.scope.function is None:
        return []
    around = context.program.class_of(context.scope.function)
    found: list[str] = []
    for owner, field, members in unread:
        if around is not None and around.name == owner and context.scope.receiver:
            found.append(f"{context.scope.receiver}.{field}")
        for name, read in _read_of(context).items():
            if name != context.scope.receiver and read <= members:
                found.append(f"{name}.{field}")
    return found


def _read_of(context: TemplateContext) -> dict[str, set[str]]:
    """By variable of the function: the attributes that it reads of it, where it reads any."""
    found: dict[str, set[str]] = {}
    for part in context.scope.nodes:
        match part:
            case ast.Attribute(value=ast.Name(id=name), attr=field) if name in context.scope.locals:
                found.setdefault(name, set()).add(field)
    return found


def _unread(context: TemplateContext) -> list[tuple[str, str, frozenset[str]]]:
    """Class, field and all that the class has, of each field that nothing reads."""
    parts = [part for part in context.program.nodes if isinstance(part, ast.Attribute)]
    read = {part.attr for part in parts if isinstance(part.ctx, ast.Load)}
    found = []
    for owner in (part for part in context.program.nodes if isinstance(part, ast.ClassDef)):
        fields = class_fields(owner)
        members = frozenset((*fields, *(part.name for part in owner.body if isinstance(part, FUNCTIONS))))
        found += [(owner.name, field, members) for field in sorted(fields) if field not in read]
    return found


def field_of_result(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return best` becomes `return best.name` where the checks got an object and wanted something else."""
    if not context.clues.objects or not isinstance(node.value, ast.Name | ast.Subscript | ast.Call):
        return
    classes = (part for part in context.program.nodes if isinstance(part, ast.ClassDef))
    for owner in (one for one in classes if one.name in context.clues.objects):
        for field in sorted(class_fields(owner)):
            yield context.put(node.value, f"{context.expression(node.value).at(ATOM)}.{field}")


def answer_by_unread_field(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return True` becomes `return node.end`, where `node.end = True` is set elsewhere and nothing reads it: what was
    noted there is the answer."""
    if not isinstance(context.parent(node), ast.Return) or not isinstance(node.value, bool):
        return
    owners = {
        context.text(part.value)
        for part in context.scope.nodes
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
    }
    for field in unread_attributes(context):
        for owner in sorted(owners):
            yield context.put(node, f"{owner}.{field}")


def unread_attributes(context: TemplateContext) -> list[str]:
    """The attributes that the program sets and never reads."""

    def find() -> list[str]:
        attributes = [part for part in context.program.nodes if isinstance(part, ast.Attribute)]
        read = {part.attr for part in attributes if isinstance(part.ctx, ast.Load)}
        return sorted({part.attr for part in attributes if isinstance(part.ctx, ast.Store)} - read)

    return context.cached_of_program("attributes unread", find)


def answer_by_unread_key(node: ast.Return, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`return node is not None` becomes `return node is not None and node["word"]`, for a key that entries have and
    that nothing reads."""
    value = node.value
    if value is None or not (isinstance(value, ast.Compare | ast.BoolOp) or _is_true(value)):
        return
    names = names_within(value) - {context.scope.receiver}
    for key in unread_keys(context):
        for name in sorted(names or {*context.scope.locals} - {context.scope.receiver}):
            entry = Expression(f"{name}[{python_literal(key)}]")
            yield context.put(
                value, entry if _is_true(value) else bool_operation(context.expression(value), "and", entry)
            )


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def unread_keys(context: TemplateContext) -> list[str]:
    """The texts by which entries are stored and by which nothing is looked up."""

    def find() -> list[str]:
        texts = [
            part for part in context.program.nodes if isinstance(part, ast.Constant) and isinstance(part.value, str)
        ]
        stored = {text for text in texts if _is_stored_by(text, context)}
        others = {str(text.value) for text in texts if text not in stored}
        return sorted({str(text.value) for text in stored} - others)

    return context.cached_of_program("keys unread", find)


def _is_stored_by(text: ast.Constant, context: TemplateContext) -> bool:
    """Whether a text is the key of an entry that is stored: `node["word"] = True`, `{"word": True}`."""
    around = context.parent(text)
    is_place = isinstance(around, ast.Subscript) and isinstance(around.ctx, ast.Store)
    return is_place or (isinstance(around, ast.Dict) and text in around.keys)


def compare_the_unread(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if v == parent:` becomes `if number == via:`, where nothing reads `number` of `for v, number in near[u]:` and
    nothing the parameter `via`: the edge by which one came, and not the node."""
    match node:
        case ast.Compare(left=ast.Name(id=one), ops=[ast.Eq() | ast.NotEq() as op], comparators=[ast.Name(id=other)]):
            pass
        case _:
            return
    reads = {part.id for part in context.scope.nodes if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    unread = [name for name in context.scope.parameters if name not in reads]
    if other not in context.scope.parameters or len(unread) != 1:
        return
    for loop in context.loops_around(node):
        if isinstance(loop, ast.For) and isinstance(loop.target, ast.Tuple):
            names = [part.id for part in loop.target.elts if isinstance(part, ast.Name)]
            beside = [name for name in names if name not in (one, "_")]
            if one in names and len(beside) == 1:
                sign = "==" if isinstance(op, ast.Eq) else "!="
                yield context.put(node, Expression(f"{beside[0]} {sign} {unread[0]}", COMPARISON))


TEMPLATES = (
    Template("answer_by_unread_key", (ast.Return,), answer_by_unread_key, ("negated", "content")),
    Template("answer_by_unread_field", (ast.Constant,), answer_by_unread_field, ("content", "negated")),
    Template("field_of_result", (ast.Return,), field_of_result, ("type", "kind", "content")),
    Template("add_unread_field", (ast.Name, ast.Attribute, ast.Call), add_unread_field, ("content", "off_by_one")),
    Template("ask_unread_field", (ast.If, ast.While, ast.IfExp, ast.comprehension), ask_unread_field, ("content",)),
    Template("compare_the_unread", (ast.Compare,), compare_the_unread, ("longer", "content", "shorter")),
)
