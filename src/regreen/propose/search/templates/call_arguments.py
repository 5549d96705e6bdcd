"""Wrong arguments: swapped, lost, superfluous, under the wrong keyword, or shared where they must be new."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from regreen.propose.search.constants import (
    ALMOST_SURE,
    DECLINE,
    HALF,
    IMPROBABLE,
    MAX_TURNED_ARGUMENTS,
    POSSIBLE,
    PROBABLE,
)
from regreen.propose.search.expressions import function_call
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.signatures import fields, names_to_give
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.syntax import FUNCTIONS, Function, callee_name


def swap_arguments(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(a, b)` becomes `f(b, a)`."""
    arguments = node.args
    for index in range(len(arguments) - 1):
        for other in range(index + 1, len(arguments)):
            one, two = arguments[index], arguments[other]
            if isinstance(one, ast.Starred) or isinstance(two, ast.Starred) or context.text(one) == context.text(two):
                continue
            yield context.swap(one, two, 1.0 if other == index + 1 else HALF)


def turn_arguments(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(a, b, c)` becomes `f(c, a, b)` or `f(b, c, a)`: the right arguments, in turn."""
    count = len(node.args)
    if not 3 <= count <= MAX_TURNED_ARGUMENTS or any(isinstance(argument, ast.Starred) for argument in node.args):
        return
    source = context.program.source
    texts = [source[_before(context, argument) : _after(context, argument)] for argument in node.args]
    if len(set(texts)) == count:
        start, end = _before(context, node.args[0]), _after(context, node.args[-1])
        for turned in ((texts[-1], *texts[:-1]), (*texts[1:], texts[0])):
            yield context.replace(start, end, ", ".join(turned))


def cross_calls(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a.take(x)` and then `b.give(x)` become `b.take(x)` and then `a.give(x)`."""
    block = context.program.block(node)
    following = block[block.index(node) + 1 : block.index(node) + 2]
    one, other = _owner(node), _owner(following[0]) if following else None
    if one is not None and other is not None and context.text(one) != context.text(other):
        yield context.swap(one, other)


def _owner(statement: ast.stmt) -> ast.expr | None:
    """The object whose method a statement calls; None for any other statement."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None


def swap_owner(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`a.extend(b)` becomes `b.extend(a)`, `x.join(sep)` becomes `sep.join(x)`."""
    if isinstance(node.func, ast.Attribute) and len(node.args) == 1 and not isinstance(node.args[0], ast.Starred):
        owner, argument = node.func.value, node.args[0]
        if not isinstance(argument, ast.Constant) or isinstance(owner, ast.Constant) or context.kind(argument) == "str":
            yield context.swap(owner, argument)


def drop_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(a, b)` becomes `f(a)` or `f(b)`; `f(a, key=b)` becomes `f(a)`."""
    pieces = sorted((*node.args, *node.keywords), key=lambda piece: context.program.spans[piece][0])
    if not pieces or (len(pieces) == 1 and isinstance(pieces[0], ast.GeneratorExp)):
        return
    for index in reversed(range(len(pieces))):
        if index:
            yield context.replace(_after(context, pieces[index - 1]), _after(context, pieces[index]), "")
        elif len(pieces) > 1:
            yield context.replace(_before(context, pieces[0]), _before(context, pieces[1]), "", PROBABLE)
        else:
            yield context.replace(_before(context, pieces[0]), _after(context, pieces[0]), "", POSSIBLE)


def _before(context: TemplateContext, piece: ast.AST) -> int:
    start = context.program.spans[piece][0]
    if isinstance(piece, ast.expr) and context.program.bracketed(piece):
        return context.program.source.rindex("(", 0, start)
    return start


def _after(context: TemplateContext, piece: ast.AST) -> int:
    end = context.program.spans[piece][1]
    if isinstance(piece, ast.expr) and context.program.bracketed(piece):
        return context.program.source.index(")", end) + 1
    return end


def add_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(a)` becomes `f(a, b)` for a variable, a small number or an empty value."""
    if any(isinstance(a, ast.GeneratorExp | ast.Starred) for a in node.args) or node.keywords:
        return
    name = callee_name(node)
    end = context.program.spans[node][1] - 1
    lead = ", " if node.args else ""
    if lead and context.program.source[:end].rstrip().endswith(","):
        return
    given = {context.text(a) for a in node.args}
    missing = _all_parameters(node, context)[len(node.args) :]
    for text, weight in _EXTRA.get(name, ()):
        yield context.replace(end, end, lead + text, weight)
    if name in _FIXED or not (missing or isinstance(node.func, ast.Attribute) or name in _VARIADIC):
        return
    for variable in context.scope.locals:
        if variable not in given and variable != context.scope.receiver:
            yield context.replace(
                end,
                end,
                lead + variable,
                ALMOST_SURE if variable in missing or variable in context.scope.unused else POSSIBLE,
            )
    for text in ("0", "1", "None", "True", "[]"):
        yield context.replace(end, end, lead + text, IMPROBABLE)


def _missing_parameters(node: ast.Call, context: TemplateContext) -> tuple[str, ...]:
    """Parameters that a call leaves out, of a function or class of the program or of a module that it imports."""
    return (_all_parameters(node, context) or _imported_parameters(node, context))[len(node.args) :]


def _imported_parameters(node: ast.Call, context: TemplateContext) -> tuple[str, ...]:
    return context.clues.imported.parameters.get(callee_name(node), ())


_EXTRA: dict[str, tuple[tuple[str, float], ...]] = {
    "round": (("2", 1.0), ("1", 0.5), ("3", 0.4)),
    "range": (("-1", 0.3), ("2", 0.3)),
    "enumerate": (("1", 1.0), ("start=1", 0.6)),
    "split": (("' '", 0.8), ("','", 0.8), ("1", 0.3), ("', '", 0.3), ("'\\n'", 0.3)),
    "strip": (("'.'", 0.2), ("' '", 0.3)),
    "get": (("0", 1.0), ("[]", 0.4), ("''", 0.3), ("1", 0.2), ("{}", 0.2), ("False", 0.2)),
    "pop": (("0", 1.0), ("-1", 0.4), ("None", 0.4)),
    "max": (("default=0", 0.8), ("default=None", 0.6), ("key=len", 0.6), ("0", 0.6), ("1", 0.3)),
    "min": (("default=0", 0.8), ("default=None", 0.6), ("key=len", 0.6), ("0", 0.3)),
    "sorted": (("reverse=True", 1.0), ("key=len", 0.5), ("key=str.lower", 0.3), ("key=abs", 0.3), ("key=str", 0.2)),
    "sort": (("reverse=True", 1.0), ("key=len", 0.5), ("key=str.lower", 0.3), ("key=abs", 0.3)),
    "int": (("2", 0.3), ("16", 0.1)),
    "sum": (("0", 0.1), ("[]", 0.4), ("()", 0.1)),
    "next": (("None", 1.0), ("''", 0.1)),
    "zip": (("strict=True", 0.1),),
    "setdefault": (("[]", 0.8), ("0", 0.6), ("{}", 0.4), ("set()", 0.5)),
    "replace": (("''", 0.8), ("1", 0.4)),
    "defaultdict": (("list", 0.8), ("int", 0.8), ("set", 0.5)),
    "open": (("'w'", 0.5), ("encoding='utf-8'", 0.4)),
    "dumps": (("sort_keys=True", 0.6), ("indent=2", 0.4)),
    "sub": (("flags=re.IGNORECASE", 0.3),),
    "findall": (("re.IGNORECASE", 0.4), ("re.MULTILINE", 0.3)),
    "getattr": (("None", 0.8),),
    "reduce": (("1", 0.6), ("0", 0.6)),
    "log": (("2", 0.6), ("10", 0.4)),
    "accumulate": (("max", 0.4),),
    "quantize": (
        ("rounding='ROUND_HALF_UP'", 1.0),
        ("rounding='ROUND_DOWN'", 0.4),
        ("rounding='ROUND_HALF_EVEN'", 0.3),
    ),
}


_FIXED = frozenset(
    (
        "len",
        "abs",
        "ord",
        "chr",
        "sorted",
        "sort",
        "append",
        "lower",
        "upper",
        "keys",
        "values",
        "items",
        "join",
        "add",
        "sum",
    )
)


_VARIADIC = frozenset(("min", "max", "range", "zip", "print", "pow", "round", "gcd", "isinstance"))


def pass_along(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(x)` becomes `f(x, depth=depth)`, `Money(n)` becomes `Money(n, self.unit)`: the name is in reach."""
    given = {keyword.arg for keyword in node.keywords}
    if any(isinstance(a, ast.GeneratorExp | ast.Starred) for a in node.args) or None in given:
        return
    pieces = [*node.args, *node.keywords]
    end = (
        _after(context, max(pieces, key=lambda piece: context.program.spans[piece][1]))
        if pieces
        else context.program.spans[node][1] - 1
    )
    lead = ", " if pieces else ""
    receiver = context.scope.receiver
    missing = [p for p in _missing_parameters(node, context) if p not in given]
    own = {a.lstrip("_"): a for a in context.scope.attributes}
    for rank, name in enumerate(missing):
        values = [name] if name in context.scope.locals else []
        values += [f"{receiver}.{own[name]}"] if receiver and name in own else []
        for value in values:
            if rank == 0 and not node.keywords:
                yield context.replace(end, end, f"{lead}{value}")
            yield context.replace(end, end, f"{lead}{name}={value}", ALMOST_SURE)
        for value in _called_alike(name, context):
            if value not in values:
                yield context.replace(end, end, f"{lead}{name}={value}", PROBABLE)


def _called_alike(name: str, context: TemplateContext) -> Iterator[str]:
    """Variables and attributes in reach whose names end with a parameter's: `word_counts`, `options.counts`."""
    yield from (local for local in context.scope.locals if local.endswith(f"_{name}"))
    read = context.cached("read", lambda: [n for n in context.program.nodes if isinstance(n, ast.Attribute)])
    for attribute in read:
        owner = attribute.value
        if attribute.attr == name and isinstance(owner, ast.Name) and owner.id in context.scope.locals:
            yield context.text(attribute)


def rename_keyword(node: ast.keyword, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(start=1)` becomes `f(end=1)` for parameters of the program's own functions."""
    owner = context.parent(node)
    if not isinstance(owner, ast.Call) or node.arg is None:
        return
    start = context.program.spans[node][0]
    for name in _all_parameters(owner, context):
        if name not in {keyword.arg for keyword in owner.keywords}:
            yield context.replace(start, start + len(node.arg), name)


def _all_parameters(node: ast.Call, context: TemplateContext) -> tuple[str, ...]:
    """The parameters of the program's own function, or the fields of its class, that a call calls."""
    name = callee_name(node)
    owner = context.program.class_of(node) if name in ("cls", "__class__") else None
    named = context.program.definitions.get(name, ())
    for found in (owner, *(_methods_of_parents(node, context) if is_call_of_parent(node) else named)):
        if isinstance(found, ast.ClassDef):
            return fields(found)
        if found is not None:
            return names_to_give(found)
    return ()


def is_call_of_parent(node: ast.Call) -> bool:
    """Whether a call is one of `super().name(...)`."""
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    return isinstance(owner, ast.Call) and callee_name(owner) == "super"


def _methods_of_parents(node: ast.Call, context: TemplateContext) -> list[Function]:
    """The methods of the program's own classes that `super().name(...)` may call, the nearest first."""
    owner = context.program.class_of(node)
    found: list[Function] = []
    seen: set[str] = set()
    waiting = [] if owner is None else [context.text(base) for base in owner.bases]
    while waiting:
        name = waiting.pop(0)
        for parent in context.program.definitions.get(name, ()) if name not in seen else ():
            if isinstance(parent, ast.ClassDef):
                found += (s for s in parent.body if isinstance(s, FUNCTIONS) and s.name == callee_name(node))
                waiting += (context.text(base) for base in parent.bases)
        seen.add(name)
    return found


def fresh_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`d.setdefault(k, x)` becomes `d.setdefault(k, set())`; `xs.append(row)` becomes `xs.append(list(row))`."""
    if not isinstance(node.func, ast.Attribute) or not node.args or node.func.attr not in _KEEPERS:
        return
    last = node.args[-1]
    if isinstance(last, ast.Starred | ast.GeneratorExp):
        return
    for rank, value in enumerate(("set()", "[]", "{}", "0", "None", "''", "1", "float('inf')")):
        if value != context.text(last):
            yield context.put(last, value, (1.0 if len(node.args) > 1 else POSSIBLE) * (1.0 - DECLINE * rank))
    for function in ("list", "set", "dict", "tuple"):
        yield context.put(last, function_call(function, context.expression(last)), HALF)


_KEEPERS = frozenset(("setdefault", "get", "append", "add", "insert", "pop", "appendleft", "extend", "update"))


_CALLS = (ast.Call,)


def spread_generator(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`gather(f(x) for x in xs)` becomes `gather(*(f(x) for x in xs))`, and `gather(xs)` `gather(*xs)`."""
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        return
    argument = node.args[0]
    if isinstance(argument, ast.GeneratorExp):
        text = context.text(argument)
        inner = text if text.startswith("(") else f"({text})"
        function = context.text(node.func)
        yield context.put(node, f"{function}(*{inner})")


def name_argument(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`timedelta(weeks)` becomes `timedelta(weeks=weeks)`: the parameter of that name may not come first."""
    last = node.args[-1] if node.args else None
    name = last.attr if isinstance(last, ast.Attribute) else last.id if isinstance(last, ast.Name) else ""
    if last is not None and name and all(keyword.arg != name for keyword in node.keywords):
        start = context.program.spans[last][0]
        yield context.replace(start, start, f"{name}=")


TEMPLATES = (
    Template("name_argument", (ast.Call,), name_argument, ("type", "content")),
    Template("spread_generator", (ast.Call,), spread_generator, ("type",)),
    Template("swap_arguments", _CALLS, swap_arguments),
    Template("turn_arguments", (ast.Call,), turn_arguments),
    Template("cross_calls", (ast.Expr,), cross_calls),
    Template("swap_owner", _CALLS, swap_owner),
    Template("drop_argument", _CALLS, drop_argument),
    Template("add_argument", _CALLS, add_argument),
    Template("pass_along", _CALLS, pass_along),
    Template("fresh_argument", _CALLS, fresh_argument, ("content", "repeats", "copy")),
    Template("rename_keyword", (ast.keyword,), rename_keyword, ("type",)),
)
