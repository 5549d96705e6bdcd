"""Arguments that a call leaves out: a variable in reach, a default that will not do, an option that nobody uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import ALMOST_SURE, HALF, IMPROBABLE, MAX_COPIED_CHARACTERS, POSSIBLE, PROBABLE
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.functions.call_arguments import all_parameters, end_of_arguments
from regreen.syntax import FUNCTIONS, Function, callee_name


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
    missing = all_parameters(node, context)[len(node.args) :]
    for text, weight in _EXTRA.get(name, ()):
        yield context.replace(end, end, lead + text, weight)
    # A program's own `add` may take more than a set's.
    if name in ("max", "min") and len(node.args) == 1:
        for held in context.scope.of_kind("list", "str", "dict", "set"):
            yield context.replace(end, end, f"{lead}len({held})", HALF)
    if name in _OF_TWO_NUMBERS and len(node.args) == 1:
        for text in dict.fromkeys((*context.scope.numbers, *context.clues.numbers)):
            yield context.replace(end, end, lead + text, HALF)
    if (name in _FIXED and not missing) or not (missing or isinstance(node.func, ast.Attribute) or name in _VARIADIC):
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


_EXTRA: Final[dict[str, tuple[tuple[str, float], ...]]] = {
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
    "isinstance": tuple((kind, 0.5) for kind in ("str", "int", "list", "dict", "(int, float)", "tuple", "set", "bool")),
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


_OF_TWO_NUMBERS = frozenset(("divmod", "pow", "gcd", "lcm"))
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


_VARIADIC = frozenset(("divmod", "min", "max", "range", "zip", "print", "pow", "round", "gcd", "isinstance"))


def pass_along(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`f(x)` becomes `f(x, depth=depth)`, `Money(n)` becomes `Money(n, self.unit)`: the name is in reach."""
    given = {keyword.arg for keyword in node.keywords}
    if any(isinstance(a, ast.GeneratorExp | ast.Starred) for a in node.args) or None in given:
        return
    end, lead = end_of_arguments(node, context)
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


def _missing_parameters(node: ast.Call, context: TemplateContext) -> tuple[str, ...]:
    """Parameters that a call leaves out, of a function or class of the program or of a module that it imports."""
    return (all_parameters(node, context) or _imported_parameters(node, context))[len(node.args) :]


def _imported_parameters(node: ast.Call, context: TemplateContext) -> tuple[str, ...]:
    return context.clues.imported.parameters.get(callee_name(node), ())


def unused_option(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`self._check(start, end)` becomes `self._check(start, end, ignore=key)`, where no call gives `ignore` a value."""
    if any(isinstance(argument, ast.Starred | ast.GeneratorExp) for argument in node.args):
        return
    given = {context.text(argument) for argument in node.args}
    parameters = [name for name in context.scope.parameters if name != context.scope.receiver]
    end, lead = end_of_arguments(node, context)
    for option in _unused_options(callee_name(node), context):
        for variable in (name for name in context.scope.locals if name not in given):
            if variable != context.scope.receiver:
                weight = 1.0 if variable in parameters else HALF
                yield context.replace(end, end, f"{lead}{option}={variable}", weight)


def print_on_one_line(node: ast.Expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`print(x)` in a loop becomes `print(x, end=" ")`, or without a blank: they stand on one line."""
    call = node.value
    if not isinstance(call, ast.Call) or callee_name(call) != "print" or any(k.arg == "end" for k in call.keywords):
        return
    if call.args and any(context.loops_around(node)):
        end, lead = end_of_arguments(call, context)
        yield context.replace(end, end, f'{lead}end=" "')
        yield context.replace(end, end, f'{lead}end=""')


def field_of_owner(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`Job(name, next(ids), old.due)` becomes `Job(name, old.number, old.due)`: a field goes over with the others."""
    parameters = all_parameters(node, context)
    given = [*zip(parameters, node.args, strict=False), *((k.arg or "", k.value) for k in node.keywords)]
    owners = [
        context.text(value.value)
        for name, value in given
        if isinstance(value, ast.Attribute) and value.attr == name and isinstance(value.value, ast.Name)
    ]
    for owner in dict.fromkeys(owners):
        for name, value in given:
            if name and not isinstance(value, ast.Starred) and context.text(value) != f"{owner}.{name}":
                yield context.put(value, f"{owner}.{name}", HALF if isinstance(value, ast.Name) else 1.0)


def _unused_options(name: str, context: TemplateContext) -> tuple[str, ...]:
    """The parameters with a default of the program's own function that none of its calls hands over."""
    options = context.cached(f"unused options of {name}", lambda: tuple(_options(name, context)))
    return options if name else ()


def _options(name: str, context: TemplateContext) -> Iterator[str]:
    functions = [found for found in context.program.definitions.get(name, ()) if isinstance(found, FUNCTIONS)]
    calls = [n for n in context.program.nodes if isinstance(n, ast.Call) and callee_name(n) == name]
    named = {keyword.arg for call in calls for keyword in call.keywords}
    most = max((len(call.args) for call in calls), default=0)
    if len(functions) == 1 and None not in named:
        required, optional = _parameters_of(functions[0])
        yield from (option for option in optional[max(most - len(required), 0) :] if option not in named)


def _parameters_of(function: Function) -> tuple[list[str], list[str]]:
    """The parameters that calls must give, without the receiver, and those with a default."""
    positional = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    count = len(positional) - len(function.args.defaults)
    keyword_only = zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
    optional = [*positional[count:], *(argument.arg for argument, default in keyword_only if default is not None)]
    return [name for name in positional[:count] if name not in ("self", "cls")], optional


def arguments_as_elsewhere(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`number_of(level)` becomes `number_of(level, self.levels)`, where another call of it is given `self.levels`."""
    name, given = context.text(node.func), len(node.args)
    if not given or any(isinstance(argument, ast.Starred | ast.GeneratorExp) for argument in node.args):
        return
    at = context.program.spans[node.args[-1]][1]
    others = context.cached_of_program("calls by function", lambda: _calls_by_function(context)).get(name, ())
    for rest in dict.fromkeys(tuple(map(context.text, call.args[given:])) for call in others if call is not node):
        if rest and all(_is_known(text, context) for text in rest):
            yield context.replace(at, at, ", " + ", ".join(rest))


def _calls_by_function(context: TemplateContext) -> dict[str, list[ast.Call]]:
    """The calls of a program by the text of what they call."""
    found: dict[str, list[ast.Call]] = {}
    for part in context.program.nodes:
        if isinstance(part, ast.Call):
            found.setdefault(context.text(part.func), []).append(part)
    return found


def _is_known(text: str, context: TemplateContext) -> bool:
    """Whether an argument is of names that the function knows, and short enough to be meant here as well."""
    names = [part.id for part in ast.walk(ast.parse(f"({text},)", mode="eval")) if isinstance(part, ast.Name)]
    return len(text) <= MAX_COPIED_CHARACTERS and "\n" not in text and all(n in context.scope.visible for n in names)


TEMPLATES = (
    Template("arguments_as_elsewhere", (ast.Call,), arguments_as_elsewhere),
    Template("add_argument", (ast.Call,), add_argument, ("arguments",)),
    Template("pass_along", (ast.Call,), pass_along),
    Template("unused_option", (ast.Call,), unused_option),
    Template("print_on_one_line", (ast.Expr,), print_on_one_line, ("space", "content", "longer")),
    Template("field_of_owner", (ast.Call,), field_of_owner),
)
