"""Wrong methods: a neighbour of the same family, a method where a function belongs, a result that is thrown away."""

from __future__ import annotations

import ast
from difflib import get_close_matches

from regreen.propose.search.code import ATOM, SUM, TERM, TEST, Code, call, item
from regreen.propose.search.place import Place
from regreen.propose.search.template import Drafts, Template

_FAMILIES = (
    ("append", "extend", "add", "insert"),
    ("append", "appendleft"),
    ("extend", "extendleft"),
    ("add", "discard", "remove", "update"),
    ("pop", "popleft", "remove", "popitem"),
    ("strip", "lstrip", "rstrip"),
    ("lower", "upper", "casefold", "title", "capitalize", "swapcase"),
    ("isupper", "islower", "istitle"),
    ("find", "index", "rfind", "rindex"),
    ("count", "index", "find"),
    ("startswith", "endswith"),
    ("split", "rsplit", "partition", "rpartition", "splitlines"),
    ("keys", "values", "items"),
    ("isdigit", "isalpha", "isalnum", "isspace", "isnumeric", "isdecimal", "isupper", "islower"),
    ("union", "intersection", "difference", "symmetric_difference"),
    ("issubset", "issuperset", "isdisjoint"),
    ("ljust", "rjust", "center", "zfill"),
    ("get", "pop", "setdefault"),
    ("sort", "reverse"),
    ("remove", "discard", "pop", "append"),
    ("update", "intersection_update", "difference_update", "symmetric_difference_update"),
    ("replace", "strip", "translate"),
    ("removeprefix", "removesuffix", "lstrip", "rstrip"),
    ("match", "search", "fullmatch"),
    ("findall", "finditer", "search", "split"),
    ("group", "groups", "start", "end", "span"),
    ("read", "readline", "readlines"),
    ("write", "writelines"),
    ("encode", "decode"),
    ("year", "month", "day"),
    ("hour", "minute", "second"),
    ("weekday", "isoweekday"),
    ("total_seconds", "seconds"),
    ("put", "get"),
    ("acquire", "release"),
    ("most_common", "elements", "items"),
    ("real", "imag"),
    ("bit_length", "bit_count"),
)
_KNOWN = sorted({n for kind in (str, list, dict, set, tuple, bytes, int, float) for n in dir(kind) if n[0] != "_"})


def _kin() -> dict[str, tuple[str, ...]]:
    table: dict[str, dict[str, None]] = {}
    for family in _FAMILIES:
        for name in family:
            table.setdefault(name, {}).update(dict.fromkeys(other for other in family if other != name))
    return {name: tuple(others) for name, others in table.items()}


_KIN = _kin()


def other_method(node: ast.Attribute, place: Place) -> Drafts:
    """`x.append(y)` becomes `x.extend(y)`, `s.find(t)` becomes `s.rfind(t)`, ..."""
    end = place.program.spans[node][1]
    for rank, other in enumerate(_KIN.get(node.attr, ())):
        if other not in ("insert",):
            yield place.replace(end - len(node.attr), end, other, 1.0 - 0.08 * rank)


def misspelt_method(node: ast.Attribute, place: Place) -> Drafts:
    """`x.apend(y)` becomes `x.append(y)`: the closest method or attribute that exists."""
    own = {f.name for f in place.program.functions} | {
        n.attr for n in place.program.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
    }
    if node.attr in _KNOWN or node.attr in own or place.text(node.value) in place.scope.globals:
        return
    near = get_close_matches(node.attr, [*_KNOWN, *sorted(own), *_FOREIGN], n=5, cutoff=0.55)
    end = place.program.spans[node][1]
    for rank, name in enumerate((*_FOREIGN.get(node.attr, ()), *near)):
        if name != node.attr:
            yield place.replace(end - len(node.attr), end, name, 1.0 - 0.1 * rank)
    if node.attr in ("length", "size", "len", "count"):
        target = place.parent(node) if _is_called(node, place) else node
        if isinstance(target, ast.expr):
            yield place.put(target, call("len", place.code(node.value)))


_FOREIGN = {
    "push": ("append",),
    "add": ("append",),
    "contains": ("__contains__",),
    "trim": ("strip",),
    "toLowerCase": ("lower",),
    "toUpperCase": ("upper",),
    "substring": ("replace",),
    "indexOf": ("find", "index"),
    "put": ("update",),
    "has_key": ("__contains__",),
    "iteritems": ("items",),
    "itervalues": ("values",),
    "iterkeys": ("keys",),
    "shift": ("popleft",),
    "concat": ("extend",),
    "appendAll": ("extend",),
}


def _is_called(node: ast.expr, place: Place) -> bool:
    parent = place.parent(node)
    return isinstance(parent, ast.Call) and parent.func is node


def method_or_function(node: ast.Call, place: Place) -> Drafts:
    """`x.sort()` becomes `sorted(x)`, `x.reverse()` becomes `x[::-1]`, `len(x)` becomes `x.count(...)` elsewhere."""
    function = node.func
    if not isinstance(function, ast.Attribute) or isinstance(place.parent(node), ast.Expr):
        return
    code = place.code(function.value)
    if function.attr == "sort":
        rest = "".join(f", {place.text(keyword)}" for keyword in node.keywords)
        yield place.put(node, Code(f"sorted({code.at(TEST)}{rest})"))
    elif function.attr == "reverse":
        yield place.put(node, item(code, "::-1"))
        yield place.put(node, call("list", call("reversed", code)), 0.5)
    elif function.attr == "append" and len(node.args) == 1:
        yield place.put(node, Code(f"{code.at(SUM)} + [{place.text(node.args[0])}]", SUM))
    elif function.attr == "extend" and len(node.args) == 1:
        yield place.put(node, Code(f"{code.at(SUM)} + {place.code(node.args[0]).at(TERM)}", SUM))
    elif function.attr in ("get",) and node.args:
        yield place.put(node, item(code, place.text(node.args[0])))
    elif function.attr == "index" and len(node.args) == 1:
        yield place.put(node, Code(f"{code.at(ATOM)}.find({place.text(node.args[0])})"))


def index_to_get(node: ast.Subscript, place: Place) -> Drafts:
    """`table[key]` becomes `table.get(key, 0)`, `table.get(key)`, `table.get(key, [])`."""
    if (
        not isinstance(node.ctx, ast.Load)
        or isinstance(node.slice, ast.Slice | ast.Tuple)
        or place.kind(node.value) not in ("dict", "")
    ):
        return
    share = 1.0 if place.kind(node.value) == "dict" else 0.15
    owner, key = place.code(node.value).at(ATOM), place.text(node.slice)
    for rank, default in enumerate((", 0", "", ", []", ", ''", ", 1", ", {}", ", False", ", set()", ", float('inf')")):
        yield place.put(node, Code(f"{owner}.get({key}{default})"), share * (1.0 - 0.08 * rank))


def push_shape(node: ast.Expr, place: Place) -> Drafts:
    """`xs.append(x)` becomes `xs.append([x])`, `xs.insert(0, x)`, `xs += x`; `xs.extend(x)` becomes `xs.append(x)`."""
    value = node.value
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and len(value.args) == 1):
        return
    owner, argument, name = place.code(value.func.value), place.text(value.args[0]), value.func.attr
    if name == "append":
        for shape, weight in (("{}.insert(0, {})", 1.0), ("{}.append([{}])", 0.5), ("{}.append(({},))", 0.2)):
            yield place.put(value, shape.format(owner.text, argument), weight)
        yield place.put(value, f"{owner.text}.append({argument}[:])", 0.8)
        yield place.put(value, f"{owner.text}.append(list({argument}))", 0.8)
        yield place.put(value, f"{owner.text}.append({argument}.copy())", 0.6)
        yield place.put(value, f"{owner.text}.append(tuple({argument}))", 0.4)
    elif name in ("extend", "add"):
        yield place.put(
            value,
            f"{owner.text}.{name}([{argument}])" if name == "extend" else f"{owner.text}.add(tuple({argument}))",
            0.6,
        )


def keep_result(node: ast.Expr, place: Place) -> Drafts:
    """`text.strip()` alone on a line becomes `text = text.strip()`; `sorted(xs)` becomes `xs.sort()`, `return f(x)`."""
    value = node.value
    if not isinstance(value, ast.Call):
        return
    text = place.text(value)
    function = value.func
    owner = function.value if isinstance(function, ast.Attribute) and function.attr not in _IN_PLACE else None
    if isinstance(owner, ast.Name | ast.Attribute):
        yield place.replace(*place.program.spans[value], f"{place.text(owner)} = {text}")
    for argument in value.args[:2]:
        if isinstance(argument, ast.Name):
            yield place.replace(*place.program.spans[value], f"{argument.id} = {text}", 0.7)
    for name in place.scope.locals[:8]:
        yield place.replace(*place.program.spans[value], f"{name} = {text}", 0.2)
        yield place.replace(*place.program.spans[value], f"{name} += {text}", 0.2)


_IN_PLACE = frozenset(
    ("append", "extend", "insert", "sort", "reverse", "add", "update", "pop", "remove", "clear", "discard", "write")
)


def lose_result(node: ast.Assign, place: Place) -> Drafts:
    """`xs = xs.sort()` becomes `xs.sort()`: methods that work in place return None."""
    value = node.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _IN_PLACE:
        yield place.replace(*place.program.spans[node], place.text(value))


TEMPLATES = (
    Template("other_method", (ast.Attribute,), 0.09, other_method, 3, ("case", "space", "negated", "attribute")),
    Template("misspelt_method", (ast.Attribute,), 0.1, misspelt_method, 3, ("attribute",)),
    Template("method_or_function", (ast.Call,), 0.05, method_or_function, 1, ("none", "type")),
    Template("index_to_get", (ast.Subscript,), 0.04, index_to_get, 4, ("key",)),
    Template("push_shape", (ast.Expr,), 0.04, push_shape, 4, ("reversed", "order", "copy", "repeats")),
    Template("keep_result", (ast.Expr,), 0.04, keep_result, 3, ("none",)),
    Template("lose_result", (ast.Assign,), 0.2, lose_result, 1, ("none", "type", "attribute")),
)
