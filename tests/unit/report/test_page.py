"""The page as text: one file, a strict policy, and nothing of a record that is markup."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from regreen.report.gather import gather
from regreen.report.json_values import report_values
from regreen.report.page import assets, write_page
from regreen.report.page_runs import compared_runs

FolderOf = Callable[..., Path]
HOSTILE = "</script><img src=x onerror=alert(1)>\u202e\x1b[2J\ud800<!--"
OWN_ELEMENTS = set(
    "html head meta link title style body a svg defs pattern rect line circle text g header button main div h1 h2 h3 "
    "p b small span ul li dl dt dd section table thead tbody tr th td figure figcaption noscript footer article "
    "dialog form script kbd strong details summary".split()
)


class Elements(HTMLParser):
    """The elements of a page with their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def page_of(*folders: Path) -> str:
    return write_page(gather(folders), folders[0] / "report.html").read_text(encoding="utf-8")


@pytest.fixture
def hostile(folder_of: FolderOf, line_of: Callable[..., dict[str, Any]]) -> Path:
    """A run whose every name is hostile."""
    words = {name: HOSTILE for name in ("dataset", "strategy", "model", "feedback", "stop", "explanation")}
    line = line_of(HOSTILE, labels={"bug_type": HOSTILE, HOSTILE: "x"}, iteration=0, runtime_sec=1.0, **words)
    header = {"started": HOSTILE, "versions": {HOSTILE: HOSTILE}, "dataset_hash": HOSTILE}
    return folder_of([line, line_of("b", "unfixed")], "<img src=x onerror=alert(1)>", header)


def test_only_the_page_s_own_elements_are_in_it(hostile: Path, folder_of: FolderOf, made: SimpleNamespace) -> None:
    """No handlers, no styles of elements, no addresses but those within the page."""
    page = page_of(hostile, folder_of(made.made_lines(tasks=3), "other"))
    for tag, attributes in Elements(page).found:
        assert tag in OWN_ELEMENTS
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "src", "srcset")]
        assert (attributes.get("href") or "#").startswith(("#", "data:,"))
    assert not set("\u202e\x1b\x00") & set(page)


def test_an_unfinished_run_has_bounds_in_place_of_a_rate(folder_of: FolderOf, line_of: Callable[..., Any]) -> None:
    """The page leads with the plan, and so do its numbers as JSON."""
    header = {"schema": 1, "planned": 16}
    folder = folder_of([line_of(f"t{n}", iteration=0, iters=1) for n in range(6)], header=header)
    page = page_of(folder)
    assert page.index("UNFINISHED: 10 of 16 planned samples") < page.index("37.5 to 100.0")
    assert "6 of 16 planned samples decided" in page
    assert "100.0<small>" not in page.replace("37.5 to 100.0<small>", "")
    (run,) = report_values(gather([folder]))["runs"]
    assert (run["planned"], run["unfinished"], run["pass_at"]) == (16, True, {})
    assert (run["rates"]["fixed"]["value"], run["rates"]["fixed"]["low"], run["rates"]["fixed"]["high"]) == (
        None,
        0.375,
        1.0,
    )


def test_why_repairs_stopped_and_what_replies_lacked_is_on_the_page(
    folder_of: FolderOf, line_of: Callable[..., Any]
) -> None:
    """Beside the numbers, with the words of the terminal."""
    turns = [{"fault": "no_code"}, {"finish": "length"}]
    page = page_of(folder_of([line_of("a", stop="iterations", turns=turns)]))
    for words in ("Why repairs stopped", "<td>iterations</td>", "fault: no code", "cut off at the limit"):
        assert words in page


def test_the_policy_lets_the_page_s_own_script_and_style_through_and_no_other(
    folder_of: FolderOf, made: SimpleNamespace
) -> None:
    """By their hashes; nothing may be fetched, framed, posted or evaluated."""
    page = page_of(folder_of(made.made_lines(tasks=2)))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    rules = dict(rule.split(" ", 1) for rule in policy.replace("&#39;", "'").split("; "))
    assert rules["default-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert rules["img-src"] == "data:"
    for kind, pattern in (("script-src", r"<script>(.*?)</script>"), ("style-src", r"<style>(.*?)</style>")):
        (text,) = re.findall(pattern, page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        assert rules[kind] == f"'sha256-{digest}'"
    assert "unsafe" not in policy


def test_the_script_uses_no_way_to_make_markup_of_text() -> None:
    """Text nodes only."""
    script = assets().script
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacent",
        "document.write",
        "eval(",
        "new Function",
        "srcdoc",
        "DOMParser",
    ):
        assert way not in script
    assert "</script" not in script
    assert "</style" not in assets().style
    assert not re.findall(r"https?://(?!www\.w3\.org/2000/svg)", script + assets().style)


def test_two_pages_of_one_run_are_the_same(folder_of: FolderOf, made: SimpleNamespace) -> None:
    """Byte by byte; and one that is there already is replaced in one step."""
    folder = folder_of(made.made_lines(tasks=4, samples=2))
    assert page_of(folder) == page_of(folder)
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_runs_that_cannot_be_compared_say_so_at_the_top(folder_of: FolderOf, made: SimpleNamespace) -> None:
    """Before the title."""
    lines = list(made.made_lines(tasks=3))
    page = page_of(folder_of(lines, "one"), folder_of([line | {"feedback": "all"} for line in lines], "two"))
    assert page.index("Not comparable: two and one") < page.index("<h1>")
    assert "different feedback protocols: examples and all" in page


def test_a_run_that_has_just_begun_is_compared_as_empty(folder_of: FolderOf, made: SimpleNamespace) -> None:
    """It has nothing decided of nothing."""
    page = page_of(folder_of(made.made_lines(tasks=3), "one"), folder_of([], "begun", {"dataset": "made"}))
    assert '<td class="number" data-name="decided">0 of 0</td>' in page


def test_what_was_left_out_is_said(folder_of: FolderOf, line_of: Callable[..., dict[str, Any]]) -> None:
    """Lines that are no results, mixed protocols."""
    folder = folder_of([line_of("a"), line_of("b", feedback="none"), {"foreign": True}])
    page = page_of(folder)
    assert "Line 3 was left out: it names no task_id." in page
    assert "This run mixes feedback protocols (all, none)" in page


def test_many_runs_are_told_line_by_line(folder_of: FolderOf, made: SimpleNamespace) -> None:
    """One heading for all, what they have in common once, a cell for each fraction, and a line for each comparison."""
    folders = []
    for model in ("openai:one", "openai:two"):
        for share, tasks in ((0.5, 4), (1.0, 8)):
            header = {"cases": tasks, "selection": {"fraction": share}, "settings": {"model": model}}
            lines = made.made_lines(tasks=tasks, model=model)
            folders.append(folder_of(lines, f"{model.partition(':')[2]}-{tasks}", header))
    page = page_of(*folders)
    assert "<h1>4 runs, compared with one-4</h1>" in page
    assert "All: data set made, strategy reflect, protocol examples." in page
    cells = re.findall(r"<td>(openai:\w+), reflect, examples</td>(.*?)</tr>", page, re.DOTALL)
    assert [(name, re.findall(r'data-name="([\d ]+%)"', rates)) for name, rates in cells] == [
        ("openai:one", ["50 %", "100 %"]),
        ("openai:two", ["50 %", "100 %"]),
    ]
    compared = re.findall(r'<a href="#(pair\d)">([\w-]+)</a>', page)
    assert compared == [("pair1", "one-8"), ("pair2", "two-4"), ("pair3", "two-8")]
    assert all(f'<div id="{place}">' in page for place, _ in compared)


def test_reasons_to_stop_stand_side_by_side(folder_of: FolderOf, line_of: Callable[..., Any]) -> None:
    """The commonest first, nought where a run has none, and what is beyond a dozen in one column."""
    many = [line_of(f"t{n}", stop=f"reason_{n:02}") for n in range(13)]
    folders = [folder_of([line_of("a", stop="passed")], "one"), folder_of([*many, line_of("a", stop="passed")], "two")]
    counts, replies = compared_runs(gather(folders))["counts"]
    assert counts["kinds"] == ["passed", *(f"reason {n:02}" for n in range(11)), "others"]
    assert counts["rows"] == [("one", ["1", *["0"] * 11, "0"]), ("two", ["1", *["1"] * 11, "2"])]
    assert replies is None


def test_a_page_takes_any_number_of_runs(folder_of: FolderOf, line_of: Callable[..., Any]) -> None:
    """Colours and dashes go round; each has its line in the table of runs."""
    page = page_of(*(folder_of([line_of("a", iteration=0), line_of("b", iteration=1)], f"run {n}") for n in range(8)))
    assert page.count("<td><b>run ") == 8
    assert "run6" not in page
