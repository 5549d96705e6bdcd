"""What is printed of a repair: everything a reader needs, and nothing that a terminal would act on."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from regreen.cli.show_checks import show_checks
from regreen.cli.show_repair import diff, show_repair, time_line, warnings
from regreen.types import (
    Attempt,
    Candidate,
    Check,
    CheckResult,
    Cost,
    Isolation,
    Obstacle,
    ObstacleKind,
    Outcome,
    Repair,
    Stop,
    Suite,
    SuiteKind,
    Task,
    Turn,
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


SHORT_PATCH = (
    "--- a/sum.py\n+++ b/sum.py\n@@ -2,3 +2,3 @@\n     total = a\n-    return a - b\n+    return a + b\n # the sum\n"
)
MODULE = replace(
    TASK,
    suite=Suite(
        SuiteKind.MODULE,
        "def test_adds():\n    x = 1\n    assert add(x, 2) == 3\n",
        (Check("test_adds", "def test_adds():\n    x = 1\n    assert add(x, 2) == 3", 1), Check("test_zero", "")),
        origin="test_sum.py",
    ),
)
TESTED = replace(
    FIXED,
    before=Verdict({"test_adds": replace(WRONG, test_line=3), "test_zero": PASSED}),
    chosen=replace(CHOSEN, verdict=Verdict({"test_adds": PASSED, "test_zero": PASSED})),
)
NOTHING = replace(FIXED, chosen=None, best=None, stop=Stop.EXHAUSTED)


def printed(
    repair: Repair, task: Task = TASK, patch: str = PATCH, *, full: bool = False, width: int = 120, done: str = ""
) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, markup=False, highlight=False)
    show_repair(console, task, repair, patch, full=full, done=[done] if done else [])
    return file.getvalue()


@pytest.mark.parametrize("width", [80, 120])
def test_a_one_line_repair_is_told_in_twelve_lines(width: int) -> None:
    """Verdict, diff and why, and what to do with it: nothing that a reader has to scroll for."""
    text = printed(TESTED, MODULE, SHORT_PATCH, width=width, done="Not written yet: --apply writes it.")
    assert text.splitlines() == [
        "Fixed sum.py: all 2 checks pass now, 1 of them failed before.",
        *SHORT_PATCH.splitlines(),
        "",
        "Why: test_adds expected 3, got 2",
        "     test_sum.py:3: assert add(x, 2) == 3",
        "Not written yet: --apply writes it.",
    ]
    assert len(text.splitlines()) <= 12


def test_all_the_rest_is_told_where_it_is_asked_for() -> None:
    """The explanation, each check before and after, the time by stage: none of it by default."""
    repair = replace(TESTED, cost=Cost(1200, 0, 2.0, {"localise": 0.25, "execute": 1.5}))
    rest = ["`-` became `+`.", "test_zero", "  before  ", time_line(repair.cost)]
    assert not any(part in printed(repair, MODULE, SHORT_PATCH) for part in rest)
    assert all(part in printed(repair, MODULE, SHORT_PATCH, full=True) for part in rest)
    assert time_line(repair.cost) == "2.00 s: localise 0.25 s, execute 1.50 s."


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("full", [False, True])
def test_sentences_are_wrapped_between_words_to_the_width(width: int, full: bool) -> None:
    """No line but one of the diff is wider than the terminal, and no word is cut."""
    wrong = CheckResult(Outcome.RAISED, detail="ValueError: " + "several words about it " * 20)
    repair = replace(NOTHING, before=Verdict({"adds": wrong, "zero": PASSED}), explanation="some words " * 40)
    lines = printed(repair, patch="", full=full, width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert " ".join(" ".join(lines).split()).count("several words about it") == 20


def test_the_essential_error_is_never_cut() -> None:
    """The name of the module that is missing stands at the end of a long message, and stays."""
    missing = CheckResult(Outcome.RAISED, detail=f"ImportError: {'x ' * 300}the_end")
    for full in (False, True):
        assert "the_end" in printed(replace(NOTHING, before=Verdict({"adds": missing})), patch="", full=full, width=60)


def test_a_partial_repair_is_offered_and_not_called_a_fix() -> None:
    """It turns red checks green and none red: how many stay red, and which, is said."""
    best = replace(CHOSEN, verdict=Verdict({"adds": PASSED, "zero": WRONG}))
    before = Verdict({"adds": WRONG, "zero": WRONG})
    text = printed(replace(FIXED, chosen=None, best=best, before=before, stop=Stop.SECONDS))
    assert "Not fixed, but better: with this change sum.py fails 1 of 2 checks, 2 without it." in text
    assert PATCH.rstrip() in text
    assert "Still red: expected 3, got 2\n           assert add(0, 0) == 0" in text
    assert "--max-seconds" in text


def test_a_change_that_breaks_a_green_check_is_no_partial_repair() -> None:
    """However many it turns green."""
    before = Verdict({"a": WRONG, "b": WRONG, "c": PASSED})
    best = replace(CHOSEN, verdict=Verdict({"a": PASSED, "b": PASSED, "c": WRONG}))
    assert replace(FIXED, chosen=None, best=best, before=before).partial is None
    kept = replace(best, verdict=Verdict({"a": PASSED, "b": WRONG, "c": PASSED}))
    assert replace(FIXED, chosen=None, best=kept, before=before).partial is kept
    assert replace(FIXED, chosen=CHOSEN, best=kept, before=before).partial is None


def test_without_any_change_the_red_checks_are_quoted() -> None:
    """A few of them, each with the line of the tests, and how many more there are."""
    before = Verdict({f"c{n}": WRONG for n in range(5)})
    checks = tuple(Check(f"c{n}", f"assert add({n}, 2) == 3") for n in range(5))
    text = printed(replace(NOTHING, before=before), replace(TASK, suite=replace(SUITE, checks=checks)), patch="")
    assert text.startswith(
        "Not fixed: sum.py fails all 5 checks.\nRed: expected 3, got 2\n     assert add(0, 2) == 3\n"
    )
    assert "assert add(2, 2) == 3" in text
    assert "assert add(3, 2) == 3" not in text
    assert "... and 2 more" in text


@pytest.mark.parametrize("stop", [stop for stop in Stop if stop is not Stop.NOTHING_RED])
def test_no_ending_shows_words_of_the_workshop(stop: Stop) -> None:
    """Names of templates, places in lists and counters are for those who ask."""
    origin = Candidate("def add(a, b): return a + b\n", "search:nudge_number+use_unused")
    best = Attempt(origin, Verdict({"adds": PASSED, "zero": PASSED}))
    for repair in (replace(FIXED, chosen=best, stop=stop), replace(FIXED, chosen=None, best=best, stop=stop)):
        text = printed(repair, patch=PATCH)
        assert not any(word in text for word in ("nudge_number", "suspected", "repetition", "template", "check-1"))


def test_a_guess_is_said_to_be_one() -> None:
    """Two places changed on the word of two checks: the reader is warned before applying it."""
    guess = Attempt(Candidate(CHOSEN.candidate.source, "search:a+b"), CHOSEN.verdict)
    assert "Few checks confirm it: 2 places were changed, and all 2 checks decide." in printed(
        replace(FIXED, chosen=guess)
    )


def test_nothing_red_is_said_in_a_line() -> None:
    """A green program gets no table, no diff and no cost."""
    green = replace(FIXED, chosen=None, before=CHOSEN.verdict, stop=Stop.NOTHING_RED)
    assert printed(green, patch="") == "Nothing is red: sum.py passes all 2 checks.\n"


def test_a_single_check_is_not_counted() -> None:
    """One check is spoken of as one."""
    one = replace(FIXED, before=Verdict({"adds": WRONG}), chosen=replace(CHOSEN, verdict=Verdict({"adds": PASSED})))
    assert "Fixed sum.py: its check failed before, and passes now." in printed(one)
    assert "Not fixed: sum.py fails its check." in printed(replace(NOTHING, before=one.before), patch="")


def test_flaky_checks_are_named_and_shared_checks_are_explained() -> None:
    """The reader learns what the result does not rest on, and who asks, what it cannot promise."""
    shared = replace(TASK, suite=replace(SUITE, isolation=Isolation.SHARED, reason="it subclasses Stack"))
    assert "run to run: zero." in printed(replace(FIXED, flaky=("zero",)), shared)
    full = printed(FIXED, shared, full=True)
    assert "it subclasses Stack" in full
    assert "docs/security.md" in full


def test_the_checks_show_the_red_ones_first() -> None:
    """In a long suite, what was red stands above what was not."""
    names = [f"c{n}" for n in range(50)]
    task = replace(TASK, suite=replace(SUITE, kind=SuiteKind.MODULE, checks=tuple(Check(name, "") for name in names)))
    before = Verdict({name: WRONG if name == "c49" else PASSED for name in names})
    chosen = replace(CHOSEN, verdict=Verdict(dict.fromkeys(names, PASSED)))
    text = printed(replace(FIXED, before=before, chosen=chosen), task, full=True)
    assert text.index("\nc49 ") < text.index("\nc0 ")


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("nasty", ["\x1b]0;owned\x07", "\x1b[2J", "\u202e", "[bold]x[/bold]", ":smile:", "\x9b31m"])
def test_nothing_that_a_program_says_reaches_the_terminal_raw(nasty: str, full: bool) -> None:
    """Escapes and overrides in names, code, answers and diffs are shown, not obeyed; markup stays text."""
    wrong = replace(WRONG, actual=nasty, detail=nasty)
    suite = replace(SUITE, checks=(Check("adds", nasty),), reason=nasty, isolation=Isolation.SHARED, origin=nasty)
    task = replace(TASK, id=nasty, suite=suite)
    repair = replace(FIXED, before=Verdict({"adds": wrong}), explanation=nasty, flaky=(nasty,))
    text = printed(repair, task, PATCH + "+" + nasty + "\n", full=full, done=nasty)
    assert not set(text) & set("\x1b\x07\u202e\x9b")
    assert ("\\x" in text or "\\u" in text) or nasty in text


@given(st.lists(st.text(st.characters(categories=("L", "N", "P", "S")))))
def test_a_diff_is_shown_whole(lines: list[str]) -> None:
    """Colouring loses and adds nothing."""
    patch = "".join(f"{line}\n" for line in lines)
    assert diff(patch).plain == patch


def test_the_line_ends_of_dos_are_not_shown() -> None:
    """Neither as \\r nor as ^M, and also where the last line has none."""
    assert diff("-a\r\n+b\r\n\\ No newline at end of file\n").plain == "-a\n+b\n\\ No newline at end of file\n"


def test_the_last_line_of_a_diff_shows_no_line_end_of_dos() -> None:
    """A file of CRLF lines that is changed in its last one."""
    patch = PATCH.replace("\n", "\r\n")
    text = printed(FIXED, patch=patch)
    assert "\\r" not in text
    assert PATCH + "\nWhy:" in text


def test_the_end_of_a_diff_is_shown_as_it_is() -> None:
    """A context line of nothing but spaces is a line of the patch."""
    patch = PATCH + " x = 1   \n    \n"
    assert diff(patch).plain in printed(FIXED, patch=patch)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_every_column_of_the_checks_can_be_read(width: int) -> None:
    """Long code and long answers go on in the next line; a narrow terminal gets a share of each."""
    long = replace(WRONG, actual="z" * 100)
    task = replace(TASK, suite=replace(SUITE, checks=(Check("doc-adds-1", "y" * 50, 7),)))
    file = io.StringIO()
    console = Console(file=file, width=width)
    show_checks(console, task, replace(NOTHING, before=Verdict({"doc-adds-1": long})))
    head, *rows = file.getvalue().splitlines()
    assert max(map(len, rows)) <= width
    assert rows[0].startswith("7: ")
    assert ("".join(rows).count("y"), "".join(rows).count("z")) == (50, 100)
    assert head.split() == ["line", "of", "the", "tests", "before"]


def test_a_check_that_skips_itself_is_not_called_flaky() -> None:
    """Only what disagrees with itself was set aside; the rest never ran."""
    checks = (*MODULE.suite.checks, Check("dice", ""), Check("later", ""))
    task = replace(MODULE, suite=replace(MODULE.suite, checks=checks))
    lines = printed(replace(TESTED, flaky=("dice",)), task, full=True).splitlines()
    assert next(line for line in lines if line.startswith("dice")).split()[1:3] == ["set", "aside"]
    assert next(line for line in lines if line.startswith("later")).split()[1:] == ["skipped", "skipped"]


MISSING = Obstacle(ObstacleKind.MODULE, ("adds",), "numpy", "there is no module numpy for /bin/python", "Install it.")


def test_what_keeps_checks_red_is_told_with_what_to_do() -> None:
    """What is only likely is told where no repair was found, what is certain, or made around what is missing, too."""
    stuck = replace(FIXED, chosen=None, best=None, stop=Stop.EXHAUSTED)
    likely, certain = replace(MISSING, certain=False), MISSING
    (advice,) = warnings(TASK, replace(stuck, obstacles=(likely,)))
    assert advice.endswith("there is no module numpy for /bin/python. Install it.")
    assert warnings(TASK, replace(FIXED, obstacles=(likely,))) == []
    assert len(warnings(TASK, replace(FIXED, obstacles=(certain,)))) == 1
    assert len(warnings(TASK, replace(FIXED, obstacles=(replace(likely, kind=ObstacleKind.VARIABLE),)))) == 1


def test_a_repair_that_leaves_checks_red_is_called_partly_fixed() -> None:
    """The checks that were set aside stand in the table as such."""
    chosen = replace(CHOSEN, verdict=Verdict({"zero": PASSED}))
    text = printed(replace(FIXED, chosen=chosen, before=Verdict({"zero": WRONG}), obstacles=(MISSING,)), full=True)
    assert text.startswith(
        "Partly fixed sum.py: every check that it decides passes now, 1 of them failed before; 1 more"
    )
    row = next(line for line in text.splitlines() if "add(1, 2)" in line and "aside" in line)
    assert row.split()[-4:] == ["set", "aside", "set", "aside"]


def test_a_model_that_declines_each_time_is_not_to_be_asked_more_often() -> None:
    """Another one may answer; where it did answer once, asking on may help."""
    declined = Turn(0, "draft", 0, 0.0, "", "I will not.", fault="refused")
    stuck = replace(FIXED, chosen=None, best=None, stop=Stop.ITERATIONS, turns=(declined, declined))
    assert "another model may answer" in printed(stuck)
    assert "--iters" not in printed(stuck)
    assert "--iters" in printed(replace(stuck, turns=(declined, replace(declined, fault="no_code"))))
