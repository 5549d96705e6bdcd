"""The red checks of a verdict, each by its name, what came of it, and the line of the tests at which it ended."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

from regreen.types import Check, CheckResult, Outcome, Suite, SuiteKind, Verdict
from regreen.verify.check_files import check_file

VALUE_CHARACTERS = 160
"""Characters of an expected or actual value that are shown: of longer ones, the part in which the two differ."""
_LEAD_IN = 24
"""Characters shown before the first difference."""
_PROGRAM_LINE = re.compile(r" \(line (\d+)\)\Z")
_CUT = "…"
_ENDINGS = {
    Outcome.TIMED_OUT: "ran longer than it may",
    Outcome.OUT_OF_MEMORY: "needed more memory than it may have",
    Outcome.OUTPUT_FLOOD: "printed more than it may",
    Outcome.CRASHED: "ended the program's process",
    Outcome.UNJUDGEABLE: "cannot be judged here",
}


@dataclass(frozen=True, slots=True)
class CheckFailure:
    """One red check, in words of the program and the tests, which must be escaped before they are shown."""

    check: str
    """Its id in the suite."""
    name: str
    """Name of the test function or method; empty for a statement or an example, which have none."""
    message: str
    """What came of it, e.g. "expected 3, got -1" or "raised KeyError: 'x', in line 7 of the program"."""
    place: str
    """Where it ended, e.g. "test_shop.py:12"; empty when unknown."""
    code: str
    """The line of the tests there, without its indentation; empty when unknown."""

    @property
    def sentence(self) -> str:
        """Name and message, e.g. "test_total expected 3, got -1"."""
        return f"{self.name} {self.message}".lstrip()

    @property
    def headline(self) -> str:
        """The sentence, of which unittest goes on for many lines, up to the end of its first one."""
        return self.sentence.partition("\n")[0].rstrip()


def check_failures(suite: Suite, verdict: Verdict) -> tuple[CheckFailure, ...]:
    """The failure of each check of a verdict that did not pass, in the order of the suite."""
    known = {check.id: check for check in suite.checks}
    return tuple(
        check_failure_of(suite, known.get(name, Check(name, "")), result)
        for name, result in verdict.results.items()
        if result.outcome is not Outcome.PASSED
    )


def check_failure_of(suite: Suite, check: Check, result: CheckResult) -> CheckFailure:
    """The failure of one check."""
    line, code = failing_line(suite, check, result.test_line)
    name = "" if suite.kind is SuiteKind.SCRIPT else check.id
    return CheckFailure(check.id, name, result_in_words(result), _place(check_file(suite, check.id)[0], line), code)


def failing_line(suite: Suite, check: Check, test_line: int | None = None) -> tuple[int, str]:
    """The line of the tests at which a check ended (its first line when that is unknown, else 0), and its text."""
    lines = check_file(suite, check.id)[1].split("\n")
    first = check.code.strip().split("\n")[0]
    written = 0 < check.line <= len(lines) and first and lines[check.line - 1].strip().startswith(first)
    if suite.kind is SuiteKind.SCRIPT and not written:
        # Cases of data are run as statements that stand in no file.
        return check.line, check.code if "\n" not in check.code else _line_text(lines, check.line)
    line = test_line if test_line is not None and test_line <= len(lines) else check.line
    return line, _line_text(lines, line)


def _line_text(lines: list[str], line: int) -> str:
    text = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return f"{text} ..." if text.endswith(("(", "[", "{", ",", "\\")) else text


def _place(origin: str, line: int) -> str:
    if not line:
        return ""
    return f"line {line}" if origin.startswith("<") else f"{origin}:{line}"


def result_in_words(result: CheckResult) -> str:
    """What came of a check, as the end of a sentence about it."""
    detail = _PROGRAM_LINE.sub(r", in line \1 of the program", result.detail)
    if result.outcome is Outcome.PASSED:
        return "passed"
    if result.outcome is Outcome.RAISED:
        return f"raised {detail or 'an exception'}"
    if result.outcome is Outcome.TIMED_OUT and detail.startswith("ran "):
        return detail
    if result.outcome is not Outcome.FAILED:
        return _ENDINGS[result.outcome] + (f" ({detail})" if detail else "")
    if not (result.expected or result.actual):
        return f"failed: {detail}" if detail else "did not hold"
    expected, actual = differing_parts(result.expected, result.actual)
    said = f"expected {expected}, got {actual}" if expected else f"got {actual}"
    if expected == actual and (_CUT in expected or "..." in expected):
        said = f"expected {expected}, got another value that differs in what is left out here"
    return f"{said} ({detail})" if detail else said


def differing_parts(expected: str, actual: str, most: int = VALUE_CHARACTERS) -> tuple[str, str]:
    """Both values where they fit in `most` characters, else of each the part around their first difference."""
    if max(len(expected), len(actual)) <= most:
        return expected, actual
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(expected, actual, strict=False)))
    start = 0 if expected == actual else max(0, same - _LEAD_IN)
    return _part(expected, start, most), _part(actual, start, most)


def _part(text: str, start: int, most: int) -> str:
    if len(text) <= most:
        return text
    return _CUT * (start > 0) + text[start : start + most] + _CUT * (start + most < len(text))
