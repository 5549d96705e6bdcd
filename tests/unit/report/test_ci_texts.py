"""A repair for a CI service: nothing that a project says acts on who reads it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from regreen.report.ci_texts import code_block, markdown_summary, markdown_text, workflow_commands
from regreen.types import AsideKind, CheckResult, FileChange, Outcome, ProjectOutcome, ProjectRepair, TestsAside

HOSTILE = "test_x[](http://evil) | <img src=x onerror=y> `` @all\n\n# big\r\n::error::x%0A\x1b[2J\u202e]"
CHANGE = FileChange("a,b:c.py", "x = 1\ny = 2\n", "x = 1\ny = 3\n", b"", b"", "`2` became `3` in line 2")
REPAIR = ProjectRepair(
    root="/p",
    outcome=ProjectOutcome.FIXED,
    before={HOSTILE: CheckResult(Outcome.FAILED)},
    after={HOSTILE: CheckResult(Outcome.PASSED)},
    changes=(CHANGE,),
    diff=f"--- a/x\n+++ b/x\n-````\n+{HOSTILE}\n",
    explanation=f"{HOSTILE}\nfailed.",
    aside=(TestsAside(AsideKind.NETWORK, (f"other {HOSTILE}",), "it asks for the network", "Run it elsewhere."),),
    likelihood=0.97,
)


def test_markdown_finds_only_words_in_a_text() -> None:
    """Every mark of Markdown's and HTML's is escaped, line ends and controls are spelt out."""
    shown = markdown_text(HOSTILE)
    assert re.sub(r"\\[!-/:-@\[-`{-~]|\w|[ ]", "", shown) == ""
    assert "\n" not in shown


@pytest.mark.parametrize("text", ["```", "x\n`````\ny", "", "~~~"])
def test_nothing_ends_a_fence(text: str) -> None:
    """It is longer than any row of backticks in it."""
    first, *body, last = code_block(text, "diff").split("\n")
    assert first == f"{last}diff"
    assert set(last) == {"`"}
    assert all(last not in line for line in body)


def test_the_summary_has_the_patch_the_reasons_and_each_red_test() -> None:
    """In a table whose rows no name can break."""
    text = markdown_summary(REPAIR, "regreen.patch")
    assert text.startswith("## Regreen: A proven patch turns every red test green\n")
    assert "regreen\\.patch" in text
    assert "Likely right: 97 %." in text
    (row,) = [line for line in text.splitlines() if line.endswith("| failed | passed |")]
    assert len(re.findall(r"(?<!\\)\|", row)) == 4
    outside = re.sub(r"(?ms)^(`{3,})diff\n.*?\n\1$", "", text)
    assert not re.search(r"(?<!\\)[<@\[]|^#+ big|\x1b|\u202e", outside, re.MULTILINE)


def test_an_annotation_stands_at_the_changed_line() -> None:
    """Escaped as GitHub reads workflow commands: a message is one line, a property holds neither colon nor comma."""
    notice, warning = workflow_commands(REPAIR)
    assert notice.startswith(
        "::notice file=a%2Cb%3Ac.py,line=2,title=Regreen%3A proven patch::`2` became `3` in line 2%0A"
    )
    assert warning.startswith("::warning title=Regreen set tests aside::Set aside: other test_x")
    assert "x%250A" in warning
    assert not any(mark in notice + warning for mark in ("\n", "\r", "\x1b"))


def test_what_was_not_repaired_is_a_warning() -> None:
    """And a green run says nothing."""
    unfixed = replace(REPAIR, outcome=ProjectOutcome.NOT_FIXED, changes=(), diff="", aside=())
    assert [line.split("::")[1] for line in workflow_commands(unfixed)] == ["warning title=Regreen"]
    green = replace(unfixed, outcome=ProjectOutcome.NOTHING_RED)
    assert list(workflow_commands(green)) == []
