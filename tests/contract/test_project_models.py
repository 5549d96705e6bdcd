"""A model repairs whole projects over real HTTP: the whole suite proves what is handed over, and no file is touched."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from waiting import wait_for

from regreen.cli import run
from regreen.config import load_settings
from regreen.integrations.served_calls import ServedCall
from regreen.integrations.served_folder import ServedFolder
from regreen.integrations.tool_work import ToolWork
from regreen.models import ToolCall
from regreen.models.scripted import Fault, ReplySpec
from regreen.models.testserver import serve

pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(sys.platform != "linux", reason="the jail needs Linux"),
]
PROJECTS = Path(__file__).parent.parent / "projects" / "whole"
KEY = "key-that-must-not-be-told"
CALL = "                counts = count_words(file.read(), ignore_case=options.ignore_case"
EDIT = {"path": "src/tally/cli.py", "old": f"{CALL})", "new": f"{CALL}, counts=counts)"}
WRONG = "src/tally/cli.py\n<<<<<<< SEARCH\n    return 0\n=======\n    return 1\n>>>>>>> REPLACE\n"
RIGHT = f"src/tally/cli.py\n<<<<<<< SEARCH\n{EDIT['old']}\n=======\n{EDIT['new']}\n>>>>>>> REPLACE\n"
BOTH = (
    "lib/geometry/points.py\n<<<<<<< SEARCH\n        return math.hypot(self.x - other.x, self.y - other.x)\n=======\n"
    "        return math.hypot(self.x - other.x, self.y - other.y)\n>>>>>>> REPLACE\n\n"
    "lib/geometry/boxes.py\n```python\nclass Box:\n    def holds(self, point):\n"
    "        return self.low.x <= point.x <= self.high.x and self.low.y <= point.y <= self.high.y\n```\n"
)
ALLOWED = (
    "tests/test_cli.py\n<<<<<<< SEARCH\n    assert status == 2\n=======\n    assert status == 2, said\n"
    ">>>>>>> REPLACE\n"
)


def call(name: str, **arguments: Any) -> ToolCall:
    """One call of a tool."""
    return ToolCall("", name, json.dumps(arguments))


STEPS = (
    (call("list"), call("search", text="count_words")),
    (call("view", path="src/tally/cli.py"), call("edit", path="tests/test_cli.py", old="import io", new="")),
    (ToolCall("", "view", "no json"), call("guess"), call("edit", **EDIT)),
    (call("run_tests"),),
)


class Programmer:
    """Wrong at first, then right, in the form that is asked for; an agent looks around before it edits."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, body: Any) -> ReplySpec:
        """The reply to one request."""
        self.asked += 1
        text = json.dumps(body["messages"])
        if body.get("tools"):
            return ReplySpec("", tool_calls=STEPS[min(self.asked, len(STEPS)) - 1])
        if "another will write the" in text:
            return ReplySpec("The words of each file take the place of those before.")
        if body.get("response_format"):
            return ReplySpec(json.dumps({"edits": [EDIT]}))
        return ReplySpec(RIGHT if "+    return 1" in text or "return 1" in text else WRONG)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Goes into a copy of a project, with the key of the test server in the environment."""
    monkeypatch.setenv("REGREEN_API_KEY", KEY)

    def copied(name: str) -> Path:
        folder = shutil.copytree(PROJECTS / name, tmp_path / name)
        monkeypatch.chdir(folder)
        return folder

    return copied


@pytest.fixture
def fix(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, dict[str, Any]]]:
    """`regreen fix` in the working folder, asking a responder over HTTP; returns the status and the record."""

    def ran(responder: Callable[[Any], ReplySpec], *flags: str) -> tuple[int, dict[str, Any]]:
        with serve(responder, keys=[KEY]) as served:
            asked = ("-m", "programmer", "--base-url", served.base_url, "--workers", "1", "--json")
            status = run(["fix", *asked, *flags])
        out = capsys.readouterr().out
        assert KEY not in out
        return status, json.loads(out)

    return ran


def texts(folder: Path) -> dict[str, bytes]:
    """Every file of a project that is Python."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.py"))}


def strategies() -> list[object]:
    """One by default; the others on the slow shelf."""
    others = ("single", "reflect", "react", "patch", "hybrid")
    return ["tools", *(pytest.param(name, marks=pytest.mark.slow) for name in others)]


@pytest.mark.parametrize("strategy", strategies())
def test_what_search_does_not_find_a_model_does(project: Any, fix: Any, strategy: str) -> None:
    """The project that search leaves red: one argument of one call, proven, with the tokens that it took."""
    folder = project("command_line")
    before = texts(folder)
    first_right = (lambda body: ReplySpec(RIGHT)) if strategy == "single" else Programmer()
    status, told = fix(first_right, "-s", strategy, "--max-candidates", "200")
    assert (status, told["outcome"], told["stop"]) == (0, "fixed", "fixed")
    assert (told["strategy"], told["model"]) == (strategy, "programmer")
    assert told["changes"][0]["after"] == told["changes"][0]["before"].replace(EDIT["old"], EDIT["new"])
    assert told["turned_green"] == told["red"] == ["tests/test_cli.py::test_several_files"]
    assert told["model_calls"] == len(told["turns"]) > 0
    assert told["token_usage"]["prompt"] > 100
    assert sum(node["calls"] for node in told["token_usage"]["by_node"].values()) == told["model_calls"]
    assert told["attempts"][-1]["passed"]
    assert texts(folder) == before


def test_a_patch_over_two_files_is_proven_and_made_small(project: Any, fix: Any) -> None:
    """Both files change, whole functions and blocks; a line that was rewritten as it was is no change."""
    folder = project("two_modules")
    status, told = fix(lambda body: ReplySpec(BOTH), "-s", "single", "--apply")
    assert (status, told["outcome"]) == (0, "fixed")
    assert sorted(change["path"] for change in told["changes"]) == ["lib/geometry/boxes.py", "lib/geometry/points.py"]
    assert told["diff"].count("\n+ ") == 2
    assert "self.y - other.y" in (folder / "lib/geometry/points.py").read_text(encoding="utf-8")


def size_reply(shown: str, written: str) -> str:
    """A reply that replaces one line of size.py."""
    return f"size.py\n<<<<<<< SEARCH\n{shown}\n=======\n{written}\n>>>>>>> REPLACE\n"


def test_what_was_not_chosen_proves_a_models_repair_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fix: Any
) -> None:
    """Neither a file that cannot be collected any more nor a test that breaks gets through; red before is no fault."""
    monkeypatch.setenv("REGREEN_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    others = (
        "from size import UNIT, size\n\ndef test_two():\n    assert size(2) == 4 * UNIT\n\n"
        "def test_red_before():\n    assert size(1) == 7\n"
    )
    chosen = "import size\n\ndef test_three():\n    assert size.size(3) == 9\n"
    files = {"size.py": "UNIT = 1\n\n\ndef size(n):\n    return n + n\n", "test_chosen.py": chosen}
    for name, text in {**files, "test_others.py": others, "pytest.ini": "[pytest]\n"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    replies = iter(
        [
            size_reply("UNIT = 1", "") + size_reply("    return n + n", "    return n * n"),
            size_reply("def size(n):\n    return n * n", "UNIT = 1\n\n\ndef size(n):\n    return n * 3"),
            size_reply("    return n * 3", "    return n * n"),
        ]
    )
    status, told = fix(lambda body: ReplySpec(next(replies)), "-s", "reflect", "--", "-k", "three")
    assert (status, told["outcome"], told["model_calls"]) == (0, "fixed", 3)
    assert [attempt["broken"] for attempt in told["attempts"]] == [["test_others.py"], ["test_others.py::test_two"], []]
    assert told["timings_sec"].keys() >= {"baseline", "localise", "execute"}


@pytest.mark.slow
def test_a_change_of_a_test_needs_leave_and_is_told_apart(project: Any, fix: Any) -> None:
    """Without --allow the model is told no; with it, the record says which file is no module."""
    project("command_line")
    status, told = fix(lambda body: ReplySpec(RIGHT + ALLOWED), "-s", "single")
    assert (status, told["changes"], told["turns"][0]["fault"]) == (1, [], "misfit")
    status, told = fix(lambda body: ReplySpec(RIGHT + ALLOWED), "-s", "single", "--allow", "tests/test_*.py")
    assert status == 0
    assert {change["path"]: change["allowed"] for change in told["changes"]} == {
        "src/tally/cli.py": False,
        "tests/test_cli.py": True,
    }


@pytest.mark.slow
def test_a_refusal_or_spent_tokens_are_exit_1_with_what_was_tried(project: Any, fix: Any) -> None:
    """The attempts by then are on record, no patch is, and the record says what ended the run."""
    project("command_line")

    def responder(body: Any) -> ReplySpec:
        return ReplySpec(WRONG) if "return 1" not in json.dumps(body["messages"]) else ReplySpec(refusal="no")

    status, told = fix(responder, "-s", "reflect", "--iters", "1")
    assert (status, told["outcome"], told["turns"][1]["fault"]) == (1, "not_fixed", "refused")
    status, told = fix(responder, "-s", "reflect", "--max-tokens", "1")
    assert (status, told["stop"]) == (1, "tokens")


BROKEN = ReplySpec(fault=Fault("error", status=500))


@pytest.mark.slow
def test_a_service_that_breaks_down_is_exit_3_with_what_was_tried(project: Any, fix: Any) -> None:
    """Every answer after the first is a 500: the candidate by then is on record, and no file is touched."""
    folder = project("command_line")
    before = texts(folder)
    status, told = fix(
        lambda body: BROKEN if "return 1" in json.dumps(body["messages"]) else ReplySpec(WRONG),
        *("-s", "reflect", "--retries", "1"),
    )
    assert (status, told["outcome"], told["stop"], told["changes"]) == (3, "not_fixed", "error", [])
    assert [attempt["passed"] for attempt in told["attempts"]] == [False]
    assert "after 2 tries" in told["error"]["message"]
    assert texts(folder) == before


def test_a_service_that_never_answers_right_is_exit_3_and_named(
    project: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every answer is a 500: the message says who was asked, how often, and what to do; never the key."""
    project("command_line")
    with serve(lambda body: BROKEN, keys=[KEY]) as served:
        asked = ("-m", "programmer", "--base-url", served.base_url, "--workers", "1")
        status = run(["fix", *asked, "-s", "single", "--retries", "1"])
        requests = len(served.requests)
    said = capsys.readouterr()
    assert (status, requests) == (3, 2)
    assert "programmer at http://127.0.0.1" in said.err
    assert "after 2 tries" in said.err
    assert KEY not in said.out + said.err
    assert "Traceback" not in said.err


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_leaves_nothing_and_its_replies_are_not_paid_twice(
    project: Any, tmp_path: Path, ending: signal.Signals
) -> None:
    """While the model is asked: no file is changed, Ctrl-C prints the record, and a cache keeps what was paid."""
    folder = project("command_line")
    before, tape = texts(folder), tmp_path / "tape.sqlite"
    programmer = Programmer()

    def responder(body: Any) -> ReplySpec:
        reply = programmer(body)
        return reply if programmer.asked != 2 else ReplySpec(reply.text, latency=60.0)

    flags = ["-s", "reflect", "--workers", "1", "--json", "--cache", str(tape)]
    with serve(responder, keys=[KEY]) as served:
        command = [sys.executable, "-m", "regreen", "fix", "-m", "programmer", "--base-url", served.base_url, *flags]
        running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ))
        wait_for(lambda: programmer.asked == 2, 120.0, what="the second request")
        running.send_signal(ending)
        out, _ = running.communicate(timeout=60)
        assert texts(folder) == before
        if ending is signal.SIGINT:
            told = json.loads(out)
            assert (running.returncode, told["stop"], len(told["turns"])) == (130, "interrupted", 1)
        again = subprocess.run(command, capture_output=True, check=False)
    told = json.loads(again.stdout)
    assert (again.returncode, told["outcome"]) == (0, "fixed")
    assert programmer.asked == 3


@pytest.mark.slow
def test_ci_and_the_tool_of_editors_ask_the_model_of_the_settings(
    project: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both hand over what the whole suite proves, say what it cost, and write nothing."""
    folder = project("command_line")
    before = texts(folder)
    with serve(Programmer(), keys=[KEY]) as served:
        for name, value in {"MODEL": "programmer", "BASE_URL": served.base_url, "STRATEGY": "reflect"}.items():
            monkeypatch.setenv(f"REGREEN_{name}", value)
        assert run(["ci", "--workers", "1", "--summary", "../summary.md"]) == 1
        work = ToolWork(ServedFolder(folder), load_settings({"workers": 1}, near=folder), most=4_000)
        try:
            report = work.repair_project(ServedCall(work.kept), ".", (), work.budget(None, None))
        finally:
            work.close()
    assert "The model was asked 2 times" in capsys.readouterr().out
    assert "counts=counts" in (folder.parent / "summary.md").read_text(encoding="utf-8")
    assert (report.fixed, report.model_calls) == (True, 2)
    assert "counts=counts" in report.patch
    assert texts(folder) == before
