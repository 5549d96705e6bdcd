"""Input and output cases, one JSON object a line, turned into a suite."""

from __future__ import annotations

import json
import keyword
import math
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from regreen.errors import TaskError
from regreen.syntax import parse, python_literal
from regreen.types import JSON_VIEW, Check, Step, Suite, SuiteKind
from regreen.verify.bindings import guess_entry_point
from regreen.verify.live_results import is_generator
from regreen.verify.program_facts import ProgramFacts, is_builtin_exception, read_program_facts
from regreen.verify.python_text import normalise_line_ends, shorten_code
from regreen.verify.surface import surface_of_statements

_FIELDS = ("args", "kwargs", "expected", "raises")
_DEEPEST = 80
"""Levels of nested lists and objects in a case; Python does not compile much deeper literals."""
_FORM = 'Each line is one object such as {"args": [1, 2], "kwargs": {}, "expected": 3}.'


def read_io_cases(text: str, *, program: str, module: str, entry_point: str | None, origin: str = "<cases>") -> Suite:
    """The suite of a `.jsonl` file whose lines hold `args`, `kwargs` and `expected` (or `raises`).

    Results are compared with `==`, tuples as lists; empty lines are skipped. `module` is used in messages only, since
    the cases do not import the program. Raises TaskError naming the row and the field that cannot be used.
    """
    facts = read_program_facts(program)
    entry = entry_point or guess_entry_point(program, "")
    if entry is None:
        raise TaskError(
            f"The cases in {origin} do not say which function of `{module}` they call.",
            remedy="Name it with --entry-point NAME.",
        )
    numbered = list(enumerate(normalise_line_ends(text).split("\n"), 1))
    cases = [_Row(number, line, origin).case(facts) for number, line in numbered if line.strip()]
    if not cases:
        raise TaskError(f"{origin} holds no case.", remedy=_FORM)
    return _suite(text, cases, entry, facts, origin)


@dataclass(frozen=True, slots=True)
class _Case:
    line: int
    arguments: str
    expected: str
    raises: str | None
    by_text: bool
    """Whether values are compared by `repr`, since NaN is not equal to itself."""


def _suite(text: str, cases: list[_Case], entry: str, facts: ProgramFacts, origin: str) -> Suite:
    node = facts.functions.get(entry)
    generator = node is not None and is_generator(node)
    awaited = entry in facts.coroutines
    steps = [Step("import asyncio")] if awaited else []
    checks = []
    for number, case in enumerate(cases, 1):
        call = f"{entry}({case.arguments})"
        call = f"asyncio.run({call})" if awaited else f"list({call})" if generator else call
        code = _code(call, case)
        steps.append(Step(code, f"case-{number}", case.line))
        checks.append(Check(f"case-{number}", shorten_code(_code(call, case, view="")), case.line))
    body = parse(steps[0].code).body + parse(steps[-1].code).body
    surface, isolation, reason = surface_of_statements(facts, body, None, entry)
    return Suite(
        *(SuiteKind.SCRIPT, text, tuple(checks), tuple(steps), None, origin), isolation, reason, surface=surface
    )


def _code(call: str, case: _Case, view: str = JSON_VIEW) -> str:
    """The case as a statement; `view` names the function that turns tuples of a result into lists, if any."""
    result = f"{view}({call})" if view else call
    if case.raises is not None:
        failure = f"raise AssertionError({f'{case.raises} was expected, but nothing was raised'!r})"
        return f"try:\n    {call}\nexcept {case.raises}:\n    pass\nelse:\n    {failure}"
    if case.by_text:
        return f"assert repr({result}) == repr({case.expected})"
    return f"assert {result} == {case.expected}"


class _Row:
    """One line of the file."""

    def __init__(self, number: int, line: str, origin: str) -> None:
        self.number, self.line, self.origin = number, line, origin

    def case(self, facts: ProgramFacts) -> _Case:
        """The case that the row describes. Raises TaskError."""
        row = self._object()
        for name in row:
            if name not in _FIELDS:
                raise self._unusable(f"has the field {name!r}, which is unknown", f"Known: {', '.join(_FIELDS)}.")
        if "args" not in row and "kwargs" not in row:
            raise self._unusable("has neither `args` nor `kwargs`", _FORM)
        if ("expected" in row) == ("raises" in row):
            raise self._unusable("needs one of `expected` and `raises`", _FORM)
        args, kwargs = row.get("args", []), row.get("kwargs", {})
        if not isinstance(args, list):
            raise self._unusable(f"has {_kind(args)} as `args`, not a list", "Write `[...]` around the arguments.")
        if not isinstance(kwargs, dict):
            raise self._unusable(f"has {_kind(kwargs)} as `kwargs`, not an object", 'Write `{"name": value}`.')
        expected = row.get("expected")
        return _Case(
            self.number,
            _arguments(args, kwargs),
            python_literal(expected),
            self._raises(row, facts),
            _has_nan(expected),
        )

    def _object(self) -> dict[str, Any]:
        try:
            row = json.loads(self.line)
        except json.JSONDecodeError as error:
            raise self._unusable(f"is not JSON: {error.msg} at column {error.colno}", _FORM) from error
        except (RecursionError, ValueError) as error:
            raise self._unusable(f"cannot be read: {error}", _FORM) from error
        if not isinstance(row, dict):
            raise self._unusable(f"is {_kind(row)}, not an object", _FORM)
        if _depth(row) > _DEEPEST:
            raise self._unusable(f"is nested more than {_DEEPEST} levels deep", "Write such a case as an assert.")
        return row

    def _raises(self, row: dict[str, Any], facts: ProgramFacts) -> str | None:
        if "raises" not in row:
            return None
        name = row["raises"]
        if isinstance(name, str) and (name in facts.classes or is_builtin_exception(name)):
            return name
        raise self._unusable(
            f"has {name!r} as `raises`, which is no exception", 'Write its name, e.g. {"raises": "ValueError"}.'
        )

    def _unusable(self, what: str, remedy: str) -> TaskError:
        return TaskError(f"Line {self.number} of {self.origin} {what}.", remedy=remedy)


def _arguments(args: list[Any], kwargs: dict[str, Any]) -> str:
    parts = [python_literal(value) for value in args]
    if all(map(_can_be_written, kwargs)):
        parts += [f"{name}={python_literal(value)}" for name, value in kwargs.items()]
    else:
        parts.append(f"**{python_literal(kwargs)}")
    return ", ".join(parts)


def _has_nan(value: Any) -> bool:
    return any(isinstance(leaf, float) and math.isnan(leaf) for leaf, _ in _leaves(value))


def _depth(value: Any) -> int:
    return max((depth for _, depth in _leaves(value)), default=0)


def _leaves(value: Any) -> Iterator[tuple[Any, int]]:
    pending = [(value, 0)]
    while pending:
        current, depth = pending.pop()
        yield current, depth
        if isinstance(current, (list, dict)):
            inner = current.values() if isinstance(current, dict) else current
            pending.extend((item, depth + 1) for item in inner)


def _kind(value: Any) -> str:
    names = {"str": "a string", "list": "a list", "dict": "an object", "NoneType": "null", "bool": "true or false"}
    return names.get(type(value).__name__, "a number")


def _can_be_written(name: str) -> bool:
    """Whether a name can be written as a keyword argument: Python normalises identifiers to NFKC."""
    return name.isidentifier() and not keyword.iskeyword(name) and unicodedata.normalize("NFKC", name) == name
