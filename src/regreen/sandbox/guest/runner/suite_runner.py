"""Compiles a suite of any kind, and runs scripts: statements and doctest examples, one after the other.

A suite arrives as plain data (`Suite` in types.py, as a dict). `prepare_suite` compiles it once; `run` then goes
through its checks for one program and reports each as it ends.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from types import CodeType
from typing import Any

from regreen.sandbox.guest.runner.assertions import RECORDER, rewrite_assertions
from regreen.sandbox.guest.runner.call_prefetch import CallPrefetch
from regreen.sandbox.guest.runner.check_runner import (
    IsWanted,
    ProgramUnderTest,
    ReportResult,
    Runner,
    error_text,
    run_check,
)
from regreen.sandbox.guest.runner.module_runner import ModuleRunner


@dataclass(frozen=True)
class CompiledStep:
    """One compiled statement of a script; `check` is None for preparation."""

    code: CodeType
    check: str | None
    want: str | None
    flags: int


class ScriptRunner(Runner):
    """Statements one after the other in one namespace."""

    def __init__(self, suite: dict[str, Any], *, flipped: bool = False) -> None:
        super().__init__(tuple(check["id"] for check in suite["checks"]), suite["origin"])
        self.module = suite["module"]
        prefetch = CallPrefetch(suite["surface"]["functions"], suite["module"])
        self.steps = [_compiled(step, self.origin, prefetch, flipped=flipped) for step in suite["steps"]]
        self.calls = prefetch.calls
        self.uses_random = bool(suite["surface"].get("imports")) or any("import" in s["code"] for s in suite["steps"])

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the steps; preparation that raises leaves the checks after it to fail by themselves."""
        names = {"__name__": "__checks__", **subject.names(), RECORDER: subject.recorder, "_json_view": json_view}
        for step in self.steps:
            if step.check is None:
                _run_preparation(subject, step, names)
            elif wanted(step.check):
                result = run_check(subject, step.check, partial(_perform, step, names), self.origin)
                if not report(step.check, result):
                    return


def _run_preparation(subject: ProgramUnderTest, step: CompiledStep, names: dict[str, Any]) -> None:
    try:
        with subject.around(""):
            _perform(step, names)
    except BaseException as error:  # noqa: BLE001  the checks that need it will fail by themselves
        subject.special_result(error)


def prepare_suite(suite: dict[str, Any], *, flipped: bool = False) -> Runner:
    """Compile a suite. Raises SyntaxError or ValueError when its text is not usable."""
    if suite["kind"] == "script":
        return ScriptRunner(suite, flipped=flipped)
    if suite["kind"] == "module":
        return ModuleRunner(suite, flipped=flipped)
    if suite.get("project"):
        from regreen.sandbox.guest.runner.project_runner import ProjectRunner

        return ProjectRunner(suite, flipped=flipped)
    from regreen.sandbox.guest.runner.pytest_runner import PytestRunner

    return PytestRunner(suite, flipped=flipped)


def json_view(value: Any) -> Any:
    """The value as JSON would carry it: tuples are lists."""
    if isinstance(value, list | tuple):
        return [json_view(item) for item in value]
    if isinstance(value, dict):
        return {key: json_view(item) for key, item in value.items()}
    return value


def _compiled(step: Mapping[str, Any], origin: str, prefetch: CallPrefetch, *, flipped: bool) -> CompiledStep:
    # Blank lines before it give the step the line numbers of the tests' own text.
    tree = ast.parse("\n" * (step["line"] - 1) + step["code"])
    if step["want"] is None:
        prefetch.add_step(tree, step["check"])
        code = compile(rewrite_assertions(tree, flipped=flipped), origin, "exec", dont_inherit=True)
    else:
        prefetch.clear = False
        code = compile(ast.Interactive(tree.body), origin, "single", dont_inherit=True)
    return CompiledStep(code, step["check"], step["want"], step["flags"])


def _perform(step: CompiledStep, names: dict[str, Any]) -> None:
    if step.want is None:
        exec(step.code, names)
    else:
        _run_example(step, names)


_CHECKER = doctest.OutputChecker()


def _run_example(step: CompiledStep, names: dict[str, Any]) -> None:
    """Run a doctest example and compare what the prompt would show."""
    shown = io.StringIO()
    hook, sys.displayhook = sys.displayhook, sys.__displayhook__
    want = step.want or ""
    try:
        with contextlib.redirect_stdout(shown):
            exec(step.code, names)
        got = shown.getvalue()
    except Exception as error:
        if not want.startswith("Traceback"):
            raise
        got = f"{shown.getvalue()}{type(error).__name__}: {error_text(error)}\n"
        want = _last_line(want)
    finally:
        sys.displayhook = hook
    if not _CHECKER.check_output(want, got, step.flags):
        names[RECORDER].seen = ("==", _Verbatim(got), _Verbatim(want))
        raise AssertionError


class _Verbatim(str):
    """Text that is shown as it stands, without quotes."""

    def __repr__(self) -> str:
        return self.rstrip("\n")


def _last_line(want: str) -> str:
    return want.rstrip().splitlines()[-1].strip() + "\n"
