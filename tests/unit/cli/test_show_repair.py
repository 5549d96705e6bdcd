"""What is printed of a repair: everything a reader needs, and nothing that a terminal would act on."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from regreen.cli.show_repair import checks_table, diff, show_repair, time_line, warnings
from regreen.types import (
    Attempt,
    Candidate,
    Check,
    CheckResult,
    Cost,
    Isolation,
    Outcome,
    Repair,
    Stop,
    Suite,
    SuiteKind,
    Task,
    Verdict,
)

PASSED = CheckResult(Outcome.PASSED)
WRONG = CheckResult(Outcome.FAILED, expected="3", actual="2")
SUITE = Suite(SuiteKind.SCRIPT, "", (Check("adds", "assert add(1, 2) == 3"), Check("zero", "assert add(0, 0) == 0")))
TASK = Task("sum.py", "def add(a, b): return a - b\n", "add", SUITE)
BEFORE = Verdict({"adds": WRONG, "zero": PASSED})
CHOSEN = Attempt(
    Candidate("def add(a, b): return a + b\n", "search:operator"), Verdict({"adds": PASSED, "zero": PASSED})
)
FIXED = Repair("sum.py", CHOSEN, BEFORE, (CHOSEN,), Cost(12, 3, 1.5), Stop.FIXED, explanation="`-` became `+`.")
PATCH = "--- a/sum.py\n+++ b/sum.py\n@@ -1 +1 @@\n-def add(a, b): return a - b\n+def add(a, b): return a + b\n"


def printed(repair: Repair, task: Task = TASK, patch: str = PATCH, *, verbose: bool = False) -> str:
    file = io.StringIO()
    console = Console(file=file, width=120, markup=False, highlight=False)
    show_repair(console, task, repair, patch, verbose=verbose)
    return file.getvalue()


def test_a_fix_shows_the_diff_why_and_the_checks() -> None:
    """The whole story of one repair is on the screen."""
    text = printed(FIXED)
    assert "Fixed sum.py: 1 of 2 checks passed before, all of them do now." in text
    assert PATCH.rstrip() in text
    assert "`-` became `+`." in text
    assert "assert add(1, 2) == 3" in text
    assert "failed: 2" in text


def test_the_best_partial_result_is_not_called_a_fix() -> None:
    """What passes more checks but not all is shown, and said to be unproved."""
    best = replace(CHOSEN, verdict=Verdict({"adds": PASSED, "zero": WRONG}))
    before = Verdict({"adds": WRONG, "zero": WRONG})
    text = printed(replace(FIXED, chosen=None, best=best, before=before, stop=Stop.SECONDS))
    assert "Not fixed: sum.py passed 0 of 2 checks; the best change found passes 1. It is not proved" in text
    assert PATCH.rstrip() in text
    assert "--max-seconds" in text


def test_a_best_that_is_no_better_is_not_shown_as_progress() -> None:
    """A partial result that passes no more checks than before is not offered."""
    text = printed(replace(FIXED, chosen=None, best=None, stop=Stop.EXHAUSTED), patch="")
    assert "Not fixed: sum.py passes 1 of 2 checks." in text


def test_a_check_that_tells_only_how_it_failed_is_quoted() -> None:
    """A unittest method or pytest.raises says no value that came: its own words stand in the table."""
    before = Verdict({"adds": CheckResult(Outcome.FAILED, detail="DID NOT RAISE ValueError"), "zero": PASSED})
    assert "failed: DID NOT RAISE ValueError  passed" in printed(replace(FIXED, before=before))


def test_nothing_red_is_said_in_a_line() -> None:
    """A green program gets no table, no diff and no cost."""
    green = replace(FIXED, chosen=None, before=CHOSEN.verdict, stop=Stop.NOTHING_RED)
    assert printed(green, patch="") == "Nothing is red: sum.py passes all 2 checks.\n"


def test_a_single_check_is_not_counted() -> None:
    """One check is spoken of as one."""
    one = replace(FIXED, before=Verdict({"adds": WRONG}), chosen=replace(CHOSEN, verdict=Verdict({"adds": PASSED})))
    assert "Fixed sum.py: its check failed before, and passes now." in printed(one)


def test_flaky_checks_are_named_and_shared_checks_are_explained() -> None:
    """The reader learns what the result does not rest on, and what it cannot promise."""
    shared = replace(TASK, suite=replace(SUITE, isolation=Isolation.SHARED, reason="it subclasses Stack"))
    flaky, process = warnings(shared, replace(FIXED, flaky=("zero",)))
    assert "zero" in flaky
    assert "it subclasses Stack" in process
    assert "docs/security.md" in process


def test_many_checks_show_the_red_ones_first() -> None:
    """A long suite is cut, but never before what was red."""
    names = [f"c{n}" for n in range(50)]
    task = replace(TASK, suite=replace(SUITE, checks=tuple(Check(name, "pass") for name in names)))
    before = Verdict({name: WRONG if name == "c49" else PASSED for name in names})
    chosen = replace(CHOSEN, verdict=Verdict(dict.fromkeys(names, PASSED)))
    text = printed(replace(FIXED, before=before, chosen=chosen), task)
    assert text.index("c49") < text.index("c0 ")
    assert "... and 30 more" in text
    assert "c48" in printed(replace(FIXED, before=before, chosen=chosen), task, verbose=True)


@pytest.mark.parametrize("nasty", ["\x1b]0;owned\x07", "\x1b[2J", "\u202e", "[bold]x[/bold]", ":smile:", "\x9b31m"])
def test_nothing_that_a_program_says_reaches_the_terminal_raw(nasty: str) -> None:
    """Escapes and overrides in names, code, answers and diffs are shown, not obeyed; markup stays text."""
    wrong = replace(WRONG, actual=nasty, detail=nasty)
    task = replace(TASK, id=nasty, suite=replace(SUITE, checks=(Check("adds", nasty),)))
    text = printed(replace(FIXED, before=Verdict({"adds": wrong}), explanation=nasty), task, PATCH + "+" + nasty + "\n")
    assert not set(text) & set("\x1b\x07\u202e\x9b")
    assert ("\\x" in text or "\\u" in text) or nasty in text


@given(st.lists(st.text(st.characters(categories=("L", "N", "P", "S")))))
def test_a_diff_is_shown_whole(lines: list[str]) -> None:
    """Colouring loses and adds nothing."""
    patch = "".join(f"{line}\n" for line in lines)
    assert diff(patch).plain == patch


def test_verbose_tells_where_the_time_went() -> None:
    """Seconds by stage, for whoever asks for more."""
    repair = replace(FIXED, cost=Cost(1200, 0, 2.0, {"localise": 0.25, "execute": 1.5}))
    assert time_line(repair.cost) == "2.00 s: localise 0.25 s, execute 1.50 s."
    assert time_line(repair.cost) in printed(repair, verbose=True)
    assert time_line(repair.cost) not in printed(repair)


def test_the_end_of_a_diff_is_shown_as_it_is() -> None:
    """A context line of nothing but spaces is a line of the patch."""
    patch = PATCH + " x = 1   \n    \n"
    assert diff(patch).plain in printed(FIXED, patch=patch)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_every_column_of_the_checks_can_be_read(width: int) -> None:
    """Long code and long answers are cut before a check's name is; a narrow terminal gets a share of each."""
    long = replace(WRONG, actual="z" * 500)
    task = replace(TASK, suite=replace(SUITE, checks=(Check("doc-adds-1", "y" * 500),)))
    repair = replace(FIXED, before=Verdict({"doc-adds-1": long}), chosen=None, best=None, stop=Stop.EXHAUSTED)
    file = io.StringIO()
    Console(file=file, width=width).print(checks_table(task, repair, None, width))
    head, row = file.getvalue().splitlines()
    assert len(row) <= width
    assert row.startswith("doc-adds-1" if width >= 80 else "doc-ad")
    assert "yyy" in row
    assert "failed" in row
    assert head.split() == ["check", "code", "before"]


def test_a_check_that_skips_itself_is_not_called_flaky() -> None:
    """Only what disagrees with itself was set aside; the rest never ran."""
    task = replace(TASK, suite=replace(SUITE, checks=(*SUITE.checks, Check("dice", ""), Check("later", ""))))
    lines = printed(replace(FIXED, flaky=("dice",)), task).splitlines()
    assert next(line for line in lines if line.startswith("dice")).split()[1:3] == ["set", "aside"]
    assert next(line for line in lines if line.startswith("later")).split()[1:] == ["skipped", "skipped"]


def test_a_missing_module_is_named_with_what_to_do() -> None:
    """Once, however many checks it stopped; a repair that was found needs no such advice."""
    missing = CheckResult(Outcome.RAISED, detail="ModuleNotFoundError: No module named 'numpy' (line 1)")
    stuck = replace(
        FIXED, chosen=None, best=None, before=Verdict({"adds": missing, "zero": missing}), stop=Stop.EXHAUSTED
    )
    (advice,) = warnings(TASK, stuck)
    assert "no module numpy" in advice
    assert "--python" in advice
    assert warnings(TASK, replace(stuck, chosen=CHOSEN, stop=Stop.FIXED)) == []
