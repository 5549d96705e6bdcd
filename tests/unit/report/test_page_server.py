"""A local page over a folder of runs: it shows what is there now, to this machine alone."""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import ConfigError
from regreen.report.page_server import PageServer
from regreen.report.run_pages import RunPages

LineOf = Callable[..., dict[str, Any]]
FolderOf = Callable[..., Path]


@pytest.fixture
def server(tmp_path: Path, folder_of: FolderOf, line_of: LineOf) -> Iterator[PageServer]:
    """Two runs, one of them unfinished under an odd name, and a folder that is none."""
    folder_of([line_of("a")], "runs/done", {"planned": 1})
    folder_of([line_of("a")], "runs/<b>half & half", {"planned": 2})
    (tmp_path / "runs" / "notes").mkdir()
    (tmp_path / "made").mkdir()
    with PageServer(RunPages(tmp_path / "runs", tmp_path / "made"), 0) as server:
        thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asked(server: PageServer, path: str = "", **headers: str) -> tuple[int, str, str | None]:
    """Status, text and what the browser is told about asking again."""
    request = urllib.request.Request(server.url + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode(), answer.headers["Refresh"]
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), None


def test_the_overview_has_a_line_a_run_and_refreshes_while_one_goes_on(server: PageServer, tmp_path: Path) -> None:
    """With the words of the terminal; a name is no markup."""
    status, page, refresh = asked(server)
    assert (status, refresh) == (200, "5")
    assert "50.0 to 100.0 %, unfinished" in page
    assert "&lt;b&gt;half &amp; half</a>" in page
    assert "notes" not in page
    half = tmp_path / "runs" / "<b>half & half" / "results.jsonl"
    line = json.loads(half.read_text()) | {"task_id": "b", "outcome": "unfixed"}
    half.write_text(half.read_text() + json.dumps(line) + "\n")
    assert asked(server)[1:] != (page, refresh)
    assert asked(server)[2] is None, "nothing goes on any more"


def test_each_run_has_its_page_and_nothing_else_is_served(server: PageServer) -> None:
    """No path leads out of the folder."""
    status, page, refresh = asked(server, "runs/done")
    assert (status, refresh) == (200, None)
    assert "Regreen report" in page
    assert asked(server, "runs/%3Cb%3Ehalf%20%26%20half")[2] == "5"
    for path in ("runs/..", "runs/notes", "runs/%2e%2e%2fmade", "favicon.ico"):
        assert asked(server, path)[0] == 404


def test_only_this_machine_is_answered(server: PageServer) -> None:
    """Not even a page of elsewhere whose name points here; a port that is taken is said."""
    assert server.server_address[0] == "127.0.0.1"
    assert asked(server, Host="evil.example")[0] == 403
    with pytest.raises(ConfigError, match=f"port {server.server_port} cannot be used"):
        PageServer(server.pages, server.server_port)


def test_a_run_that_cannot_be_read_is_said_on_the_page(tmp_path: Path, folder_of: FolderOf) -> None:
    """The others are shown all the same."""
    folder_of([{"foreign": True}], "runs/odd")
    page, goes_on = RunPages(tmp_path / "runs", tmp_path).overview()
    assert "holds no result" in page
    assert not goes_on
