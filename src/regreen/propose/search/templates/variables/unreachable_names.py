"""Names out of reach: missing imports, `global`, `nonlocal`, `self`, a parent's constructor not called."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from regreen.propose.search.constants import FAST_DECLINE, HALF, PROBABLE, UNLIKELY
from regreen.propose.search.expressions import AND, ATOM, COMPARISON, NOT, POWER, SUM, TERM, Expression
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.functions.call_arguments import is_call_of_parent
from regreen.standard_names import MEMBERS, MODULES
from regreen.syntax import FUNCTIONS, Function, callee_name, names_within, unbound_names


def missing_import(node: ast.Module, context: TemplateContext) -> Iterator[WeightedEdits]:
    """An unbound name is imported from the standard library."""
    at = context.program.place_of_imports
    for name in unbound_names(node):
        if name in MODULES:
            yield context.replace(at, at, f"import {name}\n")
        if name in MEMBERS:
            yield context.replace(at, at, f"from {MEMBERS[name]} import {name}\n")
        if name == "datetime":
            yield context.replace(at, at, "from datetime import datetime\n")
        if name in ("np", "pd"):
            yield context.replace(at, at, "import numpy as np\n" if name == "np" else "import pandas as pd\n", HALF)


def import_unbound(node: ast.Module, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A name that is bound nowhere is imported from where others are: in the place of one never read, or beside it."""
    read = names_within(node)
    imports = [each for each in node.body if isinstance(each, ast.ImportFrom) and each.names[0].name != "*"]
    for unbound in unbound_names(node):
        for statement in imports:
            names = [f"{alias.name} as {alias.asname}" if alias.asname else alias.name for alias in statement.names]
            start = f"from {'.' * statement.level}{statement.module or ''} import "
            for place, alias in enumerate(statement.names):
                if alias.asname is None and alias.name not in read:
                    kept = [*names[:place], unbound, *names[place + 1 :]]
                    yield context.replace(*context.program.spans[statement], start + ", ".join(kept))
            yield context.replace(*context.program.spans[statement], start + ", ".join([*names, unbound]), HALF)


def widen_import(node: ast.Import, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`import datetime` becomes `from datetime import datetime`, where the class is meant."""
    for alias in node.names:
        if (
            alias.name in ("datetime", "time", "copy", "queue", "bisect", "pprint", "glob")
            and alias.asname is None
            and len(node.names) == 1
        ):
            yield context.replace(*context.program.spans[node], f"from {alias.name} import {alias.name}")


def declare_outer(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`global x` or `nonlocal x` for a name that the function binds and that exists outside."""
    own = {n.id for n in context.scope.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    own -= {name for n in context.scope.nodes if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
    around = set(_names_around(context))
    body = statements_after_docstring(node)
    outer = sorted((own - set(context.scope.parameters)) & around)
    if len(outer) > 1:
        yield from context.before(body[0], (f"nonlocal {', '.join(outer)}",))
    for name in sorted(own - set(context.scope.parameters)):
        if name in around:
            yield from context.before(body[0], (f"nonlocal {name}",))
        elif name in context.scope.globals:
            yield from context.before(body[0], (f"global {name}",))


def _names_around(context: TemplateContext) -> Iterator[str]:
    """What the functions around this one bind themselves, not in functions within them, and what they are handed."""
    outer = [scope.function for scope in context.scope.enclosing]
    yield from (name for scope in context.scope.enclosing for name in scope.parameters)
    for part in context.program.nodes:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store) and context.program.function(part) in outer:
            yield part.id


def switch_declaration(node: ast.Global | ast.Nonlocal, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`global x` becomes `nonlocal x`, and the other way round."""
    start, end = context.program.spans[node]
    word = "nonlocal" if isinstance(node, ast.Global) else "global"
    yield context.replace(start, end, f"{word} {', '.join(node.names)}")


def add_receiver(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`def m(x)` in a class becomes `def m(self, x)`, or gets `@staticmethod`."""
    owner = context.parent(node)
    first = node.args.args[0].arg if node.args.args else ""
    if not isinstance(owner, ast.ClassDef) or first in ("self", "cls", "mcs") or node.decorator_list:
        return
    opened = context.program.source.index("(", context.program.spans[node][0]) + 1
    yield context.replace(opened, opened, "self, " if context.program.source[opened : opened + 1] != ")" else "self")
    yield from context.before(node, ("@staticmethod",), PROBABLE)


def add_decorator(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A method becomes a property, a class method or a static method, or loses its decorator."""
    owner = context.parent(node)
    for decorator in node.decorator_list:
        start = context.program.source.rindex("@", 0, context.program.spans[decorator][0] + 1)
        yield context.replace(
            context.program.line_start(start),
            context.program.line_end(context.program.spans[decorator][1]),
            "",
            PROBABLE,
        )
        for other in ("staticmethod", "classmethod", "property"):
            if context.text(decorator) in ("staticmethod", "classmethod", "property") and other != context.text(
                decorator
            ):
                yield context.put(decorator, other, PROBABLE)
    if isinstance(owner, ast.ClassDef) and not node.decorator_list and not node.name.startswith("__"):
        first = node.args.args[0].arg if node.args.args else ""
        names = (
            ("classmethod",)
            if first == "cls"
            else ("property", "staticmethod")
            if first == "self"
            else ("staticmethod",)
        )
        for name in names:
            yield from context.before(node, (f"@{name}",))


def call_parent(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`super().__init__(...)` is called first in the constructor of a class that has a parent; other methods alike."""
    owner = context.parent(node)
    if not isinstance(owner, ast.ClassDef) or not owner.bases or "super()" in context.text(node):
        return
    names = [a.arg for a in node.args.args[1:]]
    choices = [", ".join(names[:count]) for count in range(len(names) + 1)]
    siblings = _calls_of_siblings(node.name, owner, context)
    taken = _taken_by_parent(owner, context)
    for arguments in dict.fromkeys((*siblings, *(choices if node.name == "__init__" else [", ".join(names)]))):
        weight = 1.0 if node.name == "__init__" else HALF if _may_have(owner, node.name, context) else UNLIKELY
        if node.name == "__init__" and (taken & set(names)) - set(arguments.split(", ")):
            # What both constructors take under one name is handed on.
            weight = HALF
        yield from context.before(node.body[0], (f"super().{node.name}({arguments})",), weight)


def _taken_by_parent(owner: ast.ClassDef, context: TemplateContext) -> set[str]:
    """The parameters of the constructors of the parents that the program defines."""
    parents = [one for base in owner.bases for one in context.program.definitions.get(context.text(base), ())]
    bodies = [part for parent in parents if isinstance(parent, ast.ClassDef) for part in parent.body]
    made = [part for part in bodies if isinstance(part, FUNCTIONS) and part.name == "__init__"]
    return {argument.arg for part in made for argument in part.args.args[1:]}


def _may_have(owner: ast.ClassDef, name: str, context: TemplateContext) -> bool:
    """Whether a parent may have such a method: one of the program's own that says so, or one that is imported."""
    for base in owner.bases:
        found = [d for d in context.program.definitions.get(context.text(base), ()) if isinstance(d, ast.ClassDef)]
        methods = [part.name for parent in found for part in parent.body if isinstance(part, FUNCTIONS)]
        if not found or name in methods:
            return True
    return False


def _calls_of_siblings(method: str, owner: ast.ClassDef, context: TemplateContext) -> Iterator[str]:
    """What other classes of the program give to this method of their parents, their own names replaced by this one."""
    for call in context.cached("calls of parents", lambda: list(_calls_of_parents(context))):
        other = context.program.class_of(call)
        if callee_name(call) == method and other not in (None, owner) and (call.args or call.keywords):
            assert other is not None
            arguments = ", ".join(context.text(argument) for argument in (*call.args, *call.keywords))
            for spell in (str, str.lower, str.upper):
                arguments = re.sub(rf"\b{spell(other.name)}\b", spell(owner.name), arguments)
            yield arguments


def _calls_of_parents(context: TemplateContext) -> Iterator[ast.Call]:
    for node in context.program.nodes:
        if isinstance(node, ast.Call) and is_call_of_parent(node):
            yield node


def set_attribute(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """A constructor gains `self.x = x` for an attribute that methods read and it does not set."""
    if node.name != "__init__" or not context.scope.receiver:
        return
    stored = {n.attr for n in context.scope.nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
    for name in context.scope.attributes:
        if name in stored:
            continue
        values = [p for p in context.scope.parameters if p.lstrip("_") == name.lstrip("_")]
        for rank, value in enumerate((*values, "[]", "{}", "0", "None", "set()", "''", "False", "1")):
            line = f"{context.scope.receiver}.{name} = {value}"
            yield from context.after(node.body[-1], (line,), 1.0 - FAST_DECLINE * rank)
            if not isinstance(node.body[-1], ast.Assign):
                # What the constructor does itself may need it.
                first = statements_after_docstring(node)[0]
                yield from context.before(first, (line,), HALF * (1.0 - FAST_DECLINE * rank))


def usual_helper(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`is_vowel(c)`, which nothing defines, becomes `c.lower() in "aeiou"`: what a helper of that name does."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if not name or name in context.scope.visible or node.keywords:
        return
    if any(isinstance(given, ast.Starred) for given in node.args):
        return
    for count, code, level in _HELPERS_BY_NAME.get(_PREFIX.sub("", name.lower()), ()):
        if count == len(node.args):
            given = [context.expression(one).at(ATOM) for one in node.args]
            yield context.put(node, Expression(code.format(*given), level))


_PREFIX: Final = re.compile(r"^_*(?:(?:is|check|get|to|make|compute|calculate|find)_)?(?:an?_)?")
_USUAL_HELPERS: Final = (
    ("vowel", 1, '{0}.lower() in "aeiou"', COMPARISON),
    ("consonant", 1, '{0}.isalpha() and {0}.lower() not in "aeiou"', AND),
    ("count_vowels", 1, 'sum(c in "aeiou" for c in {0}.lower())', ATOM),
    ("digit number", 1, "{0}.isdigit()", ATOM),
    ("letter alpha", 1, "{0}.isalpha()", ATOM),
    ("space", 1, "{0}.isspace()", ATOM),
    ("upper uppercase", 1, "{0}.isupper()", ATOM),
    ("upper uppercase", 1, "{0}.upper()", ATOM),
    ("lower lowercase", 1, "{0}.islower()", ATOM),
    ("lower lowercase", 1, "{0}.lower()", ATOM),
    ("palindrome", 1, "{0} == {0}[::-1]", COMPARISON),
    ("palindrome", 1, "str({0}) == str({0})[::-1]", COMPARISON),
    ("anagram anagrams", 2, "sorted({0}) == sorted({1})", COMPARISON),
    ("reverse reverse_string", 1, "{0}[::-1]", ATOM),
    ("even", 1, "{0} % 2 == 0", COMPARISON),
    ("odd", 1, "{0} % 2 == 1", COMPARISON),
    ("divisible", 2, "{0} % {1} == 0", COMPARISON),
    ("prime", 1, "{0} > 1 and all({0} % d for d in range(2, int({0} ** 0.5) + 1))", AND),
    ("leap leap_year", 1, "{0} % 4 == 0 and ({0} % 100 != 0 or {0} % 400 == 0)", AND),
    ("power_of_two", 1, "{0} > 0 and {0} & ({0} - 1) == 0", AND),
    ("square", 1, "{0} ** 2", POWER),
    ("square perfect_square", 1, "{0} >= 0 and round({0} ** 0.5) ** 2 == {0}", AND),
    ("cube", 1, "{0} ** 3", POWER),
    ("sign", 1, "({0} > 0) - ({0} < 0)", SUM),
    ("clamp", 3, "max({1}, min({0}, {2}))", ATOM),
    ("digit_sum sum_digits sum_of_digits", 1, "sum(int(digit) for digit in str({0}))", ATOM),
    ("sorted", 1, "{0} == sorted({0})", COMPARISON),
    ("empty", 1, "not {0}", NOT),
    ("average avg mean", 1, "sum({0}) / len({0})", TERM),
    ("unique dedupe remove_duplicates", 1, "list(dict.fromkeys({0}))", ATOM),
    ("flatten", 1, "[item for part in {0} for item in part]", ATOM),
)
"""The names of helpers, how many arguments they take, what they do with these, and how loosely the code binds."""
_HELPERS_BY_NAME: Final = {
    name: [(count, code, level) for names, count, code, level in _USUAL_HELPERS if name in names.split()]
    for names, *_ in _USUAL_HELPERS
    for name in names.split()
}


TEMPLATES = (
    Template("usual_helper", (ast.Call,), usual_helper, ("name",)),
    Template("missing_import", (ast.Module,), missing_import, ("name",)),
    Template("import_unbound", (ast.Module,), import_unbound),
    Template("widen_import", (ast.Import,), widen_import, ("attribute", "type")),
    Template("declare_outer", FUNCTIONS, declare_outer, ("unbound",)),
    Template("switch_declaration", (ast.Global, ast.Nonlocal), switch_declaration, ("name", "unbound")),
    Template("add_receiver", FUNCTIONS, add_receiver, ("arguments", "name")),
    Template("add_decorator", FUNCTIONS, add_decorator, ("type", "object")),
    Template("call_parent", FUNCTIONS, call_parent, ("attribute",)),
    Template("set_attribute", FUNCTIONS, set_attribute, ("attribute",)),
)
