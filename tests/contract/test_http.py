"""Plain HTTP over loopback: whole answers, and each way in which there is none."""

from __future__ import annotations

import base64
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
from regreen.models import http
from regreen.models.http import Http
from regreen.network import proxy_of

PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


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


@pytest.fixture
def client() -> Iterator[Http]:
    """A client that waits for two seconds at most."""
    with closing(Http(timeout=2.0, connections=4)) as opened:
        yield opened


def said(path: str) -> Reply:
    return 200, {"x-kind": "plain"}, f"you asked for {path}".encode()


def test_an_answer_comes_as_it_is(client: Http) -> None:
    """Status, reason, headers by any name, content; whatever the status is."""
    with answering(lambda path: (418, {"Retry-After": "3"}, b"\xff no")) as (url, heard):
        answer = client.request("POST", f"{url}/v1/x", headers={"x-key": "a"}, content=b"{}")
    assert (answer.status, answer.reason, answer.is_success) == (418, "I'm a Teapot", False)
    assert (answer.headers.get("retry-after"), answer.content, answer.text) == ("3", b"\xff no", "� no")
    (asked,) = heard
    assert (asked.method, asked.path, asked.headers["x-key"], asked.content) == ("POST", "/v1/x", "a", b"{}")


def test_connections_are_used_again(client: Http) -> None:
    """As long as the service keeps them open."""
    with answering(said) as (url, heard):
        for _ in range(3):
            assert client.request("GET", f"{url}/a", headers={}).is_success
    assert len({asked.line for asked in heard}) == 1


def test_a_service_that_has_moved_is_followed(client: Http) -> None:
    """With what was to be said there."""
    moved: dict[str, Reply] = {"/old": (307, {"location": "/new"}, b"")}
    with answering(lambda path: moved.get(path) or said(path)) as (url, heard):
        answer = client.request("POST", f"{url}/old", headers={}, content=b"hello")
    assert answer.content == b"you asked for /new"
    assert [(asked.path, asked.content) for asked in heard] == [("/old", b"hello"), ("/new", b"hello")]


def test_keys_do_not_follow_to_another_host(client: Http) -> None:
    """A service that sends on elsewhere does not send its users' keys there."""
    with answering(said) as (there, heard):
        elsewhere = there.replace("localhost", "127.0.0.1")
        with answering(lambda _: (307, {"location": f"{elsewhere}/new"}, b"")) as (url, _):
            answer = client.request("POST", f"{url}/old", headers={"Authorization": "Bearer secret"}, content=b"x")
    assert answer.content == b"you asked for /new"
    assert "authorization" not in heard[0].headers


def test_a_service_that_sends_round_in_circles_is_left(client: Http) -> None:
    """Its answer is what it is: no success."""
    with answering(lambda _: (307, {"location": "/again"}, b"")) as (url, heard):
        assert client.request("POST", f"{url}/again", headers={}, content=b"x").status == 307
    assert len(heard) == http.REDIRECTS + 1


@pytest.mark.parametrize("said_so", ["nothing listens", "no such name", "no address"])
def test_a_service_that_is_not_there_is_told_in_the_systems_words(client: Http, said_so: str) -> None:
    """Not in those of a library about its pools and retries."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    urls = {
        "nothing listens": f"http://127.0.0.1:{port}/",
        "no such name": "http://nowhere.invalid/",
        "no address": "http://[::1/",
    }
    with pytest.raises((OSError, ValueError)) as caught:
        client.request("GET", urls[said_so], headers={})
    assert isinstance(caught.value, ConnectionRefusedError) == (said_so == "nothing listens")
    assert "pool" not in str(caught.value).lower()
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_an_answer_that_breaks_off_is_none_and_the_next_is_whole(client: Http) -> None:
    """Nothing of the one gets into the other."""
    lengths = iter(["100", "4"])
    with answering(lambda _: (200, {"content-length": next(lengths), "connection": "close"}, b"here")) as (url, _):
        with pytest.raises(OSError, match="bytes"):
            client.request("GET", url, headers={})
        assert client.request("GET", url, headers={}).content == b"here"


def test_an_answer_without_end_is_left(client: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the next one is whole."""
    monkeypatch.setattr(http, "LONGEST_BODY", 1_000)
    bodies = iter([b"x" * 300_000, b"short"])
    with answering(lambda _: (200, {}, next(bodies))) as (url, _):
        with pytest.raises(OSError, match="no end"):
            client.request("GET", url, headers={})
        assert client.request("GET", url, headers={}).content == b"short"


def test_the_proxy_of_the_environment_is_asked(client: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its own name and password; it looks up the service's name."""
    with answering(said) as (url, heard):
        monkeypatch.setenv("http_proxy", url.replace("//", "//me:p%40ss@"))
        answer = client.request("POST", "http://model.invalid/v1/x", headers={}, content=b"hello")
    assert answer.content == b"you asked for http://model.invalid/v1/x"
    (asked,) = heard
    assert asked.headers["proxy-authorization"] == f"Basic {base64.b64encode(b'me:p@ss').decode()}"
    assert (asked.headers["host"], asked.content) == ("model.invalid", b"hello")


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


def test_a_proxy_that_takes_a_library_more_names_the_extra(client: Http, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the command that installs it."""
    monkeypatch.setenv("all_proxy", "socks5://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "urllib3.contrib.socks", None)
    with pytest.raises(ConfigError, match="SOCKS") as caught:
        client.request("GET", "http://model.invalid/", headers={})
    assert "regreen[socks]" in caught.value.remedy


@pytest.mark.parametrize("is_trusted", [True, False])
def test_a_certificate_counts_where_the_environment_trusts_it(
    client: Http, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_trusted: bool
) -> None:
    """SSL_CERT_FILE names who may vouch for a service; nobody else's word is taken."""
    ours, others = trustme.CA(), trustme.CA()
    (ours if is_trusted else others).cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ours.issue_cert("localhost").configure_cert(context)
    with answering(said, context) as (url, heard):
        if is_trusted:
            assert client.request("GET", f"{url}/a", headers={}).content == b"you asked for /a"
        else:
            with pytest.raises(ssl.SSLCertVerificationError):
                client.request("GET", f"{url}/a", headers={})
    assert len(heard) == is_trusted
