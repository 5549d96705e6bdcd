"""Calls of the standard library that mean something else than was meant: units of time, keywords, factories."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from regreen.propose.search.constants import ALMOST_SURE, HALF, LIKELY, PROBABLE, SLOW_DECLINE, UNLIKELY
from regreen.propose.search.expressions import (
    ATOM,
    Expression,
    bool_operation,
    comparison,
    function_call,
    unary_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, callee_name
from regreen.types import Edit


def whole_duration(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`delta.seconds`, which leaves the days out, becomes `delta.total_seconds()`, and the other way round."""
    end = context.program.spans[node][1]
    parent = context.parent(node)
    called = isinstance(parent, ast.Call) and parent.func is node
    if node.attr in ("seconds", "microseconds", "days") and not called:
        yield context.replace(end - len(node.attr), end, "total_seconds()")
        if not isinstance(parent, ast.Call):
            yield context.put(node, f"int({context.text(node.value)}.total_seconds())", ALMOST_SURE)
        yield from (
            context.replace(end - len(node.attr), end, part, HALF) for part in ("seconds", "days") if part != node.attr
        )
    elif node.attr == "total_seconds" and called:
        assert isinstance(parent, ast.Call)
        for part in ("seconds", "days"):
            yield context.replace(end - len(node.attr), context.program.spans[parent][1], part, HALF)


def other_zone(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`moment.replace(tzinfo=zone)`, another moment, becomes `moment.astimezone(zone)`, and the other way round.

    So does `(moment + zone.utcoffset(None)).replace(tzinfo=zone)`, which is right for one zone alone."""
    if not isinstance(node.func, ast.Attribute) or len(node.args) + len(node.keywords) != 1:
        return
    owner, keywords = context.text(node.func.value), {k.arg: k.value for k in node.keywords}
    match node.func.value:
        case ast.BinOp(left=moment, op=ast.Add() | ast.Sub(), right=ast.Call(func=ast.Attribute(attr="utcoffset"))):
            owner = context.expression(moment).at(ATOM)
    if node.func.attr == "replace" and "tzinfo" in keywords:
        yield context.put(node, f"{owner}.astimezone({context.text(keywords['tzinfo'])})")
    elif node.func.attr == "astimezone":
        zone = node.args[0] if node.args else node.keywords[0].value
        yield context.put(node, f"{owner}.replace(tzinfo={context.text(zone)})")


_UNITS: Final = (
    ("seconds", "minutes", "hours", "days", "weeks", "milliseconds", "microseconds"),
    ("second", "minute", "hour", "day", "month", "year", "microsecond"),
)


def other_unit(node: ast.keyword, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`timedelta(minutes=n)` becomes `timedelta(hours=n)`: units that are near come first."""
    start = context.program.spans[node][0]
    for units in _UNITS:
        if node.arg in units:
            at = units.index(node.arg)
            for other in sorted(units, key=lambda unit: abs(units.index(unit) - at)):
                if other != node.arg:
                    distance = abs(units.index(other) - at)
                    yield context.replace(start, start + len(node.arg), other, 1.0 - SLOW_DECLINE * distance)


_KEYWORDS: Final[dict[str, tuple[tuple[str, float], ...]]] = {
    "mkdir": (("exist_ok=True", 1.0), ("parents=True", 1.0)),
    "makedirs": (("exist_ok=True", 1.0),),
    "unlink": (("missing_ok=True", 1.0),),
    "rmtree": (("ignore_errors=True", 1.0),),
    "copytree": (("dirs_exist_ok=True", 1.0),),
    "open": (("encoding='utf-8'", 1.0), ("newline=''", PROBABLE), ("errors='replace'", UNLIKELY)),
    "read_text": (("encoding='utf-8'", 1.0),),
    "write_text": (("encoding='utf-8'", 1.0),),
    "dumps": (("sort_keys=True", 1.0), ("ensure_ascii=False", 1.0), ("default=str", PROBABLE), ("indent=2", HALF)),
    "dump": (("sort_keys=True", 1.0), ("ensure_ascii=False", 1.0), ("default=str", PROBABLE), ("indent=2", HALF)),
    "run": (("check=True", 1.0), ("capture_output=True", 1.0), ("text=True", 1.0)),
    "zip": (("strict=True", 1.0),),
    "popitem": (("last=False", 1.0),),
    "print": (("end=''", 1.0), ("sep=''", PROBABLE), ("flush=True", UNLIKELY)),
    "sorted": (("reverse=True", 1.0),),
    "sort": (("reverse=True", 1.0),),
    "max": (("default=0", 1.0), ("default=None", 1.0)),
    "min": (("default=0", 1.0), ("default=None", 1.0)),
    "dataclass": (("frozen=True", 1.0), ("order=True", 1.0), ("eq=False", UNLIKELY)),
    "field": (("compare=False", 1.0), ("repr=False", PROBABLE), ("init=False", PROBABLE)),
    "isclose": (("abs_tol=1e-9", 1.0), ("rel_tol=1e-9", UNLIKELY)),
    "wait": (("return_when=asyncio.FIRST_COMPLETED", 1.0),),
    "gather": (("return_exceptions=True", 1.0),),
    "model_dump": (
        ("exclude_unset=True", 1.0),
        ("exclude_none=True", PROBABLE),
        ("mode='json'", HALF),
        ("by_alias=True", HALF),
    ),
    "route": (("methods=['POST']", 1.0), ("methods=['GET', 'POST']", HALF)),
    "post": (("status_code=201", 1.0),),
    "delete": (("status_code=204", 1.0),),
    "urlparse": (("scheme='http'", 1.0),),
    "parse_qs": (("keep_blank_values=True", 1.0),),
    "parse_qsl": (("keep_blank_values=True", 1.0),),
    "urlencode": (("doseq=True", 1.0),),
    "quote": (("safe=''", 1.0),),
    "to_bytes": (("signed=True", 1.0),),
    "from_bytes": (("signed=True", 1.0),),
    "add_argument": (("type=int", 1.0), ("action='store_true'", 1.0), ("required=True", HALF), ("default=0", HALF)),
    "quantize": (("rounding='ROUND_HALF_UP'", 1.0), ("rounding='ROUND_DOWN'", UNLIKELY)),
    "split": (("maxsplit=1", 1.0),),
    "rsplit": (("maxsplit=1", 1.0),),
    "sub": (("count=1", 1.0),),
    "sort_values": (("ascending=False", 1.0), ("ignore_index=True", HALF)),
    "sort_index": (("ascending=False", 1.0),),
    "reset_index": (("drop=True", 1.0),),
    "drop_duplicates": (("keep='last'", 1.0), ("keep=False", HALF), ("ignore_index=True", HALF)),
    "concat": (("ignore_index=True", 1.0), ("axis=1", PROBABLE)),
    "groupby": (("as_index=False", 1.0), ("sort=False", PROBABLE), ("dropna=False", HALF)),
    "merge": (("how='left'", 1.0), ("how='outer'", PROBABLE), ("how='right'", UNLIKELY)),
    "value_counts": (("dropna=False", 1.0), ("normalize=True", 1.0)),
    "to_csv": (("index=False", 1.0),),
    "dropna": (("how='all'", 1.0),),
    "mean": (("axis=0", 1.0), ("axis=1", 1.0)),
    "sum": (("axis=0", 1.0), ("axis=1", 1.0)),
    "std": (("ddof=1", 1.0), ("ddof=0", 1.0)),
    "var": (("ddof=1", 1.0), ("ddof=0", 1.0)),
}
"""Keywords that calls of these names often need, with their weights."""


def known_keyword(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`path.mkdir()` becomes `path.mkdir(exist_ok=True)`, `json.dumps(x)` becomes `json.dumps(x, sort_keys=True)`."""
    if callee_name(node) in ("max", "min") and len(node.args) != 1:
        return
    offered: dict[str, float] = {}
    for text, weight in (*_used_elsewhere(node, context), *_KEYWORDS.get(callee_name(node), ())):
        offered.setdefault(text, weight)
    for text, weight in offered.items():
        yield from context.with_keyword(node, text, weight)


_RELATED_CALLS: Final = (
    frozenset(("open", "read_text", "write_text", "Popen", "check_output", "run", "TextIOWrapper", "fdopen")),
    frozenset(("reader", "writer", "DictReader", "DictWriter")),
    frozenset(("dump", "dumps")),
    frozenset(("load", "loads")),
    frozenset(("compile", "search", "match", "fullmatch", "findall", "finditer", "sub", "subn")),
    frozenset(("read_csv", "to_csv", "read_table")),
    frozenset(("max", "min", "sorted", "sort", "nlargest", "nsmallest")),
    frozenset(
        ("mean", "std", "var", "sum", "max", "min", "median", "prod", "any", "all", "argmax", "argmin", "cumsum")
    ),
)
"""Names of calls that take the same keywords."""


def _used_elsewhere(node: ast.Call, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """The keywords of other calls in this program, with values in reach: of the same name, or of a related one."""
    name = callee_name(node)
    for keyword in context.cached("keywords", lambda: _keywords_of_calls(context)):
        call = context.parent(keyword)
        if not isinstance(call, ast.Call) or call is node or not _is_in_reach(keyword.value, context):
            continue
        if callee_name(call) == name:
            yield context.text(keyword), 1.0
        elif any({name, callee_name(call)} <= related for related in _RELATED_CALLS):
            yield context.text(keyword), LIKELY


def _keywords_of_calls(context: TemplateContext) -> list[ast.keyword]:
    """A keyword of a call for each text, constants, names and lists of constants for values."""
    keywords = (node for node in context.program.nodes if isinstance(node, ast.keyword) and node.arg)
    plain = [keyword for keyword in keywords if _is_plain(keyword.value)]
    return list(
        {
            (callee_name(call), context.text(keyword)): keyword
            for keyword in plain
            if isinstance(call := context.parent(keyword), ast.Call)
        }.values()
    )


def _is_plain(value: ast.expr) -> bool:
    if isinstance(value, ast.List | ast.Tuple):
        return all(isinstance(element, ast.Constant) for element in value.elts)
    return isinstance(value, ast.Constant | ast.Name)


def _is_in_reach(value: ast.expr, context: TemplateContext) -> bool:
    return not isinstance(value, ast.Name) or value.id in context.scope.visible


_FACTORIES: Final = ("int", "list", "set", "dict", "str", "float", "Counter", "deque", "lambda: 1", "lambda: None")


def other_factory(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`defaultdict(list)` becomes `defaultdict(int)`; the same for `field(default_factory=list)`."""
    factory = _factory(node)
    if factory is None:
        return
    for rank, name in enumerate(_FACTORIES):
        if (
            name != context.text(factory)
            and (not name[0].isupper() or name in context.scope.visible)
            and name != "deque"
        ):
            yield context.put(factory, name, 1.0 - SLOW_DECLINE * rank)


def _factory(node: ast.Call) -> ast.expr | None:
    if callee_name(node) == "defaultdict" and node.args:
        return node.args[0]
    if callee_name(node) == "field":
        return next((keyword.value for keyword in node.keywords if keyword.arg == "default_factory"), None)
    return None


def exclude_bool(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`isinstance(x, int)` becomes `isinstance(x, int) and not isinstance(x, bool)`: True is an int."""
    if callee_name(node) != "isinstance" or len(node.args) != 2:
        return
    value, kinds = node.args
    if not any(isinstance(part, ast.Name) and part.id in ("int", "float") for part in ast.walk(kinds)):
        return
    is_bool = function_call("isinstance", context.expression(value), Expression("bool"))
    yield context.put(node, bool_operation(context.expression(node), "and", unary_operation("not", is_bool)))


def equal_lengths(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`all(... zip(a, b))`, which ends with the shorter, becomes `len(a) == len(b) and all(...)`."""
    if callee_name(node) != "all":
        return
    for part in context.program.below(node):
        if isinstance(part, ast.Call) and callee_name(part) == "zip" and len(part.args) == 2:
            lengths = [function_call("len", context.expression(argument)) for argument in part.args]
            yield context.put(
                node, bool_operation(comparison(lengths[0], "==", lengths[1]), "and", context.expression(node))
            )


_DIRECTIVES: Final = ("mM", "dDj", "yY", "YG", "WVU", "HIp", "Sf", "bBm", "aAd", "MS", "zZ", "uw")
"""Letters of directives of strftime(3) that are taken for one another."""


def other_directive(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"%Y-%M"` becomes `"%Y-%m"`: minutes for months, and the like."""
    call = context.parent(node)
    if not isinstance(call, ast.Call) or callee_name(call) not in ("strftime", "strptime"):
        return
    begin = context.program.spans[node][0]
    for at, other in related_directives(context.text(node)):
        yield context.replace(begin + at, begin + at + 1, other)


def related_directives(text: str) -> Iterator[tuple[int, str]]:
    """The place of each letter of a directive in a text, with each other letter that it is taken for."""
    for at, (sign, letter) in enumerate(pairwise(text), 1):
        if sign == "%":
            others = dict.fromkeys(c for family in _DIRECTIVES if letter in family for c in family)
            yield from ((at, other) for other in others if other != letter)


def own_collection(node: ast.ClassDef, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`class Headers(dict)` becomes `class Headers(UserDict)`: the methods of `dict` call no `__setitem__`."""
    for base in node.bases:
        name = context.text(base)
        if name in _OWN_COLLECTIONS and any(isinstance(part, FUNCTIONS) and part.name in _ITEMS for part in node.body):
            own, imports = context.member_of("collections", _OWN_COLLECTIONS[name])
            yield WeightedEdits((*imports, context.edit(base, Expression(own))))


_OWN_COLLECTIONS: Final = {"dict": "UserDict", "list": "UserList"}
_ITEMS: Final = frozenset({"__getitem__", "__setitem__", "__delitem__", "__contains__"})


_LOCAL_CONSTANTS: Final = {
    ":": ("os.pathsep",),
    "/": ("os.sep",),
    "\\": ("os.sep",),
    "\n": ("os.linesep",),
    ";": ("os.pathsep",),
}


def system_constant(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`":"` becomes `os.pathsep`, `"/"` becomes `os.sep`, where `os` is imported."""
    if isinstance(node.value, str) and "os" in context.scope.globals:
        yield from (context.put(node, name) for name in _LOCAL_CONSTANTS.get(node.value, ()))


def fresh_field(node: ast.AnnAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`items: list = None` of a data class becomes `items: list = field(default_factory=list)`."""
    owner = context.parent(node)
    if not isinstance(owner, ast.ClassDef) or node.value is None or not _is_dataclass(owner, context):
        return
    for kind in _factories_of(node):
        call, more = _field_call(kind, context)
        yield WeightedEdits(
            (*more, *context.put(node.value, call).edits), 1.0 if _may_be_shared(node.value) else LIKELY
        )


def _is_dataclass(owner: ast.ClassDef, context: TemplateContext) -> bool:
    return any("dataclass" in context.text(decorator) for decorator in owner.decorator_list)


def _may_be_shared(value: ast.expr) -> bool:
    return isinstance(value, ast.List | ast.Dict | ast.Set | ast.Call)


def _factories_of(node: ast.AnnAssign) -> tuple[str, ...]:
    """The factories that an annotation and a first value name: `list[int] | None` names list."""
    shapes = {ast.List: "list", ast.Dict: "dict", ast.Set: "set"}
    assert node.value is not None
    named = [part.id.lower() for part in ast.walk(node.annotation) if isinstance(part, ast.Name)]
    found = (shapes.get(type(node.value), ""), *named)
    return tuple(dict.fromkeys(name for name in found if name in shapes.values()))


def _field_call(kind: str, context: TemplateContext) -> tuple[str, tuple[Edit, ...]]:
    """The call of `field`, and the edit that imports it where it is missing."""
    call = f"field(default_factory={kind})"
    if "field" in context.scope.globals:
        return call, ()
    for node in context.program.nodes:
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses":
            end = context.program.spans[node.names[-1]][1]
            return call, (Edit(end, end, ", field"),)
    return f"dataclasses.{call}", ()


def pad_shorter(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`zip(p, q)`, which ends with the shorter one, becomes `zip_longest(p, q, fillvalue=0)`; and the other way."""
    inner = ", ".join(context.text(argument) for argument in node.args)
    if context.text(node.func) in ("zip_longest", "itertools.zip_longest"):
        yield context.put(node, f"zip({inner})")
    is_many = len(node.args) > 1 or any(isinstance(part, ast.Starred) for part in node.args)
    if context.text(node.func) != "zip" or not is_many or node.keywords:
        return
    name, imports = context.member_of("itertools", "zip_longest")
    for filling, weight in (("0", 1.0), ("''", PROBABLE), ("None", PROBABLE)):
        padded = Expression(f"{name}({inner}, fillvalue={filling})")
        yield WeightedEdits((*imports, context.edit(node, padded)), weight * HALF if imports else weight)


def pad_compared(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A loop over `zip(xs, ys)` that answers at the first difference, and an answer behind it, ask for `zip_longest(xs,
    ys, fillvalue=0)`: the rest of the longer one counts, too."""
    block, call = context.program.block(node), node.iter
    answers = any(isinstance(part, ast.Return) for part in context.program.below(node))
    behind = block[block.index(node) + 1 :]
    if isinstance(call, ast.Call) and answers and behind and isinstance(behind[0], ast.Return):
        yield from pad_shorter(call, context)


def subtract_counts(node: ast.Assign | ast.AugAssign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`left = left - Counter(order)` becomes `left.subtract(order)`: the difference of two counters has no entries of 0
    and none below."""
    match node:
        case ast.AugAssign(target=target, op=ast.Sub(), value=ast.Call() as taken):
            whole = target
        case ast.Assign(targets=[target], value=ast.BinOp(left=whole, op=ast.Sub(), right=ast.Call() as taken)):
            pass
        case _:
            return
    owner = context.text(target)
    if context.text(whole) == owner and callee_name(taken) == "Counter" and len(taken.args) == 1:
        yield from context.restate(node, (f"{owner}.subtract({context.text(taken.args[0])})",))


TEMPLATES = (
    Template("subtract_counts", (ast.Assign, ast.AugAssign), subtract_counts, ("shorter", "content")),
    Template("pad_compared", (ast.For,), pad_compared),
    Template("own_collection", (ast.ClassDef,), own_collection),
    Template("whole_duration", (ast.Attribute,), whole_duration, ("content",)),
    Template("other_zone", (ast.Call,), other_zone),
    Template("other_unit", (ast.keyword,), other_unit),
    Template("known_keyword", (ast.Call,), known_keyword, ("value", "order", "reversed", "content")),
    Template("other_factory", (ast.Call,), other_factory, ("type", "attribute", "content")),
    Template("exclude_bool", (ast.Call,), exclude_bool),
    Template("equal_lengths", (ast.Call,), equal_lengths),
    Template("other_directive", (ast.Constant,), other_directive, ("content", "value")),
    Template("pad_shorter", (ast.Call,), pad_shorter, ("shorter", "longer", "index")),
    Template("system_constant", (ast.Constant,), system_constant),
    Template("fresh_field", (ast.AnnAssign,), fresh_field, ("type", "attribute", "value")),
)
