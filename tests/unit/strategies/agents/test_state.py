"""What a graph keeps between its nodes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph
from property_examples import examples

from regreen.models import Message, ToolCall
from regreen.strategies.agents.state import (
    RESTART,
    State,
    add_seconds,
    extend_messages,
    initial_state,
    pack,
    unpack_attempt,
    unpack_candidate,
    unpack_message,
    unpack_turn,
)
from regreen.types import Attempt, Candidate, CheckResult, Isolation, Outcome, Turn, Verdict

TEXT = st.text(st.characters(exclude_categories=()), max_size=30)
"""Any text, halves of surrogate pairs among it."""
CANDIDATES = st.builds(Candidate, source=TEXT, origin=TEXT, parent=st.none() | TEXT, note=TEXT)
RESULTS = st.builds(CheckResult, outcome=st.sampled_from(Outcome), expected=TEXT, actual=TEXT, detail=TEXT)
VERDICTS = st.builds(
    Verdict,
    results=st.dictionaries(TEXT, RESULTS, max_size=3),
    isolation=st.sampled_from(Isolation),
    stdout=TEXT,
    exit_code=st.none() | st.integers(-64, 255),
)


@given(CANDIDATES, VERDICTS, st.none() | st.integers(0, 9))
def test_attempts_come_back_as_they_were(candidate: Candidate, verdict: Verdict, turn: int | None) -> None:
    """Whatever a program printed or a model wrote."""
    attempt = Attempt(candidate, verdict, turn)
    assert unpack_attempt(pack(attempt)) == attempt
    assert unpack_candidate(pack(candidate)) == candidate


@given(TEXT, TEXT)
def test_turns_and_messages_come_back_as_they_were(prompt: str, reply: str) -> None:
    """Tool calls too."""
    turn = Turn(3, "draft", 0, 0.7, prompt, reply, usd=0.5)
    message = Message("assistant", reply, (ToolCall("1", prompt, reply),))
    assert unpack_turn(pack(turn)) == turn
    assert unpack_message(pack(message)) == message


@given(CANDIDATES)
def test_what_is_kept_is_plain_ascii_text(candidate: Candidate) -> None:
    """So that any checkpointer can store it, and nothing in it can be run."""
    assert pack(candidate).isascii()


def test_a_fresh_state_holds_plain_data_alone() -> None:
    """No object of ours stands in a checkpoint."""

    def plain(value: Any) -> bool:
        if isinstance(value, dict):
            return all(plain(item) for item in value.values())
        return all(plain(item) for item in value) if isinstance(value, list) else type(value) in (str, int, float)

    assert plain(initial_state())


def test_seconds_add_up_by_stage() -> None:
    """Stages that one side lacks count as nothing."""
    assert add_seconds({"execute": 1.0}, {"execute": 0.5, "reflect": 2.0}) == {"execute": 1.5, "reflect": 2.0}


UPDATES = st.fixed_dictionaries(
    {},
    optional={
        "iteration": st.integers(0, 9),
        "turns": st.lists(TEXT, max_size=2),
        "attempts": st.lists(TEXT, max_size=2),
        "messages": st.lists(st.just(RESTART) | TEXT, max_size=3),
        "pending": TEXT,
        "stop": TEXT,
        "seconds": st.dictionaries(st.sampled_from(["execute", "reflect"]), st.integers(0, 9).map(float)),
        "screened": st.integers(0, 9),
        "notes": st.lists(TEXT, max_size=2),
    },
)
"""What a node may return."""


@given(st.lists(UPDATES, min_size=1, max_size=4))
@examples(0.3)
def test_updates_of_the_histories_are_added_and_all_others_replace(updates: list[State]) -> None:
    """By LangGraph itself, from the reducers of the state."""
    graph = StateGraph(State)
    for number, update in enumerate(updates):
        graph.add_node(str(number), lambda state, update=update: update)
    names = [START, *map(str, range(len(updates))), END]
    for before, after in pairwise(names):
        graph.add_edge(before, after)
    state = graph.compile().invoke(initial_state())
    for name in ("turns", "attempts", "notes"):
        assert state[name] == [text for update in updates for text in update.get(name, [])]  # type: ignore[attr-defined]
    assert state["screened"] == sum(update.get("screened", 0) for update in updates)
    for name in ("iteration", "pending", "stop"):
        assert state[name] == [initial_state()[name], *(u[name] for u in updates if name in u)][-1]  # type: ignore[literal-required]


@pytest.mark.parametrize(("more", "after"), [(["b"], ["a", "b"]), ([RESTART, "b"], ["b"]), ([], ["a"])])
def test_a_conversation_goes_on_or_begins_anew(more: list[str], after: list[str]) -> None:
    """Only the mark at the front drops what was said before."""
    assert extend_messages(["a"], more) == after
