"""Steps that the prose names and the program leaves out: what does not count, what is returned when, the first so
many."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import product
from typing import Final

from regreen.propose.search.constants import (
    DECLINE,
    HALF,
    MAX_STATED_GUARDS,
    PROBABLE,
    VERY_LIKELY,
)
from regreen.propose.search.expressions import Expression, function_call, subscript
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.parsed_program import statements_after_docstring
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.prose_requirements import requirements_in
from regreen.syntax import FUNCTIONS, Function, callee_name


def normalise_parameters(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`text = text.lower()`, `xs = xs.copy()`, ... first, for one parameter or all, where prose says so."""
    kinds, required = context.scope.kinds, requirements_in(context.clues.prose)
    parameters = [name for name in context.scope.parameters if name != context.scope.receiver]
    names = [name for name in parameters if kinds.get(name, "") in ("str", "")]
    first = statements_after_docstring(node)[0]
    for step, shape, taken in _OTHER_FORMS:
        for name in parameters if step in required else ():
            if kinds.get(name, "") in taken:
                yield from context.before(first, (f"{name} = {shape.format(name)}",))
    alike = len(names) > 1 and len({_uses(name, node, context) for name in names}) == 1
    for rank, shape in enumerate(_normal_forms(required)):
        weight = max(1.0 - DECLINE * rank, HALF)
        if len(names) > 1:
            yield from context.before(first, [f"{name} = {shape.format(name)}" for name in names], weight)
        for name in () if alike else names:
            yield from context.before(first, (f"{name} = {shape.format(name)}",), weight * VERY_LIKELY)


def _uses(name: str, node: Function, context: TemplateContext) -> tuple[str, ...]:
    """What a function does with a parameter: the expressions around its uses, without the name."""
    uses = [n for n in context.program.below(node) if isinstance(n, ast.Name) and n.id == name]
    around = [context.parent(use) for use in uses]
    return tuple(sorted(callee_name(n) if isinstance(n, ast.Call) else type(n).__name__ for n in around))


def _normal_forms(required: frozenset[str]) -> Iterator[str]:
    """What makes texts alike that differ in nothing that counts, all of it first."""
    lower = ".lower()" if "case" in required else ""
    for name, test in _TESTS_OF_CHARACTERS.items():
        if name in required:
            yield f'"".join(c for c in {{}}{lower} if c.{test}())'
    if "blanks" in required:
        yield f'{{}}.replace(" ", ""){lower}'
        yield '{}.replace(" ", "")'
    if lower:
        yield "{}.lower()"


_OTHER_FORMS: Final = (
    ("absolute", "abs({})", ("int", "float")),
    ("unchanged", "{}.copy()", ("list", "dict", "set", "")),
    ("empties", "[x for x in {} if x]", ("list", "")),
    ("negatives", "[x for x in {} if x >= 0]", ("list", "")),
    ("zeros", "[x for x in {} if x != 0]", ("list", "")),
)
"""Steps for parameters that are no texts, and the kinds that they are for."""
_TESTS_OF_CHARACTERS: Final = {
    "alphanumeric": "isalnum",
    "letters": "isalpha",
    "digits": "isdigit",
    "punctuation": "isalnum",
}
_SENTENCE: Final = re.compile(r"(?<=[.;!?])\s+|\n\s*\n|\n\s*(?=[-*:@])")
_RESULT: Final = re.compile(
    r"\b(None|True|False)\b|(\"[^\"\n]{0,30}\"|'[^'\n]{0,30}')|\ban empty (list|string|dict\w*|tuple|set)\b"
    r"|(?:return|returns|returned|gives?|is|or|be|then) (?:the )?`?(-?\d+(?:\.\d+)?)\b(?!\.\d)"
)
_EMPTY: Final = {"list": "[]", "string": '""', "tuple": "()", "set": "set()"}
_IS_EMPTY: Final = re.compile(
    r"\b(?:for|if|of|when|is|are) (?:an? |the )?(?:list |string |text |input )?(?:is |are )?(?:empty|blank|missing)\b"
    r"|\bif (?:there (?:is|are) no\w*|no\b|none\b)"
)
_BOUND: Final = re.compile(
    r"\b(?:(?P<above>above|over|(?:greater|more|larger|higher|longer) than|exceeds?)"
    r"|(?P<below>below|under|(?:less|smaller|fewer|lower|shorter) than)"
    r"|(?P<negative>negative(?: numbers?)?)|(?P<none>zero|0))(?: (?P<number>-?\d+|zero|one|two|three))?\b"
)
_ALL_EQUAL: Final = re.compile(r"\ball (?:the |of the )?(?:\w+ )?(?:are |is )?(?:equal|the same|identical|alike)\b")
_ALL_BECOME: Final = re.compile(
    r"\b(?:all|every|each)(?: of)?(?: the)? (?:results?|values?|entr(?:y|ies)|items?|numbers?|elements?|scores?)"
    r" (?:are|is|becomes?|get) (-?\d+(?:\.\d+)?)\b(?!\.\d)"
)
_NUMERALS: Final = {"zero": "0", "one": "1", "two": "2", "three": "3"}


def stated_guard(node: Function, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not xs: return None`, `if n > 100 or n < 0: return "?"` first, where a sentence says just that."""
    first = statements_after_docstring(node)[0]
    guards: dict[tuple[str, str], None] = {}
    for sentence in _SENTENCE.split(" ".join(context.clues.prose.split())):
        results = list(dict.fromkeys((*_lists_of_one_value(sentence, context), *_results(sentence))))
        tests = list(dict.fromkeys(_tests(sentence, context)))
        guards |= dict.fromkeys(product(tests, results))
    for rank, (test, result) in enumerate(list(guards)[:MAX_STATED_GUARDS]):
        yield from context.before(first, (f"if {test}:", f"\treturn {result}"), max(1.0 - DECLINE * rank, HALF))


def stated_guard_on_made(node: ast.Assign, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`if not words: return 0` behind `words = text.split()`, where a sentence says so: "without words it gives 0"."""
    target = node.targets[0]
    if not isinstance(target, ast.Name) or context.parent(node) is not context.scope.function:
        return
    asked = re.compile(rf"\b(?:no|without|without any|zero|not any) (?:\w+ )?{re.escape(target.id)}\b", re.IGNORECASE)
    for sentence in _SENTENCE.split(" ".join(context.clues.prose.split())):
        if asked.search(sentence):
            for result in dict.fromkeys(_results(sentence)):
                yield from context.after(node, (f"if not {target.id}:", f"\treturn {result}"))


def _results(sentence: str) -> Iterator[str]:
    for found in _RESULT.finditer(sentence):
        constant, text, kind, number = found.groups()
        if kind:
            yield _EMPTY.get(kind, "{}")
        else:
            yield constant or text or number


def _lists_of_one_value(sentence: str, context: TemplateContext) -> Iterator[str]:
    """`[0] * len(xs)`, where "all results are 0"."""
    found = _ALL_BECOME.search(sentence)
    if found is not None:
        names = (name for name in context.scope.parameters if context.scope.kinds.get(name) in ("list", "tuple"))
        yield from (f"[{found[1]}] * len({name})" for name in names)


def _tests(sentence: str, context: TemplateContext) -> Iterator[str]:
    """The conditions of a sentence over the parameters that they may be about."""
    kinds = context.scope.kinds
    names = [name for name in context.scope.parameters if name != context.scope.receiver]
    spoken_of = [name for name in names if re.search(rf"\b{re.escape(name)}\b", sentence)] or names
    if _IS_EMPTY.search(sentence):
        yield from (f"not {name}" for name in spoken_of if kinds.get(name, "") not in ("int", "float"))
    if _ALL_EQUAL.search(sentence):
        yield from (f"len(set({name})) == 1" for name in spoken_of if kinds.get(name) in ("list", "tuple", "str"))
    bounds = [bound for found in _BOUND.finditer(sentence) if (bound := _bound(found))]
    for name in spoken_of:
        kind = kinds.get(name, "")
        for value in (name,) if kind in ("int", "float") else (f"len({name})",) if kind else (name, f"len({name})"):
            tests = [f"{value} {bound}" for bound in bounds]
            if len(tests) > 1:
                yield " or ".join(tests)
            yield from tests


def _bound(found: re.Match[str]) -> str | None:
    number = found["number"]
    number = _NUMERALS.get(number, number)
    if found["negative"]:
        return "< 0"
    if found["none"]:
        return "== 0"
    if number is None:
        return None
    return f"> {number}" if found["above"] else f"< {number}"


_COUNTS: Final = {"two": "2", "three": "3", "four": "4", "five": "5", "ten": "10"}
_FIRST: Final = re.compile(r"\b(first|last) `?(\w+)`? (?:elements|items|characters|letters|numbers|words|values)")


def stated_slice(node: ast.Name, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`xs` becomes `xs[:k]` where prose speaks of the first `k` elements, `xs[-k:]` where of the last ones."""
    if not isinstance(node.ctx, ast.Load) or context.kind(node) not in ("list", "str", "tuple", ""):
        return
    if isinstance(context.parent(node), ast.Subscript | ast.Attribute | ast.Compare):
        return
    for which, count in dict.fromkeys(_FIRST.findall(context.clues.prose)):
        number = _COUNTS.get(count, count)
        if number != node.id and (number.isdigit() or number in context.scope.parameters):
            yield context.put(node, subscript(Expression(node.id), f":{number}" if which == "first" else f"-{number}:"))


_CALLS: Final[dict[str, tuple[str, frozenset[str]]]] = {
    "distinct": ("set", frozenset({"list", "str"})),
    "order": ("sorted", frozenset({"list", "set", "tuple"})),
    "absolute": ("abs", frozenset({"int", "float"})),
}
"""The function that does a step, and the kinds of what it takes."""


def stated_call(node: ast.Name | ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`len(xs)` becomes `len(set(xs))` where prose says "distinct", `for x in xs` becomes `for x in sorted(xs)`, ..."""
    parent, kind = context.parent(node), context.kind(node)
    is_source = isinstance(parent, ast.For | ast.comprehension) and parent.iter is node
    is_name = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    is_owner = isinstance(parent, ast.Subscript | ast.Attribute | ast.Compare)
    is_callee = isinstance(parent, ast.Call) and parent.func is node
    # `table.values()` in `sorted(table.values())`.
    is_given = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(parent, ast.Call)
    is_plain = is_name and not is_owner and not is_callee
    if not (is_source or isinstance(parent, ast.Return) or is_plain or (is_given and not is_callee)):
        return
    required = requirements_in(context.clues.prose)
    share = 1.0 if is_source or isinstance(parent, ast.Call | ast.Return) else PROBABLE
    for name, (function, kinds) in _CALLS.items():
        if (kind in kinds or not kind or is_source) and name in required:
            call = context.put(node, function_call(function, context.expression(node)), share)
            if (twin := _other_side(node, context)) is not None:
                other = context.edit(twin, function_call(function, context.expression(twin)))
                yield WeightedEdits((*call.edits, other), share)
            yield call


def _other_side(node: ast.expr, context: TemplateContext) -> ast.expr | None:
    """`best` where the node is `word` in `len(word) > len(best)`: what is done with both; None anywhere else."""
    call = context.parent(node)
    around = context.parent(call) if isinstance(call, ast.Call) else None
    if not isinstance(around, ast.Compare) or around.left is not call or len(around.comparators) != 1:
        return None
    assert isinstance(call, ast.Call)
    other = around.comparators[0]
    if not isinstance(other, ast.Call) or len(call.args) != 1 or len(other.args) != 1:
        return None
    return other.args[0] if context.text(other.func) == context.text(call.func) else None


def stated_direction(node: ast.expr, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`for c in text` becomes `for c in reversed(text)`, also within `enumerate`, where prose goes from right to
    left."""
    whole, owner = node, context.parent(node)
    if isinstance(owner, ast.Call) and callee_name(owner) == "enumerate":
        whole, owner = owner, context.parent(owner)
    if not isinstance(owner, ast.For | ast.comprehension) or owner.iter is not whole:
        return
    told = context.cached("stated direction", lambda: bool(_BACKWARDS.search(" ".join(context.clues.prose.split()))))
    made = callee_name(node) if isinstance(node, ast.Call) else ""
    if told and made not in ("range", "reversed", "zip", "enumerate"):
        yield context.put(node, f"reversed({context.text(node)})")


_BACKWARDS: Final = re.compile(
    r"\b(?:from|beginning at|starting (?:at|with)) the (?:right|end|back|last|rightmost)\b"
    r"|\bright[- ]to[- ]left\b|\bfrom right\b|\b(?:last|end|back) to (?:the )?(?:first|start|beginning|front)\b"
    r"|\bbackwards?\b|\bin reverse\b",
    re.IGNORECASE,
)


TEMPLATES = (
    Template(
        "stated_direction",
        (ast.Name, ast.Call, ast.Subscript, ast.Attribute),
        stated_direction,
        ("order", "reversed", "sign", "content"),
    ),
    Template("normalise_parameters", FUNCTIONS, normalise_parameters, ("case", "space", "negated")),
    Template("stated_guard_on_made", (ast.Assign,), stated_guard_on_made, ("zero", "empty", "index")),
    Template("stated_guard", FUNCTIONS, stated_guard, ("index", "zero", "none")),
    Template("stated_slice", (ast.Name,), stated_slice, ("longer",)),
    Template("stated_call", (ast.Name, ast.Call), stated_call, ("order", "repeats")),
)
