"""Nodes of the graphs that repair a project: a model is asked, its changes are tried, and the smallest are kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from langgraph.runtime import Runtime

from regreen.models import Finish, Message
from regreen.propose.edits import PROJECT_EDITS_SCHEMA
from regreen.propose.prompts import shortened
from regreen.select import edit_size
from regreen.strategies.agents.model_turn import Unanswered, ask_model, exchange_update
from regreen.strategies.agents.prompt_fit import WHOLE, Prompt
from regreen.strategies.agents.state import State, attempts_of, last_attempt, pack, stopped, turns_of, unpack_candidate
from regreen.strategies.choosing.patch_selection import minimise_patch
from regreen.strategies.react import recent_messages, replies_since_gain
from regreen.strategies.whole_projects.change_proof import ChangeProof, module_session, prove_changes
from regreen.strategies.whole_projects.project_session import (
    ProjectContext,
    ProjectSession,
    changed_texts,
    changes_candidate,
)
from regreen.strategies.whole_projects.project_turns import ask_for_changes, attempt_report, project_prompt
from regreen.types import REFUSAL, Attempt, Candidate, Stop

_OBSERVATION = "\nObservation:"
"""Where the model's turn ends: what comes of its changes is not for it to say."""
_RECENT_EXCHANGES = 6
"""How many of the last exchanges a request repeats after the opening; one where the model's context is small."""
_MESSAGE_ROOM = (40_000, 6_000, 2_000, 800)
"""By shortening: the most characters of a message that is repeated after the opening."""
_REPORT_CHARACTERS = 6_000
_OPENING_MESSAGES = 2


def draft_changes(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Ask for first changes: the prompt shows the red tests and the code that they run."""
    context = runtime.context
    return ask_for_changes(state, context, "draft", project_prompt(state, context, "blocks"))


def correct_changes(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Ask for better changes: the prompt shows the best ones so far, what their tests say, and what was tried last."""
    context = runtime.context
    return ask_for_changes(state, context, "correct", project_prompt(state, context, "blocks"))


def plan_changes(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Ask for the cause, and a plan of what to change."""
    context = runtime.context
    try:
        exchange = ask_model(state, context, "plan", project_prompt(state, context, "plan"))
    except Unanswered as end:
        return end.update
    is_refused = exchange.reply.finish == Finish.REFUSED
    update = exchange_update(state, exchange, fault=REFUSAL if is_refused else "")
    update["plan"] = exchange.reply.text.strip() or state["plan"]
    return update


def edit_by_plan(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Ask for the edits of the plan, as JSON."""
    context = runtime.context
    prompt = project_prompt(state, context, "json")
    return ask_for_changes(state, context, "edits", prompt, json_schema=PROJECT_EDITS_SCHEMA)


def open_project_rounds(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Begin a conversation of thoughts, actions and observations."""
    return State(messages=[pack(message) for message in project_prompt(state, runtime.context, "react")(WHOLE)])


def think_on_project(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Ask for one thought, and the changes that it leads to."""
    context = runtime.context
    prompt = continued_prompt(state, context, "react")
    temperature = context.sampling.temperature_at(replies_since_gain(state))
    update = ask_for_changes(state, context, "think", prompt, temperature=temperature, stop=(_OBSERVATION,))
    if update.get("turns"):
        update["messages"] = [pack(Message("assistant", turns_of(update)[-1].reply))]
    return update


def observe_changes(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Tell the model what came of its changes, or why they were not tried."""
    if state["fault"]:
        told = f"This was not tried: {state['complaint']}"
    else:
        told = attempt_report(runtime.context.session, last_attempt(state), _REPORT_CHARACTERS)
    return State(messages=[pack(Message("user", f"Observation: {told}"))])


def continued_prompt(state: State, context: ProjectContext, form: str, *, system: str = "project_system") -> Prompt:
    """The conversation so far, as the next request repeats it."""

    def prompt(shortening: int) -> list[Message]:
        recent = recent_messages(state["messages"], _RECENT_EXCHANGES if shortening == WHOLE else 1)
        opening = recent[:_OPENING_MESSAGES]
        if shortening > WHOLE:
            opening = list(project_prompt(state, context, form, system=system)(shortening))
        longest = _MESSAGE_ROOM[shortening]
        later = [
            replace(message, content=shortened(message.content, longest)) for message in recent[_OPENING_MESSAGES:]
        ]
        return [*opening, *later]

    return prompt


def try_changes(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Judge the pending changes."""
    if not state["pending"]:
        return State()
    return judged_update(state, runtime.context.session, unpack_candidate(state["pending"]))


def judged_update(state: State, session: ProjectSession, candidate: Candidate) -> State:
    """The update that adds a candidate with what the tests say of it."""
    started = session.clock()
    attempt = Attempt(candidate, session.judge(candidate), turn=len(state["turns"]) - 1)
    return State(attempts=[pack(attempt)], pending="", seconds={"execute": session.clock() - started})


def conclude_changes(state: State, runtime: Runtime[ProjectContext]) -> State:
    """Hand over the last changes that pass, with every change undone that no test needs."""
    session = runtime.context.session
    passing = next((attempt for attempt in reversed(attempts_of(state)) if attempt.verdict.passed), None)
    if passing is None:
        return State(stop=state["stop"] or Stop.ANSWERED.value)
    started = session.clock()
    session.notify("minimising")
    smaller = passing if passing.candidate.is_searched else smallest_changes(session, passing)
    return State(**stopped(Stop.FIXED), chosen=pack(smaller), seconds={"select": session.clock() - started})


def smallest_changes(session: ProjectSession, passing: Attempt) -> Attempt:
    """The changes without what no test needs, file by file, proven by the whole suite; else as they are."""
    texts = changed_texts(passing.candidate)
    for path in sorted(texts):
        texts = _without_unneeded(session, texts, passing, path)
    candidate = changes_candidate(session, texts, passing.candidate.origin, passing.candidate.note)
    if candidate.id == passing.candidate.id or not changed_texts(candidate):
        return passing
    after, broken = prove_changes(session.resources, session.whole, session.baseline, texts)
    if broken:
        return passing
    session.proofs[candidate.id] = ChangeProof(passing.verdict, after, is_whole=True)
    return replace(passing, candidate=replace(candidate, parent=passing.candidate.id))


def _without_unneeded(session: ProjectSession, texts: dict[str, str], passing: Attempt, path: str) -> dict[str, str]:
    """The changes with those of one module made small, the others as they are."""
    tests: Iterable[str] = passing.verdict.results
    opened = module_session(session.resources, session.whole, session.baseline, texts, tests=tests, path=path)
    if opened is None:
        return texts
    alone, target = opened
    candidate = Candidate(texts[target], passing.candidate.origin)
    smaller = minimise_patch(alone, Attempt(candidate, alone.prove(candidate)))
    if edit_size(alone.task.source, smaller.candidate.source) < edit_size(alone.task.source, texts[target]):
        return {**texts, target: smaller.candidate.source}
    return texts
