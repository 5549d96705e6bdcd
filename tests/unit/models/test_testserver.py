"""The test server speaks the chat-completions API over real HTTP."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_for

from regreen.errors import ConfigError
from regreen.models import ToolCall, Usage
from regreen.models.scripted import Body, ReplySpec, Responder, Rule, Script
from regreen.models.testserver import RunningServer, serve
from regreen.models.testserver.__main__ import main

CHAT = "/v1/chat/completions"
HELLO = {"model": "small", "messages": [{"role": "user", "content": "hello"}]}
TOOLS = [{"type": "function", "function": {"name": "run_code", "parameters": {"type": "object"}}}]
SCHEMA = {"type": "json_schema", "json_schema": {"name": "reply", "schema": {"type": "object"}}}


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        error = self.json["error"]
        assert isinstance(error, dict)
        return error

    @property
    def events(self) -> list[Any]:
        """The parts of a stream, without the mark of its end, which has to be there."""
        lines = self.body.decode().split("\n\n")
        assert lines[-2:] == ["data: [DONE]", ""]
        return [json.loads(line.removeprefix("data: ")) for line in lines[:-2]]


class Client:
    """One connection that is kept."""

    def __init__(self, served: RunningServer, timeout: float = 20) -> None:
        self.connection = http.client.HTTPConnection(served.base_url.split("/")[2], timeout=timeout)

    def post(self, body: object = HELLO, path: str = CHAT, key: str = "", method: str = "POST") -> Answer:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.connection.request(method, path, content, headers)
        response = self.connection.getresponse()
        return Answer(response.status, response.headers, response.read())

    def close(self) -> None:
        self.connection.close()


@pytest.fixture
def stage() -> Iterator[Callable[..., tuple[RunningServer, Client]]]:
    """Starts a server, and a client of it."""
    with ExitStack() as stack:

        def put(script: Script | ReplySpec | Responder, **options: Any) -> tuple[RunningServer, Client]:
            whole = Script(default=script) if isinstance(script, ReplySpec) else script
            served = stack.enter_context(serve(whole, **options))
            return served, stack.enter_context(closing(Client(served)))

        yield put


Stage = Callable[..., tuple[RunningServer, Client]]


def test_a_reply_has_the_form_of_the_api(stage: Stage) -> None:
    """Text, finish, tokens, and the model that was asked for."""
    _, client = stage(ReplySpec("Hi \u00e9.", usage=Usage(10, 5, 2, 1)))
    answer = client.post()
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/json")
    reply = answer.json
    assert (reply["object"], reply["model"]) == ("chat.completion", "small")
    (choice,) = reply["choices"]
    assert choice["message"] == {"role": "assistant", "content": "Hi \u00e9.", "refusal": None}
    assert (choice["index"], choice["finish_reason"]) == (0, "stop")
    assert reply["usage"] == {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 1},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }


def test_a_reply_may_call_tools_reason_and_refuse(stage: Stage) -> None:
    """Each in the field that services use for it; where there is no text, there is null."""
    call = ToolCall("c1", "run_code", '{"code": "x"}')
    script = Script(
        (
            Rule((ReplySpec(tool_calls=(call,), reasoning="why"),), tools=True),
            Rule((ReplySpec(refusal="No.", finish="content_filter"),), schema=True),
        )
    )
    _, client = stage(script)
    (choice,) = client.post({**HELLO, "tools": TOOLS}).json["choices"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None
    assert choice["message"]["reasoning_content"] == "why"
    function = {"name": "run_code", "arguments": '{"code": "x"}'}
    assert choice["message"]["tool_calls"] == [{"id": "c1", "type": "function", "function": function}]
    (choice,) = client.post({**HELLO, "response_format": SCHEMA}).json["choices"]
    assert (choice["message"]["refusal"], choice["message"]["content"]) == ("No.", None)
    assert choice["finish_reason"] == "content_filter"


def test_a_stream_holds_the_same_as_a_whole_reply(stage: Stage) -> None:
    """Put together again, the parts are the reply; tokens come last, and only to who asks for them."""
    arguments = json.dumps({"code": "y" * 200})
    spec = ReplySpec(
        "x" * 150 + "\u00e9\ud83d", (ToolCall("c1", "f", arguments), ToolCall("c2", "g", "{}")), reasoning="r" * 70
    )
    _, client = stage(spec)
    answer = client.post({**HELLO, "stream": True, "stream_options": {"include_usage": True}})
    assert answer.headers["Content-Type"] == "text/event-stream"
    *parts, last = answer.events
    assert (last["choices"], last["usage"]) == ([], client.post().json["usage"])
    deltas = [part["choices"][0]["delta"] for part in parts]
    assert deltas[0]["role"] == "assistant"
    assert "".join(delta.get("content") or "" for delta in deltas) == spec.text
    assert "".join(delta.get("reasoning_content", "") for delta in deltas) == spec.reasoning
    pieces = [piece for delta in deltas for piece in delta.get("tool_calls", ())]
    for index, call in enumerate(spec.tool_calls):
        mine = [piece for piece in pieces if piece["index"] == index]
        assert (mine[0]["id"], mine[0]["function"]["name"]) == (call.id, call.name)
        assert "".join(piece["function"]["arguments"] for piece in mine) == call.arguments
    assert [part["choices"][0]["finish_reason"] for part in parts] == [None] * (len(parts) - 1) + ["tool_calls"]
    assert all(part["choices"] for part in client.post({**HELLO, "stream": True}).events)


def test_connections_are_kept(stage: Stage) -> None:
    """One connection serves many requests, streams and errors among them; a client may ask for its end."""
    served, client = stage(ReplySpec("x"))
    for body in (HELLO, {**HELLO, "stream": True}, {"model": 3}, HELLO):
        client.post(body)
    assert served.counters.connections == 1
    client.connection.request("POST", CHAT, json.dumps(HELLO), {"Connection": "close"})
    response = client.connection.getresponse()
    assert response.headers["Connection"] == "close"
    assert response.read()
    assert client.post().status == 200
    assert served.counters.connections == 2


def test_models_are_listed_and_others_refused(stage: Stage) -> None:
    """A script that names its models serves those alone; one that does not serves any."""
    _, client = stage(Script(default=ReplySpec("x"), models=("small", "large")))
    listed = client.post(b"", "/v1/models", method="GET").json
    assert [model["id"] for model in listed["data"]] == ["small", "large"]
    assert client.post({**HELLO, "model": "large"}).json["model"] == "large"
    missing = client.post({**HELLO, "model": "medium"})
    assert (missing.status, missing.error["code"]) == (404, "model_not_found")
    _, client = stage(ReplySpec("x"))
    assert len(client.post(b"", "/v1/models?limit=1", method="GET").json["data"]) == 1
    assert client.post({**HELLO, "model": "any"}).status == 200


def test_keys_are_checked_and_logged_masked(stage: Stage) -> None:
    """Only keys on the list are served, and no key is to be found in the log or in a reply."""
    served, client = stage(ReplySpec("x"), keys=["secret-key-one", "secret-key-two"])
    statuses = [client.post(key=key).status for key in ("secret-key-one", "secret-key-two", "")]
    refused = client.post(key="secret-key-bad")
    assert (statuses, refused.status, refused.error["code"]) == ([200, 200, 401], 401, "invalid_api_key")
    assert client.post(b"", "/v1/models", method="GET").status == 401
    assert [request.key for request in served.requests][:4] == ["sec...ne", "sec...wo", "", "sec...ad"]
    assert "secret" not in repr(served.requests) + refused.body.decode()
    _, free = stage(ReplySpec("x"))
    assert {free.post(key=key).status for key in ("", "anything")} == {200}


def test_every_request_is_logged_and_counted(stage: Stage) -> None:
    """What was asked, in order, and what came of it."""
    served, client = stage(ReplySpec("x"))
    client.post({**HELLO, "temperature": 0.5})
    client.post(b"no json")
    client.post(path="/v2/else")
    logged = served.requests
    assert [(request.number, request.path, request.status) for request in logged] == [
        (1, CHAT, 200),
        (2, CHAT, 400),
        (3, "/v2/else", 404),
    ]
    assert logged[0].body["temperature"] == 0.5
    assert logged[1].body == {}
    assert (served.counters.requests, served.counters.replies) == (3, 1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"model": None}, "model"),
        ({"messages": []}, "messages"),
        ({"messages": "hello"}, "messages"),
        ({"messages": [3]}, "messages[0] has no role"),
        ({"messages": [{"role": "robot", "content": "x"}]}, "messages[0] has no role"),
        ({"messages": [{"role": ["user"], "content": "x"}]}, "messages[0] has no role"),
        ({"messages": [{"role": "user", "content": 3}]}, "messages[0] has content"),
        ({"messages": [{"role": "assistant", "content": None}]}, "messages[0] says nothing"),
        ({"messages": [{"role": "assistant", "content": "", "tool_calls": [{"id": "1"}]}]}, "tool_calls"),
        ({"messages": [{"role": "assistant", "content": "", "tool_calls": {"a": 1}}]}, "tool_calls"),
        ({"messages": [{"role": "tool", "content": "x", "tool_call_id": "1"}]}, "messages[0] answers a call"),
        ({"messages": [{"role": "tool", "content": "x", "tool_call_id": ["1"]}]}, "messages[0] answers a call"),
        ({"tools": []}, "tools"),
        ({"tools": [{"type": "function"}]}, "tools"),
        ({"response_format": "json"}, "response_format"),
        ({"response_format": {"type": {}}}, "response_format"),
        ({"response_format": {"type": "yaml"}}, "response_format"),
        ({"response_format": {"type": "json_schema"}}, "json_schema with a name"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_completion_tokens": "9"}, "max_completion_tokens"),
        ({"stop": [3]}, "stop"),
    ],
)
def test_what_a_service_would_refuse_is_refused(stage: Stage, change: dict[str, Any], words: str) -> None:
    """A client that passes here should not fail at its first real service."""
    _, client = stage(ReplySpec("x"))
    answer = client.post({**HELLO, **change})
    assert answer.status == 400
    assert words in answer.error["message"]
    assert client.post().status == 200


def test_a_conversation_with_tools_is_taken(stage: Stage) -> None:
    """A call and its answer, and content in parts."""
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages = [
        {"role": "system", "content": [{"type": "text", "text": "part one"}, {"type": "text", "text": "part two"}]},
        {"role": "assistant", "content": None, "tool_calls": [call, {**call, "id": "c2"}]},
        {"role": "tool", "content": "3", "tool_call_id": "c1"},
        {"role": "tool", "content": "4", "tool_call_id": "c2"},
    ]
    _, client = stage(
        Script(
            (Rule((ReplySpec("zero"), ReplySpec("one"), ReplySpec("two")), contains=("part two",), counted="tools"),)
        )
    )
    assert (
        client.post({**HELLO, "messages": messages, "max_tokens": None}).json["choices"][0]["message"]["content"]
        == "two"
    )


def test_a_request_that_no_rule_fits_is_refused(stage: Stage) -> None:
    """With a status that no client tries again."""
    _, client = stage(Script())
    answer = client.post()
    assert (answer.status, answer.error["code"]) == (400, "no_rule")


def test_a_responder_answers_in_code(stage: Stage) -> None:
    """It is given the request's body."""

    def echo(body: Body) -> ReplySpec:
        return ReplySpec(str(body["messages"][0]["content"]).upper())

    _, client = stage(echo)
    assert client.post().json["choices"][0]["message"]["content"] == "HELLO"


def raw(served: RunningServer, content: bytes) -> bytes:
    """All that the server says to these bytes."""
    host, port = served.base_url.split("/")[2].split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(content)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"hello\r\n\r\n", b"400"),
        (b"GET /v1/models HTTP/1.1\r\nnonsense\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\nContent-Length: 70000000\r\n\r\n", b"413"),
        (b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", b"413"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b"411"),
        (b"GET / HTTP/1.1\r\nA: " + b"a" * (1 << 17) + b"\r\n\r\n", b"431"),
    ],
)
def test_what_is_no_http_is_told_so(stage: Stage, content: bytes, status: bytes) -> None:
    """And the server goes on."""
    served, client = stage(ReplySpec("x"))
    assert raw(served, content).startswith(b"HTTP/1.1 " + status)
    assert client.post().status == 200


def test_a_client_that_hangs_up_in_the_middle_harms_nobody(stage: Stage) -> None:
    """Half a request is no request."""
    served, client = stage(ReplySpec("x"))
    assert raw(served, b"POST /v1/chat/completions HTTP/1.1\r\nContent-Length: 100\r\n\r\n{") == b""
    assert client.post().status == 200
    assert served.counters.requests == 1


def test_many_wait_at_once(stage: Stage) -> None:
    """64 clients at a latency each: the whole takes little longer than one."""
    served, _ = stage(ReplySpec("x"), latency=0.4)

    def ask(_: int) -> int:
        with closing(Client(served)) as client:
            return client.post().status

    started = time.monotonic()
    with ThreadPoolExecutor(64) as threads:
        assert set(threads.map(ask, range(64))) == {200}
    assert 0.4 <= time.monotonic() - started < 4
    assert served.counters.most_at_once > 32


def test_a_reply_may_have_a_latency_of_its_own(stage: Stage) -> None:
    """It goes before the server's."""
    _, client = stage(ReplySpec("x", latency=0.0), latency=30)
    started = time.monotonic()
    assert client.post().status == 200
    assert time.monotonic() - started < 10


def test_a_request_costs_the_server_under_a_millisecond(stage: Stage) -> None:
    """Processor time of its own thread, at the best of three: what is measured against it is not its own cost."""
    served, client = stage(Script(tuple(Rule((ReplySpec("x"),), contains=(f"def f{n}(",)) for n in range(100))))
    (thread,) = [thread for thread in threading.enumerate() if thread.name == "test server"]
    assert thread.ident is not None
    clock = time.pthread_getcpuclockid(thread.ident)
    body = {**HELLO, "messages": [{"role": "user", "content": "x = 1\n" * 500 + "def f99(x): pass"}]}

    def seconds() -> float:
        before = time.clock_gettime(clock)
        for _ in range(100):
            client.post(body)
        return (time.clock_gettime(clock) - before) / 100

    assert min(seconds() for _ in range(3)) < 0.001
    assert served.counters.replies == 300


def test_a_port_that_is_taken_is_said_so() -> None:
    """An error of ours, at once."""
    with serve(Script()) as served:
        port = int(served.base_url.split(":")[2].split("/")[0])
        with pytest.raises(ConfigError, match=f"Port {port} cannot be had"), serve(Script(), port=port):
            pass
    with (
        pytest.raises(ConfigError, match="Port 70000 cannot be had: there is no such port"),
        serve(Script(), port=70000),
    ):
        pass


def test_the_end_of_the_block_is_the_end_of_the_server() -> None:
    """Requests that are waiting are let go; nothing listens afterwards."""
    with serve(Script(default=ReplySpec("x", latency=60))) as served, closing(Client(served)) as client:
        client.connection.request("POST", CHAT, json.dumps(HELLO))
        wait_for(lambda: served.requests, what="the request")
    with pytest.raises((ConnectionError, http.client.HTTPException)):
        client.connection.getresponse()
    with closing(Client(served)) as late, pytest.raises(ConnectionError):
        late.post()


def test_the_command_refuses_what_it_cannot_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A script that is wrong, and numbers that make no sense."""
    assert main([str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err
    for flag, values, wanted in (
        ("--latency", ("-1", "soon"), "is not a number of seconds from 0"),
        ("--faults", ("2", "nan"), "is not a number from 0 to 1"),
        ("--port", ("x", "70000", "-1", "0" * 5_000), "is not a whole number from 0 to 65535"),
    ):
        for value in values:
            with pytest.raises(SystemExit):
                main(["script.json", flag, value])
            assert wanted in capsys.readouterr().err
