"""Fetching a published file: from the cache without asking anybody, once from the network, or with a plain refusal."""

from __future__ import annotations

import http.server
import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest

from regreen.errors import TaskError
from regreen.tasks.catalogue import DatasetFiles, load_dataset, task_ids
from regreen.tasks.hub import HubFile
from regreen.types import Suite, SuiteKind

hub = pytest.importorskip("huggingface_hub")
errors = pytest.importorskip("huggingface_hub.errors")
constants = pytest.importorskip("huggingface_hub.constants")

FILE = HubFile("shelf/tasks", ("new/rows.parquet", "old/rows.jsonl"))
CONTENT = b'{"task_id": "Python/0"}\n'
COMMIT = "a" * 40


class Service(http.server.BaseHTTPRequestHandler):
    """Stands in for the Hub on this machine: it has the older of the two files."""

    asked: ClassVar[list[str]] = []

    def do_HEAD(self) -> None:
        self._answer(with_content=False)

    def do_GET(self) -> None:
        self._answer(with_content=True)

    def _answer(self, *, with_content: bool) -> None:
        self.asked.append(f"{self.command} {self.path}")
        is_there = self.path.endswith("/resolve/main/old/rows.jsonl") or self.path.endswith("/old/rows.jsonl")
        self.send_response(200 if is_there else 404)
        if not is_there:
            self.send_header("X-Error-Code", "EntryNotFound")
        self.send_header("X-Repo-Commit", COMMIT)
        self.send_header("ETag", '"b0b"')
        self.send_header("Content-Length", str(len(CONTENT) if is_there else 0))
        self.end_headers()
        if with_content and is_there:
            self.wfile.write(CONTENT)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[str]]:
    """The service, and an empty cache; what it is asked."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    Service.asked.clear()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "ENDPOINT", address)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    try:
        yield Service.asked
    finally:
        hub.close_session()
        server.shutdown()
        thread.join()
        server.server_close()


def test_without_a_network_it_is_said_at_once(service: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that nobody knows is not asked for again and again; that some hosts need no proxy is no proxy."""
    monkeypatch.setattr(constants, "ENDPOINT", "https://hub.invalid")
    monkeypatch.setattr("regreen.network.getproxies", lambda: {"no": "localhost"})
    with pytest.raises(TaskError, match=r"cannot be fetched: hub\.invalid") as error:
        FILE.fetched()
    assert "--dataset-path" in str(error.value.remedy)
    assert service == []


def test_who_has_a_proxy_need_know_no_names(service: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy looks them up."""
    monkeypatch.setattr(constants, "ENDPOINT", "https://hub.invalid")
    monkeypatch.setattr("regreen.network.getproxies", lambda: {"https": "http://proxy"})
    assert FILE.fetched().read_bytes() == CONTENT


def test_a_file_is_fetched_once(service: list[str]) -> None:
    """From where the repository has it; then the cache answers, and nobody is asked again."""
    assert FILE.cached() is None
    path = FILE.fetched()
    assert path.read_bytes() == CONTENT
    assert any("new/rows.parquet" in line for line in service)
    before = len(service)
    assert FILE.fetched() == FILE.cached() == path
    assert len(service) == before


def test_a_file_that_is_nowhere_is_refused_with_the_other_way(service: list[str]) -> None:
    """The repository may have been arranged anew."""
    with pytest.raises(TaskError, match=r"shelf/tasks is not in the cache .* --dataset-path FILE"):
        HubFile("shelf/tasks", ("else/rows.jsonl",)).fetched()


def test_without_network_and_cache_the_other_way_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Offline is a state of the machine, and no traceback."""

    def offline(*args: object, **more: object) -> str:
        raise errors.OfflineModeIsEnabled("offline mode is enabled")

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "ENDPOINT", "http://localhost")
    monkeypatch.setattr(hub, "hf_hub_download", offline)
    with pytest.raises(TaskError, match=r"cannot be fetched: offline mode is enabled\. Pass a copy .* --dataset-path"):
        load_dataset("humanevalfix", reader)


def reader(text: str, **asked: object) -> Suite:
    return Suite(SuiteKind.SCRIPT, text, ())


def test_a_path_needs_neither_network_nor_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`--dataset-path` is enough."""
    path = tmp_path / "rows.jsonl"
    fields = ("declaration", "buggy_solution", "canonical_solution", "test", "entry_point")
    row = {"task_id": "Python/0", **dict.fromkeys(fields, "x"), "declaration": "x = "}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    assert task_ids("humanevalfix", DatasetFiles(path)) == ("humanevalfix/Python/0",)
    with pytest.raises(TaskError, match=r"needs huggingface_hub.*pip install 'regreen\[data\]'"):
        load_dataset("humanevalfix", reader)
    assert FILE.cached() is None
