"""Constants that are one of several: a further member of a collection, a further text that something may be."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Final

from regreen.propose.search.alike_texts import alike_texts, pairs_of
from regreen.propose.search.constants import HALF, LIKELY
from regreen.propose.search.expressions import COMPARISON, Expression, attribute_of, bool_operation, unary_operation
from regreen.propose.search.mutation import WeightedEdits
from regreen.propose.search.template import Template
from regreen.propose.search.template_context import TemplateContext
from regreen.propose.search.templates.functions.call_arguments import end_of_argument, lead_behind
from regreen.propose.search.templates.text.strings import quoted
from regreen.syntax import callee_name

_MOST_TOGETHER: Final = 4
"""Of the texts that may come, so many are tried two at a time."""
_MOST_MEMBERS: Final = 40
_BLANKS: Final = {" ": ("\t",), "\n": ("\r",), "\t": (" ",)}
"""Blanks that are met in the place of others."""
_MOST_NUMBERS: Final = 6


def one_of_several(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`kind == "png"` becomes `kind in ("png", "jpg")`, `c == " "` becomes `c.isspace()`: it may be another one."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return
    left, right = node.left, node.comparators[0]
    if isinstance(left, ast.Constant) or not isinstance(right, ast.Constant):
        return
    keyword = "in" if isinstance(node.ops[0], ast.Eq) else "not in"
    subject, written = context.expression(left), context.text(right)
    if right.value in _BLANKS:
        asked = attribute_of(subject, "isspace()")
        yield context.put(node, asked if keyword == "in" else unary_operation("not", asked))
    for others, weight in _others(right, context):
        members = ", ".join((written, *others))
        yield context.put(node, Expression(f"{subject.at(COMPARISON + 1)} {keyword} ({members})", COMPARISON), weight)


def either_in(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`"," in text` becomes `"," in text or ";" in text`: another one may stand there as well."""
    asked = node.left
    if len(node.ops) != 1 or not isinstance(asked, ast.Constant) or not isinstance(asked.value, str):
        return
    if isinstance(node.ops[0], ast.In | ast.NotIn):
        symbol, word = ("in", "or") if isinstance(node.ops[0], ast.In) else ("not in", "and")
        held = context.expression(node.comparators[0]).at(COMPARISON + 1)
        for others, weight in _further(context, [asked.value], context.text(asked)):
            terms = [Expression(f"{text} {symbol} {held}", COMPARISON) for text in (context.text(asked), *others)]
            whole = terms[0]
            for term in terms[1:]:
                whole = bool_operation(whole, word, term)
            yield context.put(node, whole, weight)


def _others(constant: ast.Constant, context: TemplateContext) -> Iterator[tuple[tuple[str, ...], float]]:
    """What a constant may be beside, as source text: one further value or two, with their weight."""
    value = constant.value
    if isinstance(value, str) and value:
        yield from _further(context, [value], context.text(constant))
    elif type(value) is int:
        # Those of the checks would make special cases of them.
        numbers = [number for number in context.clues.numbers if number.isdigit() and number != str(value)]
        yield from (((number,), HALF) for number in numbers[:_MOST_NUMBERS])


def _further(context: TemplateContext, like: Sequence[str], quotes: str) -> Iterator[tuple[tuple[str, ...], float]]:
    blanks = [blank for text in like for blank in _BLANKS.get(text, ()) if blank not in like]
    found = [*blanks, *alike_texts(context.clues, like)]
    yield from (((quoted(text, quotes),), 1.0) for text in found)
    for pair in pairs_of(found, _MOST_TOGETHER):
        yield tuple(quoted(text, quotes) for text in pair), HALF


def further_beginning(node: ast.Call, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`url.startswith("http://")` becomes `url.startswith(("http://", "https://"))`; the same of `endswith`."""
    given = node.args[0] if callee_name(node) in ("startswith", "endswith") and len(node.args) == 1 else None
    if isinstance(given, ast.Constant) and isinstance(given.value, str) and given.value:
        written = context.text(given)
        for others, weight in _further(context, [given.value], written):
            yield context.put(given, f"({', '.join((written, *others))})", weight)


def further_member(node: ast.Tuple | ast.List | ast.Set, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(".git", ".tox")` becomes `(".git", ".tox", ".venv")`: a text of the checks that looks like the others."""
    yield from _further_number(node, context)
    texts = [part.value for part in node.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if not texts or len(texts) != len(node.elts) or len(texts) > _MOST_MEMBERS:
        return
    last = node.elts[-1]
    end, lead = end_of_argument(context, last), lead_behind(context, last)
    share = 1.0 if len(texts) > 1 else LIKELY
    for others, weight in _further(context, texts, context.text(last)):
        yield context.replace(end, end, "".join(lead + text for text in others), share * weight)


def _further_number(node: ast.Tuple | ast.List | ast.Set, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`(301, 302)` becomes `(301, 302, 308)`: a number of the checks, or of the prose, with as many digits, of three or
    more: codes and years are what one of several is."""
    numbers = [part.value for part in node.elts if isinstance(part, ast.Constant) and type(part.value) is int]
    sizes = {len(str(number)) for number in numbers}
    if len(numbers) < _FEWEST_CODES or len(numbers) != len(node.elts) or len(sizes) != 1 or min(sizes) < _CODE_DIGITS:
        return
    last = node.elts[-1]
    end, lead = end_of_argument(context, last), lead_behind(context, last)
    found = dict.fromkeys((*context.clues.numbers, *context.clues.inputs, *context.clues.outputs))
    others = [text for text in found if text.isdigit() and len(text) in sizes and int(text) not in numbers]
    yield from (context.replace(end, end, f"{lead}{text}") for text in others[:_MOST_NUMBERS])


_FEWEST_CODES: Final = 2
_CODE_DIGITS: Final = 3


def further_key(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{"h": 3600, "m": 60}` becomes `{"h": 3600, "m": 60, "s": 1}` where a check ended with `KeyError: 's'`."""
    values = [value.value for value in node.values if isinstance(value, ast.Constant)]
    keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
    if not values or len(values) != len(node.values) or len(keys) != len(values) or len(keys) > _MOST_MEMBERS:
        return
    if not all(type(value) in (int, float) for value in values):
        return
    last = node.values[-1]
    end, lead = end_of_argument(context, last), lead_behind(context, node.keys[-1] or last)
    for key in _lacking_keys(context):
        if key not in map(repr, keys):
            numbers = dict.fromkeys(("1", "0", *context.clues.numbers, *context.clues.outputs))
            for number in list(numbers)[:_MOST_NUMBERS]:
                yield context.replace(end, end, f"{lead}{key}: {number}")


def _lacking_keys(context: TemplateContext) -> list[str]:
    """The keys that failing checks did not find, as they are written."""
    return list(dict.fromkeys(_LACKING.findall(context.clues.details)))


_LACKING: Final = re.compile(r"KeyError: ('[^'\\]*'|\d+)(?= |$)", re.MULTILINE)


def further_entry(node: ast.Dict, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`{"&": "&amp;"}` becomes `{"&": "&amp;", "<": "&lt;"}`, where a check came by `<` and wanted `&lt;`."""
    pairs = [(key, value) for key, value in zip(node.keys, node.values, strict=True) if _are_texts(key, value)]
    if not pairs or len(pairs) != len(node.keys) or len(pairs) > _MOST_MEMBERS:
        return
    keys = [key.value for key, _ in pairs if isinstance(key, ast.Constant) and isinstance(key.value, str)]
    last_key, last_value = pairs[-1]
    end, lead = end_of_argument(context, last_value), lead_behind(context, last_key or last_value)
    for came, wanted in context.clues.differing_texts:
        if came not in keys and max(map(len, keys)) >= len(came):
            entry = f"{quoted(came, context.text(last_key or last_value))}: {quoted(wanted, context.text(last_value))}"
            yield context.replace(end, end, lead + entry)


def _are_texts(*nodes: ast.expr | None) -> bool:
    return all(isinstance(node, ast.Constant) and isinstance(node.value, str) for node in nodes)


def also_one_of_table(node: ast.Compare, context: TemplateContext) -> Iterator[WeightedEdits]:
    """`word == "("` becomes `word in ("(", "not")`, where another branch asks `word in LEVEL`, which has it: that one
    is dealt with as the bracket is."""
    match node:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq()], comparators=[ast.Constant(value=str(own))]):
            for word in context.cached(f"words asked for of {name}", lambda: _words_asked(name, context)):
                if word != own:
                    quotes = context.text(node.comparators[0])
                    yield context.put(node, Expression(f"{name} in ({quotes}, {quoted(word, quotes)})", COMPARISON))


def _words_asked(name: str, context: TemplateContext) -> list[str]:
    """The texts in the tables of the module in which a variable is looked for."""
    found: dict[str, None] = {}
    for part in context.scope.nodes:
        match part:
            case ast.Compare(left=ast.Name(id=asked), ops=[ast.In()], comparators=[ast.Name(id=table)]) if (
                asked == name
            ):
                found |= dict.fromkeys(_words_of(table, context)[:_MOST_MEMBERS])
    return list(found)


def _words_of(table: str, context: TemplateContext) -> list[str]:
    for step in context.program.tree.body:
        match step:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Dict(keys=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts)
            ) if name == table:
                return [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return []


TEMPLATES = (
    Template("also_one_of_table", (ast.Compare,), also_one_of_table, ("content", "shorter", "longer")),
    Template("either_in", (ast.Compare,), either_in, ("negated", "content")),
    Template("one_of_several", (ast.Compare,), one_of_several, ("negated", "content", "longer", "shorter")),
    Template("further_beginning", (ast.Call,), further_beginning, ("negated", "content")),
    Template("further_member", (ast.Tuple, ast.List, ast.Set), further_member, ("negated", "content", "longer")),
    Template("further_key", (ast.Dict,), further_key, ("key",)),
    Template("further_entry", (ast.Dict,), further_entry, ("content", "key")),
)
