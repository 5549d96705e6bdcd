"""A scripted model answers by what a conversation holds, and by nothing else."""

from __future__ import annotations

import json
import random
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.errors import ContextTooLong, ModelError, ModelUnavailable, ToolsUnsupported
from regreen.models import Finish, Message, Request, Tool, ToolCall, Usage
from regreen.models.scripted import Body, Fault, ReplySpec, Rule, Script, ScriptedModel

RUN_CODE = Tool("run_code", "Runs code.", {"type": "object"})
ANY_TEXT = st.text(st.characters(), max_size=40)
"""With lone surrogates and control characters."""


def asked(*texts: str, **more: object) -> Request:
    """A conversation in which user and assistant take turns."""
    roles = ("user", "assistant")
    return Request(tuple(Message(roles[n % 2], text) for n, text in enumerate(texts)), **more)  # type: ignore[arg-type]


def said(script: Script, *texts: str) -> str:
    return ScriptedModel(script).ask(asked(*texts)).text


def replies(*texts: str) -> tuple[ReplySpec, ...]:
    return tuple(map(ReplySpec, texts))


def fenced(code: str) -> str:
    return f"Try this:\n```python\n{code}\n```\nGood luck."


def test_the_first_rule_that_fits_answers() -> None:
    """Rules are matched in order; the default is for what no rule fits."""
    script = Script(
        (Rule(replies("one"), contains=("alpha",)), Rule(replies("two"), contains=("alpha", "beta"))),
        default=ReplySpec("none"),
    )
    assert said(script, "alpha beta") == "one"
    assert said(script, "beta") == "none"


@pytest.mark.parametrize(
    ("rule", "fits"),
    [
        (Rule(replies("x"), contains=("first", "answer")), True),
        (Rule(replies("x"), contains=("first", "absent")), False),
        (Rule(replies("x"), contains=("first",), where="last_user"), False),
        (Rule(replies("x"), contains=("second",), where="last_user"), True),
        (Rule(replies("x"), contains=("answer",), where="last"), False),
        (Rule(replies("x"), contains=("rules",), where="system"), True),
        (Rule(replies("x"), contains=("first",), where="system"), False),
        (Rule(replies("x"), matches=r"(?m)^first \d+$"), True),
        (Rule(replies("x"), matches=r"^first \d+$"), False),
        (Rule(replies("x"), tools=True), False),
        (Rule(replies("x"), tools=False), True),
        (Rule(replies("x"), schema=True), False),
        (Rule(replies("x"), model="scripted:code"), True),
        (Rule(replies("x"), model="other"), False),
        (Rule(replies("x"), turn=1), True),
        (Rule(replies("x"), turn=0), False),
    ],
)
def test_every_condition_of_a_rule_has_to_hold(rule: Rule, fits: bool) -> None:
    """Texts in the messages that it looks at, the turn, the model, and what is offered."""
    messages = (Message("system", "rules"), *asked("first 1", "answer", "second").messages)
    answer = ScriptedModel(Script((rule,), ReplySpec("default"))).ask(Request(messages)).text
    assert answer == ("x" if fits else "default")


def test_tools_and_forms_can_be_told_apart() -> None:
    """A rule may be for requests that offer tools, or ask for JSON, alone."""
    model = ScriptedModel(Script((Rule(replies("tools"), tools=True), Rule(replies("{}"), schema=True)), ReplySpec("")))
    assert model.ask(asked("go", tools=(RUN_CODE,))).text == "tools"
    assert model.ask(asked("go", json_schema={"type": "object"})).text == "{}"
    assert model.ask(asked("go")).text == ""


def test_replies_go_by_the_turn_and_the_last_one_repeats() -> None:
    """The number of answers so far says which reply comes."""
    script = Script((Rule(replies("a", "b"), contains=("task",)),))
    conversation = ["task"]
    for expected in ("a", "b", "b"):
        assert said(script, *conversation) == expected
        conversation += ["some answer", "that failed"]


def test_a_model_can_be_right_at_turn_k_for_a_hundred_tasks() -> None:
    """Each program is known by its text, and the right answer comes when it is due, in any order of tasks."""
    due = {f"task_{n}": n % 10 for n in range(100)}
    script = Script(
        tuple(
            Rule(
                replies(*(fenced(f"def {name}():\n    return {k}") for k in range(turn)), fenced(f"def {name}(): ok")),
                matches=rf"def {name}\b",
            )
            for name, turn in due.items()
        )
    )
    model = ScriptedModel(script)

    def turns_until_right(name: str) -> int:
        conversation = [f"Mend def {name}(): pass"]
        while "ok" not in (answer := model.ask(asked(*conversation)).text):
            conversation += [answer, "No."]
        return len(conversation) // 2

    names = random.Random(1).sample(sorted(due), len(due))
    with ThreadPoolExecutor(16) as threads:
        assert dict(zip(names, threads.map(turns_until_right, names), strict=True)) == due


def test_a_fresh_prompt_that_quotes_an_earlier_reply_is_the_next_turn() -> None:
    """Agents that show only the last try, in other words and with other indentation, get on as well."""
    first, second = "def f(x):\n    y = x\n    return y", "def f(x):\n    return x + 1"
    script = Script((Rule(replies(fenced(first), fenced(second), "done"), contains=("def f",)),))
    assert "y = x" in said(script, "Mend def f(x): pass")
    assert "x + 1" in said(script, "Yours was:\n\n    def f(x):\n        y = x\n\n        return y\n\nIt failed.")
    assert said(script, f"Not {first}, and not {second}.") == "done"


def test_a_short_reply_is_not_taken_for_a_quotation() -> None:
    """A word that stands in every prompt says nothing of the turn."""
    assert said(Script((Rule(replies("no", "yes")),)), "There is no way.") == "no"


@pytest.mark.parametrize(("counted", "turn"), [("auto", 2), ("assistant", 2), ("tools", 1), ("quoted", 0)])
def test_what_is_counted_can_be_chosen(counted: str, turn: int) -> None:
    """Answers, results of tools, or replies that are quoted."""
    messages = (
        *asked("go", "one", "again").messages,
        Message("assistant", "", (ToolCall("c", "run_code", "{}"),)),
        Message("tool", "3", tool_call_id="c"),
    )
    rule = Rule(replies("0", "1", "2"), counted=counted)  # type: ignore[arg-type]
    assert ScriptedModel(Script((rule,))).ask(Request(messages)).text == str(turn)


def test_a_marker_can_number_the_turns() -> None:
    """The highest number that the pattern finds decides, wherever it is quoted."""
    rule = Rule(replies("try_0 = 1", "try_1 = 1", "done"), marker=r"try_(\w+)")
    assert said(Script((rule,)), "Go.") == "try_0 = 1"
    assert said(Script((rule,)), "try_0 = 1 was wrong, try_x is no number.") == "try_1 = 1"
    assert said(Script((rule,)), "try_1 and try_0 were wrong.") == "done"


def test_a_responder_answers_what_no_rule_fits() -> None:
    """Code may say what rules cannot; it sees the body that would go over the wire."""

    def echo(body: Body) -> ReplySpec:
        return ReplySpec(f"{body['messages'][-1]['content']}!")

    assert ScriptedModel(echo).ask(asked("hi")).text == "hi!"
    script = Script((Rule(replies("rule"), contains=("x",)),), ReplySpec("default"), responder=echo)
    assert [said(script, text) for text in ("x", "y")] == ["rule", "y!"]


def test_a_request_that_nothing_fits_is_an_error() -> None:
    """A script with a gap is found out, and not taken for a model that says nothing."""
    with pytest.raises(ModelError, match="No rule of the script fits"):
        said(Script(), "hello")


def test_a_reply_carries_all_that_a_service_tells() -> None:
    """Calls with ids of their own, reasoning, tokens and the finish that fits."""
    spec = ReplySpec("text", (ToolCall("", "run_code", "{}"), ToolCall("mine", "run_code", "{}")), reasoning="why")
    reply = ScriptedModel(Script(default=spec), "scripted:x").ask(asked("12345678", tools=(RUN_CODE,)))
    assert (reply.text, reply.reasoning, reply.finish, reply.model) == ("text", "why", Finish.TOOL_CALLS, "scripted:x")
    assert [call.id == "mine" for call in reply.tool_calls] == [False, True]
    assert reply.tool_calls[0].id
    assert reply.usage.reasoning == 1
    assert reply.usage.completion == 4
    assert reply.usage.prompt > 2
    assert ScriptedModel(Script(default=ReplySpec("a", usage=Usage(7, 8)))).ask(asked("b")).usage == Usage(7, 8)


def test_calls_of_the_same_tool_get_other_ids_at_another_turn() -> None:
    """Ids tell calls apart within a conversation, and are the same when it is repeated."""
    model = ScriptedModel(Script(default=ReplySpec(tool_calls=(ToolCall("", "f", "{}"), ToolCall("", "f", "{}")))))
    first, again, later = (
        model.ask(asked(*conversation)).tool_calls for conversation in (("a",), ("a",), ("a", "b", "c"))
    )
    assert first == again
    assert len({call.id for call in (*first, *later)}) == 4


def test_stops_and_lengths_are_kept() -> None:
    """A reply ends before the first stop, and at the length that was asked for."""
    model = ScriptedModel(Script(default=ReplySpec("one two three END four")))
    stopped = model.ask(asked("go", stop=("END", " two")))
    assert (stopped.text, stopped.finish) == ("one", Finish.STOP)
    cut = model.ask(asked("go", max_tokens=2))
    assert (cut.text, cut.finish, cut.usage.completion) == ("one two ", Finish.LENGTH, 2)
    assert model.ask(asked("go", max_tokens=100)).finish == Finish.STOP


@pytest.mark.parametrize("spec", [ReplySpec(refusal="I would rather not."), ReplySpec("x", fault=Fault("filtered"))])
def test_a_refusal_is_a_reply(spec: ReplySpec) -> None:
    """The model's own and the service's: both say so."""
    reply = ScriptedModel(Script(default=spec)).ask(asked("go"))
    assert reply.finish == Finish.REFUSED
    assert reply.text == spec.refusal


def test_calls_can_be_spoilt() -> None:
    """Arguments that are no JSON, and a tool that nobody offered; made up where the reply has no call."""
    for spec in (ReplySpec(tool_calls=(ToolCall("", "run_code", '{"code": "x"}'),)), ReplySpec("text")):
        bad, unknown = (
            ScriptedModel(Script(default=ReplySpec(spec.text, spec.tool_calls, fault=Fault(kind))))
            .ask(asked("go", tools=(RUN_CODE,)))
            .tool_calls[0]
            for kind in ("bad_arguments", "unknown_tool")
        )
        assert bad.name == "run_code"
        with pytest.raises(ValueError, match=r"Expecting|Unterminated"):
            json.loads(bad.arguments)
        assert (unknown.name, json.loads(unknown.arguments) is not None) == ("no_such_tool", True)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("busy", ModelUnavailable),
        ("error", ModelUnavailable),
        ("silent", ModelUnavailable),
        ("cut", ModelUnavailable),
        ("no_tools", ToolsUnsupported),
        ("too_long", ContextTooLong),
        ("unauthorized", ModelError),
        ("not_json", ModelError),
    ],
)
def test_faults_are_the_errors_that_a_client_ends_with(kind: str, error: type[ModelError]) -> None:
    """What the test server does on the wire is, to who asks, one of the errors of the contract."""
    model = ScriptedModel(Script(default=ReplySpec("x", fault=Fault(kind))))  # type: ignore[arg-type]
    with pytest.raises(error) as raised:
        model.ask(asked("go"))
    assert type(raised.value) is error


def test_a_fault_that_passes_is_met_so_many_times_by_each_request() -> None:
    """The third try of a request gets what the first two did not; another request begins anew."""
    model = ScriptedModel(Script(default=ReplySpec("x", fault=Fault("busy", times=2))))
    for text in ("one", "two"):
        for _ in range(2):
            with pytest.raises(ModelUnavailable):
                model.ask(asked(text))
        assert model.ask(asked(text)).text == "x"


def test_replies_take_their_time() -> None:
    """The model's latency is for replies that have none of their own."""
    model = ScriptedModel(
        Script((Rule((ReplySpec("x", latency=0.0),), contains=("quick",)),), ReplySpec()), latency=0.05
    )
    started = time.monotonic()
    assert model.ask(asked("quick")).seconds < 0.05
    assert model.ask(asked("slow")).seconds >= 0.05
    assert time.monotonic() - started >= 0.05


@given(st.lists(ANY_TEXT, min_size=1, max_size=4), ANY_TEXT)
def test_any_text_can_be_asked_and_answered(conversation: list[str], answer: str) -> None:
    """The same conversation gets the same reply, whatever it holds."""
    model = ScriptedModel(Script((Rule(replies("other", answer), turn=1),), ReplySpec(answer)))
    first, second = model.ask(asked(*conversation)), model.ask(asked(*conversation))
    assert first.text == second.text == answer
    assert first.usage == second.usage
