"""Checks of programs that read their input from the keyboard and print: what they hand over, and what they call.

The ways of doing so that are common are known by their words: `io.StringIO(text)` or `iter(lines)` put in the place of
standard input or of `input`, in the test or in a helper of it.
"""

from __future__ import annotations

import ast
import contextlib
import textwrap
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from regreen.select.inputs.check_bodies import table_rows
from regreen.select.inputs.scenarios import Scenario
from regreen.select.inputs.tests_module import Functions, parsed_tests
from regreen.syntax import FUNCTIONS, Function, callee_name, walk
from regreen.types import Suite

_MOST_SCENARIOS = 8
_DEEPEST = 3
"""Helpers that call one another."""
_PRINTS = ("capsys", "capfd", "stdout")
"""Words of a test that looks at what is printed."""
_STREAMS = frozenset({"StringIO", "BytesIO"})
_OF_TEXT = frozenset({"strip", "lstrip", "rstrip", "join", "encode"})
_LONGEST = 600
"""Characters of a text that is taken; the tests may be anybody's, and double one line by line."""
_Known = Mapping[str, Any]
"""The values of variables that are literals."""


@dataclass(frozen=True)
class ConsoleScenario(Scenario):
    """A call that reads a text from standard input; what it prints is looked at."""

    given: str = ""
    call: str = ""
    in_bytes: bool = False
    """Whether the program reads bytes (`sys.stdin.buffer`)."""

    @cached_property
    def inputs(self) -> Sequence[Any]:
        """The text."""
        return [self.given]

    def with_inputs(self, values: Sequence[Any]) -> Scenario:
        """The same with another text."""
        return console_scenario(str(values[0]), self.call, in_bytes=self.in_bytes)

    @cached_property
    def words(self) -> str:
        """The scenario on one line."""
        return f"{self.call} reading {self.given!r}"


def console_scenario(given: str, call: str, *, in_bytes: bool = False) -> ConsoleScenario:
    """What a call prints that reads a text."""
    stream = f"io.TextIOWrapper(io.BytesIO({given!r}.encode()))" if in_bytes else f"io.StringIO({given!r})"
    steps = ast.parse(
        "import contextlib, io\n"
        "from unittest import mock\n"
        f"given, printed = ({stream}, io.StringIO())\n"
        "with mock.patch('sys.stdin', given), contextlib.redirect_stdout(printed):\n"
        f"    {call}\n"
        "printed.getvalue()\n"
    ).body
    last = steps.pop()
    assert isinstance(last, ast.Expr)
    return ConsoleScenario(tuple(steps), last.value, None, given, call, in_bytes)


def read_console_scenarios(suite: Suite, program: str, program_names: Set[str]) -> list[ConsoleScenario]:
    """The texts that the checks of a suite have a program read, each once, with the call that reads it."""
    module = parsed_tests(suite.source)
    constants = _assigned(module, {})
    helpers = {node.name: node for node in module if isinstance(node, ast.FunctionDef)}
    in_bytes = "stdin.buffer" in program
    found: dict[str, ConsoleScenario] = {}
    for test in _tests(module):
        for known in _rows(test, constants):
            reading = _Reading(helpers, program_names)
            with contextlib.suppress(RecursionError):
                reading.read(test, known)
            for given in reading.texts if reading.call and reading.prints else ():
                scenario = console_scenario(given, reading.call, in_bytes=in_bytes)
                found.setdefault(scenario.words, scenario)
    return list(found.values())[:_MOST_SCENARIOS]


def _tests(module: Sequence[ast.stmt]) -> Iterator[Function]:
    for node in module:
        if isinstance(node, FUNCTIONS) and node.name.startswith("test"):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _tests(node.body)


def _rows(test: Function, known: _Known) -> Iterator[_Known]:
    """What is known in a test: once for each row of its `parametrize`."""
    for mark in test.decorator_list:
        if isinstance(mark, ast.Call) and callee_name(mark) == "parametrize" and len(mark.args) > 1:
            names = _value(mark.args[0], known)
            listed = names.split(",") if isinstance(names, str) else names if isinstance(names, list | tuple) else []
            listed = [str(name).strip() for name in listed]
            for row in table_rows(mark.args[1]):
                values = [row] if len(listed) == 1 else getattr(row, "elts", [])
                yield {**known, **{name: _value(value, known) for name, value in zip(listed, values, strict=False)}}
            return
    yield known


class _Reading:
    """What a test hands a program, what it calls, and whether it looks at what is printed."""

    def __init__(self, helpers: Functions, program_names: Set[str]) -> None:
        self.helpers = helpers
        self.program_names = program_names
        self.texts: list[str] = []
        self.call = ""
        self.prints = False

    def read(self, function: Function, known: _Known, depth: int = _DEEPEST) -> None:
        """Look at a function, and at the helpers that it calls."""
        known = _assigned(function.body, known)
        nodes = [inner for statement in function.body for inner in walk(statement)]
        text = ast.unparse(function)
        self.prints = self.prints or any(word in text for word in _PRINTS)
        for call in (node for node in nodes if isinstance(node, ast.Call)):
            name = callee_name(call)
            if (given := _given(call, known)) is not None:
                self.texts.append(given)
            if name in self.program_names and not self.call and (written := _written(call, known)):
                self.call = written
            elif name in self.helpers and depth and isinstance(call.func, ast.Name):
                self.read(self.helpers[name], _bound(self.helpers[name], call, known), depth - 1)


def _given(call: ast.Call, known: _Known) -> str | None:
    """The text that a call makes a stream of, or gives out line by line; None for any other call."""
    lines = next((keyword.value for keyword in call.keywords if keyword.arg == "side_effect"), None)
    if lines is None and callee_name(call) == "iter" and len(call.args) == 1:
        lines = call.args[0]
    if lines is not None:
        value = _value(lines, known)
        is_lines = isinstance(value, list | tuple) and value and all(isinstance(line, str) for line in value)
        return "\n".join(value) + "\n" if is_lines and sum(map(len, value)) <= _LONGEST else None
    if callee_name(call) in _STREAMS and len(call.args) == 1:
        value = _value(call.args[0], known)
        value = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        return value if isinstance(value, str) and value.strip() and len(value) <= _LONGEST else None
    return None


def _written(call: ast.Call, known: _Known) -> str:
    """The call of a function of the program, its arguments written out; empty where one is no literal."""
    values = [_value(argument, known) for argument in call.args]
    if call.keywords or not isinstance(call.func, ast.Name) or any(value is None for value in values):
        return ""
    return f"{call.func.id}({', '.join(map(repr, values))})"


def _bound(helper: ast.FunctionDef, call: ast.Call, known: _Known) -> _Known:
    """What is known within a helper that is called so."""
    names = [argument.arg for argument in helper.args.args]
    given = dict(zip(names, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    return {**known, **{name: _value(value, known) for name, value in given.items()}}


def _assigned(body: Sequence[ast.stmt], known: _Known) -> _Known:
    """What is known with the literals that these statements give to variables."""
    values = dict(known)
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
            values[target.id] = _value(node.value, values)
    return values


def _value(node: ast.expr, known: _Known) -> Any:
    """The value of a literal, of a variable that holds one, and of what is done to texts alone; None for all else."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _value(node.left, known), _value(node.right, known)
        fits = type(left) is type(right) and isinstance(left, str | list) and len(left) + len(right) <= _LONGEST
        return left + right if fits else None
    if isinstance(node, ast.Call):
        return _done_to_text(node, known)
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _done_to_text(call: ast.Call, known: _Known) -> Any:
    """What `dedent` or a method gives of a text that is known; None for any other call."""
    values = [_value(argument, known) for argument in call.args]
    if callee_name(call) == "dedent" and len(values) == 1 and isinstance(values[0], str):
        return textwrap.dedent(values[0])
    owner = _value(call.func.value, known) if isinstance(call.func, ast.Attribute) else None
    if isinstance(owner, str) and callee_name(call) in _OF_TEXT and None not in values:
        try:
            if callee_name(call) == "join" and len(owner) * len(values[0]) > _LONGEST:
                return None
            return getattr(owner, callee_name(call))(*values)
        except (TypeError, ValueError, LookupError, AttributeError):
            return None
    return None
