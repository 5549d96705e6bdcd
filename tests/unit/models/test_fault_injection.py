"""What the test server does wrong on purpose, by script and at random."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from waiting import wait_for

from regreen.models.scripted import Fault, FaultRule, ReplySpec, Script
from regreen.models.testserver import RANDOM_FAULTS, RunningServer, serve

Ask = Callable[..., tuple[int, dict[str, str], bytes]]
STREAMS = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
TOOLS = [{"type": "function", "function": {"name": "run_code"}}]
LONG = "a long reply, " * 40


@pytest.fixture
def stage() -> Iterator[Callable[..., tuple[RunningServer, Ask]]]:
    """Starts a server; what asks it opens a connection each time."""
    with ExitStack() as stack:

        def put(reply: ReplySpec | None = None, *rules: FaultRule, **options: Any) -> tuple[RunningServer, Ask]:
            served = stack.enter_context(serve(Script(default=reply or ReplySpec("ok"), faults=rules), **options))
            return served, lambda text="hello", **more: ask(served, text, **more)

        yield put


def ask(
    served: RunningServer, text: str, *, key: str = "", timeout: float = 20, **more: Any
) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection(served.base_url.split("/")[2], timeout=timeout)
    try:
        body = {"model": "small", "messages": [{"role": "user", "content": text}], **more}
        connection.request("POST", "/v1/chat/completions", json.dumps(body), {"Authorization": f"Bearer {key}"})
        response = connection.getresponse()
        return response.status, dict(response.headers), response.read()
    finally:
        connection.close()


Stage = Callable[..., tuple[RunningServer, Ask]]


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        (Fault("busy"), 429, "rate_limit_exceeded"),
        (Fault("quota"), 429, "insufficient_quota"),
        (Fault("error"), 500, "server_error"),
        (Fault("error", status=502), 502, "server_error"),
        (Fault("error", status=503), 503, "server_error"),
        (Fault("unauthorized"), 401, "invalid_api_key"),
        (Fault("unknown_model"), 404, "model_not_found"),
        (Fault("no_tools"), 400, "unsupported_parameter"),
        (Fault("no_schema"), 400, "unsupported_parameter"),
        (Fault("too_long"), 400, "context_length_exceeded"),
    ],
)
def test_some_faults_are_refusals(stage: Stage, fault: Fault, status: int, code: str) -> None:
    """The status and the code by which services tell them apart."""
    served, ask = stage(ReplySpec("x", fault=fault))
    got, headers, body = ask()
    assert (got, json.loads(body)["error"]["code"]) == (status, code)
    assert not {name for name in headers if name.lower().startswith("retry-after")}
    assert (served.counters.faults[fault.kind], served.counters.replies) == (1, 0)
    assert served.requests[0].fault == fault.kind


def test_a_rest_is_asked_for_in_each_of_the_usual_ways(stage: Stage) -> None:
    """Seconds, a date, and milliseconds."""
    waits = {form: Fault("busy", retry_after=90, retry_form=form) for form in ("seconds", "date", "ms")}  # type: ignore[arg-type]
    rules = [FaultRule(fault, nth=(number,)) for number, fault in enumerate(waits.values(), start=1)]
    _, ask = stage(None, *rules)
    heard = [ask()[1] for _ in rules]
    assert heard[0]["Retry-After"] == "90"
    assert abs(parsedate_to_datetime(heard[1]["Retry-After"]) - datetime.now(UTC) - timedelta(seconds=90)) < timedelta(
        seconds=10
    )
    assert heard[2]["Retry-After-Ms"] == "90000"
    assert ask()[0] == 200


@STREAMS
def test_a_reply_can_be_cut(stage: Stage, stream: bool) -> None:
    """The connection ends in the middle of what was promised."""
    _, ask = stage(ReplySpec(LONG, fault=Fault("cut")))
    with pytest.raises(http.client.IncompleteRead) as raised:
        ask(stream=stream)
    assert raised.value.partial


@STREAMS
def test_a_reply_can_drip(stage: Stage, stream: bool) -> None:
    """It comes, but so slowly that a client with any patience gives up, and no single wait is long."""
    _, ask = stage(ReplySpec("x", fault=Fault("drip", seconds=0.005)))
    started = time.monotonic()
    status, _, body = ask(stream=stream)
    assert (status, time.monotonic() - started > 0.1) == (200, True)
    assert b'"x"' in body


def test_a_reply_can_be_slow(stage: Stage) -> None:
    """Whole, but later than others."""
    _, ask = stage(ReplySpec("x", fault=Fault("slow", seconds=0.2)), latency=0.1)
    started = time.monotonic()
    assert ask()[0] == 200
    assert time.monotonic() - started >= 0.3


def test_a_request_can_go_unanswered(stage: Stage) -> None:
    """The client has to lose its patience by itself; nothing is left of it."""
    served, ask = stage(ReplySpec("x", fault=Fault("silent", times=1)))
    with pytest.raises(TimeoutError):
        ask(timeout=0.2)
    assert ask()[0] == 200
    wait_for(lambda: not served.counters.at_once, what="the end of every request")


@STREAMS
def test_json_can_be_torn_though_the_transfer_is_whole(stage: Stage, stream: bool) -> None:
    """Every byte that was promised arrives, and is no JSON."""
    _, ask = stage(ReplySpec(LONG, fault=Fault("not_json")))
    status, _, body = ask(stream=stream)
    assert status == 200
    with pytest.raises(ValueError, match=r"Expecting|Unterminated|Invalid"):
        json.loads(body.removeprefix(b"data: "))


def test_a_reply_can_have_another_shape_or_no_choices(stage: Stage) -> None:
    """JSON, but not what was agreed on."""
    _, ask = stage(None, FaultRule(Fault("wrong_shape"), (1,)), FaultRule(Fault("no_choices"), (2,)))
    assert "choices" not in json.loads(ask()[2])
    assert json.loads(ask()[2])["choices"] == []


@STREAMS
def test_what_is_said_can_be_spoilt(stage: Stage, stream: bool) -> None:
    """A filter, arguments that are no JSON, and a tool that nobody offered."""
    kinds = ("filtered", "bad_arguments", "unknown_tool")
    _, ask = stage(None, *(FaultRule(Fault(kind), (n,)) for n, kind in enumerate(kinds, start=1)))  # type: ignore[arg-type]
    filtered, bad, unknown = (ask(tools=TOOLS, stream=stream)[2] for _ in kinds)
    assert b"content_filter" in filtered
    assert b'"arguments": "{"' in bad
    assert b"no_such_tool" in unknown


def test_faults_by_number_and_by_key(stage: Stage) -> None:
    """The nth request of all, the nth of a key, and so many of them."""
    rules = (
        FaultRule(Fault("busy"), (2,)),
        FaultRule(Fault("unauthorized"), key="bad"),
        FaultRule(Fault("error"), (1, 3), key="shaky"),
        FaultRule(Fault("quota", times=1), key="poor"),
    )
    _, ask = stage(None, *rules)
    keys = ("good", "good", "bad", "shaky", "shaky", "good", "shaky", "bad", "poor", "poor")
    assert [ask(key=key)[0] for key in keys] == [200, 429, 401, 500, 200, 200, 500, 401, 429, 200]


def test_a_reply_s_fault_passes_when_the_request_is_repeated(stage: Stage) -> None:
    """So many tries fail, whatever else is asked in between."""
    _, ask = stage(ReplySpec("x", fault=Fault("error", times=2)))
    assert [ask(text)[0] for text in ("a", "b", "a", "a", "b", "b", "a")] == [500, 500, 500, 200, 500, 200, 200]


MIX = (Fault("error", status=503), Fault("busy", retry_after=0.0))


def statuses(stage: Stage, tries: int, **options: Any) -> dict[str, list[int]]:
    """What each of many requests gets, try by try."""
    _, ask = stage(None, mix=MIX, **options)
    return {f"task {n}": [ask(f"task {n}")[0] for _ in range(tries)] for n in range(150)}


def test_random_faults_come_at_their_rate_and_pass(stage: Stage) -> None:
    """About the share that was asked for, of every kind; no request meets more than two in a row."""
    met = statuses(stage, 3, faults=0.5)
    assert 50 < sum(tried[0] != 200 for tried in met.values()) < 100
    assert {status for tried in met.values() for status in tried} == {200, 429, 503}
    assert {tried[2] for tried in met.values()} == {200}
    assert any(tried[1] != 200 for tried in met.values())


def test_random_faults_are_the_same_for_the_same_seed(stage: Stage) -> None:
    """By what is asked and not by when; another seed, other faults."""
    first, again, other = (statuses(stage, 1, faults=0.5, seed=seed) for seed in (1, 1, 2))
    assert first == again != other


def test_no_faults_happen_unasked(stage: Stage) -> None:
    """The usual mix is there for those who ask."""
    served, ask = stage()
    assert {ask(str(n))[0] for n in range(30)} == {200}
    assert not served.counters.faults
    assert {fault.kind for fault in RANDOM_FAULTS} == {"busy", "error", "cut", "slow"}
