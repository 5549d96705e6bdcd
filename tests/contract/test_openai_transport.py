"""One try over loopback HTTP: proxies, certificates, redirects, cut and endless answers; and what a log may hold."""

from __future__ import annotations

import base64
import gzip
import json
import logging
import socket
import ssl
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import trustme
from web import Heard, Reply, answering_by

from regreen.errors import ConfigError
from regreen.models import Message, Request, http_client
from regreen.models.http_channel import HttpChannel
from regreen.models.openai_transport import OpenAITransport
from regreen.models.providers import NAMELESS, PROVIDERS, Endpoint
from regreen.models.service_errors import TransientError
from regreen.network import proxy_of

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
HELLO = Request((Message("user", "Hello."),))
KEY = "plain-secret-words"


@pytest.fixture(autouse=True)
def _without_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of whoever runs the tests."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@contextmanager
def answering(
    answer: Callable[[str], Reply], context: ssl.SSLContext | None = None
) -> Iterator[tuple[str, list[Heard]]]:
    """A server that answers by the path; its address, and what it heard."""
    with answering_by(lambda heard: answer(heard.path), context) as (place, heard):
        yield f"http{'s' * bool(context)}://{place}", heard


@contextmanager
def transport_to(url: str) -> Iterator[OpenAITransport]:
    """A transport that waits for two seconds at most."""
    with closing(OpenAITransport(Endpoint(NAMELESS, "small", url, (KEY,)), timeout=2.0, connections=4)) as opened:
        yield opened


def asked(url: str) -> str:
    """The text of the reply to one try."""
    with transport_to(url) as transport:
        return transport.ask(HELLO, KEY).text


def completion(text: str) -> bytes:
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}).encode()


def said(path: str) -> Reply:
    return 200, {"content-type": "application/json"}, completion(f"you asked for {path}")


def test_a_request_goes_to_the_address_with_the_key() -> None:
    """The body is the request alone."""
    with answering(said) as (url, heard):
        assert asked(f"{url}/v1") == "you asked for /v1/chat/completions"
    (one,) = heard
    assert (one.method, one.headers["authorization"]) == ("POST", f"Bearer {KEY}")
    assert json.loads(one.content) == {
        "model": "small",
        "messages": [{"role": "user", "content": "Hello."}],
        "temperature": 0.0,
    }


def test_connections_are_used_again() -> None:
    """As long as the service keeps them open."""
    with answering(said) as (url, heard), transport_to(url) as transport:
        for _ in range(3):
            transport.ask(HELLO, KEY)
    assert len({one.line for one in heard}) == 1


def test_a_service_that_has_moved_is_followed() -> None:
    """With what was to be said there."""
    moved: dict[str, Reply] = {"/old/chat/completions": (307, {"location": "/new"}, b"")}
    with answering(lambda path: moved.get(path) or said(path)) as (url, heard):
        assert asked(f"{url}/old") == "you asked for /new"
    assert [one.path for one in heard] == ["/old/chat/completions", "/new"]
    assert heard[0].content == heard[1].content


@pytest.mark.parametrize("status", [301, 302])
def test_a_request_is_sent_on_as_it_is(status: int) -> None:
    """As where an address in http leads to the same one in https: a GET in its place would ask for nothing."""
    moved: dict[str, Reply] = {"/old/chat/completions": (status, {"location": "/new"}, b"")}
    with answering(lambda path: moved.get(path) or said(path)) as (url, heard):
        assert asked(f"{url}/old") == "you asked for /new"
    assert {one.method for one in heard} == {"POST"}
    assert heard[0].content == heard[1].content


def test_what_the_user_sends_to_openai_alone_goes_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """openai's client reads an account and headers from the environment, whatever service it is used for."""
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Gate: for-openai-alone\nAuthorization: Bearer for-openai-alone")
    monkeypatch.setenv("OPENAI_ORG_ID", "for-openai-alone")
    with answering(said) as (url, heard):
        assert asked(url)
        with closing(OpenAITransport(Endpoint(PROVIDERS["openai"], "m", url), timeout=2.0)) as transport:
            assert transport.ask(HELLO, KEY).text
    assert "for-openai-alone" not in str(heard[0].headers)
    assert heard[0].headers["authorization"] == f"Bearer {KEY}"
    assert heard[1].headers["x-gate"] == "for-openai-alone"


@pytest.mark.parametrize("before", range(60, 100, 7))
def test_no_part_of_a_key_is_quoted(before: int) -> None:
    """Where a page that is quoted in part repeats the key, and the quotation would end in the midst of it."""
    page = b"-" * before + KEY.encode() + b" is no key"
    with answering(lambda _: (200, {}, page)) as (url, _), pytest.raises(TransientError) as told:
        asked(url)
    assert KEY[: len(KEY) // 2] not in str(told.value)


def test_keys_do_not_follow_to_another_host() -> None:
    """A service that sends on elsewhere does not send its users' keys there."""
    with answering(said) as (there, heard):
        elsewhere = there.replace("localhost", "127.0.0.1")
        with answering(lambda _: (307, {"location": f"{elsewhere}/new"}, b"")) as (url, _):
            assert asked(url) == "you asked for /new"
    assert "authorization" not in heard[0].headers


def test_a_service_that_sends_round_in_circles_is_left() -> None:
    """After a few of them."""
    with answering(lambda _: (307, {"location": "/again"}, b"")) as (url, heard), pytest.raises(TransientError):
        asked(url)
    assert 1 < len(heard) < 10


@pytest.mark.parametrize(
    ("host", "words"), [("127.0.0.1", "nothing listens there"), ("nowhere.invalid", "Name or service not known")]
)
def test_a_service_that_is_not_there_is_told_in_the_systems_words(host: str, words: str) -> None:
    """Not in those of a library about its connections."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    with pytest.raises(TransientError, match=words) as caught:
        asked(f"http://{host}:{port}/v1")
    assert caught.value.__cause__ is None


def test_an_answer_that_breaks_off_is_none_and_the_next_is_whole() -> None:
    """Nothing of the one gets into the other."""
    whole = completion("here")
    lengths = iter([len(whole) + 96, len(whole)])
    with (
        answering(lambda _: (200, {"content-length": str(next(lengths)), "connection": "close"}, whole)) as (url, _),
        transport_to(url) as transport,
    ):
        with pytest.raises(TransientError, match="broke off"):
            transport.ask(HELLO, KEY)
        assert transport.ask(HELLO, KEY).text == "here"


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_without_end_is_left(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    """And the next one is whole."""
    monkeypatch.setattr(http_client, "_MAX_BODY_BYTES", 1_000)
    answers = iter([(status, b"x" * 300_000), (200, completion("short"))])

    def answer(path: str) -> Reply:
        code, content = next(answers)
        return code, {}, content

    with answering(answer) as (url, _), transport_to(url) as transport:
        with pytest.raises(TransientError, match="no end"):
            transport.ask(HELLO, KEY)
        assert transport.ask(HELLO, KEY).text == "short"


def test_an_answer_is_not_unpacked() -> None:
    """A small one could unpack to one without end: none is asked for, and none taken."""
    packed = gzip.compress(completion("Hi."))
    with (
        answering(lambda _: (200, {"content-encoding": "gzip"}, packed)) as (url, heard),
        pytest.raises(TransientError, match="compressed"),
    ):
        asked(url)
    assert heard[0].headers["accept-encoding"] == "identity"


def test_a_transport_that_was_closed_says_so() -> None:
    """As at the end of an interrupted run, where a thread may still be about to ask."""
    with answering(said) as (url, heard), transport_to(url) as transport:
        transport.close()
        with pytest.raises(TransientError, match="closed"):
            transport.ask(HELLO, KEY)
    assert not heard


def test_no_log_holds_a_key(caplog: pytest.LogCaptureFixture) -> None:
    """Whatever the libraries log of a request at the finest level."""
    caplog.set_level(logging.DEBUG)
    with answering(said) as (url, _):
        asked(url)
    with (
        answering(lambda _: (401, {}, b'{"error": {"message": "no"}}')) as (url, _),
        pytest.raises(Exception, match="no"),
    ):
        asked(url)
    assert caplog.records
    assert KEY not in caplog.text


def test_the_proxy_of_the_environment_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its own name and password; it looks up the service's name."""
    with answering(said) as (url, heard):
        monkeypatch.setenv("http_proxy", url.replace("//", "//me:p%40ss@"))
        assert asked("http://model.invalid/v1") == "you asked for http://model.invalid/v1/chat/completions"
    (one,) = heard
    assert one.headers["proxy-authorization"] == f"Basic {base64.b64encode(b'me:p@ss').decode()}"
    assert one.headers["host"] == "model.invalid"


@pytest.mark.parametrize(
    ("environment", "proxy"),
    [
        ({}, None),
        ({"http_proxy": "http://p:1"}, "http://p:1"),
        ({"HTTP_PROXY": "p:1"}, "http://p:1"),
        ({"https_proxy": "http://p:1"}, None),
        ({"all_proxy": "socks5://p:1"}, "socks5://p:1"),
        ({"all_proxy": "socks5://p:1", "http_proxy": "http://p:2"}, "http://p:2"),
        ({"http_proxy": "http://p:1", "no_proxy": "other,host"}, None),
        ({"http_proxy": "http://p:1", "no_proxy": "host:8080"}, None),
        ({"http_proxy": "http://p:1", "no_proxy": "*"}, None),
        ({"http_proxy": "http://p:1", "no_proxy": "ghost"}, "http://p:1"),
    ],
)
def test_the_environment_says_which_proxy(
    environment: Mapping[str, str], proxy: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For a kind of address, for all, and for which hosts none."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_of("http://host:8080/v1/chat/completions") == proxy


def test_a_proxy_that_takes_a_library_more_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it."""
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(ConfigError, match="SOCKS") as caught:
        asked("http://model.invalid/")
    assert "regreen[socks]" in caught.value.remedy


def test_a_proxy_whose_address_is_none_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is asked."""
    monkeypatch.setenv("http_proxy", "gopher://127.0.0.1:1")
    with pytest.raises(ConfigError, match="cannot be used"):
        asked("http://model.invalid/")


@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_certificate_counts_where_the_environment_trusts_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_trusted: bool
) -> None:
    """SSL_CERT_FILE names who may vouch for a service; nobody else's word is taken."""
    ours, others = trustme.CA(), trustme.CA()
    (ours if is_trusted else others).cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ours.issue_cert("localhost").configure_cert(context)
    with answering(said, context) as (url, heard):
        if is_trusted:
            assert asked(url) == "you asked for /chat/completions"
        else:
            with pytest.raises(TransientError, match="certificate verify failed"):
                asked(url)
    assert len(heard) == is_trusted


def chunk(text: str, number: int) -> bytes:
    timings = {"prompt_n": 5, "cache_n": 4, "predicted_n": number}
    body = {"choices": [{"delta": {"content": text}, "finish_reason": None}], "timings": timings}
    return f"data: {json.dumps(body)}\n\n".encode()


def test_a_server_of_the_users_own_is_stopped_at_the_end_of_the_code() -> None:
    """What it would have said behind the block is not waited for, and its own count of tokens is told."""
    pieces = ["```python\n", "def f():\n", "    return 1\n", "```\n", "And so on"]
    body = b"".join(chunk(piece, number) for number, piece in enumerate(pieces, 1)) + b"data: not even JSON\n\n"
    stream: Reply = (200, {"content-type": "text/event-stream"}, body)
    with answering(lambda _: stream) as (url, heard):
        endpoint = Endpoint(PROVIDERS["llamacpp"], "small", f"{url}/v1")
        with closing(OpenAITransport(endpoint, timeout=2.0, connections=4)) as transport:
            reply = transport.ask(HELLO, "")
    assert "And so on" not in reply.text
    assert (reply.usage.prompt, reply.usage.completion, reply.usage.cached) == (9, 4, 4)
    assert json.loads(heard[0].content)["stream"] is True


@pytest.mark.parametrize("fault", [ValueError("ours"), RuntimeError("ours"), KeyError("ours")])
def test_a_fault_of_ours_over_a_chunk_is_not_the_services(fault: Exception) -> None:
    """Who takes the chunks may fail: that says nothing about whether the service can be reached."""

    def feed(chunk: object) -> bool:
        raise fault

    stream: Reply = (200, {"content-type": "text/event-stream"}, chunk("a", 1) + chunk("b", 2))
    with answering(lambda _: stream) as (url, _):
        endpoint = Endpoint(PROVIDERS["llamacpp"], "small", f"{url}/v1")
        with closing(HttpChannel(endpoint, timeout=2.0, connections=1)) as channel:
            with pytest.raises(type(fault)) as raised:
                channel.stream("/chat/completions", "", {"stream": True}, feed)
            assert raised.value is fault
            taken: list[object] = []
            # The connection was given back: the next stream is read as a whole.
            assert (
                channel.stream("/chat/completions", "", {"stream": True}, lambda one: bool(taken.append(one))) is None
            )
    assert len(taken) == 2


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r"])
def test_a_stream_may_hold_every_character(end: str) -> None:
    """llama.cpp sends text as it is, and Unicode has line ends that are none of a stream's."""
    text = "a\u2028b\u2029c\x85d\U0001f40d"
    event = {"choices": [{"delta": {"content": text}, "finish_reason": "stop"}]}
    body = f"data: {json.dumps(event, ensure_ascii=False)}{end}data: [DONE]{end}".encode()
    with answering(lambda _: (200, {"content-type": "text/event-stream"}, body)) as (url, _):
        endpoint = Endpoint(PROVIDERS["llamacpp"], "small", f"{url}/v1")
        with closing(OpenAITransport(endpoint, timeout=2.0)) as transport:
            assert transport.ask(HELLO, "").text == text


def test_a_server_that_refuses_to_stream_is_asked_for_the_whole_reply() -> None:
    """It is remembered; one that takes no notice may answer as a whole, too."""
    refusal = json.dumps({"error": {"message": "unknown field: timings_per_token"}}).encode()

    def answer(request: Heard) -> Reply:
        if b"timings_per_token" in request.content:
            return 400, {}, refusal
        return said(request.path)

    with answering_by(answer) as (place, heard):
        endpoint = Endpoint(PROVIDERS["llamacpp"], "small", f"http://{place}/v1")
        with closing(OpenAITransport(endpoint, timeout=2.0, connections=4)) as transport:
            texts = [transport.ask(HELLO, "").text for _ in range(2)]
    assert texts == ["you asked for /v1/chat/completions"] * 2
    assert [b"stream" in one.content for one in heard] == [True, False, False]


@pytest.mark.parametrize("body", [b"", b"data: {}\n\n", b": waiting\n\ndata: [DONE]\n\n", chunk("half a", 2)])
def test_a_stream_that_breaks_off_is_no_reply(body: bytes) -> None:
    """It is worth another try."""
    stream: Reply = (200, {"content-type": "text/event-stream"}, body)
    with answering(lambda _: stream) as (url, _):
        endpoint = Endpoint(PROVIDERS["llamacpp"], "small", f"{url}/v1")
        with closing(OpenAITransport(endpoint, timeout=2.0)) as transport, pytest.raises(TransientError):
            transport.ask(HELLO, "")
