"""Requests to a model about a project: their prompts, and the changes that are taken from its replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from regreen.errors import TaskError
from regreen.models import Finish, Message, Reply
from regreen.propose.prompts import render, shortened
from regreen.propose.reply import ReplyFault, ReplyFaultKind
from regreen.propose.reply.project_reply import ReplyChanges, read_project_reply
from regreen.strategies.agents.model_turn import REPEAT, Unanswered, ask_model, candidate_update
from regreen.strategies.agents.prompt_fit import Prompt
from regreen.strategies.agents.state import State, attempts_of, last_attempt
from regreen.strategies.whole_projects.project_clues import code_in_view, failures_text, shown_tests, suspects_text
from regreen.strategies.whole_projects.project_session import (
    ProjectContext,
    ProjectSession,
    changed_texts,
    changes_candidate,
    same_changes,
)
from regreen.types import REFUSAL, Attempt, Candidate, Verdict
from regreen.unified_diff import unified_diff

_CODE_ROOM = (40_000, 16_000, 6_000, 2_000)
_TESTS_ROOM = (10_000, 5_000, 2_000, 800)
_FAILURES_ROOM = (6_000, 3_000, 1_200, 600)
_PATCH_ROOM = (8_000, 4_000, 1_500, 500)
_PLAN_ROOM = (8_000, 3_000, 1_000, 400)
"""By shortening: the most characters of each part of a prompt."""
_COMPLAINT_CHARACTERS = 2_000


def ask_for_changes(
    state: State,
    context: ProjectContext,
    node: str,
    prompt: Prompt,
    *,
    temperature: float | None = None,
    stop: tuple[str, ...] = (),
    json_schema: Mapping[str, Any] | None = None,
) -> State:
    """Ask the model and take changes from its reply; a fault of the reply is part of the update."""
    try:
        exchange = ask_model(state, context, node, prompt, temperature=temperature, stop=stop, json_schema=json_schema)
    except Unanswered as end:
        return end.update
    return candidate_update(state, exchange, *read_changes(state, context, node, exchange.reply))


def read_changes(state: State, context: ProjectContext, node: str, reply: Reply) -> tuple[Candidate | None, str, str]:
    """The candidate of a reply, and the fault's kind and words about it; both are "" for a usable candidate."""
    if reply.finish == Finish.REFUSED:
        return None, REFUSAL, "you declined to answer."
    session, base = context.session, base_changes(state)
    shown = [file.path for file in code_in_view(session, base, _CODE_ROOM[state["shortening"]])]
    found = read_project_reply(reply.text, session.readable(base, shown))
    if isinstance(found, ReplyFault) and reply.finish == Finish.LENGTH:
        return None, str(found.kind), f"{found.detail} It was cut off: the reply is too long."
    return changes_or_fault(state, session, f"model:{node}", found)


def changes_or_fault(
    state: State, session: ProjectSession, origin: str, found: ReplyChanges | ReplyFault
) -> tuple[Candidate | None, str, str]:
    """The candidate of changes that were read from a reply, unless the same ones were made before."""
    if isinstance(found, ReplyFault):
        kind = REPEAT if found.kind is ReplyFaultKind.UNCHANGED else str(found.kind)
        return None, kind, found.detail
    texts = {**base_changes(state), **found.texts}
    try:
        for path, text in found.texts.items():
            session.whole.program(path).render(text)
    except (TaskError, UnicodeError) as problem:
        return None, str(ReplyFaultKind.MISFIT), f"the new text cannot be saved: {problem}"
    candidate = changes_candidate(session, texts, origin, "; ".join(found.notes))
    if not changed_texts(candidate):
        return candidate, REPEAT, "with it, the project is as it was given."
    for earlier in attempts_of(state):
        if same_changes(changed_texts(candidate), changed_texts(earlier.candidate)):
            return earlier.candidate, REPEAT, "these changes were tried before."
    return candidate, "", ""


def base_attempt(state: State) -> Attempt | None:
    """What the next changes are made on: the attempt with which most tests pass, the latest of equals.

    None where none turns any test green: then it is the project as it was given. Changes that pass are no base: the
    model is only asked for others where they are doubtful.
    """
    best: Attempt | None = None
    for attempt in attempts_of(state):
        passed = 0 if attempt.verdict.passed else attempt.verdict.checks_passed
        if passed and (best is None or passed >= best.verdict.checks_passed):
            best = attempt
    return best


def base_changes(state: State) -> dict[str, str]:
    """Path -> text of the files that are changed already."""
    best = base_attempt(state)
    return changed_texts(best.candidate) if best is not None else {}


def changes_diff(session: ProjectSession, candidate: Candidate) -> str:
    """The changes of a candidate as one patch of text."""
    return "".join(
        unified_diff(session.whole.program(path).text, text, path) for path, text in changed_texts(candidate).items()
    )


def project_prompt(state: State, context: ProjectContext, form: str, *, system: str = "project_system") -> Prompt:
    """The opening of a conversation about a project, or a whole request: how to work, and what there is to see.

    `form` is that of the reply: "blocks", "json", "plan", "react" or "tools".
    """

    def prompt(shortening: int) -> list[Message]:
        values = prompt_parts(state, context, form, shortening)
        return [Message("system", render(system, **values)), Message("user", render("project_task", **values))]

    return prompt


def prompt_parts(state: State, context: ProjectContext, form: str, shortening: int) -> dict[str, Any]:
    """What the prompts of a project may show, cut to what fits at this shortening."""
    session, best, last = context.session, base_attempt(state), last_attempt(state)
    texts = base_changes(state)
    files = code_in_view(session, texts, _CODE_ROOM[shortening], numbered=form == "json")
    doubtful = last if last is not None and last.verdict.passed else None
    worse = (
        None
        if doubtful is not None or last is None or (best is not None and last.candidate.id == best.candidate.id)
        else last
    )
    room = _FAILURES_ROOM[shortening]
    return {
        "form": form,
        "allowed": ", ".join(session.allowed),
        "tests": shown_tests(session, _TESTS_ROOM[shortening]) if context.sampling.prompt_style == "tests" else "",
        "failures": attempt_report(session, best, room),
        "suspects": suspects_text(session),
        "files": [asdict(file) for file in files],
        "patch": shortened(changes_diff(session, best.candidate), _PATCH_ROOM[shortening]) if best else "",
        "rejected": shortened(changes_diff(session, worse.candidate), _PATCH_ROOM[shortening]) if worse else "",
        "outcome": attempt_report(session, worse, room) if worse else "",
        "doubtful": shortened(changes_diff(session, doubtful.candidate), _PATCH_ROOM[shortening]) if doubtful else "",
        "plan": shortened(state["plan"], _PLAN_ROOM[shortening]),
        "complaint": state["complaint"][:_COMPLAINT_CHARACTERS] if state["fault"] else "",
    }


def attempt_report(session: ProjectSession, attempt: Attempt | None, characters: int) -> str:
    """What the tests say of an attempt, or of the project as it was given."""
    if attempt is None:
        survey = session.baseline.survey
        red = {test: survey.verdict.results[test] for test in session.baseline.red}
        return failures_text(session, Verdict(red), survey.errors, characters)
    proof = session.proofs.get(attempt.candidate.id)
    return failures_text(session, attempt.verdict, proof.survey.errors if proof else {}, characters)
