"""Wrong orders: a sort with no key or a wrong one, ascending for descending, all keys falling."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from regreen.propose.search.constants import HALF, LIKELY, POSSIBLE
from regreen.propose.search.expressions import FACTOR, OR, Expression, comparison, unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name, whole_number
from regreen.types import Edit

_PAIR = 2
_SORTERS = frozenset(("sorted", "sort", "min", "max", "groupby", "nlargest", "nsmallest"))


def sort_key(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(xs)` becomes `sorted(xs, reverse=True)`, `sorted(xs, key=len)`, `sorted(xs, key=lambda x: x[1])`, ..."""
    name = callee_name(node)
    if name not in _SORTERS or any(isinstance(a, ast.GeneratorExp) for a in node.args):
        return
    end = context.program.spans[node][1] - 1
    ends_with_comma = context.program.source[:end].rstrip().endswith(",")
    lead = ", " if (node.args or node.keywords) and not ends_with_comma else ""
    given = {keyword.arg for keyword in node.keywords}
    if "reverse" not in given and name in ("sorted", "sort"):
        yield context.replace(end, end, f"{lead}reverse=True")
    if "key" not in given:
        for key, weight in (*_own_keys(context), *_KEYS):
            yield context.replace(end, end, f"{lead}key={key}", weight)


def _own_keys(context: TemplateContext) -> tuple[tuple[str, float], ...]:
    """The module's functions of one parameter, those first that nothing calls."""
    return context.cached_of_program("functions for keys", lambda: tuple(_functions_of_one(context)))


def _functions_of_one(context: TemplateContext) -> Iterator[tuple[str, float]]:
    read = {part.id for part in context.program.nodes if isinstance(part, ast.Name)}
    for statement in context.program.tree.body:
        if isinstance(statement, ast.FunctionDef) and len(statement.args.args) == 1 and not statement.decorator_list:
            yield statement.name, HALF if statement.name in read else 1.0


_KEYS = (
    ("len", 0.5),
    ("lambda x: x[1]", 0.6),
    ("lambda x: x[0]", 0.5),
    ("lambda x: -x", 0.3),
    ("lambda x: (len(x), x)", 0.3),
    ("lambda x: (-x[1], x[0])", 0.3),
    ("lambda x: x[-1]", 0.2),
    ("str.lower", 0.3),
    ("abs", 0.3),
    ("int", 0.3),
    ("str", 0.2),
)

_TIE_BREAKS = (
    "({}, {name})",
    "({}, {name}[0])",
    "(-{}, {name})",
    "({}, {name}[1])",
    "(-{}, {name}[0])",
    "({name}, {})",
)


def sort_converted(node: ast.ListComp, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`[int(word) for word in sorted(words)]` becomes `sorted([int(word) for word in words])`: "10" is before "9"."""
    given = node.generators[0].iter
    if len(node.generators) > 1 or isinstance(node.elt, ast.Name) or not isinstance(given, ast.Call):
        return
    keywords = {keyword.arg for keyword in given.keywords}
    if callee_name(given) != "sorted" or len(given.args) != 1 or not keywords <= {"reverse"}:
        return
    spans, source = context.program.spans, context.program.source
    (start, end), (first, last) = spans[node], spans[given]
    options = source[spans[given.args[0]][1] : last - 1]
    unsorted = Edit(first, last, context.expression(given.args[0]).at(OR))
    yield WeightedEdits((Edit(start, start, "sorted("), unsorted, Edit(end, end, f"{options})")))


def tweak_key(node: ast.Lambda, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`lambda x: x[1]` becomes `lambda x: (x[1], x)`, `(-x[1], x[0])`, `x`, ...; one of several keys is negated."""
    names = [a.arg for a in node.args.args]
    if len(names) != 1 or not isinstance(context.parent(node), ast.keyword):
        return
    name, body = names[0], context.expression(node.body)
    if isinstance(node.body, ast.Tuple):
        for key in node.body.elts:
            yield context.put(key, _turned(key, context))
    else:
        yield context.put(node.body, _turned(node.body, context))
        for shape in _TIE_BREAKS:
            yield context.put(node.body, shape.format(body.at(FACTOR), name=name), HALF)
    yield context.put(node.body, name, HALF)
    yield context.put(node.body, f"{name}[0]", HALF)
    yield context.put(node.body, f"{name}[1]", HALF)


def _turned(key: ast.expr, context: TemplateContext) -> Expression:
    """A key with the other sign."""
    is_negative = isinstance(key, ast.UnaryOp) and isinstance(key.op, ast.USub)
    return context.expression(key.operand) if is_negative else unary_operation("-", context.expression(key))  # type: ignore[attr-defined]


def key_as_number(node: ast.Lambda, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key=lambda row: row[1]` becomes `key=lambda row: int(row[1])`: as texts "95" comes behind "120"."""
    around = context.parent(node)
    if isinstance(around, ast.keyword) and around.arg == "key":
        parts = node.body.elts if isinstance(node.body, ast.Tuple) else [node.body]
        for part in parts:
            if isinstance(part, ast.Subscript | ast.Attribute | ast.Call) and context.kind(part) in ("str", ""):
                yield context.wrap(part, "int")
                yield context.wrap(part, "float", POSSIBLE)


def other_child(node: ast.If | ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`child = 2 * at + 1`, or `if child >= size: break` behind it, is followed by a step to the other child where that
    one comes first: a heap goes down to the smaller of two."""
    child, size = _bounded_child(node, context)
    given = (part for part in context.scope.nodes if isinstance(part, ast.Assign))
    first = (context.text(part.value) for part in given if child and context.text(part.targets[0]) == child)
    if not any(_FIRST_CHILD.fullmatch(value) for value in first):
        return
    read = (part for part in context.scope.nodes if isinstance(part, ast.Subscript))
    for held in dict.fromkeys(context.text(part.value) for part in read if context.text(part.slice) == child):
        for sign in ("<", ">"):
            end = size or f"len({held})"
            lines = (f"if {child} + 1 < {end} and {held}[{child} + 1] {sign} {held}[{child}]:", f"\t{child} += 1")
            yield from context.after(node, lines)


def _bounded_child(node: ast.If | ast.Assign, context: TemplateContext) -> tuple[str, str]:
    """The variable that may be the child of a heap's entry, and its bound where one is asked for; empty texts."""
    if isinstance(node, ast.Assign):
        return context.text(node.targets[0]), ""
    test = node.test
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and isinstance(test.ops[0], ast.GtE):
        return test.left.id, context.text(test.comparators[0])
    return "", ""


_FIRST_CHILD = re.compile(r"2 ?\* ?\w+ ?\+ ?1|\w+ ?\* ?2 ?\+ ?1")


def fall_in_part(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key=lambda x: (x[1], x[0]), reverse=True` becomes `key=lambda x: (-x[1], x[0])`: only one of the keys falls.

    `key=lambda x: x[1], reverse=True` gets the rest of `x` to settle ties, and so does `key=counts.get`.
    """
    keywords = {keyword.arg: keyword.value for keyword in node.keywords}
    key, falls = keywords.get("key"), keywords.get("reverse")
    if callee_name(node) not in ("sorted", "sort") or not isinstance(falls, ast.Constant):
        return
    if key is None:
        yield from _falling_pairs(node, falls, context)
        return
    ends = [context.program.spans[value][1] for value in (*node.args, *keywords.values())]
    end = context.program.spans[falls][1]
    start = max(at for at in (0, *ends) if at < end)
    if not falls.value or not re.fullmatch(r"\s*,\s*reverse\s*=\s*True", context.program.source[start:end]):
        return
    yield from _sorted_twice(node, key, context)
    for text, weight in _falling_keys(key, context):
        yield WeightedEdits((*context.put(key, text).edits, Edit(start, end, "")), weight)


def _sorted_twice(node: ast.Call, key: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(xs, key=lambda x: (x.rank, x.name), reverse=True)` becomes a sort by the name that is sorted by the rank,
    falling: a sort leaves equal ones in their order, and a rank that is no number cannot be negated."""
    if not isinstance(key, ast.Lambda) or not isinstance(key.body, ast.Tuple) or len(key.body.elts) != _PAIR:
        return
    if callee_name(node) == "sorted" and len(node.args) == 1:
        item, items = context.text(key.args), context.text(node.args[0])
        first, second = map(context.text, key.body.elts)
        inner = f"sorted({items}, key=lambda {item}: {second})"
        yield context.put(node, f"sorted({inner}, key=lambda {item}: {first}, reverse=True)", HALF)


def _falling_pairs(node: ast.Call, falls: ast.Constant, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`reverse=True` of pairs of a number and something else as a key by which the number alone falls."""
    keyword = context.parent(falls)
    if falls.value is True:
        yield context.replace(*context.program.spans[keyword], "key=lambda x: (-x[0], x[1])", HALF)


def _falling_keys(key: ast.expr, context: TemplateContext) -> Iterator[tuple[str, float]]:
    """Keys of which one falls and the others rise."""
    if isinstance(key, ast.Attribute) and key.attr in ("get", "__getitem__"):
        yield f"lambda x: (-{context.text(key.value)}[x], x)", 1.0
    if not isinstance(key, ast.Lambda) or len(key.args.args) != 1:
        return
    name = key.args.args[0].arg
    parts = key.body.elts if isinstance(key.body, ast.Tuple) else [key.body]
    texts = [context.expression(part).at(FACTOR) for part in parts]
    if len(parts) == 1:
        for rest, weight in ((f"{name}[0]", 1.0), (name, HALF), (f"{name}[1]", HALF)):
            if rest != texts[0]:
                yield f"lambda {name}: (-{texts[0]}, {rest})", weight
    if len(parts) > _PAIR:
        falling = ", ".join(f"-{text}" for text in texts[:-1])
        yield f"lambda {name}: ({falling}, {texts[-1]})", 1.0
    for at in range(len(parts) if len(parts) > 1 else 0):
        signed = ", ".join(f"-{text}" if place == at else text for place, text in enumerate(texts))
        # Of three keys or more, all that fell and now rise would be a change of their own.
        yield f"lambda {name}: ({signed})", 1.0 if at == 0 and len(parts) == _PAIR else HALF


def missing_last(node: ast.Lambda, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key=lambda e: e.date` becomes `key=lambda e: (e.date is None, e.date)`: where there is none it comes last."""
    if not isinstance(context.parent(node), ast.keyword) or isinstance(node.body, ast.Tuple | ast.Constant):
        return
    key = context.expression(node.body)
    asked = comparison(key, "is", Expression("None")).text
    yield context.put(node.body, f"({asked}, {key.text})")
    for default, weight in (("0", HALF), ('""', HALF)):
        yield context.put(node.body, f"({asked}, {key.at(OR)} or {default})", weight)
    yield context.put(node.body, f"({comparison(key, 'is not', Expression('None')).text}, {key.text})", LIKELY)


def second_falls(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`pairs.sort()` becomes `pairs.sort(key=lambda x: (x[0], -x[1]))`, or has the first number fall, where the program
    makes the pairs."""
    is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "sort" and not node.args
    is_call = context.text(node.func) == "sorted" and len(node.args) == 1
    if node.keywords or not (is_method or is_call):
        return
    items = context.text(node.func.value if is_method else node.args[0])  # type: ignore[attr-defined]
    loops = (part for part in context.scope.nodes if isinstance(part, ast.For) and context.text(part.iter) == items)
    in_pairs = any(isinstance(loop.target, ast.Tuple) and len(loop.target.elts) == _PAIR for loop in loops)
    if in_pairs or re.search(rf"{re.escape(items)}\.append\(\([^(),]+, [^(),]+\)\)", context.program.source):
        end, lead = context.program.spans[node][1] - 1, ", " if node.args else ""
        for key in ("(x[0], -x[1])", "(-x[0], x[1])"):
            yield context.replace(end, end, f"{lead}key=lambda x: {key}")


def flip_keyword(node: ast.keyword, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key=x` becomes another key."""
    if node.arg == "key" and not isinstance(node.value, ast.Lambda):
        for key, weight in _KEYS:
            yield context.put(node.value, key, weight)


def largest_first(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(xs)[-k:]` becomes `sorted(xs, reverse=True)[:k]`: the largest ones, and the largest of them first."""
    part, made = node.slice, node.value
    low = part.lower if isinstance(part, ast.Slice) and part.upper is None and part.step is None else None
    is_last = isinstance(low, ast.UnaryOp) and isinstance(low.op, ast.USub)
    if is_last and isinstance(made, ast.Call) and context.text(made.func) == "sorted":
        turned = any(word.arg == "reverse" for word in made.keywords)
        if not turned:
            inside = context.text(made)[:-1].rstrip(", ")
            yield context.put(node, f"{inside}, reverse=True)[:{context.text(low.operand)}]")  # type: ignore[union-attr]


def numbers_in_order(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`int(v.replace(".", ""))` as a key becomes `[int(part) for part in v.split(".")]`: 1.10 comes behind 1.9."""
    joined = node.args[0] if callee_name(node) in ("int", "float") and len(node.args) == 1 else None
    if not isinstance(joined, ast.Call) or not isinstance(joined.func, ast.Attribute):
        return
    if joined.func.attr == "replace" and len(joined.args) > 1 and context.text(joined.args[1]) in ('""', "''"):
        parts = f"{context.text(joined.func.value)}.split({context.text(joined.args[0])})"
        item = context.new_name("part", "number", "piece")
        yield context.put(node, f"[int({item}) for {item} in {parts}]")


def family_name_first(node: ast.Tuple, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`parts[1], parts[0]` becomes `parts[-1], parts[:-1]`: whoever has three names is found by the last one."""
    if len(node.elts) != _PAIR or not all(isinstance(part, ast.Subscript) for part in node.elts):
        return
    (one, first), (two, second) = ((context.text(p.value), context.text(p.slice)) for p in node.elts)  # type: ignore[attr-defined]
    if one == two and first in ("1", "-1") and second == "0":
        brackets = ("(", ")") if context.text(node).startswith("(") else ("", "")
        for rest, weight in ((f"{one}[:-1]", 1.0), (f"{one}[0]", HALF)):
            yield context.put(node, f"{one}[-1], {rest}".join(brackets), weight)


def first_of_largest(node: ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`sorted(xs, key=k)[-1]`, at once or by a name, becomes `sorted(xs, key=k, reverse=True)[0]`: of those that are
    equal the one that comes first."""
    if whole_number(node.slice) != -1 or not isinstance(node.ctx, ast.Load):
        return
    made: ast.expr | None = node.value
    if isinstance(made, ast.Name):
        given = (part for part in context.scope.nodes if isinstance(part, ast.Assign))
        made = next((part.value for part in given if context.text(part.targets[0]) == context.text(node.value)), None)
    if isinstance(made, ast.Call) and context.text(made.func) == "sorted" and made.keywords:
        for turned in context.with_keyword(made, "reverse=True"):
            yield WeightedEdits((*turned.edits, context.edit(node.slice, Expression("0"))))


def lost_part_of_key(node: ast.Lambda, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`key=lambda t: (-t[1], -t[2], t[0])` becomes `(-t[1], -t[2], -t[3], t[0])`: one part more settles ties."""
    parts = node.body.elts if isinstance(node.body, ast.Tuple) else []
    item = node.args.args[0].arg if len(node.args.args) == 1 else ""
    used = [re.fullmatch(rf"(-?){item}\[(\d+)\]", context.text(part)) for part in parts]
    if not item or len(used) < len(("first", "second")) or not all(used):
        return
    asked = {int(match[2]) for match in used if match}
    for place in sorted(set(range(max(asked) + 2)) - asked):
        for at in range(len(parts), 0, -1):
            begin = context.program.spans[parts[at - 1]][1]
            near = used[at - 1]
            signs = (near[1] if near else "", "" if near and near[1] else "-")
            for sign, weight in zip(signs, (1.0, HALF), strict=True):
                yield context.replace(begin, begin, f", {sign}{item}[{place}]", weight)


def in_order_of_size(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`length, width, height = a, b, c` becomes `... = sorted((a, b, c), reverse=True)`, or rising: they may be given
    in any order."""
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple) or len(value.elts) < _PAIR:
        return
    given = [part.id for part in value.elts if isinstance(part, ast.Name)]
    if len(given) == len(value.elts) and set(given) <= set(context.scope.parameters):
        items = f"({', '.join(given)})"
        yield context.put(value, f"sorted({items}, reverse=True)")
        yield context.put(value, f"sorted({items})")


TEMPLATES = (
    Template("in_order_of_size", (ast.Assign,), in_order_of_size, ("content", "order")),
    Template("lost_part_of_key", (ast.Lambda,), lost_part_of_key, ("order", "content")),
    Template("first_of_largest", (ast.Subscript,), first_of_largest, ("content", "order")),
    Template("numbers_in_order", (ast.Call,), numbers_in_order, ("order", "content")),
    Template("family_name_first", (ast.Tuple,), family_name_first, ("order", "content", "index")),
    Template("largest_first", (ast.Subscript,), largest_first, ("order", "reversed")),
    Template("sort_key", (ast.Call,), sort_key, ("order", "reversed", "descending")),
    Template("key_as_number", (ast.Lambda,), key_as_number, ("order", "reversed", "content")),
    Template("other_child", (ast.If, ast.Assign), other_child, ("order", "content")),
    Template("fall_in_part", (ast.Call,), fall_in_part, ("order", "content")),
    Template("sort_converted", (ast.ListComp,), sort_converted, ("order", "content")),
    Template("tweak_key", (ast.Lambda,), tweak_key, ("order", "reversed")),
    Template("missing_last", (ast.Lambda,), missing_last, ("kind", "type", "order")),
    Template("second_falls", (ast.Call,), second_falls, ("order", "content")),
    Template("flip_keyword", (ast.keyword,), flip_keyword, ("order",)),
)
