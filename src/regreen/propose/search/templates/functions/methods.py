"""Wrong methods: another of the same family, a method where a function belongs, a result thrown away."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from typing import Final

from regreen.propose.search.constants import (
    DECLINE,
    FAST_DECLINE,
    HALF,
    IMPROBABLE,
    LIKELY,
    MAX_LOCAL_NAMES,
    METHOD_CUTOFF,
    METHOD_MATCHES,
    POSSIBLE,
    PROBABLE,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import ATOM, SUM, TERM, TEST, Expression, attribute_of, function_call, subscript
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import callee_name

_FAMILIES = (
    ("append", "extend", "add", "insert"),
    ("writerow", "writerows"),
    ("writelines", "write"),
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
    ("split", "rsplit", "splitlines"),
    ("partition", "rpartition"),
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
    ("glob", "rglob"),
    ("sum", "mean", "max", "min", "median", "count", "size"),
    ("std", "var"),
    ("cumsum", "cumprod", "cummax", "cummin"),
    ("idxmax", "idxmin"),
    ("argmax", "argmin", "argsort"),
    ("nlargest", "nsmallest"),
    ("head", "tail"),
    ("loc", "iloc"),
    ("ffill", "bfill"),
    ("any", "all"),
    ("fetchone", "fetchall"),
    ("execute", "executemany", "executescript"),
    ("commit", "rollback"),
    ("sep", "pathsep", "linesep", "curdir", "pardir"),
    ("name", "stem", "suffix", "parent"),
    ("parts", "parents"),
    ("ascii_letters", "ascii_lowercase", "ascii_uppercase"),
    ("digits", "hexdigits", "octdigits"),
    ("punctuation", "whitespace", "printable"),
    ("pi", "tau"),
    ("inf", "nan"),
    ("stdout", "stderr"),
    ("stdin", "stdout"),
    ("days", "seconds", "microseconds"),
    ("st_mtime", "st_ctime", "st_atime"),
    ("netloc", "hostname", "path", "query", "scheme", "fragment"),
    ("utcnow", "now", "today"),
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


def relatives(name: str, families: Iterable[Collection[str]]) -> Iterator[str]:
    """The other names of each family that a name belongs to."""
    yield from (other for family in families if name in family for other in family if other != name)


def other_method(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x.append(y)` becomes `x.extend(y)`, `s.find(t)` becomes `s.rfind(t)`, ..."""
    is_own = context.text(node.value) == context.scope.receiver and node.attr in context.scope.attributes
    if is_own or isinstance(node.ctx, ast.Store):
        return
    for rank, other in enumerate(_KIN.get(node.attr, ())):
        if other not in ("insert",):
            yield context.other_attribute(node, other, 1.0 - DECLINE * rank)


def method_before_function(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`unquote(text).replace("+", " ")` becomes `unquote(text.replace("+", " "))`: the text is changed before it is
    read."""
    method = node.func
    read = method.value if isinstance(method, ast.Attribute) else None
    if not isinstance(read, ast.Call) or not isinstance(read.func, ast.Name) or len(read.args) != 1 or read.keywords:
        return
    if isinstance(read.args[0], ast.Name | ast.Attribute | ast.Subscript):
        start = context.program.spans[read][1]
        rest = context.program.source[start : context.program.spans[node][1]]
        yield context.put(node, f"{context.text(read.func)}({context.text(read.args[0])}{rest})")


def take_off_whole(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`name.strip(".txt")`, which takes off single characters, becomes `name.removesuffix(".txt")`; so does
    `name.rstrip(ending)`, and `name.lower().rstrip(ending.lower())` becomes `name[:-len(ending)]`."""
    call = context.parent(node)
    taken = call.args[0] if isinstance(call, ast.Call) and call.func is node and len(call.args) == 1 else None
    match node.value, taken:
        case (
            ast.Call(func=ast.Attribute(value=whole, attr=one), args=[]),
            ast.Call(func=ast.Attribute(value=ast.Name() as end, attr=other), args=[]),
        ) if one == other and isinstance(call, ast.Call):
            length = f"len({context.text(end)})"
            if node.attr in ("rstrip", "strip"):
                yield context.put(call, subscript(context.expression(whole), f":-{length}"))
            if node.attr in ("lstrip", "strip"):
                yield context.put(call, subscript(context.expression(whole), f"{length}:"))
        case _, ast.Name():
            for method in _TAKING_WHOLE.get(node.attr, ()):
                yield context.other_attribute(node, method, HALF)
    if not isinstance(taken, ast.Constant) or not isinstance(taken.value, str) or len(taken.value) < 2:
        return
    for method in _TAKING_WHOLE.get(node.attr, ()):
        yield context.other_attribute(node, method)


_TAKING_WHOLE = {"strip": ("removesuffix", "removeprefix"), "rstrip": ("removesuffix",), "lstrip": ("removeprefix",)}


def either_scheme(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`address.lstrip("https://")` becomes `address.removeprefix("https://").removeprefix("http://")`."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in ("lstrip", "strip", "removeprefix", "replace"):
        return
    taken = node.args[0] if node.args else None
    if isinstance(taken, ast.Constant) and taken.value in _SCHEMES:
        address, quote = context.expression(node.func.value).at(ATOM), context.text(taken)[-1]
        yield context.put(node, address + "".join(f".removeprefix({quote}{one}{quote})" for one in _SCHEMES))


_SCHEMES: Final = ("https://", "http://")


def misspelt_method(node: ast.Attribute, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`x.apend(y)` becomes `x.append(y)`: the closest method or attribute that exists."""
    own = {f.name for f in context.program.functions} | {
        n.attr for n in context.program.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
    }
    if node.attr in _KNOWN or node.attr in own or context.text(node.value) in context.scope.globals:
        return
    near = get_close_matches(node.attr, [*_KNOWN, *sorted(own), *_FOREIGN], n=METHOD_MATCHES, cutoff=METHOD_CUTOFF)
    end = context.program.spans[node][1]
    for rank, name in enumerate((*_FOREIGN.get(node.attr, ()), *near)):
        if name != node.attr:
            yield context.replace(end - len(node.attr), end, name, 1.0 - FAST_DECLINE * rank)
    if node.attr in ("length", "size", "len", "count"):
        target = context.parent(node) if context.is_called(node) else node
        if isinstance(target, ast.expr):
            yield context.put(target, function_call("len", context.expression(node.value)))


_FOREIGN = {
    "push": ("append",),
    "add": ("append",),
    "trim": ("strip",),
    "toLowerCase": ("lower",),
    "toUpperCase": ("upper",),
    "indexOf": ("find", "index"),
    "put": ("update",),
    "iteritems": ("items",),
    "itervalues": ("values",),
    "iterkeys": ("keys",),
    "shift": ("popleft",),
    "concat": ("extend",),
    "appendAll": ("extend",),
}


def method_or_function(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`y = x.sort()` becomes `y = sorted(x)`, `x.reverse()` becomes `x[::-1]`, `d.get(k)` becomes `d[k]`."""
    function = node.func
    if not isinstance(function, ast.Attribute) or isinstance(context.parent(node), ast.Expr):
        return
    code = context.expression(function.value)
    if function.attr == "sort":
        rest = "".join(f", {context.text(keyword)}" for keyword in node.keywords)
        yield context.put(node, Expression(f"sorted({code.at(TEST)}{rest})"))
    elif function.attr == "reverse":
        yield context.put(node, subscript(code, "::-1"))
        yield context.put(node, function_call("list", function_call("reversed", code)), HALF)
    elif function.attr == "append" and len(node.args) == 1:
        yield context.put(node, Expression(f"{code.at(SUM)} + [{context.text(node.args[0])}]", SUM))
    elif function.attr == "extend" and len(node.args) == 1:
        yield context.put(node, Expression(f"{code.at(SUM)} + {context.expression(node.args[0]).at(TERM)}", SUM))
    elif function.attr in ("get",) and node.args:
        yield context.put(node, subscript(code, context.text(node.args[0])))
    elif function.attr == "index" and len(node.args) == 1:
        yield context.put(node, Expression(f"{code.at(ATOM)}.find({context.text(node.args[0])})"))


def push_shape(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs.append(x)` becomes `xs.append([x])`, `xs.insert(0, x)`; `xs.extend(x)` becomes `xs.extend([x])`."""
    value = node.value
    if not (isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and len(value.args) == 1):
        return
    owner, argument, name = context.expression(value.func.value), context.text(value.args[0]), value.func.attr
    if name == "append":
        for shape, weight in (("{}.insert(0, {})", 1.0), ("{}.append([{}])", HALF), ("{}.append(({},))", IMPROBABLE)):
            yield context.put(value, shape.format(owner.text, argument), weight)
        yield context.put(value, f"{owner.text}.append({argument}[:])", VERY_LIKELY)
        yield context.put(value, f"{owner.text}.append(list({argument}))", VERY_LIKELY)
        yield context.put(value, f"{owner.text}.append({argument}.copy())", PROBABLE)
        yield context.put(value, f"{owner.text}.append(tuple({argument}))", POSSIBLE)
    elif name in ("extend", "add"):
        yield context.put(
            value,
            f"{owner.text}.{name}([{argument}])" if name == "extend" else f"{owner.text}.add(tuple({argument}))",
            PROBABLE,
        )


def put_in_front(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`waiting.extend(others)` becomes `waiting[:0] = others`: they come before what is there."""
    call = node.value
    method = call.func if isinstance(call, ast.Call) and len(call.args) == 1 else None
    if isinstance(method, ast.Attribute) and method.attr == "extend" and context.kind(method.value) in ("list", ""):
        assert isinstance(call, ast.Call)
        owner = context.expression(method.value).at(ATOM)
        yield from context.restate(node, (f"{owner}[:0] = {context.text(call.args[0])}",))


def keep_result(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text.strip()` alone on a line becomes `text = text.strip()`, `sorted(xs)` becomes `xs = sorted(xs)`."""
    value = node.value
    if not isinstance(value, ast.Call):
        return
    text = context.text(value)
    function = value.func
    if callee_name(value) in _GIVING_NONE - context.program.definitions.keys():
        return
    owner = function.value if isinstance(function, ast.Attribute) and function.attr not in _IN_PLACE else None
    while isinstance(owner, ast.Call) and isinstance(owner.func, ast.Attribute):
        owner = owner.func.value
    if isinstance(owner, ast.Name | ast.Attribute):
        yield context.replace(*context.program.spans[value], f"{context.text(owner)} = {text}")
    for argument in value.args[:2]:
        if isinstance(argument, ast.Name):
            yield context.replace(*context.program.spans[value], f"{argument.id} = {text}", LIKELY)
    for name in context.scope.locals[:MAX_LOCAL_NAMES]:
        yield context.replace(*context.program.spans[value], f"{name} = {text}", IMPROBABLE)
        yield context.replace(*context.program.spans[value], f"{name} += {text}", IMPROBABLE)


_GIVING_NONE = frozenset(("append", "appendleft", "extend", "sort", "reverse", "clear", "discard"))
"""Methods of containers of which there is no result to keep."""
_IN_PLACE = frozenset(
    ("append", "extend", "insert", "sort", "reverse", "add", "update", "pop", "remove", "clear", "discard", "write")
)


def lose_result(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs = xs.sort()` becomes `xs.sort()`: methods that work in place return None."""
    value = node.value
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _IN_PLACE:
        yield context.replace(*context.program.spans[node], context.text(value))


def sunday_first(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`day.weekday()`, which counts from Monday, becomes `day.isoweekday() % 7`, in which Sunday is 0."""
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("weekday", "isoweekday") and not node.args:
        day = context.text(node.func.value)
        yield context.put(node, Expression(f"{day}.isoweekday() % 7", TERM))


def empty_less(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`waiting.clear()` becomes `waiting.discard(job)`, and the other way round."""
    if not isinstance(node.func, ast.Attribute) or node.keywords:
        return
    owner = context.expression(node.func.value)
    if node.func.attr == "clear" and not node.args:
        kind = context.kind(node.func.value)
        names = [name for name in context.scope.locals if name not in owner.text.split(".")][:MAX_LOCAL_NAMES]
        for name in names:
            if kind in ("set", ""):
                yield context.put(node, attribute_of(owner, f"discard({name})"))
            yield context.put(node, attribute_of(owner, f"remove({name})"), PROBABLE)
        yield context.put(node, attribute_of(owner, "pop()"), PROBABLE)
    elif node.func.attr in ("discard", "remove") and isinstance(context.parent(node), ast.Expr):
        yield context.put(node, attribute_of(owner, "clear()"), HALF)


def class_of_caller(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`Task(...)` in a class method of `Task` becomes `cls(...)`, and in a method `type(self)(...)`: subclasses make
    their own kind."""
    owner, function, receiver = context.program.class_of(node), context.scope.function, context.scope.receiver
    if owner is None or function is None or not receiver or context.text(node.func) != owner.name:
        return
    is_of_class = any(context.text(mark) == "classmethod" for mark in function.decorator_list)
    yield context.put(node.func, receiver if is_of_class else f"type({receiver})")


def own_method_for_part(node: ast.Call | ast.Subscript, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self.stock.get(item, 0)` becomes `self.available(item)`, which works with that and with something else."""
    owner, receiver = context.program.class_of(node), context.scope.receiver
    text = context.text(node)
    is_store = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
    if owner is None or not receiver or is_store or not text.startswith(f"{receiver}.") or "\n" in text:
        return
    for method in (part for part in owner.body if isinstance(part, ast.FunctionDef)):
        result = method.body[-1].value if isinstance(method.body[-1], ast.Return) else None
        names = [argument.arg for argument in method.args.args[1:]]
        if method is context.scope.function or result is None or len(names) > 1:
            continue
        whole = context.text(result)
        ways = [text, _spelt_otherwise(node, context)]
        given = next(
            (
                name
                for name in context.scope.locals
                for way in ways
                if _with_name(way, name, names) in whole and (not names or re.search(rf"\b{name}\b", way))
            ),
            None,
        )
        if given is not None and whole not in [_with_name(way, given, names) for way in ways]:
            yield context.put(node, f"{receiver}.{method.name}({given if names else ''})")


def _spelt_otherwise(node: ast.Call | ast.Subscript, context: TemplateContext) -> str:
    """How the beginning of `self.stock.get(item, 0)` stands for `self.stock[item]`; any other text as it is."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        return f"{context.text(node.value)}.get({context.text(node.slice)},"
    return context.text(node)


def _with_name(text: str, local: str, names: list[str]) -> str:
    """A text with the one name of a method's argument in the place of a local name."""
    return re.sub(rf"\b{re.escape(local)}\b", names[0], text) if names else text


TEMPLATES = (
    Template("class_of_caller", (ast.Call,), class_of_caller, ("object", "type", "attribute")),
    Template("own_method_for_part", (ast.Call, ast.Subscript), own_method_for_part, ("value", "negated", "larger")),
    Template("method_before_function", (ast.Call,), method_before_function, ("content", "space")),
    Template("either_scheme", (ast.Call,), either_scheme, ("content",)),
    Template("put_in_front", (ast.Expr,), put_in_front, ("content",)),
    Template("empty_less", (ast.Call,), empty_less, ("shorter", "longer", "key")),
    Template("other_method", (ast.Attribute,), other_method, ("case", "space", "negated", "attribute")),
    Template("sunday_first", (ast.Call,), sunday_first),
    Template("take_off_whole", (ast.Attribute,), take_off_whole, ("strip", "content")),
    Template("misspelt_method", (ast.Attribute,), misspelt_method, ("attribute",)),
    Template("method_or_function", (ast.Call,), method_or_function, ("none", "type")),
    Template("push_shape", (ast.Expr,), push_shape, ("reversed", "order", "copy", "repeats")),
    Template("keep_result", (ast.Expr,), keep_result, ("none",)),
    Template("lose_result", (ast.Assign,), lose_result, ("none", "type", "attribute")),
)
