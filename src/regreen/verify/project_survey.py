"""A run of a project's tests that also tells which functions each test ran, and what each red one raised."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any

from regreen.errors import SandboxError, SandboxUnavailable, TaskError
from regreen.sandbox.pool import Pool
from regreen.sandbox.server_pair import ServerPair
from regreen.types import CheckResult, JudgeOptions, Limits, Outcome, Suite, Verdict
from regreen.verify.raised_errors import RaisedError, raised_errors_from
from regreen.verify.sandbox_messages import Message, program_message, shared_run_message
from regreen.verify.shared_mode import SharedRun, SharedSession, need_pytest

_MOST_FUNCTIONS = 200_000
"""Functions of a project that are kept apart."""
_SETTLED = (Outcome.PASSED, Outcome.UNJUDGEABLE)


def _do_nothing() -> None:
    """What is called where nobody asked to be."""


@dataclass(frozen=True, slots=True)
class SurveyedFunction:
    """A function that some test ran."""

    path: str
    """Of its file, below the project's top folder."""
    name: str
    line: int


@dataclass(slots=True)
class ProjectSurvey:
    """What one run of a project's tests has shown; the sandbox's word throughout."""

    verdict: Verdict = field(default_factory=lambda: Verdict({}))
    """Results by pytest's own ids, seen from the top folder; a file that cannot be collected is a check of its own."""
    functions: dict[int, SurveyedFunction] = field(default_factory=dict)
    ran: dict[str, frozenset[int]] = field(default_factory=dict)
    """Check -> numbers of the functions that it ran; empty where the run did not trace them."""
    errors: dict[str, tuple[RaisedError, ...]] = field(default_factory=dict)
    """Red check -> what it raised and what had led to it, outermost first."""
    files: frozenset[str] = frozenset()
    """Files of the project that collecting the tests loads."""
    uncollected: frozenset[str] = frozenset()
    """Files of tests that could not be collected."""

    @property
    def red(self) -> tuple[str, ...]:
        """Ids of the checks that came to an end, and not to a good one."""
        return tuple(check for check, result in self.verdict.results.items() if result.outcome not in _SETTLED)


def survey_project(
    pool: Pool,
    suite: Suite,
    limits: Limits,
    *,
    source: str = "",
    seed: int = 0,
    traces: bool = False,
    proves: bool = True,
    skip: Collection[str] = (),
    on_red: Callable[[], None] = _do_nothing,
) -> ProjectSurvey:
    """Run the checks of a project's suite (all, where it has none), without those of `skip`, against `source`.

    Unless it `proves` a change, it is less watchful, and quicker: as `shared_run_message` has it. `on_red` is called
    for each result that is not good, as soon as it is known. Raises SandboxError when the sandbox fails, TaskError
    where pytest is missing or refuses the command line.
    """
    program, options = program_message(source, suite, {}, seed), JudgeOptions(seed=seed)

    def run(pair: ServerPair) -> ProjectSurvey:
        pair.others.dismiss()
        need_pytest(pair.others.server, suite)
        session = SharedSession(pair, program, suite, limits, options)
        return _SurveyRun(session, traces=traces, proves=proves, skip=skip, on_red=on_red).survey_all()

    try:
        with pool.borrow() as pair:
            return run(pair)
    except (SandboxUnavailable, TaskError):
        raise
    except SandboxError:
        with pool.borrow() as pair:
            return run(pair)


def with_own_paths(text: str, root: str) -> str:
    """A text of the sandbox's with the user's project folder in the place of the copy that was made of it there."""
    copy = (
        rf"/(?:scratch|[^\s'\"()]*/regreen-[0-9a-f]{{16}})/project/{re.escape(PurePosixPath(root).name or 'top')}(?=/)"
    )
    return re.sub(copy, lambda _: root.rstrip("/"), text)


class _SurveyRun(SharedRun):
    """As a shared run, which keeps what each message tells beside the result."""

    def __init__(
        self,
        session: SharedSession,
        *,
        traces: bool,
        proves: bool,
        skip: Collection[str],
        on_red: Callable[[], None],
    ) -> None:
        super().__init__(session)
        self.on_red = on_red
        self.traces = traces
        self.proves = proves
        self.skip = frozenset(skip)
        self.survey = ProjectSurvey()
        self._numbers: dict[int, int] = {}
        """The process's number of a function -> ours: a process that was lost had numbers of its own."""
        self._known: dict[SurveyedFunction, int] = {}

    def survey_all(self) -> ProjectSurvey:
        """Run the checks."""
        verdict = self.run()
        root = self.suite.project.root if self.suite.project is not None else ""
        kept = {
            check: replace(result, detail=with_own_paths(result.detail, root)) if root else result
            for check, result in verdict.results.items()
            if check not in self.skip
        }
        self.survey.verdict = replace(verdict, results=kept)
        return self.survey

    def _message(self, key: bytes) -> Message:
        self._numbers.clear()
        return shared_run_message(
            key,
            self.suite,
            self.program,
            self.options,
            flipped=False,
            skip=[*self.results, *self.skip],
            seconds_left=self.seconds_left,
            surveys=True,
            traces=self.traces,
            proves=self.proves,
        )

    def _take_loaded(self, message: Mapping[str, Any]) -> None:
        super()._take_loaded(message)
        self.ids = self.ids or dict.fromkeys(c for c in map(str, message.get("ids", ())) if c not in self.skip)
        self.survey.files = frozenset(map(str, message.get("files", ())))
        for path, chain in dict(message.get("uncollected", {})).items():
            errors = raised_errors_from(chain)
            self.survey.errors[path] = errors
            self.survey.uncollected |= {path}
            detail = f"{errors[0].kind}: {errors[0].message}" if errors else "it cannot be collected"
            self.results.setdefault(path, CheckResult(Outcome.RAISED, detail=detail))
            self.on_red()

    def _take(self, message: Mapping[str, Any]) -> None:
        super()._take(message)
        check = str(message["check"])
        self._learn_functions(message.get("functions", {}))
        if self.traces:
            self.survey.ran[check] = frozenset(self._ours(message.get("ran", ())))
        if self.results[check].outcome is not Outcome.PASSED:
            self.survey.errors[check] = raised_errors_from(message.get("errors", ()))
        if self.results[check].outcome not in _SETTLED:
            self.on_red()

    def _learn_functions(self, told: Mapping[str, Any]) -> None:
        for number, (path, name, line) in told.items():
            function = SurveyedFunction(str(path), str(name), int(line))
            ours = self._known.get(function)
            if ours is None and len(self._known) < _MOST_FUNCTIONS:
                ours = self._known[function] = len(self._known)
                self.survey.functions[ours] = function
            if ours is not None:
                self._numbers[int(number)] = ours

    def _ours(self, numbers: Iterable[Any]) -> Iterable[int]:
        return (self._numbers[number] for number in map(int, numbers) if number in self._numbers)
