"""What prose says of single inputs: "None if the list is empty", "Raises ValueError if size is less than 1".

Such a sentence becomes a question to the program: a call of the checks with the value put in that it speaks of. What is
not understood, or fits more than one parameter, is left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from regreen.select.inputs.scenarios import Scenario
from regreen.select.prose.sentences import EVERYWHERE, dotted_definitions, sentences_of
from regreen.select.prose.stated_examples import DocumentedExample
from regreen.syntax import FUNCTIONS, UNPARSABLE, Function, callee_name, parsed_or_none

_MOST_OUTCOMES = 8
_EMPTY = {"list": "[]", "string": "''", "text": "''", "dict": "{}", "dictionary": "{}", "tuple": "()", "set": "set()"}
_LITERAL = r"-?\d+(?:\.\d+)?|None|True|False|\[\]|\{\}|\(\)|'[^']*'|\"[^\"]*\""
_ERROR = r"`?\w+(?:Error|Exception)\b`?"
_OUTCOME = rf"(?P<outcome>(?:an |the )?empty (?:{'|'.join(_EMPTY)})\b|`?(?:{_LITERAL})`?(?!\w|\.\d)|{_ERROR})"
_GIVES = r"(?:it |the function )?(?:returns?|raises?|gives?|yields?|is)(?: an?)?"
_IF = r"(?:if|when|for|in case|where)"
_CONDITION = r"(?P<condition>[^.;:,]+)"
_PATTERNS = (
    re.compile(rf"{_OUTCOME}(?: is (?:returned|raised|given))? {_IF} {_CONDITION}"),
    re.compile(rf"\b(?:[Ii]f|[Ff]or|[Ww]hen) {_CONDITION},? (?:then )?{_GIVES} {_OUTCOME}"),
)
_SUBJECT = r"(?:the |its |given |a |an )?`?(?P<subject>\w+)`? "
_EMPTY_CONDITION = re.compile(
    rf"(?:{_SUBJECT}(?:is|are) (?:empty|blank)|(?:an |the )?(?:empty|blank) (?P<empty>\w+)"
    r"|there (?:is|are) no (?P<none>\w+)|no (?P<lacking>\w+)(?: (?:is|are) (?:given|left|there))?)$"
)
_NUMBER = r"(?P<number>-?\d{1,18})"
_SAMPLES: tuple[tuple[re.Pattern[str], Any], ...] = tuple(
    (re.compile(rf"{_SUBJECT}(?:is|are|==|equals)? ?{words}$"), sample)
    for words, sample in (
        ("None", lambda _: None),
        ("(?:zero|0)", lambda _: 0),
        ("negative", lambda _: -1),
        (rf"(?:less|smaller|lower|fewer) than {_NUMBER}", lambda n: n - 1),
        (rf"(?:below|under|<) {_NUMBER}", lambda n: n - 1),
        (rf"(?:more|greater|larger|higher|bigger) than {_NUMBER}", lambda n: n + 1),
        (rf"(?:above|over|>) {_NUMBER}", lambda n: n + 1),
        (rf"(?:at least|>=|at most|<=) {_NUMBER}", lambda n: n),
        (_NUMBER, lambda n: n),
    )
)
_ORDER = re.compile(
    r"`?(?P<one>\w+)`? (?:is |are )?(?:(?P<more>greater|larger|more|higher|bigger|longer|later|after|>)"
    r"|(?:less|smaller|lower|shorter|earlier|before|<)) (?:than )?`?(?P<other>\w+)`?$"
)
"""A condition on two parameters."""


@dataclass(frozen=True)
class _Call:
    """A call of the checks whose arguments are literals, by parameter."""

    scenario: Scenario
    node: ast.Call
    values: Mapping[str, Any]


def documented_outcomes(program: str, statement: str, scenarios: Sequence[Scenario]) -> list[DocumentedExample]:
    """What sentences say of inputs made of the calls in `scenarios`: each call once, and none of the checks' own."""
    module = parsed_or_none(program)
    functions = [(n, f) for n, f in dotted_definitions(module) if isinstance(f, FUNCTIONS)] if module else []
    known = {scenario.words for scenario in scenarios}
    found: dict[str, DocumentedExample] = {}
    for sentence in sentences_of(program, statement):
        spoken_of = [f for name, f in functions if sentence.scope in (EVERYWHERE, name)]
        for function in spoken_of:
            call = _first_call(function, scenarios)
            for made, answer in _read(sentence.text, call, function) if call else ():
                if made.words not in known:
                    found.setdefault(made.words, DocumentedExample(made, answer, sentence.text, is_certain=False))
    return list(found.values())[:_MOST_OUTCOMES]


def _first_call(function: Function, scenarios: Sequence[Scenario]) -> _Call | None:
    """The first scenario that is a plain call of the function with literals."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    for scenario in scenarios:
        node = scenario.observed
        if scenario.setup or not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if callee_name(node) != function.name or len(node.args) > len(names):
            continue
        given = [*zip(names, node.args, strict=False), *((k.arg or "", k.value) for k in node.keywords)]
        try:
            return _Call(scenario, node, {name: ast.literal_eval(value) for name, value in given})
        except UNPARSABLE:
            continue
    return None


def _read(text: str, call: _Call, function: Function) -> Iterator[tuple[Scenario, str]]:
    """The calls of which one sentence says the answer."""
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            answer = _answer(found["outcome"].strip("`"))
            if answer is not None:
                for name, value in _values(found["condition"].strip(), call, function):
                    yield _with_value(call, name, value), answer


def _answer(outcome: str) -> str | None:
    """An outcome in words as programs are observed to answer; None for what Python does not write so (`05`)."""
    if outcome.endswith(("Error", "Exception")):
        return f"raises {outcome}"
    if outcome.split()[0] in ("an", "the", "empty"):
        return _EMPTY[outcome.split()[-1]]
    try:
        return repr(ast.literal_eval(outcome))
    except UNPARSABLE:
        return None


def _values(condition: str, call: _Call, function: Function) -> Iterator[tuple[str, Any]]:
    """The parameter that a condition speaks of, with a value that meets it."""
    if found := _EMPTY_CONDITION.match(condition):
        subject = next(word for word in found.groups() if word)
        name = _parameter(
            subject, call, [n for n, v in call.values.items() if isinstance(v, str | list | dict | tuple)]
        )
        if name is not None:
            yield name, type(call.values[name])()
        return
    if (order := _ORDER.match(condition)) and {order["one"], order["other"]} <= call.values.keys():
        bound = call.values[order["other"]]
        if type(bound) is int and type(call.values[order["one"]]) is int:
            yield order["one"], bound + 1 if order["more"] else bound - 1
        return
    for pattern, sample in _SAMPLES:
        found = pattern.match(condition)
        if found is None:
            continue
        numbers = [n for n, v in call.values.items() if type(v) in (int, float) or v is None]
        name = _parameter(found["subject"], call, numbers)
        number = int(found["number"]) if found.groupdict().get("number") else None
        if name is not None:
            yield name, sample(number)
        return


def _parameter(word: str, call: _Call, fitting: Sequence[str]) -> str | None:
    """The fitting parameter that a word names, or the only one there is."""
    if word in call.values:
        return word if word in fitting else None
    return fitting[0] if len(fitting) == 1 == len(call.values) else None


def _with_value(call: _Call, name: str, value: Any) -> Scenario:
    """The call with another value for one parameter."""
    order = list(call.values)
    written = ast.parse(repr(value), mode="eval").body
    place = order.index(name)
    arguments, keywords = list(call.node.args), list(call.node.keywords)
    if place < len(arguments):
        arguments[place] = written
    else:
        keywords = [ast.keyword(k.arg, written if k.arg == name else k.value) for k in keywords]
    return Scenario((), ast.Call(call.node.func, arguments, keywords))
