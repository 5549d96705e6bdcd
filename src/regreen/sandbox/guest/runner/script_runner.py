"""Runs scripts: statements and doctest examples, one after the other."""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import CodeType
from typing import Any

from regreen.sandbox.guest.runner.assertions import RECORDER, ask_for_live, rewrite_assertions
from regreen.sandbox.guest.runner.call_prefetch import CallPrefetch
from regreen.sandbox.guest.runner.check_runner import (
    IsWanted,
    ProgramUnderTest,
    ReportResult,
    Runner,
    result_of,
    run_check,
)


@dataclass(frozen=True)
class CompiledStep:
    """One compiled statement of a script; `check` is None for preparation."""

    code: CodeType
    check: str | None
    want: str | None
    flags: int
    scope: str
    """The docstring of an example; a new one begins with the program's names alone."""


class ScriptRunner(Runner):
    """Statements one after the other in one namespace."""

    def __init__(self, suite: dict[str, Any], *, flipped: bool = False) -> None:
        super().__init__(tuple(check["id"] for check in suite["checks"]), suite["origin"])
        self.module = suite["module"]
        self.one_namespace = suite["one_namespace"]
        prefetch = CallPrefetch(suite["surface"]["functions"], suite["module"])
        vetted = suite.get("vetted", False) and not flipped
        live = bool(suite["surface"].get("by_handles"))
        how = {"flipped": flipped, "vetted": vetted, "live": live}
        self.steps = [_compiled(step, self.origin, prefetch, **how) for step in suite["steps"]]
        self.calls = prefetch.calls
        self.uses_random = bool(suite["surface"].get("imports")) or any("import" in s["code"] for s in suite["steps"])

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the steps; preparation that raises leaves the checks after it to fail by themselves."""
        names, scope = self._names(subject, ""), ""
        missing: ImportError | None = None
        for step in self.steps:
            if step.scope != scope:
                names, scope = self._names(subject, step.scope), step.scope
            if step.check is None:
                missing = _run_preparation(subject, step, names) or missing
            elif wanted(step.check):
                result = run_check(subject, step.check, partial(_perform, step, names), self.origin)
                if missing is not None and missing.name == self.module and result["outcome"] == "passed":
                    # Plain Python would not have come so far.
                    result = {**result_of(missing, subject.recorder), "ns": result["ns"], "cpu_ns": result["cpu_ns"]}
                if not report(step.check, result):
                    return

    def _names(self, subject: ProgramUnderTest, scope: str) -> dict[str, Any]:
        """The namespace of a script, or of one docstring."""
        ours = {**subject.apart(), "_json_view": json_view}
        if not self.one_namespace:
            return {"__name__": "__checks__", **ours}
        if scope:
            return {**subject.names(), "__name__": subject.module.__name__, **ours}
        names = subject.namespace()
        names.update(ours)
        names.setdefault("__name__", "__checks__")
        return names


def _run_preparation(subject: ProgramUnderTest, step: CompiledStep, names: dict[str, Any]) -> ImportError | None:
    """Run what stands between the checks; returns the exception where an import failed."""
    try:
        with subject.around(""):
            _perform(step, names)
    except BaseException as error:  # noqa: BLE001  the checks that need it will fail by themselves
        subject.special_result(error)
        return error if isinstance(error, ImportError) else None
    return None


def json_view(value: Any) -> Any:
    """The value as JSON would carry it: tuples are lists."""
    if isinstance(value, list | tuple):
        return [json_view(item) for item in value]
    if isinstance(value, dict):
        return {key: json_view(item) for key, item in value.items()}
    return value


def _compiled(
    step: Mapping[str, Any], origin: str, prefetch: CallPrefetch, *, flipped: bool, vetted: bool, live: bool
) -> CompiledStep:
    # Blank lines before it give the step the line numbers of the tests' own text.
    text = "\n" * (step["line"] - 1) + step["code"]
    if step["want"] is None:
        tree = ast.parse(text)
        prefetch.add_step(tree, step["check"])
        tree = _vetting().vet_operands(tree) if vetted else tree
        tree = rewrite_assertions(tree, flipped=flipped)
        code = compile(ask_for_live(tree) if live else tree, origin, "exec", dont_inherit=True)
    else:
        prefetch.clear = False
        code = _compiled_example(text, origin)
    return CompiledStep(code, step["check"], step["want"], step["flags"], step["scope"])


def _compiled_example(text: str, origin: str) -> CodeType:
    try:
        return compile(ast.Interactive(ast.parse(text).body), origin, "single", dont_inherit=True)
    except SyntaxError:
        # It is raised when the example is run, where the example may expect it.
        return compile(f"compile({text!r}, {origin!r}, 'single')", origin, "exec", dont_inherit=True)


def _vetting() -> Any:
    # Not in the processes that judge behind the wall: each page more is one to copy.
    from regreen.sandbox.guest.runner import vetting

    return vetting


def _perform(step: CompiledStep, names: dict[str, Any]) -> None:
    if step.want is None:
        exec(step.code, names)
    else:
        _run_example(step, names)


_CHECKER = doctest.OutputChecker()


def _run_example(step: CompiledStep, names: dict[str, Any]) -> None:
    """Run a doctest example and compare what the prompt would show; of an exception, its last lines alone."""
    shown = io.StringIO()
    hook, sys.displayhook = sys.displayhook, sys.__displayhook__
    want = step.want or ""
    expected = _EXCEPTION(want)
    raised: list[str] = []
    try:
        with contextlib.redirect_stdout(shown):
            exec(step.code, names)
    except (Exception, SystemExit, GeneratorExit) as error:
        if expected is None:
            raise
        raised, want = _shown_exceptions(error, str(names.get("__name__"))), expected["msg"]
    finally:
        sys.displayhook = hook
    if not any(_fits(want, got, step.flags, raised=bool(raised)) for got in raised or [shown.getvalue()]):
        names[RECORDER].seen = ("==", _Verbatim(raised[0] if raised else shown.getvalue()), _Verbatim(want))
        raise AssertionError


_EXCEPTION = doctest.DocTestParser._EXCEPTION_RE.match  # type: ignore[attr-defined]
"""How `doctest` tells that an example expects an exception, and which."""


def _shown_exceptions(error: BaseException, module: str) -> list[str]:
    """An exception as a prompt may show it: all of its text or the last part, with the program's name or without."""
    lines = traceback.format_exception_only(type(error), error)
    texts = [lines[-1], "".join(lines)]
    return [*texts, *(text.removeprefix(f"{module}.") for text in texts)]


def _fits(want: str, got: str, flags: int, *, raised: bool) -> bool:
    if _CHECKER.check_output(want, got, flags):
        return True
    if not raised or not flags & doctest.IGNORE_EXCEPTION_DETAIL:
        return False
    return _CHECKER.check_output(_without_details(want), _without_details(got), flags)


def _without_details(text: str) -> str:
    """The name of an exception alone, without its module and its text."""
    return text.partition("\n")[0].partition(":")[0].rpartition(".")[2].strip()


class _Verbatim(str):
    """Text that is shown as it stands, without quotes."""

    def __repr__(self) -> str:
        return self.rstrip("\n")
