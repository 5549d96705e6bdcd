"""Hosted models over real HTTP: replies, and each way in which a service fails."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from web import Heard, Reply, answering_by

from regreen.config import Settings
from regreen.errors import (
    BudgetSpent,
    CircuitOpen,
    ConfigError,
    ContextTooLong,
    ModelError,
    ModelUnavailable,
    ToolsUnsupported,
)
from regreen.models import ChatModel, Finish, Message, Meter, Request, Tool, ToolCall, Usage, list_models, open_model
from regreen.models.scripted import Fault, FaultRule, ReplySpec, Rule, Script
from regreen.models.testserver import RunningServer, serve

HELLO = Request((Message("system", "Be brief."), Message("user", "Hello.")), max_tokens=100)
TOOL = Tool("run_code", "Runs code.", {"type": "object", "properties": {"code": {"type": "string"}}})
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": False}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No `.env` and no keys of whoever runs the tests."""
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "REGREEN_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def asking(served: RunningServer | str, *, meter: Meter | None = None, **settings: Any) -> Iterator[ChatModel]:
    """A model at a test server; waits are short."""
    base_url = served if isinstance(served, str) else served.base_url
    chosen = Settings(**{"model": "small", "base_url": base_url, "retries": 2, "request_timeout": 5.0} | settings)
    with open_model(chosen, meter=meter, sleep=lambda seconds: time.sleep(min(seconds, 0.01))) as model:
        yield model


@pytest.fixture
def stage() -> Iterator[Callable[..., RunningServer]]:
    """Serves one reply, with faults by the number of the request."""
    with ExitStack() as servers:

        def put(reply: ReplySpec | None = None, *faults: FaultRule, **more: Any) -> RunningServer:
            script = Script(default=reply or ReplySpec("Hi."), faults=faults, models=more.pop("models", ()))
            return servers.enter_context(serve(script, **more))

        yield put


@contextmanager
def answering(answer: Callable[[dict[str, Any]], tuple[int, str, bytes]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A server whose every answer (status, content type, body) is made up by the test."""
    told: list[dict[str, Any]] = []

    def answered(heard: Heard) -> Reply:
        if heard.method == "GET":
            return 404, {"content-type": "text/plain"}, b""
        told.append({"path": heard.path, "headers": heard.headers, **json.loads(heard.content)})
        status, kind, content = answer(told[-1])
        return status, {"content-type": kind}, content

    with answering_by(answered) as (place, _):
        yield f"http://{place.replace('localhost', '127.0.0.1')}/v1", told


def said(text: str = "Hi.", **more: Any) -> tuple[int, str, bytes]:
    """A plain reply."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": 7, "completion_tokens": 3}
    return 200, "application/json", json.dumps({"model": "m", "choices": [choice], "usage": usage} | more).encode()


def refused(text: str, status: int = 400, **more: Any) -> tuple[int, str, bytes]:
    """An error as OpenAI words it."""
    return status, "application/json", json.dumps({"error": {"message": text, **more}}).encode()


def test_a_reply_carries_text_tokens_and_what_was_asked_for(stage: Callable[..., RunningServer]) -> None:
    """Every parameter of a request reaches the service, and every part of a reply comes back."""
    served = stage(ReplySpec("Hi.", reasoning="A greeting.", usage=Usage(12, 5, 3, 4)))
    with asking(served) as model:
        request = Request(HELLO.messages, temperature=0.5, max_tokens=64, seed=3, stop=("END",), json_schema=SCHEMA)
        reply = model.ask(request)
    assert (reply.text, reply.reasoning, reply.finish) == ("Hi.", "A greeting.", Finish.STOP)
    assert reply.usage == Usage(12, 5, 3, 4)
    assert (reply.model, reply.usd, model.name) == ("small", None, "small")
    assert reply.seconds > 0
    assert reply.waited < 1
    body = served.requests[0].body
    assert [turn["role"] for turn in body["messages"]] == ["system", "user"]
    assert (body["temperature"], body["max_tokens"], body["seed"], body["stop"]) == (0.5, 64, 3, ["END"])
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert body["response_format"]["json_schema"]["strict"] is True


def test_tools_are_offered_called_and_answered(stage: Callable[..., RunningServer]) -> None:
    """A call of a tool comes back as the model wrote it, and goes out again in the history."""
    served = stage(ReplySpec(tool_calls=(ToolCall("call_7", "run_code", '{"code": "1"}'),)))
    with asking(served) as model:
        reply = model.ask(Request(HELLO.messages, tools=(TOOL,)))
        answer = Message("tool", "2", tool_call_id="call_7")
        turns = (*HELLO.messages, Message("assistant", "", reply.tool_calls), answer)
        model.ask(Request(turns, tools=(TOOL,)))
    assert reply.finish == Finish.TOOL_CALLS
    assert reply.tool_calls == (ToolCall("call_7", "run_code", '{"code": "1"}'),)
    called, answered = served.requests[1].body["messages"][2:]
    assert called["tool_calls"][0]["function"]["name"] == "run_code"
    assert (answered["role"], answered["tool_call_id"]) == ("tool", "call_7")


def test_malformed_arguments_of_a_tool_arrive_as_they_are(stage: Callable[..., RunningServer]) -> None:
    """Text that is no JSON is for the strategy to judge, not a failure of the service."""
    broken = ReplySpec(tool_calls=(ToolCall("", "run_code", '{"code": '),))
    with asking(stage(broken)) as model:
        (call,) = model.ask(Request(HELLO.messages, tools=(TOOL,))).tool_calls
    assert (call.name, call.arguments) == ("run_code", '{"code": ')
    assert call.id


def test_a_refusal_is_a_reply(stage: Callable[..., RunningServer]) -> None:
    """What the model declines is said, and is not asked again."""
    served = stage(ReplySpec(refusal="I will not."))
    with asking(served) as model:
        reply = model.ask(HELLO)
    assert (reply.text, reply.finish, len(served.requests)) == ("I will not.", Finish.REFUSED, 1)


def test_a_filter_that_answers_with_an_error_is_a_refusal(stage: Callable[..., RunningServer]) -> None:
    """Some services answer 400 where their filter declines."""
    with answering(lambda _: refused("Blocked.", code="content_filter")) as (url, heard), asking(url) as model:
        assert model.ask(HELLO).finish == Finish.REFUSED
    assert len(heard) == 1


@pytest.mark.parametrize("form", ["seconds", "date", "ms"])
def test_a_busy_service_is_asked_again_when_it_says(stage: Callable[..., RunningServer], form: Any) -> None:
    """429 with Retry-After in each of its forms: the wait is kept, and told as waited."""
    served = stage(None, FaultRule(Fault("busy", retry_after=1.0, retry_form=form), nth=(1,)))
    began = time.monotonic()
    with asking(served) as model:
        reply = model.ask(HELLO)
    assert reply.text == "Hi."
    assert time.monotonic() - began >= (0.9 if form != "date" else 0.0)
    assert reply.waited >= (0.9 if form != "date" else 0.0)
    assert reply.seconds < 0.9


PASSING = {
    "500": Fault("error", status=500),
    "503": Fault("error", status=503),
    "a cut body": Fault("cut"),
    "wrong JSON": Fault("not_json"),
    "another shape": Fault("wrong_shape"),
    "no choices": Fault("no_choices"),
    "429 without a word": Fault("busy"),
}


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_passes_is_survived(stage: Callable[..., RunningServer], fault: str) -> None:
    """The request is repeated, and the reply is the one that would have come at once."""
    served = stage(None, FaultRule(PASSING[fault], nth=(1, 2)))
    with asking(served) as model:
        assert model.ask(HELLO).text == "Hi."
    assert len(served.requests) == 3


@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_stays_ends_after_the_retries(stage: Callable[..., RunningServer], fault: str) -> None:
    """Two retries are three tries; then the error says what was wrong."""
    served = stage(None, FaultRule(PASSING[fault]))
    with asking(served) as model, pytest.raises(ModelUnavailable, match=r"small at http://127.*after 3 tries"):
        model.ask(HELLO)
    assert len(served.requests) == 3


@pytest.mark.parametrize("fault", [Fault("silent"), Fault("slow", seconds=5), Fault("drip", seconds=0.05)])
def test_a_reply_that_does_not_come_to_an_end_times_out(stage: Callable[..., RunningServer], fault: Fault) -> None:
    """The limit holds for the whole reply, also for one that comes drop by drop."""
    served = stage(None, FaultRule(fault, nth=(1,)))
    began = time.monotonic()
    with asking(served, request_timeout=0.4) as model:
        assert model.ask(HELLO).text == "Hi."
    assert 0.3 < time.monotonic() - began < 3
    assert len(served.requests) == 2


@pytest.mark.parametrize(
    "content", [b"", b"<html>Bad gateway</html>", b"[]", b"{}", b'{"choices": null}', b"[" * 99999]
)
def test_an_answer_that_is_no_reply_is_a_fault_of_the_service(content: bytes) -> None:
    """Whatever comes with status 200: it is said, and nothing breaks."""
    with (
        answering(lambda _: (200, "application/json", content)) as (url, _),
        asking(url, retries=0) as model,
        pytest.raises(ModelUnavailable, match="one try"),
    ):
        model.ask(HELLO)


def test_a_page_in_place_of_json_hints_at_the_address() -> None:
    """An address without /v1 often answers with a web page."""
    with (
        answering(lambda _: (200, "text/html", b"<html>Welcome</html>")) as (url, _),
        asking(url, retries=0) as model,
        pytest.raises(ModelUnavailable, match=r"<html>Welcome.*/v1"),
    ):
        model.ask(HELLO)


def test_an_error_inside_a_success_is_an_error() -> None:
    """Proxies put the error of a service into a body with status 200."""
    replies = iter([(200, *refused("Busy upstream.", code=429)[1:]), said()])
    with answering(lambda _: next(replies)) as (url, heard), asking(url) as model:
        assert model.ask(HELLO).text == "Hi."
    assert len(heard) == 2


def test_a_network_that_is_down_is_waited_for_and_then_named() -> None:
    """Nobody listens: each request is tried as often as it may be, and the run ends after a few of them."""
    with asking("http://127.0.0.1:9/v1", retries=1) as model:
        for _ in range(3):
            with pytest.raises(ModelUnavailable, match=r"http://127\.0\.0\.1:9/v1 cannot be reached.*after 2 tries"):
                model.ask(HELLO)
        with pytest.raises(CircuitOpen, match="3 requests in a row"):
            model.ask(HELLO)


def test_keys_take_turns(stage: Callable[..., RunningServer], monkeypatch: pytest.MonkeyPatch) -> None:
    """Several keys share the load."""
    monkeypatch.setenv("REGREEN_API_KEY", "first-key-of-two, second-key-of-two")
    served = stage(keys=("first-key-of-two", "second-key-of-two"))
    with asking(served) as model:
        for _ in range(4):
            model.ask(HELLO)
    keys = [logged.key for logged in served.requests]
    assert keys[0] == keys[2] != keys[1] == keys[3]


def test_a_dead_key_of_two_is_set_aside(stage: Callable[..., RunningServer], monkeypatch: pytest.MonkeyPatch) -> None:
    """401 on one key: the other goes on alone, and the dead one is asked once."""
    monkeypatch.setenv("REGREEN_API_KEY", "dead-key-of-two,live-key-of-two")
    served = stage(keys=("live-key-of-two",))
    with asking(served) as model:
        replies = [model.ask(HELLO) for _ in range(3)]
    assert [logged.status for logged in served.requests] == [401, 200, 200, 200]
    assert replies[0].extra["keys_set_aside"] == ["dea...wo"]


def test_a_key_that_rests_does_not_hold_up_the_other(
    stage: Callable[..., RunningServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A 429 on one key is no wait at all where another key is fit."""
    monkeypatch.setenv("REGREEN_API_KEY", "busy-key-of-two,fresh-key-of-two")
    busy = FaultRule(Fault("busy", retry_after=600), key="busy-key-of-two")
    served = stage(None, busy)
    began = time.monotonic()
    with asking(served) as model:
        for _ in range(3):
            assert model.ask(HELLO).text == "Hi."
    assert [logged.status for logged in served.requests] == [429, 200, 200, 200]
    assert time.monotonic() - began < 5


@pytest.mark.parametrize("kind", ["unauthorized", "quota"])
def test_no_key_left_is_said_with_masked_keys(
    stage: Callable[..., RunningServer], monkeypatch: pytest.MonkeyPatch, kind: Any
) -> None:
    """Refused or used up: the keys are named so that they cannot be read."""
    monkeypatch.setenv("REGREEN_API_KEY", "first-secret-key,second-secret-key")
    served = stage(None, FaultRule(Fault(kind)))
    with asking(served) as model, pytest.raises(ModelError, match=r"fir\.\.\.ey.*sec\.\.\.ey") as raised:
        model.ask(HELLO)
    assert "secret" not in str(raised.value)
    assert len(served.requests) == 2


def test_a_service_that_repeats_the_key_is_not_quoted_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """No message holds a key, even where the service's own words do."""
    monkeypatch.setenv("REGREEN_API_KEY", "plain-secret-words")
    with (
        answering(lambda heard: refused(f"Bad header {heard['headers']['authorization']}")) as (url, _),
        asking(url) as model,
        pytest.raises(ModelError, match=r"Bad header Bearer pla\.\.\.ds") as raised,
    ):
        model.ask(HELLO)
    assert "secret" not in str(raised.value)


def test_an_unknown_model_is_said_with_those_that_come_close(stage: Callable[..., RunningServer]) -> None:
    """The service's list is looked up, and not retried."""
    served = stage(models=("qwen2.5-coder-7b", "qwen2.5-coder-32b", "whisper"))
    with asking(served, model="qwen2.5-coder-8b") as model, pytest.raises(ModelError) as raised:
        model.ask(HELLO)
    assert raised.value.remedy == "Did you mean qwen2.5-coder-7b, qwen2.5-coder-32b?"
    assert [logged.path for logged in served.requests] == ["/v1/chat/completions", "/v1/models"]


def test_the_models_of_a_service_can_be_listed(stage: Callable[..., RunningServer]) -> None:
    """In the service's own order."""
    served = stage(models=("b", "a"))
    assert list_models(Settings(model="any", base_url=served.base_url)) == ("b", "a")


def test_tools_that_are_refused_are_said_so(stage: Callable[..., RunningServer]) -> None:
    """A strategy can go on without them."""
    with (
        asking(stage(None, FaultRule(Fault("no_tools")))) as model,
        pytest.raises(ToolsUnsupported, match="does not support tools"),
    ):
        model.ask(Request(HELLO.messages, tools=(TOOL,)))


@pytest.mark.parametrize(
    "answer",
    [
        refused("registry.ollama.ai/library/tiny does not support tools"),
        refused('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        refused("No endpoints found that support tool use.", 404),
        refused("tools param requires --jinja flag", 500),
    ],
)
def test_every_way_to_refuse_tools_is_understood(answer: tuple[int, str, bytes]) -> None:
    """In the words of Ollama, vLLM, OpenRouter and llama.cpp."""
    with answering(lambda _: answer) as (url, _), asking(url) as model, pytest.raises(ToolsUnsupported):
        model.ask(Request(HELLO.messages, tools=(TOOL,)))


def test_a_prompt_that_does_not_fit_is_said_so(stage: Callable[..., RunningServer]) -> None:
    """It is not retried as a failure."""
    served = stage(None, FaultRule(Fault("too_long")))
    with asking(served) as model, pytest.raises(ContextTooLong):
        model.ask(HELLO)
    assert len(served.requests) == 2


def test_a_reply_limit_that_does_not_fit_beside_the_prompt_is_left_out() -> None:
    """A small context with a large limit: the service gives what room there is."""

    def small(body: dict[str, Any]) -> tuple[int, str, bytes]:
        return refused("maximum context length is 2048 tokens") if "max_tokens" in body else said()

    with answering(small) as (url, heard), asking(url) as model:
        assert model.ask(HELLO).text == "Hi."
    assert len(heard) == 2


PICKY = {
    "temperature": "Unsupported value: 'temperature' does not support 0.0 with this model.",
    "seed": "Unsupported parameter: seed",
    "stop": "Unsupported parameter: 'stop' is not supported with this model.",
    "response_format": "This model does not support json_schema.",
    "max_tokens": "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
}


@pytest.mark.parametrize("name", PICKY)
def test_a_parameter_that_is_refused_is_left_out_from_then_on(name: str) -> None:
    """It costs one refused request, once."""
    with (
        answering(lambda body: refused(PICKY[name]) if name in body else said("Hi. END of it")) as (url, heard),
        asking(url) as model,
    ):
        request = Request(HELLO.messages, max_tokens=50, seed=1, stop=("END",), json_schema=SCHEMA)
        replies = [model.ask(request) for _ in range(2)]
    assert len(heard) == 3
    assert ("max_completion_tokens" in heard[2]) == (name == "max_tokens")
    assert all(other in heard[2] for other in PICKY if other not in (name, "max_tokens"))
    assert [reply.text for reply in replies] == ["Hi. ", "Hi. "], "a stop holds, whether or not the service takes it"


def test_several_parameters_can_be_refused_one_after_the_other() -> None:
    """A reasoning model that takes next to nothing is asked all the same, from many threads at once."""

    def picky(body: dict[str, Any]) -> tuple[int, str, bytes]:
        wrong = next((name for name in PICKY if name in body), None)
        return refused(PICKY[wrong], param=wrong) if wrong else said()

    request = Request(HELLO.messages, max_tokens=50, seed=1, stop=("END",), json_schema=SCHEMA)
    with answering(picky) as (url, heard), asking(url, concurrency=16) as model:
        threads = [threading.Thread(target=model.ask, args=(request,)) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        model.ask(request)
    assert set(heard[-1]) == {"path", "headers", "model", "messages", "max_completion_tokens"}


def test_a_refusal_that_names_nothing_optional_is_final() -> None:
    """What cannot be left out is not guessed at."""
    with (
        answering(lambda _: refused("messages: roles must alternate")) as (url, heard),
        asking(url) as model,
        pytest.raises(ModelError, match="roles must alternate"),
    ):
        model.ask(HELLO)
    assert len(heard) == 1


def test_a_service_that_does_not_count_tokens_is_estimated_and_it_is_said() -> None:
    """A limit of tokens holds there, too."""
    with answering(lambda _: said("x" * 400, usage=None)) as (url, _), asking(url) as model:
        reply = model.ask(HELLO)
    assert reply.usage.completion == 101
    assert reply.usage.prompt > 0
    assert reply.extra["usage"] == "estimated"


def test_lone_surrogates_harm_neither_request_nor_reply() -> None:
    """What UTF-8 cannot hold is replaced, on the way out and in."""
    with answering(lambda _: said("a\ud800b")) as (url, heard), asking(url) as model:
        assert model.ask(Request((Message("user", "c\udfffd"),))).text == "a?b"
    assert heard[0]["messages"][0]["content"] == "c?d"


def test_a_key_of_openai_goes_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address of one's own gets REGREEN_API_KEY or no key, and not who the user is at OpenAI."""
    monkeypatch.setenv("OPENAI_API_KEY", "openai-secret-key")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    with answering(lambda _: said()) as (url, heard), asking(url) as model:
        model.ask(HELLO)
    assert "secret" not in json.dumps(heard)


def test_a_limit_of_tokens_holds_over_all_threads(stage: Callable[..., RunningServer]) -> None:
    """Sixteen threads overshoot by no more than a request, and every one learns that the limit is reached."""
    served = stage(ReplySpec("Hi.", usage=Usage(60, 40)), latency=0.2)
    meter = Meter(max_tokens=1000)
    refusals: list[BudgetSpent] = []
    together = threading.Barrier(16)

    def work(model: ChatModel) -> None:
        together.wait()
        try:
            while True:
                model.ask(HELLO)
        except BudgetSpent as error:
            refusals.append(error)

    with asking(served, meter=meter, concurrency=16) as model:
        threads = [threading.Thread(target=work, args=(model,)) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [error.kind for error in refusals] == ["tokens"] * 16
    assert 1000 <= meter.spent_tokens <= 1100
    assert len(served.requests) == meter.totals()["calls"]


def test_a_limit_of_money_needs_a_price(stage: Callable[..., RunningServer]) -> None:
    """It is refused before anything is asked."""
    served = stage()
    with pytest.raises(ConfigError, match="No price is known for small"), asking(served, max_usd=1.0):
        raise AssertionError
    assert not served.requests


def test_a_known_model_is_priced(stage: Callable[..., RunningServer], monkeypatch: pytest.MonkeyPatch) -> None:
    """Money by node and in all, and a limit of it."""
    served = stage(ReplySpec("Hi.", usage=Usage(1_000_000, 100_000)))
    meter = Meter(max_usd=0.5)
    with asking(served, model="openai:gpt-4o-mini", meter=meter) as model:
        reply = model.ask(Request(HELLO.messages, node="draft"))
        model.ask(Request(HELLO.messages, node="reflect"))
        model.ask(Request(HELLO.messages, node="reflect"))
        with pytest.raises(BudgetSpent) as raised:
            model.ask(HELLO)
    assert raised.value.kind == "usd"
    assert reply.usd == pytest.approx(0.21)
    totals = meter.totals()
    assert totals["usd"] == pytest.approx(0.63)
    assert totals["by_node"]["reflect"]["calls"] == 2


def test_a_thousand_requests_with_a_fifth_of_faults_lose_nothing(stage: Callable[..., RunningServer]) -> None:
    """Busy, broken, cut and slow, from 32 threads."""
    served = stage(faults=0.2)
    with asking(served, retries=6, concurrency=32) as model:
        texts: list[str] = []

        def work(first: int) -> None:
            for number in range(first, 1000, 32):
                texts.append(model.ask(Request((Message("user", f"Task {number}"),))).text)

        threads = [threading.Thread(target=work, args=(first,)) for first in range(32)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert texts == ["Hi."] * 1000
    assert served.counters.faults.total() > 100


def test_rules_can_answer_by_what_is_asked() -> None:
    """The order of requests does not matter to a stateless service."""
    script = Script(rules=(Rule((ReplySpec("One."),), contains=("1",)), Rule((ReplySpec("Two."),), contains=("2",))))
    with serve(script) as served, asking(served) as model:
        assert [model.ask(Request((Message("user", word),))).text for word in "21"] == ["Two.", "One."]


def test_a_proxy_that_is_not_there_is_told_from_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its address, without the password in it."""
    monkeypatch.setenv("http_proxy", "http://me:secret@127.0.0.1:9")
    with asking("http://model.invalid/v1", retries=0) as model, pytest.raises(ModelUnavailable) as caught:
        model.ask(HELLO)
    told = str(caught.value)
    assert "http://model.invalid/v1 cannot be reached through the proxy 127.0.0.1:9" in told
    assert "NO_PROXY" in told
    assert "secret" not in told
