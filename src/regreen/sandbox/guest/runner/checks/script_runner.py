"""Runs scripts: statements and doctest examples, one after the other."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial
from types import CodeType
from typing import Any, NamedTuple

from regreen.sandbox.guest.runner.checks.assertions import rewrite_assertions
from regreen.sandbox.guest.runner.checks.check_runner import (
    IsWanted,
    ProgramUnderTest,
    ReportResult,
    Runner,
    result_of,
    run_check,
)
from regreen.sandbox.guest.runner.stand_ins.call_prefetch import CallPrefetch
from regreen.sandbox.guest.runner.stand_ins.live_rewriting import ask_for_live
from regreen.sandbox.guest.runner.syntax_trees import syntax_tree


class CompiledStep(NamedTuple):
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
        deciding = _deciding(suite) if vetted else None
        self.steps = [
            _compiled(step, self.origin, prefetch, flipped=flipped, deciding=deciding, live=live)
            for step in suite["steps"]
        ]
        self.calls = prefetch.calls
        self.uses_random = bool(suite["surface"].get("imports")) or any("import" in s["code"] for s in suite["steps"])

    def run(self, subject: ProgramUnderTest, wanted: IsWanted, report: ReportResult) -> None:
        """Run the steps; preparation that raises leaves the checks after it to fail by themselves."""
        names, scope = self._names(subject, ""), ""
        missing: BaseException | None = None
        for step in self.steps:
            if step.scope != scope:
                names, scope = self._names(subject, step.scope), step.scope
            if step.check is None:
                missing = self._run_preparation(subject, step, names) or missing
            elif wanted(step.check):
                result = run_check(subject, step.check, partial(_perform, step, names), self.origin)
                if missing is not None and result["outcome"] == "passed":
                    # Plain Python would not have come so far.
                    result = {**result_of(missing, subject.recorder), "ns": result["ns"], "cpu_ns": result["cpu_ns"]}
                if not report(step.check, result):
                    return

    def _run_preparation(
        self, subject: ProgramUnderTest, step: CompiledStep, names: dict[str, Any]
    ) -> BaseException | None:
        """Run what stands between the checks; returns what was raised where the program could not be imported."""
        try:
            with subject.around(""):
                _perform(step, names)
            subject.tell_defined(step.code, names)
        except BaseException as error:  # noqa: BLE001  the checks that need it will fail by themselves
            subject.special_result(error)
            is_missing = isinstance(error, ImportError) and error.name == self.module
            is_broken = subject.importer is not None and subject.importer.error is error
            return error if is_missing or is_broken else None
        return None

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


def json_view(value: Any) -> Any:
    """The value as JSON would carry it: tuples are lists."""
    if isinstance(value, list | tuple):
        return [json_view(item) for item in value]
    if isinstance(value, dict):
        return {key: json_view(item) for key, item in value.items()}
    return value


def _compiled(
    step: Mapping[str, Any],
    origin: str,
    prefetch: CallPrefetch,
    *,
    flipped: bool,
    deciding: Mapping[str, str] | None,
    live: bool,
) -> CompiledStep:
    """`deciding` are the names by which the script calls what it decides by; None where nobody looks at that."""
    # Blank lines before it give the step the line numbers of the tests' own text.
    text = "\n" * (step["line"] - 1) + step["code"]
    if step["want"] is None:
        tree = syntax_tree(text)
        prefetch.add_step(tree, step["check"])
        tree = tree if deciding is None else _vetting().vet_operands(tree, deciding)
        tree = rewrite_assertions(tree, flipped=flipped)
        code = compile(ask_for_live(tree) if live else tree, origin, "exec", dont_inherit=True)
    else:
        prefetch.clear = False
        code = _compiled_example(text, origin)
    return CompiledStep(code, step["check"], step["want"], step["flags"], step["scope"])


def _compiled_example(text: str, origin: str) -> CodeType:
    try:
        return compile(ast.Interactive(syntax_tree(text).body), origin, "single", dont_inherit=True)
    except SyntaxError:
        # It is raised when the example is run, where the example may expect it.
        return compile(f"compile({text!r}, {origin!r}, 'single')", origin, "exec", dont_inherit=True)


def _deciding(suite: Mapping[str, Any]) -> Mapping[str, str]:
    """The names by which a script, whose steps are compiled one by one, calls what it decides by."""
    from regreen.sandbox.guest.runner.tampering.deciding_names import deciding_names, own_functions

    texts = [step["code"] for step in suite["steps"] if step["want"] is None]
    nodes = list(ast.walk(syntax_tree("\n".join(texts))))
    return own_functions(nodes) | deciding_names(nodes)


def _vetting() -> Any:
    # Not in the processes that judge behind the wall: each page more is one to copy.
    from regreen.sandbox.guest.runner.tampering import vetting

    return vetting


def _perform(step: CompiledStep, names: dict[str, Any]) -> None:
    if step.want is None:
        exec(step.code, names)
    else:
        # Loaded late: importing `doctest` is a fifth of the time in which a server starts, and few checks need it.
        from regreen.sandbox.guest.runner.checks.doctest_example import run_example

        run_example(step.code, step.want, step.flags, names)
