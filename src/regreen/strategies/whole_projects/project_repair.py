"""The repair of a whole project, from the first run of its tests to one patch over its files."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from regreen.config import Settings
from regreen.environment import poetry_folder
from regreen.sandbox.project_environment import environment_in
from regreen.strategies import chosen_name
from regreen.strategies.choosing.patch_selection import no_more_than
from regreen.strategies.collector import rare_collections
from regreen.strategies.events import Event, Listener, ignore
from regreen.strategies.repair_result import price_of_turns
from regreen.strategies.resources import Resources, borrow_resources
from regreen.strategies.whole_projects.project_baseline import (
    ProjectBaseline,
    named_tests,
    suite_of,
    take_project_baseline,
)
from regreen.strategies.whole_projects.project_search import ProjectSearch
from regreen.strategies.whole_projects.project_state import ProjectFindings, ProjectState
from regreen.tasks.whole_project import WholeProject
from regreen.types import (
    STAGES,
    AsideKind,
    Check,
    Cost,
    FileChange,
    ProjectAlternative,
    ProjectOutcome,
    ProjectRepair,
    Stop,
    SuspectFunction,
    TestsAside,
)
from regreen.unified_diff import unified_diff
from regreen.verify.check_failures import check_failure_of
from regreen.verify.contradictions import contradicting_tests

if TYPE_CHECKING:
    from regreen.models import ChatModel
    from regreen.strategies.whole_projects.project_agent import ProjectAgent

_MOST_SUSPECTS = 20
_QUOTED_FAILURES = 2


def repair_whole_project(whole: WholeProject, *, settings: Settings, on_event: Listener = ignore) -> ProjectRepair:
    """Repair a project in sandboxes that the next repair may use after it.

    Raises TaskError where its tests cannot be run at all, SandboxError when the sandbox fails, and ModelError when the
    model's service does; `project_repair` of the last two is what had been found by then.
    """
    with rare_collections(), contextlib.ExitStack() as stack:
        model = None
        if chosen_name(settings) != "search":
            from regreen.models import open_model

            model = stack.enter_context(open_model(settings))
        resources = stack.enter_context(open_project_resources(whole, settings))
        agent = project_agent(settings, model)
        return repair_project_within(resources, whole, seed=settings.seed, on_event=on_event, agent=agent)


def project_agent(settings: Settings, model: ChatModel | None) -> ProjectAgent | None:
    """The strategy that asks this model about a project; None where the settings mean search alone."""
    if chosen_name(settings) == "search" or model is None:
        return None
    from regreen.strategies.whole_projects.project_agent import ProjectAgent

    return ProjectAgent(settings, model)


@contextlib.contextmanager
def open_project_resources(whole: WholeProject, settings: Settings) -> Iterator[Resources]:
    """Resources whose sandboxes have the interpreter that the project's tests need, for the block."""
    # What the user has chosen, by a flag or by an active environment, comes before what lies in the project.
    is_chosen = settings.python != sys.executable
    found = None if is_chosen else environment_in(Path(whole.project.root), poetry=poetry_folder())
    with borrow_resources(settings, interpreter=found, preload=whole.project.preload) as resources:
        yield resources


def repair_project_within(
    resources: Resources,
    whole: WholeProject,
    *,
    seed: int = 0,
    on_event: Listener = ignore,
    agent: ProjectAgent | None = None,
) -> ProjectRepair:
    """The same in sandboxes that are open, and within their budget; by search alone where there is no `agent`."""
    started = resources.clock()
    on_event(Event("checking"))
    baseline = take_project_baseline(resources, whole)
    examined = resources.clock() - started
    for aside in baseline.aside:
        on_event(Event("checking", note=f"{named_tests(aside.tests)} set aside: {aside.reason}"))
    if not baseline.red:
        return _without_search(whole, baseline, Cost(seconds=examined, timings={"baseline": examined}))
    if agent is not None:
        return _repair_by_agent(resources, whole, baseline, agent, seed=seed, on_event=on_event, started=started)
    findings = ProjectSearch(resources, whole, baseline, seed=seed, on_event=on_event).run()
    seconds = resources.clock() - started
    cost = Cost(findings.tried, seconds=seconds, timings={"baseline": examined, **findings.timings})
    return _repair(resources, whole, baseline, findings, cost)


def _repair_by_agent(
    resources: Resources,
    whole: WholeProject,
    baseline: ProjectBaseline,
    agent: ProjectAgent,
    *,
    seed: int,
    on_event: Listener,
    started: float,
) -> ProjectRepair:
    """The repair by a strategy that asks a model."""
    from regreen.strategies.whole_projects.project_session import ProjectSession

    examined = resources.clock() - started
    session = ProjectSession(
        resources, whole, baseline, seed=seed, on_event=on_event, started=started, allowed=agent.allowed
    )
    told = agent.repair(session)
    timings = {"baseline": examined} | dict.fromkeys(STAGES, 0.0) | dict(told.seconds)
    cost = Cost(
        told.found.tried,
        seconds=session.seconds,
        timings=timings,
        model_calls=sum(not turn.was_refused for turn in told.turns),
        usd=price_of_turns(told.turns),
        waited=session.waited,
    )
    repair = _repair(resources, whole, baseline, told.found, cost)
    repair = replace(
        repair,
        explanation="\n".join(filter(None, (repair.explanation, *told.notes))),
        strategy=agent.name,
        model=agent.model.name,
        turns=told.turns,
        attempts=told.attempts,
    )
    if told.error is not None:
        told.error.add_project_repair(repair)
        raise told.error
    return repair


def _without_search(whole: WholeProject, baseline: ProjectBaseline, cost: Cost) -> ProjectRepair:
    """The outcome where no test is red that a change of the project could turn green."""
    red = [aside for aside in baseline.aside if aside.kind not in (AsideKind.FLAKY, AsideKind.ORDER)]
    wrong = bool(red) and all(aside.kind is AsideKind.CONTRADICTION for aside in red)
    outcome = ProjectOutcome.OUT_OF_REACH if red else ProjectOutcome.NOTHING_RED
    return ProjectRepair(
        root=whole.project.root,
        outcome=ProjectOutcome.TESTS_LOOK_WRONG if wrong else outcome,
        before=baseline.survey.verdict.results,
        after={},
        explanation=_aside_words(baseline.aside),
        aside=baseline.aside,
        cost=cost,
        stop=Stop.NOTHING_RED,
    )


def _repair(
    resources: Resources, whole: WholeProject, baseline: ProjectBaseline, findings: ProjectFindings, cost: Cost
) -> ProjectRepair:
    state = findings.state
    changes = _file_changes(whole, state)
    fixed = bool(changes) and findings.after is not None and not state.red
    outcome = ProjectOutcome.FIXED if fixed else ProjectOutcome.PARTLY_FIXED if changes else ProjectOutcome.NOT_FIXED
    # A program that remembers its calls may answer one in two ways: only where nothing was found is a test doubted.
    left = frozenset(() if fixed else state.red)
    wrong = contradicting_tests(whole.project.files, tuple(baseline.survey.verdict.results), left, baseline.green)
    if wrong and left <= {test for each in wrong for test in each.tests}:
        outcome = ProjectOutcome.TESTS_LOOK_WRONG
    aside = (*baseline.aside, *wrong)
    suspects = findings.suspects[:_MOST_SUSPECTS]
    return ProjectRepair(
        root=whole.project.root,
        outcome=outcome,
        before=baseline.survey.verdict.results,
        after=findings.after.verdict.results if findings.after else {},
        changes=changes,
        diff=project_diff(changes),
        explanation="\n".join([*_explanation(whole, baseline, changes, suspects), *_unproven_words(findings.unproven)]),
        aside=aside,
        suspects=suspects,
        cost=cost,
        stop=findings.stop,
        likelihood=state.likelihood if changes else None,
        alternatives=tuple(_alternatives(whole, findings)),
        questions=findings.questions if fixed else (),
    )


def _alternatives(whole: WholeProject, findings: ProjectFindings) -> Iterator[ProjectAlternative]:
    """Only one of all that pass can be right: the others are no likelier together than what is handed over leaves."""
    likelihoods = [other.likelihood or 0.0 for other in findings.others]
    shared = no_more_than(1 - (findings.state.likelihood or 0.0), likelihoods)
    for other, likely in zip(findings.others, shared, strict=True):
        changes = _file_changes(whole, other)
        yield ProjectAlternative(changes, project_diff(changes), likely)


def _file_changes(whole: WholeProject, state: ProjectState) -> tuple[FileChange, ...]:
    return tuple(_file_change(whole, path, text, state.notes.get(path, "")) for path, text in state.texts.items())


def _file_change(whole: WholeProject, path: str, text: str, note: str) -> FileChange:
    program = whole.program(path)
    return FileChange(
        path,
        program.text,
        text,
        program.render(program.text),
        program.render(text),
        note,
        is_allowed=path not in whole.programs,
    )


def project_diff(changes: tuple[FileChange, ...], *, context: int = 3) -> str:
    """All changes as one patch, made from bytes so that encodings and line ends survive."""
    return "".join(
        unified_diff(
            change.before_bytes.decode("utf-8", "surrogateescape"),
            change.after_bytes.decode("utf-8", "surrogateescape"),
            change.path,
            context=context,
        )
        for change in sorted(changes, key=lambda change: change.path)
    )


def _explanation(
    whole: WholeProject,
    baseline: ProjectBaseline,
    changes: tuple[FileChange, ...],
    suspects: tuple[SuspectFunction, ...],
) -> Iterator[str]:
    """From the failing test to the line to the cause."""
    red = baseline.red
    for test in red[:_QUOTED_FAILURES]:
        suite = suite_of(whole.project, [test])
        failure = check_failure_of(suite, Check(test, test), baseline.survey.verdict.results[test])
        quote = ": ".join(filter(None, (failure.place, failure.code)))
        yield failure.headline + (f" ({quote})" if quote else "") + "."
    if len(red) > _QUOTED_FAILURES:
        more = len(red) - _QUOTED_FAILURES
        yield f"{more} more test{'' if more == 1 else 's'} failed."
    for change in changes:
        near = next((each for each in suspects if each.path == change.path), None)
        why = f" It was suspected since {near.name} was {near.reason}." if near else ""
        line = "" if "line" in change.note else f", line {change.first_line}"
        yield f"In {change.path}{line}: {change.note or 'changed'}.{why}"
    if not changes and suspects:
        first = suspects[0]
        yield f"Most suspicious: {first.name} in {first.path}, line {first.line} ({first.reason})."
    if baseline.aside:
        yield _aside_words(baseline.aside)


def _unproven_words(state: ProjectState | None) -> Iterator[str]:
    """What an interrupted search leaves to be tried by hand."""
    for path, note in state.notes.items() if state is not None else ():
        yield f"Found by then, and not proven by the whole suite: in {path}, {note}."


def _aside_words(aside: tuple[TestsAside, ...]) -> str:
    return "\n".join(f"Set aside: {named_tests(each.tests)}: {each.reason}. {each.remedy}".rstrip() for each in aside)
