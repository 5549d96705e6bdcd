"""What the module writes in another form elsewhere: with one more operand, or with the same names converted."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from regreen.propose.search.constants import HALF, LIKELY, MAX_EXPRESSION_CHARACTERS, PROBABLE, UNLIKELY
from regreen.propose.search.expressions import TEST, Expression, attribute_of, function_call
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import ParsedProgram
from regreen.propose.search.scope import PYTHON_BUILTINS
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.steps.copied_statements import with_other_names
from regreen.syntax import CHANGING_METHODS, Function, callee_name

_MOST_FORMS: Final = 3
"""Other forms of one expression that are tried."""
_MOST_PLACES: Final = 6
"""Keys of one table that are converted together."""
_HELD: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_LIMITING: Final = frozenset(("min", "max", "round", "abs"))


class _Larger(NamedTuple):
    """An expression around another one, and where it stands."""

    code: Expression
    owner: ast.ClassDef | None
    function: Function | None
    names: frozenset[str]


def larger_as_elsewhere(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.goods() >= FREE` becomes `self.goods() - self.discount() >= FREE`, as another function has it."""
    every = context.cached_of_program("larger expressions", lambda: _larger(context.program))
    if not every or not _is_value(node, context):
        return
    larger = every.get(context.text(node), {})
    parent = context.parent(node)
    around = context.text(parent) if isinstance(parent, ast.expr) else ""
    function = context.scope.function
    owner = context.program.class_of(function) if function is not None else None
    for found in [found for found in larger.values() if found.function is not function][:_MOST_FORMS]:
        is_near = found.owner is owner
        is_foreign = context.scope.receiver in found.names and not is_near
        if found.names <= context.scope.visible and found.code.text not in around and not is_foreign:
            weight = 1.0 if is_near else PROBABLE
            yield context.put(node, found.code, weight * (HALF if isinstance(node, ast.Name) else 1.0))


def treat_as_elsewhere(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text += pattern[at:]` becomes `text += re.escape(pattern[at:])`, as another part of `pattern` is treated."""
    parent = context.parent(node)
    if not isinstance(node.ctx, ast.Load) or (isinstance(parent, ast.Call) and node in parent.args):
        return
    treated = context.cached("parts treated", lambda: _parts_treated(context))
    for function in treated.get(context.text(node.value), ()):
        yield context.put(node, f"{function}({context.text(node)})")


def _parts_treated(context: TemplateContext) -> dict[str, list[str]]:
    """The functions that are called with a part of something alone, by what it is a part of."""
    found: dict[str, dict[str, None]] = {}
    for part in context.scope.nodes:
        if isinstance(part, ast.Call) and len(part.args) == 1 and not part.keywords:
            argument = part.args[0]
            # What puts something in gives nothing.
            gives = not isinstance(part.func, ast.Attribute) or part.func.attr not in CHANGING_METHODS
            if isinstance(argument, ast.Subscript) and gives:
                found.setdefault(context.text(argument.value), {}).setdefault(context.text(part.func))
    return {whole: list(functions)[:_MOST_FORMS] for whole, functions in found.items()}


def _is_value(node: ast.expr, context: TemplateContext) -> bool:
    """Whether an expression is read as a value, and not called, bound, or asked for an attribute."""
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or context.is_called(node):
        return False
    if isinstance(node, ast.Name) and (node.id == context.scope.receiver or node.id in PYTHON_BUILTINS):
        return False
    return not isinstance(context.parent(node), ast.Attribute | ast.Expr | ast.Starred)


def _larger(program: ParsedProgram) -> dict[str, dict[str, _Larger]]:
    """For the text of an operand, the sums, products and limited values that it stands in."""
    found: dict[str, dict[str, _Larger]] = {}
    for node in program.nodes:
        if not isinstance(node, ast.BinOp | ast.Call):
            continue
        code = program.expression(node)
        if len(code.text) > MAX_EXPRESSION_CHARACTERS or "\n" in code.text:
            continue
        names = frozenset(part.id for part in program.below(node) if isinstance(part, ast.Name))
        for part in _operands(node):
            # A number beside a name says little of that name elsewhere.
            if not isinstance(part, ast.Name) or len(names) > 1:
                entry = _Larger(code, program.class_of(node), program.function(node), names)
                found.setdefault(program.text(part), {}).setdefault(code.text, entry)
    return found


def _operands(node: ast.BinOp | ast.Call) -> list[ast.expr]:
    """What an expression is worked out from: both sides of an operator, and the first term of a longer sum."""
    if isinstance(node, ast.Call):
        is_limit = isinstance(node.func, ast.Name) and node.func.id in _LIMITING
        return [part for part in node.args if isinstance(part, _HELD)] if is_limit else []
    parts = [node.left, node.right]
    if isinstance(node.left, ast.BinOp):
        parts.append(node.left.left)
    return [part for part in parts if isinstance(part, _HELD)]


def spell_as_elsewhere(
    node: ast.Subscript | ast.Call | ast.Compare | ast.Tuple, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`self.values[section, key]` gets the key `(section.lower(), key.lower())`, under which another line stores."""
    spelt = context.cached_of_program("spellings", lambda: _spellings(context.program))
    for slot, value in _slots(node, context.program):
        own, given = _bare(value, context.program), context.expression(value).at(TEST)
        offered: dict[str, None] = {}
        for bare, text in spelt.get(slot, {}).items() if own else ():
            renaming = _renaming(bare[0], own)
            if renaming is not None and (bare[0] != text or own != given):
                offered.setdefault(with_other_names(text, renaming))
        for text in [text for text in offered if text != given][:_MOST_FORMS]:
            yield context.put(value, text)


def _spellings(program: ParsedProgram) -> dict[str, dict[tuple[str, str], str]]:
    """For each place of keys, arguments and tuples: what stands there in the module, with and without conversions."""
    found: dict[str, dict[tuple[str, str], str]] = {}
    for node in program.nodes:
        if isinstance(node, _SLOTTED):
            for slot, value in _slots(node, program):
                text, bare = program.expression(value).at(TEST), _bare(value, program)
                if bare and "\n" not in text and len(text) <= MAX_EXPRESSION_CHARACTERS:
                    found.setdefault(slot, {}).setdefault((bare, text), text)
    return found


def _slots(node: ast.AST, program: ParsedProgram) -> Iterator[tuple[str, ast.expr]]:
    """What a key is looked up in, or which argument of which function a value is, with the key or the value."""
    table = _table_and_key(node)
    if table is not None:
        yield f"{program.text(table[0])}[]", table[1]
    elif isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load):
        yield "()", node
    elif isinstance(node, ast.Call) and callee_name(node) not in PYTHON_BUILTINS:
        for place, argument in enumerate(node.args):
            yield f"{program.text(node.func)}({place})", argument


def _table_and_key(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """`table` and `key` of `table[key]`, `table.get(key)` and `key in table`."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return node.value, node.slice
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
        return node.comparators[0], node.left
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
        return None
    is_asked = node.func.attr in _ASKING and not isinstance(node.args[0], ast.Starred)
    return (node.func.value, node.args[0]) if is_asked else None


_ASKING: Final = frozenset(("get", "pop", "setdefault", "add", "discard", "remove"))
_SLOTTED: Final = (ast.Subscript, ast.Call, ast.Compare, ast.Tuple)
_WORD: Final = re.compile(r"[A-Za-z_]\w*")


def _bare(node: ast.expr, program: ParsedProgram) -> str:
    """An expression without conversions; of names, attributes and tuples of them alone, else empty."""
    if isinstance(node, ast.Tuple):
        parts = [_bare_part(part, program) for part in node.elts]
        return f"({', '.join(parts)})" if parts and all(parts) else ""
    return _bare_part(node, program)


def _bare_part(node: ast.expr, program: ParsedProgram) -> str:
    while isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _TEXT_FORMS and not node.args:
            node = node.func.value
        elif isinstance(node.func, ast.Name) and node.func.id in _CONVERTERS and len(node.args) == 1:
            node = node.args[0]
        else:
            return ""
    return program.text(node) if isinstance(node, ast.Name | ast.Attribute) else ""


_TEXT_FORMS: Final = frozenset(("lower", "upper", "casefold", "strip", "lstrip", "rstrip", "title", "capitalize"))
_CONVERTERS: Final = frozenset(("str", "int", "float", "tuple", "frozenset", "repr"))


def _renaming(one: str, other: str) -> dict[str, str] | None:
    """The names to change to get from one text to the other, where nothing else differs."""
    if _WORD.sub("@", one) != _WORD.sub("@", other):
        return None
    return dict(zip(_WORD.findall(one), _WORD.findall(other), strict=True))


def convert_keys_together(
    node: ast.Subscript | ast.Call | ast.Compare, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`d[name]` in one method and `d.get(name)` in another one: both get `name.lower()`, or `name.strip()`."""
    table = _table_and_key(node)
    if table is None or not isinstance(table[0], ast.Attribute | ast.Name):
        return
    if context.kind(table[1]) not in ("str", ""):
        return
    places = context.cached_of_program("keys of tables", lambda: _keys_of_tables(context)).get(
        context.text(table[0]), []
    )
    if table[1] not in places[:1] or not 1 < len(places) <= _MOST_PLACES:
        return
    for method, weight in (("lower()", 1.0), ("strip()", LIKELY), ("upper()", UNLIKELY)):
        edits = (context.edit(key, attribute_of(context.expression(key), method)) for key in places)
        yield WeightedEdits(tuple(edits), weight)
    for function, weight in (("str", HALF), ("int", HALF)):
        edits = (context.edit(key, function_call(function, context.expression(key))) for key in places)
        yield WeightedEdits(tuple(edits), weight)


def _keys_of_tables(context: TemplateContext) -> dict[str, list[ast.expr]]:
    """For each table that outlives a call, the names and attributes that are its keys."""
    found: dict[str, list[ast.expr]] = {}
    for node in context.program.nodes:
        table = _table_and_key(node) if isinstance(node, _SLOTTED) else None
        if table is None or not isinstance(table[1], ast.Name | ast.Attribute):
            continue
        owner = table[0]
        lasts = isinstance(owner, ast.Attribute) or (isinstance(owner, ast.Name) and owner.id in context.scope.globals)
        if lasts:
            found.setdefault(context.text(owner), []).append(table[1])
    return found


TEMPLATES = (
    Template("larger_as_elsewhere", _HELD, larger_as_elsewhere),
    Template("treat_as_elsewhere", (ast.Subscript,), treat_as_elsewhere),
    Template("spell_as_elsewhere", _SLOTTED, spell_as_elsewhere, ("key", "case", "none")),
    Template(
        "convert_keys_together",
        (ast.Subscript, ast.Call, ast.Compare),
        convert_keys_together,
        ("key", "case", "space", "strip"),
    ),
)
