"""Wrong values: `0` for `1` or minus infinity at the start, an overwritten best, the wrong kind of container."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import Final

from regreen.propose.search.constants import (
    ALMOST_SURE,
    HALF,
    IMPROBABLE,
    LIKELY,
    MAX_DROPPED_FROM,
    POSSIBLE,
    PROBABLE,
    SLOW_DECLINE,
    UNLIKELY,
)
from regreen.propose.search.expressions import (
    ATOM,
    FACTOR,
    NOT,
    OPERATOR_SYMBOLS,
    SUM,
    TERM,
    TEST,
    Expression,
    attribute_of,
    binary_operation,
)
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number
from regreen.types import Edit

_STARTS = ("0", "1", "-1", "None", "[]", "''", "{}", "set()", "float('inf')", "float('-inf')", "True", "False", "0.0")


def other_start(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`best = 0` becomes `best = float('-inf')`, `best = xs[0]`, `best = None`, ...; `least, where = k * k, None`
    becomes `least, where = float("inf"), None`."""
    if isinstance(node.value, ast.Tuple) and isinstance(node.targets[0], ast.Tuple):
        for start in node.value.elts[:1]:
            yield from (context.put(start, f"float('{bound}')") for bound in ("inf", "-inf"))
        return
    if not isinstance(node.value, ast.Constant | ast.List | ast.Dict | ast.UnaryOp | ast.Call | ast.Tuple | ast.Set):
        return
    empty = not isinstance(node.value, ast.Call) or not (node.value.args or node.value.keywords)
    if not empty and not context.text(node.value).startswith("float("):
        return
    for rank, text in enumerate(_STARTS):
        if text != context.text(node.value):
            yield context.put(
                node.value, Expression(text, FACTOR if text[0] == "-" else ATOM), 1.0 - SLOW_DECLINE * rank
            )
    for name in context.cached("sliced parameters", lambda: _sliced(context)):
        yield context.put(node.value, f"{name}[0]", ALMOST_SURE)
    for name in context.scope.of_kind("list", "tuple", "str"):
        yield context.put(node.value, f"{name}[0]", PROBABLE)
        yield context.put(node.value, f"len({name})", POSSIBLE)
        yield context.put(node.value, f"[{name}[0]]", IMPROBABLE)
    for name in context.scope.parameters:
        if name != context.scope.receiver:
            yield context.put(node.value, name, HALF)
            yield context.put(node.value, f"[{name}]", POSSIBLE)
            yield context.put(node.value, "{" + name + "}", IMPROBABLE)


def _sliced(context: TemplateContext) -> tuple[str, ...]:
    """The parameters whose items but the first are gone through: `for x in xs[1:]`, which leaves the first to begin."""
    slices = (part for part in context.scope.nodes if isinstance(part, ast.Subscript))
    rests = (part.value for part in slices if isinstance(part.slice, ast.Slice) and context.text(part.slice) == "1:")
    return tuple(dict.fromkeys(context.text(rest) for rest in rests if isinstance(rest, ast.Name)))


def keep_old_value(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`best = x` becomes `best = max(best, x)`, `counts[k] = n` becomes `counts[k] = counts.get(k, 0) + n`; so does
    `counts[k] = counts.get(k, n)`."""
    target = node.targets[0]
    if (
        len(node.targets) > 1
        or not isinstance(target, ast.Name | ast.Subscript | ast.Attribute)
        or isinstance(node.value, ast.Constant)
    ):
        return
    old, new = context.text(target), context.expression(node.value)
    share = 1.0 if isinstance(target, ast.Subscript | ast.Attribute) or _is_bound_twice(old, context) else IMPROBABLE
    # The greater of two texts is seldom meant.
    extremes = () if "str" in (context.kind(target), context.kind(node.value)) else ("max", "min")
    yield from (context.put(node.value, f"{function}({old}, {new.at(TEST)})", share) for function in extremes)
    if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
        owner, key = context.expression(target.value).at(ATOM), context.text(target.slice)
        match node.value:
            case ast.Call(func=ast.Attribute(attr="get"), args=[_, first]) if new.text.startswith(
                f"{owner}.get({key},"
            ):
                # What is added was taken for the first value.
                added = context.expression(first).at(TERM)
                yield context.put(node.value, Expression(f"{owner}.get({key}, 0) + {added}", SUM))
        if f"{owner}.get({key}," in new.text:
            # It builds on the old value already.
            return
        yield context.put(node.value, Expression(f"{owner}.get({key}, 0) + {new.at(TERM)}", SUM))
        yield context.put(node.value, Expression(f"{owner}.get({key}, []) + [{new.at(TEST)}]", SUM), UNLIKELY)


def _is_bound_twice(name: str, context: TemplateContext) -> bool:
    stored = [
        n for n in context.scope.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.id == name
    ]
    return len(stored) > 1


_BRACKETS = (("[", "]"), ("{", "}"), ("(", ")"))


def other_container(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[x for ...]` becomes `{x for ...}` or `(x for ...)`, `(a, b)` becomes `[a, b]` or `{a, b}`."""
    text = context.text(node)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp) and text[0] in "[{(":
        for opened, closed in ("[]", "{}", "()"):
            if text[0] != opened:
                yield context.put(node, f"{opened}{text[1:-1]}{closed}")
    elif (
        isinstance(node, ast.List | ast.Tuple | ast.Set)
        and node.elts
        and isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
    ):
        inner = text[1:-1].rstrip().rstrip(",") if text[0] in "[{(" and text[-1] in "]})" else text
        tail = "," if len(node.elts) == 1 else ""
        # What a key gives is compared by its order, which sets do not have.
        kinds = (("[", "]"), ("(", ")")) if isinstance(context.parent(node), ast.Lambda) else _BRACKETS
        for opened, closed in kinds:
            if text[0] != opened:
                yield context.put(node, f"{opened}{inner}{tail if opened == '(' else ''}{closed}")
        if len(node.elts) == 1:
            yield context.put(node, context.expression(node.elts[0]))


def items_of_mapping(node: ast.Call | ast.For | ast.comprehension, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`tuple(sorted(options))`, of a mapping, becomes `tuple(sorted(options.items()))`, or that of its values."""
    if isinstance(node, ast.Call):
        is_taken = isinstance(node.func, ast.Name) and node.func.id in _TAKING_ALL and len(node.args) > 0
        taken = node.args[0] if is_taken else None
    else:
        taken = node.iter
    if not isinstance(taken, ast.Name | ast.Attribute):
        return
    function = context.scope.function
    options = function.args.kwarg if function is not None and not isinstance(function, ast.Lambda) else None
    if context.kind(taken) == "dict" or (options is not None and context.text(taken) == options.arg):
        for method in ("items", "values"):
            yield context.put(taken, attribute_of(context.expression(taken), f"{method}()"))


_TAKING_ALL = frozenset(("sorted", "tuple", "list", "set", "frozenset", "sum", "max", "min", "any", "all", "enumerate"))


def keep_repeats(node: ast.Call | ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`frozenset(word)` becomes `tuple(sorted(word))`, and `set(a) == set(b)` becomes `sorted(a) == sorted(b)`: how
    often an item is there counts.
    """
    if isinstance(node, ast.Call):
        if _is_set_of(node):
            items = context.text(node.args[0])
            yield context.put(node, Expression(f"tuple(sorted({items}))", ATOM))
            yield context.put(node, Expression(f"''.join(sorted({items}))", ATOM), HALF)
        return
    sides = [side for side in (node.left, *node.comparators) if isinstance(side, ast.Call) and _is_set_of(side)]
    if len(sides) == 1 + len(node.comparators) and isinstance(node.ops[0], ast.Eq | ast.NotEq):
        edits = [context.edit(side, Expression(f"sorted({context.text(side.args[0])})", ATOM)) for side in sides]
        yield WeightedEdits(tuple(edits))


def _is_set_of(node: ast.Call) -> bool:
    return callee_name(node) in ("set", "frozenset") and isinstance(node.func, ast.Name) and len(node.args) == 1


def without_missing(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`urlencode(params)` becomes `urlencode({key: value for key, value in params.items() if value is not None})`;
    of a list what is None, or empty, is left out."""
    around = context.parent(node)
    if not isinstance(around, ast.Call) or node not in around.args or not context.is_read(node):
        return
    kind = context.kind(node)
    if kind == "dict":
        for test, weight in (("value is not None", 1.0), ("value", LIKELY)):
            kept = f"{{key: value for key, value in {node.id}.items() if {test}}}"
            yield context.put(node, kept, weight)
    elif kind in ("list", "tuple", "") and callee_name(around) in _GATHERING:
        for test, weight in (("x", 1.0), ("x is not None", LIKELY)):
            yield context.put(node, f"[x for x in {node.id} if {test}]", weight)


_GATHERING: Final = ("join", "sum", "max", "min", "sorted", "len", "list", "set", "Counter")


def swap_merged(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{**own, **defaults}` becomes `{**defaults, **own}`: the last one has the last word."""
    merged = [value for key, value in zip(node.keys, node.values, strict=True) if key is None]
    if len(merged) == len(node.keys) > 1:
        source = context.program.source
        for one, other in pairwise(map(context.outer, merged)):
            edits = (Edit(*one, source[other[0] : other[1]]), Edit(*other, source[one[0] : one[1]]))
            yield WeightedEdits(edits)


def drop_element(node: ast.List | ast.Tuple | ast.Set, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[a, b, c]` loses one of its items."""
    if not 2 <= len(node.elts) <= MAX_DROPPED_FROM or not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        return
    for index in reversed(range(len(node.elts))):
        spans = context.program.spans
        if index:
            yield context.replace(spans[node.elts[index - 1]][1], spans[node.elts[index]][1], "")
        else:
            yield context.replace(spans[node.elts[0]][0], spans[node.elts[1]][0], "")


def make_list(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x` becomes `[x]`, `(x,)` or `{x}`."""
    parent = context.parent(node)
    if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or isinstance(
        parent, ast.Attribute | ast.Expr | ast.Starred
    ):
        return
    if isinstance(parent, ast.Call) and parent.func is node:
        return
    text = context.expression(node).at(TEST)
    share = 1.0 if isinstance(parent, ast.Return | ast.BinOp | ast.Assign | ast.AugAssign | ast.Call) else POSSIBLE
    yield context.put(node, f"[{text}]", share)
    yield context.put(node, f"({text},)", share * UNLIKELY)
    yield context.put(node, "{" + text + "}", share * IMPROBABLE)


def rebuild_tuple(node: ast.AugAssign | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`runs[-1][1] += 1` becomes `runs[-1] = (runs[-1][0], runs[-1][1] + 1)`: an item of a tuple cannot be changed."""
    target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
    if not isinstance(target, ast.Subscript) or (isinstance(node, ast.Assign) and len(node.targets) > 1):
        return
    place, owner = whole_number(target.slice), context.text(target.value)
    code, value = context.expression(target), context.expression(node.value)
    if isinstance(node, ast.AugAssign):
        value = binary_operation(code, OPERATOR_SYMBOLS[type(node.op)][0], value)
    for length in context.cached("lengths of tuples", lambda: _tuple_lengths(context)):
        if place is not None and -length <= place < length:
            items = [value.text if at == place % length else f"{owner}[{at}]" for at in range(length)]
            yield from context.restate(node, (f"{owner} = ({', '.join(items)})",))


def _tuple_lengths(context: TemplateContext) -> list[int]:
    """How many items the tuples have that the program writes out."""
    tuples = (part for part in context.program.nodes if isinstance(part, ast.Tuple) and isinstance(part.ctx, ast.Load))
    lengths = {len(part.elts) for part in tuples if not any(isinstance(item, ast.Starred) for item in part.elts)}
    return sorted(length for length in lengths if 2 <= length <= MAX_DROPPED_FROM)


def swap_comprehension(
    node: ast.DictComp | ast.ListComp | ast.GeneratorExp | ast.SetComp, context: TemplateContext
) -> Iterator[WeightedEdits]:
    """`{k: v for ...}` becomes `{v: k for ...}`; the iterables of two `for`s are swapped."""
    if isinstance(node, ast.DictComp):
        yield context.swap(node.key, node.value)
    else:
        names = [g.target.id for g in node.generators if isinstance(g.target, ast.Name)]
        for name in names:
            if name != context.text(node.elt):
                yield context.put(node.elt, name)
    if len(node.generators) == 2:
        one, two = node.generators
        yield context.swap(one.iter, two.iter)


_PLAIN = (ast.Name, ast.Call, ast.Subscript, ast.BinOp, ast.Attribute, ast.Constant, ast.List)


def part_strings(node: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`["red" "green"]` becomes `["red", "green"]`: two literals side by side are one string."""
    parent = context.parent(node)
    if not isinstance(node.value, str) or not isinstance(parent, ast.List | ast.Tuple | ast.Set | ast.Call):
        return
    begin, text = context.program.spans[node][0], context.text(node)
    ends = _ends_of_literals(text)
    for end in ends[:-1]:
        yield context.replace(begin + end, begin + end, ",", HALF if isinstance(parent, ast.Call) else 1.0)


def _ends_of_literals(text: str) -> list[int]:
    """Where each of the string literals ends that a text is made of."""
    starts = [0, *accumulate(len(line) for line in text.splitlines(keepends=True))]
    # The brackets let the literals stand in several lines.
    tokens = tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline)
    return [
        starts[token.end[0] - 1] + token.end[1] - (token.end[0] == 1)
        for token in tokens
        if token.type == tokenize.STRING
    ]


def in_any_of_them(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`name in self.grades`, a table of lists, becomes `any(name in names for names in self.grades.values())`: it is
    one of the lists that may hold it, and no key, as where `self.grades[name]` is read or set."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn):
        return
    item, table = context.text(node.left), context.text(node.comparators[0])
    if table not in context.cached_of_program("tables of lists", lambda: _tables_of_lists(context)):
        return
    subscripts = (part for part in context.scope.nodes if isinstance(part, ast.Subscript))
    if any(context.text(part.value) == table and context.text(part.slice) == item for part in subscripts):
        return
    each = context.new_name("group", "values")
    found = f"any({item} in {each} for {each} in {table}.values())"
    is_absence = isinstance(node.ops[0], ast.NotIn)
    yield context.put(node, Expression(f"not {found}", NOT) if is_absence else Expression(found))


def _tables_of_lists(context: TemplateContext) -> frozenset[str]:
    """The tables whose entries are lists or sets: `table.setdefault(key, []).append(x)`, `table[key].append(x)`."""
    found = set()
    for part in context.program.nodes:
        match part:
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Attribute(value=table, attr="setdefault")), attr="append" | "add"
                )
            ):
                found.add(context.text(table))
            case ast.Call(func=ast.Attribute(value=ast.Subscript(value=table), attr="append" | "add")):
                found.add(context.text(table))
    return frozenset(found)


def tag_kinds_of_keys(node: ast.For, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for key in ((v, r), (v, c))`, all of which go into one set, becomes `((0, v, r), (1, v, c))`: a row and a column
    of the same number are two."""
    if (
        not isinstance(node.iter, ast.Tuple | ast.List)
        or len(node.iter.elts) < 2
        or not isinstance(node.target, ast.Name)
    ):
        return
    keys = [part for part in node.iter.elts if isinstance(part, ast.Tuple)]
    asked = any(
        isinstance(part, ast.Compare)
        and isinstance(part.ops[0], ast.In | ast.NotIn)
        and context.text(part.left) == node.target.id
        for part in context.program.below(node)
    )
    if asked and len(keys) == len(node.iter.elts):
        edits = []
        for kind, key in enumerate(keys):
            at = context.program.spans[key.elts[0]][0]
            edits.append(Edit(at, at, f"{kind}, "))
        yield WeightedEdits(tuple(edits))


TEMPLATES = (
    Template("tag_kinds_of_keys", (ast.For,), tag_kinds_of_keys, ("negated",)),
    Template("in_any_of_them", (ast.Compare,), in_any_of_them, ("negated", "key", "content")),
    Template("other_start", (ast.Assign,), other_start),
    Template("keep_old_value", (ast.Assign,), keep_old_value),
    Template(
        "other_container",
        (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.List, ast.Tuple, ast.Set),
        other_container,
        ("kind", "repeats", "type"),
    ),
    Template("items_of_mapping", (ast.Call, ast.For, ast.comprehension), items_of_mapping, ("content", "type")),
    Template("keep_repeats", (ast.Call, ast.Compare), keep_repeats, ("content", "negated", "shorter")),
    Template("without_missing", (ast.Name,), without_missing, ("longer", "kind", "type", "content")),
    Template("swap_merged", (ast.Dict,), swap_merged, ("content", "key")),
    Template("drop_element", (ast.List, ast.Tuple, ast.Set), drop_element),
    Template("part_strings", (ast.Constant,), part_strings, ("content", "shorter", "type")),
    Template("rebuild_tuple", (ast.AugAssign, ast.Assign), rebuild_tuple, ("type",)),
    Template("make_list", _PLAIN, make_list, ("type", "kind")),
    Template("swap_comprehension", (ast.DictComp, ast.ListComp, ast.GeneratorExp, ast.SetComp), swap_comprehension),
)
