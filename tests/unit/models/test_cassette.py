"""Tapes: what is recorded comes back, and only to who asks the same."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.errors import (
    BudgetSpent,
    CircuitOpen,
    ContextTooLong,
    ModelError,
    ModelUnavailable,
    RunError,
    TapeDrift,
    ToolsUnsupported,
)
from regreen.models import ChatModel, Finish, Message, Reply, Request, Tool, ToolCall, Usage
from regreen.models.cassette import cached, recording, replaying, tape_rows, tape_summary

TEXT = st.text(st.characters(), max_size=30)
"""With lone surrogates, NULs and control characters."""
COUNT = st.integers(0, 1 << 40)
CALLS = st.lists(st.builds(ToolCall, TEXT, TEXT, TEXT), max_size=2).map(tuple)
PLAIN = st.dictionaries(TEXT, st.none() | st.booleans() | st.integers() | TEXT, max_size=2)
MESSAGES = st.lists(
    st.builds(Message, st.sampled_from(("system", "user", "assistant", "tool")), TEXT, CALLS, st.none() | TEXT),
    min_size=1,
    max_size=3,
).map(tuple)
REQUESTS = st.builds(
    Request,
    messages=MESSAGES,
    temperature=st.floats(0, 2),
    max_tokens=st.none() | COUNT,
    seed=st.none() | COUNT,
    tools=st.lists(st.builds(Tool, TEXT, TEXT, PLAIN), max_size=1).map(tuple),
    stop=st.lists(TEXT, max_size=2).map(tuple),
    json_schema=st.none() | PLAIN,
    node=TEXT,
    scope=TEXT,
    turn=st.integers(0, 1000),
)
REPLIES = st.builds(
    Reply,
    text=TEXT,
    tool_calls=CALLS,
    usage=st.builds(Usage, COUNT, COUNT, COUNT, COUNT),
    finish=TEXT,
    reasoning=TEXT,
    model=TEXT,
    seconds=st.floats(0, 1e6),
    waited=st.floats(0, 1e6),
    usd=st.none() | st.floats(0, 1e6),
    extra=PLAIN,
)


class Fake:
    """A model that answers as it is told, and counts."""

    def __init__(self, answer: Callable[[Request], Reply], name: str = "fake:one") -> None:
        self.name = name
        self.asked: list[Request] = []
        self.closed = False
        self._answer = answer

    def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        return self._answer(request)

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    return tmp_path / "cassette.sqlite"


def a_request(text: str = "hello", turn: int = 0, scope: str = "shelf/a#0", **more: Any) -> Request:
    return Request((Message("user", text),), scope=scope, turn=turn, **more)


def echo(request: Request) -> Reply:
    text = f"{request.messages[-1].content}!"
    return Reply(text, usage=Usage(10, 5, 2, 1), model="one", seconds=1.5, waited=0.5, usd=0.25)


def record(path: Path, *requests: Request, answer: Callable[[Request], Reply] = echo) -> list[Reply]:
    """A tape of these requests; what was answered."""
    model = recording(Fake(answer), path)
    try:
        return [model.ask(request) for request in requests]
    finally:
        model.close()


def replay(path: Path, *requests: Request, **options: Any) -> list[Reply]:
    """What the tape answers to these requests."""
    model = replaying(path, **options)
    try:
        return [model.ask(request) for request in requests]
    finally:
        model.close()


def drift(path: Path, request: Request, **options: Any) -> TapeDrift:
    with pytest.raises(TapeDrift) as raised:
        replay(path, request, **options)
    assert raised.value.remedy
    return raised.value


@given(REQUESTS, REPLIES)
def test_what_was_recorded_is_played_back(request_: Request, reply: Reply) -> None:
    """Any request and any reply: the same, but for the mark that says where it is from."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "cassette.sqlite")
        assert record(path, request_, answer=lambda _: reply) == [reply]
        (played,) = replay(path, request_)
        assert replace(played, extra=reply.extra) == reply
        assert played.extra == {**reply.extra, "from_tape": True}
        (row,) = tape_rows(path)
        assert row.reply == reply


def test_a_huge_reply_is_no_trouble(tape: Path) -> None:
    """Megabytes of text that take several bytes a character."""
    reply = Reply("\U0001f600\ud800\0" * 500_000)
    record(tape, a_request("x" * 1_000_000), answer=lambda _: reply)
    assert replay(tape, a_request("x" * 1_000_000))[0].text == reply.text


def test_turns_are_found_by_scope_and_number_in_any_order(tape: Path) -> None:
    """Tasks may be played back in another order than they were recorded in."""
    requests = [a_request(f"{scope} {turn}", turn, scope) for scope in ("a#0", "a#1", "b#0") for turn in range(3)]
    replies = record(tape, *requests)
    played = replay(tape, *reversed(requests))
    assert [reply.text for reply in reversed(played)] == [reply.text for reply in replies]


def test_who_asks_makes_no_difference(tape: Path) -> None:
    """A node that was renamed is no drift: only what the reply depends on is compared."""
    record(tape, a_request(node="draft"))
    assert replay(tape, a_request(node="first draft"))[0].text == "hello!"


def test_another_prompt_is_drift_and_the_difference_is_shown(tape: Path) -> None:
    """A diff, old against new, and not more of the prompt than is needed around it."""
    lines = [f"line {number}" for number in range(100)]
    record(tape, a_request("\n".join(lines)))
    lines[50] = "another line"
    error = drift(tape, a_request("\n".join(lines)))
    said = "Turn 0 of shelf/a#0 is not what was recorded: the prompt differs."
    assert f"{said}\n--- recorded\n+++ asked now\n" in str(error)
    assert "--from 0" in error.remedy
    assert "\n-line 50\n+another line\n" in error.diff
    assert error.diff.startswith("--- recorded\n+++ asked now\n")
    assert "\n line 49\n" in error.diff
    assert "line 40" not in error.diff


def test_messages_that_came_or_went_are_shown_by_role(tape: Path) -> None:
    """Also the calls of tools, and what answers them."""
    call = Message("assistant", "", (ToolCall("c1", "run_code", "f(1)"),))
    record(tape, a_request("go"))
    diff = drift(
        tape,
        Request((*a_request("go").messages, call, Message("tool", "2", tool_call_id="c1")), scope="shelf/a#0"),
    ).diff
    for line in ("+[assistant]", "+[calls run_code as c1]", "+f(1)", "+[tool answers c1]", "+2"):
        assert line in diff.split("\n")


TOOL = Tool("run_code", "Runs code.", {"type": "object"})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"temperature": 0.5}, "temperature 0.0 -> 0.5"),
        ({"max_tokens": 9}, "max_tokens null -> 9"),
        ({"seed": 3, "stop": ("x",)}, 'seed null -> 3; stop [] -> ["x"]'),
        ({"tools": (TOOL,)}, "tools none -> run_code"),
        ({"json_schema": {"a": "b" * 99}}, 'json_schema null -> {"a": "bbb'),
    ],
)
def test_other_parameters_are_drift_and_named(tape: Path, change: dict[str, Any], words: str) -> None:
    """What differs, from what to what, though the prompt is the same."""
    record(tape, a_request())
    error = drift(tape, a_request(**change))
    assert words in str(error)
    assert "prompt" not in str(error)
    assert error.diff == ""


def test_a_tool_that_is_described_in_other_words_is_drift(tape: Path) -> None:
    """The names alone do not show it, so it is said."""
    record(tape, a_request(tools=(TOOL,)))
    error = drift(tape, a_request(tools=(replace(TOOL, description="Runs."),)))
    assert "tools run_code, described differently" in str(error)


def test_a_diff_of_huge_prompts_stays_short_and_quick(tape: Path) -> None:
    """Prompts of a hundred thousand lines that have nothing in common."""
    record(tape, a_request("\n".join(f"old {n % 7}" for n in range(100_000))))
    assert len(drift(tape, a_request("\n".join(f"new {n % 7}" for n in range(100_000)))).diff) < 30_000


def test_what_is_not_on_the_tape_is_drift(tape: Path) -> None:
    """A turn too many, and a scope that was never recorded."""
    record(tape, a_request(), a_request("again", 1))
    assert "Turn 2 of shelf/a#0 is not on the tape, which has 2 of its turns" in str(drift(tape, a_request("x", 2)))
    assert "nor is any other of its turns" in str(drift(tape, a_request(scope="shelf/b#0")))


def test_the_model_counts_where_it_is_named(tape: Path) -> None:
    """A replay may insist on the model that was recorded; its name is the replaying model's own."""
    record(tape, a_request())
    assert replay(tape, a_request(), model_name="fake:one")[0].text == "hello!"
    assert "model fake:one -> fake:two" in str(drift(tape, a_request(), model_name="fake:two"))
    model = replaying(tape)
    assert model.name == "fake:one"
    model.close()


def test_a_replay_goes_on_live_from_a_turn(tape: Path) -> None:
    """Earlier turns are the tape's, later ones another model's, scope by scope."""
    record(tape, a_request("0"), a_request("1", 1), a_request("0", scope="shelf/b#0"))
    live = Fake(lambda request: Reply("live"), "fake:two")
    wanted = (
        a_request("0"),
        a_request("other", 1),
        a_request("new", 2),
        a_request("0", scope="shelf/b#0"),
    )
    replies = replay(tape, *wanted, live=live, from_turn=1)
    assert [reply.text for reply in replies] == ["0!", "live", "live", "0!"]
    assert [request.turn for request in live.asked] == [1, 2]
    assert live.closed
    with pytest.raises(TapeDrift):
        replay(tape, a_request("changed"), live=live, from_turn=1)
    with pytest.raises(ValueError, match="go together"):
        replaying(tape, live=live)


@pytest.mark.parametrize(
    "error",
    [
        ContextTooLong("too long", remedy="Shorten it."),
        ToolsUnsupported("no tools"),
        ModelUnavailable("down", remedy="Wait."),
        BudgetSpent("spent", kind="usd", remedy="Raise --max-usd."),
        ModelError("no answer \ud800"),
    ],
)
def test_errors_are_recorded_and_raised_again(tape: Path, error: ModelError) -> None:
    """A replay takes the same turns as the recorded run, its failures included."""

    def fail(_: Request) -> Reply:
        raise error

    with pytest.raises(type(error)):
        record(tape, a_request(), answer=fail)
    with pytest.raises(ModelError) as raised:
        replay(tape, a_request())
    assert type(raised.value) is type(error)
    assert (str(raised.value), raised.value.remedy) == (str(error), error.remedy)
    assert getattr(raised.value, "kind", None) == getattr(error, "kind", None)
    assert tape_summary(tape).errors == 1


def test_a_circuit_that_opened_does_not_end_the_replay(tape: Path) -> None:
    """That turn fails as it did, but nothing says that the others will."""

    def fail(_: Request) -> Reply:
        raise CircuitOpen("open")

    with pytest.raises(CircuitOpen):
        record(tape, a_request(), answer=fail)
    with pytest.raises(ModelUnavailable) as raised:
        replay(tape, a_request())
    assert type(raised.value) is ModelUnavailable


def test_a_resumed_scope_records_over_its_own_turns(tape: Path) -> None:
    """The same requests take the place of those before; the tape does not grow."""
    record(tape, a_request("0"), a_request("1", 1))
    record(tape, a_request("0"), a_request("1", 1), answer=lambda _: Reply("second"))
    assert [reply.text for reply in replay(tape, a_request("0"), a_request("1", 1))] == ["second", "second"]
    assert tape_summary(tape).exchanges == 2


def test_a_scope_that_takes_another_course_leaves_the_old_one(tape: Path) -> None:
    """Later turns of the old course are not mistaken for the new one's; other scopes keep theirs."""
    other = a_request("other", 1, "shelf/b#0")
    record(tape, a_request("0"), a_request("1", 1), a_request("2", 2), other)
    record(tape, a_request("one", 1))
    assert [reply.text for reply in replay(tape, a_request("0"), a_request("one", 1), other)] == [
        "0!",
        "one!",
        "other!",
    ]
    assert "which has 2" in str(drift(tape, a_request("2", 2)))
    summary = tape_summary(tape)
    assert (summary.turns, summary.exchanges) == (3, 5)


def test_a_tape_is_a_cache(tape: Path) -> None:
    """The same request is asked once, whoever asks; another one, or another model, is asked."""
    fake = Fake(echo)
    model = cached(fake, tape)
    first, again, other = (
        model.ask(request)
        for request in (
            a_request(),
            a_request(scope="shelf/b#0", turn=4, node="x"),
            a_request(temperature=0.5),
        )
    )
    model.close()
    assert len(fake.asked) == 2
    assert fake.closed
    assert (first.extra, first.usd, other.extra) == ({}, 0.25, {})
    assert (again.text, again.usage, again.extra) == (first.text, first.usage, {"from_cache": True})
    assert (again.usd, again.seconds, again.waited) == (0.0, 0.0, 0.0)
    second = cached(Fake(lambda _: Reply("two"), "fake:two"), tape)
    assert second.ask(a_request()).text == "two"
    second.close()


def test_a_recorded_run_is_a_cache_for_the_next_one(tape: Path) -> None:
    """Its replies are given again, its errors are not, and nothing of it is lost to scopes of the same name."""

    def fail(request: Request) -> Reply:
        raise ContextTooLong("no")

    record(tape, a_request("0"), a_request("1", 1))
    with pytest.raises(ContextTooLong):
        record(tape, a_request("bad", 2), answer=fail)
    fake = Fake(lambda _: Reply("live"))
    model = cached(fake, tape)
    wanted = (a_request("new"), a_request("bad", 2), a_request("0"), a_request("1", 1))
    assert [model.ask(request).text for request in wanted] == ["live", "live", "0!", "1!"]
    model.close()


def test_the_first_reply_to_a_request_is_the_cache_s(tape: Path) -> None:
    """A run in which equal requests got an error, and then different replies."""

    def fail(_: Request) -> Reply:
        raise ContextTooLong("no")

    with pytest.raises(ContextTooLong):
        record(tape, a_request(scope="shelf/a#0"), answer=fail)
    record(tape, a_request(scope="shelf/b#0"), answer=lambda _: Reply("first"))
    record(tape, a_request(scope="shelf/c#0"), answer=lambda _: Reply("second"))
    model = cached(Fake(lambda _: Reply("live")), tape)
    assert model.ask(a_request(scope="shelf/d#0")).text == "first"
    model.close()


def test_a_model_s_own_fault_is_not_cached(tape: Path) -> None:
    """What failed is asked again."""

    def fail(_: Request) -> Reply:
        raise ModelUnavailable("down")

    model = cached(Fake(fail), tape)
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            model.ask(a_request())
    model.close()
    assert tape_summary(tape).exchanges == 0


def test_a_tape_is_told_in_numbers_and_in_rows(tape: Path) -> None:
    """What reports need: who was asked how often, for how much, and each turn in order."""
    record(
        tape,
        a_request("b", scope="shelf/b#0"),
        a_request("a1", 1, node="reflect"),
        a_request("a0", node="draft"),
    )
    summary = tape_summary(tape)
    assert (summary.models, summary.scopes, summary.turns, summary.errors) == (("fake:one",), 2, 3, 0)
    assert (summary.usage, summary.usd) == (Usage(30, 15, 6, 3), 0.75)
    rows = list(tape_rows(tape))
    assert [(row.scope, row.turn, row.node) for row in rows] == [
        ("shelf/a#0", 0, "draft"),
        ("shelf/a#0", 1, "reflect"),
        ("shelf/b#0", 0, ""),
    ]
    assert rows[0].content["messages"][0]["content"] == "a0"
    record(tape, a_request("free", scope="shelf/c#0"), answer=lambda _: Reply("x", usd=None))
    assert tape_summary(tape).usd is None


def test_who_records_is_asked_under_the_model_s_own_name(tape: Path) -> None:
    """Wrapping a model changes neither its name nor its replies, and closing closes it."""
    fake = Fake(echo)
    model: ChatModel = recording(fake, tape)
    assert model.name == "fake:one"
    assert model.ask(a_request()) == echo(a_request())
    model.close()
    assert fake.closed
    assert sorted(path.name for path in tape.parent.iterdir()) == ["cassette.sqlite"]


def test_drift_is_not_recorded(tape: Path, tmp_path: Path) -> None:
    """It tells of a tape, not of a model."""
    record(tape, a_request())
    copy = tmp_path / "copy.sqlite"
    model = recording(replaying(tape), copy)
    assert model.ask(a_request()).finish == Finish.STOP
    with pytest.raises(TapeDrift):
        model.ask(a_request("other", 1))
    model.close()
    assert tape_summary(copy).turns == 1


def test_a_closed_tape_says_so(tape: Path) -> None:
    """An error of ours, not SQLite's."""
    model = recording(Fake(echo), tape)
    model.close()
    with pytest.raises(RunError, match="closed"):
        model.ask(a_request())
