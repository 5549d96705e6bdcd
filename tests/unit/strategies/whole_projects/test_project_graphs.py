"""The graphs that repair projects, on a scripted model, the tests' word made up: what each asks, takes, ends in."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from regreen.config import Settings, load_settings
from regreen.errors import ConfigError, ModelError
from regreen.models import ToolCall
from regreen.models.scripted import Fault, ReplySpec, ScriptedModel
from regreen.strategies.whole_projects import project_nodes
from regreen.strategies.whole_projects.project_agent import AgentFindings, ProjectAgent, load_project_spec
from regreen.strategies.whole_projects.project_graphs import PROJECT_SPECS
from regreen.strategies.whole_projects.project_tools import TOOL_NAMES
from regreen.types import Budget, Stop

ASKING = ("single", "reflect", "react", "patch", "tools")
"""Strategies whose every step is a request: hybrid searches, too, and is tried where tests run."""
RIGHT = (
    "shop/cart.py\n<<<<<<< SEARCH\n        return sum(self.prices) + FEE\n=======\n        return sum(self.prices)\n"
    ">>>>>>> REPLACE\n"
)
WRONG = "shop/tax.py\n<<<<<<< SEARCH\nRATE = 2\n=======\nRATE = 3\n>>>>>>> REPLACE\n"
RIGHT_EDIT = {"path": "shop/cart.py", "operation": "replace", "first_line": 11, "last_line": 11}
RIGHT_EDIT |= {"old": "        return sum(self.prices) + FEE", "new": "        return sum(self.prices)"}
RIGHT_CALLS = (
    ToolCall("", "edit", json.dumps({key: RIGHT_EDIT[key] for key in ("path", "old", "new")})),
    ToolCall("", "run_tests", "{}"),
)


@pytest.fixture(autouse=True)
def _nothing_to_minimise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making changes small needs a sandbox."""
    monkeypatch.setattr(project_nodes, "smallest_changes", lambda session, passing: passing)


@pytest.fixture
def asked(project_session: Callable[..., Any]) -> Callable[..., tuple[AgentFindings, list[Any]]]:
    """Repairs the project with replies given in turn, the last one again and again; returns the requests, too."""

    def ask(strategy: str, *replies: ReplySpec | str, **options: Any) -> tuple[AgentFindings, list[Any]]:
        bodies: list[Any] = []

        def responder(body: Any) -> ReplySpec:
            bodies.append(body)
            reply = replies[min(len(bodies), len(replies)) - 1]
            return ReplySpec(reply) if isinstance(reply, str) else reply

        settings = settings_for(strategy)
        session = project_session(**{"budget": Budget(iterations=3), **options})
        return ProjectAgent(settings, ScriptedModel(responder)).repair(session), bodies

    return ask


def settings_for(strategy: str) -> Settings:
    """Settings that name a model and this strategy."""
    return load_settings({"model": "scripted:code", "strategy": strategy}, environ={})


def right(strategy: str) -> Sequence[ReplySpec | str]:
    """The right replies in the form that a strategy asks for."""
    if strategy == "tools":
        return [ReplySpec("", tool_calls=RIGHT_CALLS)]
    return ["The fee is added twice.", json.dumps({"edits": [RIGHT_EDIT]})] if strategy == "patch" else [RIGHT]


@pytest.mark.parametrize("strategy", ASKING)
def test_a_right_reply_is_handed_over(asked: Any, strategy: str) -> None:
    """With the file that it changes, what was asked, and the test that it turns green."""
    told, bodies = asked(strategy, *right(strategy))
    assert told.found.stop is Stop.FIXED
    assert list(told.found.state.texts) == ["shop/cart.py"]
    assert not told.found.state.red
    assert [attempt.passed for attempt in told.attempts] == [True]
    assert "-        return sum(self.prices) + FEE" in told.attempts[0].diff
    assert [turn.number for turn in told.turns] == list(range(len(bodies)))


@pytest.mark.parametrize("strategy", ASKING)
def test_every_request_shows_the_red_test_and_what_it_runs(asked: Any, strategy: str) -> None:
    """Its text, its fixture, the failure, the suspicious functions; not what no test runs."""
    _, bodies = asked(strategy, *right(strategy))
    for body in bodies:
        text = "\n".join(str(message["content"]) for message in body["messages"])
        assert "assert due(cart) == 9" in text
        assert "def cart():" in text
        assert "expected 9, got 12" in text
        assert "return sum(self.prices) + FEE" in text
        assert "def tax(price):" in text
        assert "def never():" not in text


def test_a_correction_sees_what_came_of_the_changes_before(asked: Any) -> None:
    """The diff that did not help, and what its test said."""
    told, bodies = asked("reflect", WRONG, RIGHT)
    second = bodies[1]["messages"][-1]["content"]
    assert "This was tried as well" in second
    assert "+RATE = 3" in second
    assert [attempt.passed for attempt in told.attempts] == [False, True]
    assert list(told.found.state.texts) == ["shop/cart.py"]


def test_changes_of_several_files_are_one_patch(asked: Any) -> None:
    """Where only both together pass."""
    told, _ = asked("single", RIGHT + WRONG)
    assert sorted(told.found.state.texts) == ["shop/cart.py", "shop/tax.py"]


@pytest.mark.parametrize("strategy", ["reflect", "react", "patch"])
def test_a_reply_that_cannot_be_used_goes_back_with_the_reason(asked: Any, strategy: str) -> None:
    """It counts as a fault of the reply; nothing is tried."""
    refused = "tests/test_shop.py\n<<<<<<< SEARCH\ndef test_tax():\n=======\ndef no_test():\n>>>>>>> REPLACE\n"
    told, bodies = asked(strategy, refused)
    assert not told.attempts
    assert told.found.stop is Stop.ITERATIONS
    assert "misfit" in {turn.fault for turn in told.turns}
    last = "\n".join(str(message["content"]) for message in bodies[-1]["messages"])
    assert "`tests/test_shop.py` may not be changed" in last


def test_the_same_changes_again_are_not_run_again(asked: Any) -> None:
    """A model that repeats itself is told so, until its iterations are spent."""
    told, bodies = asked("reflect", WRONG)
    assert len(told.attempts) == 1
    assert [turn.fault for turn in told.turns] == ["", "repeat", "repeat", "repeat"]
    assert "were tried before" in bodies[-1]["messages"][-1]["content"]


def test_an_agent_looks_around_before_it_edits(asked: Any) -> None:
    """Each call is answered under its id, in order; the copy keeps its edits from one reply to the next."""
    look = (ToolCall("a", "list", "{}"), ToolCall("b", "search", '{"text": "FEE"}'))
    replies = [
        ReplySpec("", tool_calls=look),
        ReplySpec("", tool_calls=RIGHT_CALLS[:1]),
        ReplySpec("", tool_calls=RIGHT_CALLS[1:]),
    ]
    told, bodies = asked("tools", *replies)
    assert told.found.stop is Stop.FIXED
    assert {tool["function"]["name"] for tool in bodies[0]["tools"]} == set(TOOL_NAMES)
    answers = {m["tool_call_id"]: m["content"] for m in bodies[1]["messages"] if m["role"] == "tool"}
    assert "shop/tax.py" in answers["a"]
    assert "shop/cart.py:3: FEE = 1" in answers["b"]


def test_faults_of_calls_are_faults_of_the_reply(asked: Any) -> None:
    """An unknown tool, arguments that are no JSON: recorded, answered, and the model goes on; what passes counts."""
    bad = (ToolCall("a", "shell", "{}"), ToolCall("b", "view", "{'"))
    told, bodies = asked("tools", ReplySpec("", tool_calls=bad), ReplySpec("", tool_calls=(*bad, *RIGHT_CALLS)))
    assert (told.found.stop, told.error) == (Stop.FIXED, None)
    assert [turn.fault for turn in told.turns] == ["unknown_tool", "unknown_tool"]
    answers = [m["content"] for m in bodies[1]["messages"] if m["role"] == "tool"]
    assert "there is no tool" in answers[0]
    assert "no JSON object" in answers[1]


def test_an_agent_that_stops_calling_has_its_edits_tried(asked: Any) -> None:
    """A reply without a call, after an edit, means: this is it."""
    told, _ = asked("tools", ReplySpec("", tool_calls=RIGHT_CALLS[:1]), "Done.")
    assert told.found.stop is Stop.FIXED
    assert [turn.fault for turn in told.turns] == ["", ""]


def test_an_agent_that_only_talks_ends_by_its_budget(asked: Any) -> None:
    """Six requests for each iteration, and no more."""
    told, bodies = asked("tools", "I would look at the cart.", budget=Budget(iterations=1))
    assert told.found.stop is Stop.ITERATIONS
    assert len(bodies) == 12
    assert {turn.fault for turn in told.turns} == {"no_call"}


def test_calls_beyond_the_bound_are_not_carried_out(asked: Any) -> None:
    """Each of a hundred is answered all the same: services refuse a call without an answer."""
    many = tuple(ToolCall(str(number), "list", "{}") for number in range(100))
    _, bodies = asked("tools", ReplySpec("", tool_calls=many), ReplySpec("", tool_calls=RIGHT_CALLS))
    answers = [m["content"] for m in bodies[1]["messages"] if m["role"] == "tool"]
    assert len(answers) == 100
    assert sum("make fewer calls" in answer for answer in answers) == 92


def test_a_model_without_tools_goes_on_in_plain_text(asked: Any) -> None:
    """As `react` does."""
    told, bodies = asked("tools", ReplySpec("", fault=Fault("no_tools", times=1)), RIGHT)
    assert told.found.stop is Stop.FIXED
    assert "Thought:" in bodies[-1]["messages"][0]["content"]
    assert "took over" in told.notes[0]


@pytest.mark.parametrize("strategy", ["reflect", "tools", "react", "patch"])
def test_a_prompt_that_does_not_fit_is_asked_again_in_fewer_words(
    asked: Any, shop_files: dict[str, str], strategy: str
) -> None:
    """The model's own refusal says that it does not fit; the window is learnt from it."""
    too_long = ReplySpec("", fault=Fault("too_long"))
    long = {"shop/cart.py": shop_files["shop/cart.py"] + "\n\ndef long():\n" + "    x = 1\n" * 3_000}
    told, bodies = asked(strategy, too_long, *right(strategy), more=long)
    assert told.found.stop is Stop.FIXED
    assert told.turns[0].was_refused
    first, second = ("".join(str(m["content"]) for m in body["messages"]) for body in bodies[:2])
    assert len(second) < len(first)
    assert "assert due(cart) == 9" in second
    assert "return sum(self.prices) + FEE" in second


def test_a_service_that_fails_is_an_error_beside_what_was_found(asked: Any) -> None:
    """Never a failed repair: the turns before it are kept."""
    told, _ = asked("reflect", WRONG, ReplySpec("", fault=Fault("error")))
    assert isinstance(told.error, ModelError)
    assert (told.found.stop, len(told.turns), len(told.attempts)) == (Stop.ERROR, 1, 1)
    assert not told.found.state.texts


def test_ctrl_c_ends_a_repair_with_what_was_proven(project_session: Any) -> None:
    """Whatever the model was asked by then is on record, and nothing that is not proven is handed over."""
    replies = [WRONG]

    def responder(body: Any) -> ReplySpec:
        if not replies:
            raise KeyboardInterrupt
        return ReplySpec(replies.pop())

    told = ProjectAgent(settings_for("reflect"), ScriptedModel(responder)).repair(project_session())
    assert told.found.stop is Stop.INTERRUPTED
    assert (len(told.turns), told.found.after, dict(told.found.state.texts)) == (1, None, {})


def test_a_strategy_without_a_graph_is_refused_with_those_that_have_one() -> None:
    """By the names that users type."""
    with pytest.raises(ConfigError, match="single, reflect, tools, react, patch, hybrid"):
        load_project_spec("search")
    assert set(PROJECT_SPECS) == {*ASKING, "hybrid"}
