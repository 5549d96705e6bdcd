"""The tools over the Model Context Protocol, asked by the official client in memory, on streams and over HTTP."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import anyio
import pytest
from waiting import wait_for

from regreen.config import load_settings
from regreen.errors import ConfigError
from regreen.integrations.served_folder import ServedFolder
from regreen.integrations.tool_work import ToolWork

pytestmark = pytest.mark.sandbox

BUGGY = "def total(prices):\n    result = 0\n    for price in prices[1:]:\n        result += price\n    return result\n"
RIGHT = BUGGY.replace("[1:]", "")
TESTS = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2, 3]) == 6\n"
HANGS = "def total(prices):\n    while True:\n        pass\n"
CHECKS = "assert total([1, 2, 3]) == 6\nassert total([]) == 0\n"

Session = Callable[[Any], Coroutine[Any, Any, None]]


@pytest.fixture(scope="module", autouse=True)
def _the_extra_is_there() -> None:
    """Imported by the first test, not when tests are collected: it takes a second, in each worker."""
    pytest.importorskip("mcp.client.client", reason="the extra mcp is not installed: its server is not tried")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(BUGGY, encoding="utf-8")
    (tmp_path / "test_shop.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "pyproject.toml").touch()
    return tmp_path


@pytest.fixture
def work(project: Path) -> Iterator[ToolWork]:
    """What the tools do; a hanging check is ended after twenty seconds, or by whoever gives up before."""
    settings = load_settings({"workers": 1, "timeout": 20, "max_seconds": 40}, environ={}, near=project)
    made = ToolWork(ServedFolder(project), settings, most=2_000)
    yield made
    made.close()


def talk(server: Any, session: Session, **options: Any) -> None:
    """One session of a client with a server."""
    from mcp.client.client import Client

    async def run() -> None:
        async with Client(server, **options) as client:
            await session(client)

    anyio.run(run)


def talk_in_memory(work: ToolWork, session: Session, **options: Any) -> None:
    """One session of a client with a server in this process, which does that work."""
    from regreen.integrations.mcp_server import build_server

    talk(build_server(work), session, **options)


def test_the_tools_repair_test_and_judge(work: ToolWork, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are not written; a candidate is tested in a file's place; text is judged; progress is told in seconds."""
    monkeypatch.setattr("regreen.integrations.mcp_server._REPORT_SECONDS", 0.01)
    told: list[tuple[float, float, str]] = []

    async def listen(progress: float, total: float, message: str) -> None:
        told.append((progress, total, message))

    async def session(client: Any) -> None:
        offered = (await client.list_tools()).tools
        assert {tool.name for tool in offered} >= {"run_tests", "judge", "repair_function"}
        assert all(tool.annotations.read_only_hint and tool.output_schema for tool in offered)

        async def ask(name: str, **arguments: Any) -> dict[str, Any]:
            answer = await client.call_tool(name, arguments, progress_callback=listen)
            assert not answer.is_error, answer.content
            return dict(answer.structured_content)

        red = await ask("run_tests", program="shop.py", tests=["test_shop.py"])
        assert (red["passed"], red["failed"][0]["message"], red["isolation"]) == (
            False,
            "expected 6, got 5",
            "separate",
        )
        assert (await ask("run_tests", program="shop.py", tests=["test_shop.py::test_total"], source=RIGHT))["passed"]
        fixed = await ask("repair_function", program="test_shop.py", max_seconds=9, max_candidates=10_000_000)
        assert (fixed["fixed"], fixed["stop"]) == (True, "fixed")
        assert fixed["patch"].startswith("--- a/shop.py\n+++ b/shop.py\n")
        assert (project / "shop.py").read_text(encoding="utf-8") == BUGGY
        assert not (await ask("judge", source=BUGGY, checks=CHECKS))["passed"]
        assert (await ask("judge", source=RIGHT, checks=CHECKS))["passed"]

    talk_in_memory(work, session)
    assert [progress for progress, _, _ in told] == sorted({progress for progress, _, _ in told})
    assert {total for _, total, _ in told} - {None} == {9.0}
    assert any(message.startswith("searching: ") for _, _, message in told)


def test_a_call_that_has_nothing_new_to_tell_says_that_it_is_at_work(
    work: ToolWork, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests of a project may take minutes before a search begins, and clients give up on silence."""
    monkeypatch.setattr("regreen.integrations.mcp_server._REPORT_SECONDS", 0.01)
    monkeypatch.setattr("regreen.integrations.mcp_server._HEARTBEAT_SECONDS", 0.1)
    (project / "test_shop.py").write_text(f"import time\n{TESTS}    time.sleep(1)\n", encoding="utf-8")
    told: list[str] = []

    async def listen(progress: float, total: float | None, message: str) -> None:
        told.append(message.partition(":")[0])

    async def session(client: Any) -> None:
        await client.call_tool("repair_project", {"max_candidates": 1}, progress_callback=listen)

    talk_in_memory(work, session)
    assert told.count("checking") > 3


def test_a_program_without_a_file_is_repaired(work: ToolWork) -> None:
    """The answer holds the whole text."""
    source, checks = "def add(a, b):\n    return a - b\n", "assert add(1, 2) == 3\n"

    async def session(client: Any) -> None:
        arguments = {"source": source, "checks": checks, "max_candidates": 100}
        answer = (await client.call_tool("repair_function", arguments)).structured_content
        assert (answer["fixed"], answer["source"]) == (True, source.replace("-", "+"))

    talk_in_memory(work, session)


@pytest.mark.slow
def test_a_project_is_repaired_wherever_its_fault_is(work: ToolWork, project: Path) -> None:
    """With the patch as one text, and nothing written."""

    async def session(client: Any) -> None:
        answer = (await client.call_tool("repair_project", {"pytest_args": ["-k", "total"]})).structured_content
        assert (answer["outcome"], answer["fixed"], answer["turned_green"]) == ("fixed", True, 1)
        assert answer["red"] == ["test_shop.py::test_total"]
        assert answer["patch"].startswith("--- a/shop.py\n+++ b/shop.py\n")
        assert (project / "shop.py").read_text(encoding="utf-8") == BUGGY

    talk_in_memory(work, session)


def test_what_goes_wrong_is_an_error_of_the_tool_with_its_remedy(work: ToolWork, project: Path) -> None:
    """For the model to read; paths that lead out of the folder are among it."""
    (project / "link.py").symlink_to("/etc/hostname")
    wrong = {
        "Name a path inside it": ("run_tests", {"program": "../x.py"}),
        "links that lead out of it": ("repair_function", {"program": "link.py"}),
        "Give either `program`": ("repair_function", {"program": "shop.py", "source": BUGGY}),
        "Give some tests": ("judge", {"source": "x = 1"}),
        "greater than 0": ("repair_function", {"program": "shop.py", "max_seconds": -1}),
    }

    async def session(client: Any) -> None:
        for said, (name, arguments) in wrong.items():
            answer = await client.call_tool(name, arguments)
            assert answer.is_error
            assert said in answer.content[0].text

    talk_in_memory(work, session)


def test_answers_are_cut_and_escaped(work: ToolWork) -> None:
    """A program that prints without end, in control characters, reaches no terminal and fills no context."""
    loud = "def total(prices):\n    print('\\x1b[2J' * 5_000)\n    return '\\x1b[2J\\u202e'\n"

    async def session(client: Any) -> None:
        answer = (await client.call_tool("judge", {"source": loud, "checks": CHECKS})).structured_content
        assert len(answer["output"]) < 2_200
        assert "more characters" in answer["output"]
        assert not any(mark in str(answer) for mark in ("\x1b", "\u202e"))

    talk_in_memory(work, session)


@pytest.mark.parametrize("mode", ["auto", pytest.param("legacy", marks=pytest.mark.slow)])
def test_a_call_is_cancelled_in_the_middle(work: ToolWork, mode: str) -> None:
    """In both generations of the protocol: the sandbox of the call is gone, and the server goes on."""

    async def session(client: Any) -> None:
        with anyio.move_on_after(60) as ended:
            async with anyio.create_task_group() as calls:
                calls.start_soon(client.call_tool, "judge", {"source": HANGS, "checks": CHECKS})
                await anyio.to_thread.run_sync(wait_for, lambda: bool(work.kept._lent and running(work)))
                calls.cancel_scope.cancel()
            await anyio.to_thread.run_sync(wait_for, lambda: not work.kept._lent)
            answer = await client.call_tool("judge", {"source": RIGHT, "checks": CHECKS})
            assert answer.structured_content["passed"]
        assert not ended.cancelled_caught

    talk_in_memory(work, session, mode=mode)


def running(work: ToolWork) -> bool:
    """Whether a sandbox of a call is there."""
    return any(pair.servers for pool in work.kept._lent for pair in pool._pairs)


def test_it_serves_on_standard_streams(project: Path) -> None:
    """As editors start it; what the command prints for people does not disturb the messages."""
    from mcp.client.stdio import StdioServerParameters

    server = StdioServerParameters(command=sys.executable, args=["-m", "regreen", "mcp", "--root", str(project)])

    async def session(client: Any) -> None:
        answer = await client.call_tool("run_tests", {"program": "test_shop.py"})
        assert answer.structured_content["failed_total"] == 1

    talk(server, session)


@contextmanager
def served(work: ToolWork) -> Iterator[int]:
    """The server over HTTP on a thread; gives its port."""
    from regreen.integrations import mcp_server

    urls: list[str] = []
    servers: list[Any] = []
    made = mcp_server.uvicorn.Server

    class Remembered(made):  # type: ignore[misc,valid-type]
        def __init__(self, *arguments: Any) -> None:
            super().__init__(*arguments)
            servers.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mcp_server.uvicorn, "Server", Remembered)
        thread = threading.Thread(
            target=lambda: mcp_server.serve_http(
                work, ("127.0.0.1", 0), at_once=1, allowed_hosts=["tools.example:80"], notify=urls.append
            )
        )
        thread.start()
        wait_for(lambda: bool(servers and servers[0].started))
    try:
        yield int(urls[0].split(":")[2].split("/")[0])
    finally:
        servers[0].should_exit = True
        thread.join(30)
        assert not thread.is_alive()


def test_it_serves_over_http_to_this_machine_alone(work: ToolWork) -> None:
    """A page of elsewhere, whose name may be made to lead here, is not answered."""
    with served(work) as port:

        async def session(client: Any) -> None:
            answer = await client.call_tool("run_tests", {"program": "test_shop.py"})
            assert answer.structured_content["failed_total"] == 1

        talk(f"http://127.0.0.1:{port}/mcp", session)
        asked = {
            ("tools.example:80", None): 200,
            (f"localhost:{port}", f"http://localhost:{port}"): 200,
            (f"evil.example:{port}", None): 421,
            (f"localhost:{port + 1}", None): 421,
            (f"localhost:{port}.evil.example", None): 421,
            (f"127.0.0.1:{port}", "http://evil.example"): 403,
            (f"127.0.0.1:{port}", "null"): 403,
        }
        assert {key: _post(port, *key) for key in asked} == asked


def test_a_port_that_is_taken_is_said(work: ToolWork) -> None:
    """With what to do about it."""
    from regreen.integrations import mcp_server

    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(ConfigError, match="Give another --port"):
        mcp_server.serve_http(work, taken.getsockname(), at_once=1, allowed_hosts=[], notify=print)


def _post(port: int, host: str, origin: str | None) -> int:
    """The status of the answer to a first message."""
    begin = (
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
        '"clientInfo":{"name":"test","version":"1"}}}'
    )
    headers = {"Host": host, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("POST", "/mcp", begin, headers | ({"Origin": origin} if origin else {}))
        return connection.getresponse().status
    finally:
        connection.close()
