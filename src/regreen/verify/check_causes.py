"""What is known of the cause of one red check: the errors that ended it, and whether it depends on the program."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from regreen.syntax import parsed_or_none, walk_in_order
from regreen.types import CheckResult, Outcome, Suite
from regreen.verify.check_files import check_file
from regreen.verify.hollow_program import REFUSING_LINE
from regreen.verify.raised_errors import RaisedError, TracebackFrame
from regreen.verify.sandbox_messages import program_filename
from regreen.verify.screening import ProgramTrace

_CONFTEST = "conftest.py"
_LOOKS_LIKE_TESTS = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_tests?|tests?|conftest)\.py$")
_CONDITIONAL_STATEMENTS = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Match, ast.ExceptHandler)
_CONDITIONAL_EXPRESSIONS = (ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension)


@dataclass(frozen=True, slots=True)
class CheckCause:
    """One red check."""

    check: str
    result: CheckResult
    errors: tuple[RaisedError, ...]
    """What it raised and what had led to it, outermost first; empty where it ended otherwise."""
    suite: Suite
    companions: frozenset[str]
    """Paths of the modules beside the program."""
    is_independent: bool
    """Whether it ends alike, and uses nothing, on a program of the same names with nothing behind them."""

    @property
    def is_unconditional(self) -> bool:
        """Whether what raised is in the tests' own text, at places that are run whatever the program answers."""
        frames = [frame for error in self.errors[:1] for frame in error.frames if frame.file in self._own_files]
        origin, text = check_file(self.suite, self.check)
        return bool(frames) and all(frame.file == origin and is_unconditional(text, frame.line) for frame in frames)

    @property
    def came_through_program(self) -> bool:
        """Whether a line of the program is in a traceback of it."""
        program = program_filename(self.suite)
        return any(error.came_through(program) for error in self.errors)

    def find(self, *kinds: str) -> RaisedError | None:
        """The outermost error of one of these classes."""
        return next((error for error in self.errors if error.kind in kinds), None)

    def place(self, error: RaisedError) -> TracebackFrame | None:
        """The innermost frame in the project's own files: tests, program, conftest or another module."""
        own = self._own_files
        return next((f for f in reversed(error.frames) if f.file in own or PurePath(f.file).name == _CONFTEST), None)

    @property
    def _own_files(self) -> frozenset[str]:
        files = self.suite.project.files.keys() if self.suite.project else frozenset[str]()
        return self.companions | files | {check_file(self.suite, self.check)[0], program_filename(self.suite)}


def check_causes(
    suite: Suite,
    results: Mapping[str, CheckResult],
    companions: Mapping[str, str],
    traced: ProgramTrace,
    hollow: ProgramTrace | None,
) -> Iterator[CheckCause]:
    """The causes of the red checks among `results`, as far as the two traces show them.

    `hollow` is the trace of the hollow program; None where every check runs lines of the program.
    """
    beside = neighbours(suite, companions)
    for check, result in results.items():
        if result.outcome is not Outcome.PASSED and is_red(traced, check):
            # A trace in which a check ends otherwise, since its time was over, say, tells nothing of the verdict.
            is_alike = traced.results[check].outcome is result.outcome
            independent = is_alike and hollow is not None and depends_on_nothing(traced, hollow, check)
            errors = _errors(traced, check) if is_alike else ()
            yield CheckCause(check, result, errors, suite, beside, independent)


def neighbours(suite: Suite, companions: Iterable[str]) -> frozenset[str]:
    """Paths of the modules beside the program that are no tests."""
    files = suite.project.files if suite.project else ()
    modules = {path for path in files if path.endswith(".py") and not _LOOKS_LIKE_TESTS.search(path)}
    return frozenset(companions) | modules


def is_red(traced: ProgramTrace, check: str) -> bool:
    """Whether the trace has the check, and has it red."""
    result = traced.results.get(check)
    return result is not None and result.outcome is not Outcome.PASSED


def runs_nothing(traced: ProgramTrace, check: str) -> bool:
    """Whether a red check runs no line of the program."""
    return is_red(traced, check) and not traced.coverage.get(check)


def depends_on_nothing(traced: ProgramTrace, hollow: ProgramTrace, check: str) -> bool:
    """Whether a check runs nothing of the program, uses nothing of the hollow one, and ends alike on both."""
    if not (runs_nothing(traced, check) and is_red(hollow, check)):
        return False
    if REFUSING_LINE in hollow.loading | hollow.coverage.get(check, frozenset()):
        return False
    ends = [_end(trace.results[check]) for trace in (traced, hollow)]
    return ends[0] == ends[1]


def _end(result: CheckResult) -> tuple[str, ...]:
    return result.outcome.value, result.expected, result.actual, result.detail


def _errors(traced: ProgramTrace, check: str) -> tuple[RaisedError, ...]:
    """What ended the check; where the tests could not be prepared, and it misses a name for that, what they met."""
    own, before = traced.errors.get(check, ()), traced.errors.get("", ())
    return before if before and (not own or own[0].kind == "NameError") else own


def is_unconditional(text: str, line: int) -> bool:
    """Whether the statement at a line is run whenever its function is, and the whole of it."""
    tree = parsed_or_none(text)
    around = [
        node
        for node in (ast.walk(tree) if tree else ())
        if isinstance(node, (ast.stmt, ast.ExceptHandler)) and node.lineno <= line <= (node.end_lineno or line)
    ]
    if not around or any(isinstance(node, _CONDITIONAL_STATEMENTS) for node in around):
        return False
    innermost = min(around, key=lambda node: (node.end_lineno or node.lineno) - node.lineno)
    parts = innermost.items if isinstance(innermost, (ast.With, ast.AsyncWith)) else [innermost]
    return not any(isinstance(node, _CONDITIONAL_EXPRESSIONS) for node in walk_in_order(*parts))
