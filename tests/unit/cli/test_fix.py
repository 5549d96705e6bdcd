"""`regreen fix`: what it prints, writes and returns, with a search that answers at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from regreen.errors import ModelUnavailable, SandboxUnavailable
from regreen.tasks.patch_file import unified_patch
from regreen.types import Cost, Stop

BUGGY = "def add(a, b):\n    return a - b  # the sum\n"
RIGHT = "def add(a, b):\n    return a + b  # the sum\n"
Command = Callable[..., Any]


def test_a_repair_is_printed_and_nothing_is_written(regreen: Command, search: Any, files: Any) -> None:
    """Without --apply the file stays as it is, and the reader is told how to write it."""
    ran = regreen("fix", files.program, "--tests", files.tests)
    assert ran.status == 0
    assert "-    return a - b  # the sum\n+    return a + b  # the sum\n" in ran.out
    assert "--- a/adding.py\n+++ b/adding.py\n" in ran.out
    assert "Why: expected 3, got -1\n     tests.py:3: assert add(1, 2) == 3\n" in ran.out
    assert "Not written yet: --apply writes it" in ran.out
    assert len(ran.out.splitlines()) <= 12
    assert files.program.read_text() == BUGGY
    assert ran.err == ""


def test_apply_writes_the_repair(regreen: Command, search: Any, files: Any) -> None:
    """--apply changes the file, and says so."""
    ran = regreen("fix", files.program, "--tests", files.tests, "--apply")
    assert files.program.read_text() == RIGHT
    assert "Wrote the repair into adding.py." in ran.out


def test_out_saves_a_patch_that_git_applies(regreen: Command, search: Any, files: Any) -> None:
    """--out leaves the file alone, and saves what `git apply` takes."""
    ran = regreen("fix", files.program, "--tests", files.tests, "--out", "fix.patch")
    assert ran.status == 0
    assert files.program.read_text() == BUGGY
    assert Path("fix.patch").read_bytes() == unified_patch(BUGGY.encode(), RIGHT.encode(), "adding.py")


def test_a_partial_repair_is_taken_only_when_asked_for(regreen: Command, search: Any, files: Any) -> None:
    """By default it is shown, and how to take it; --apply alone does not; the exit status stays 1 in any case."""
    search.stop, search.partial = Stop.SECONDS, True
    shown = regreen("fix", files.program, "--tests", files.tests, "--apply")
    assert (shown.status, files.program.read_text()) == (1, BUGGY)
    assert "--apply-partial writes this change." in shown.out
    taken = regreen("fix", files.program, "--tests", files.tests, "--apply-partial", "--out", "part.patch")
    assert (taken.status, files.program.read_text()) == (1, RIGHT)
    assert "Wrote the partial repair into adding.py." in taken.out
    assert Path("part.patch").read_bytes() == unified_patch(BUGGY.encode(), RIGHT.encode(), "adding.py")


def test_apply_partial_writes_a_whole_repair_all_the_more(regreen: Command, search: Any, files: Any) -> None:
    """It asks for no less than --apply."""
    assert regreen("fix", files.program, "--tests", files.tests, "--apply-partial").status == 0
    assert files.program.read_text() == RIGHT


@pytest.mark.parametrize("flag", ["--explain", "-v"])
def test_the_whole_story_is_told_on_request(regreen: Command, search: Any, files: Any, flag: str) -> None:
    """What was found out, and each check before and after."""
    ran = regreen("fix", files.program, "--tests", files.tests, flag)
    assert "`-` became `+`.\n" in ran.out
    assert ran.out.count("assert add(0, 0) == 0") == 1


def test_a_file_that_changed_meanwhile_is_not_overwritten(regreen: Command, search: Any, files: Any) -> None:
    """The user's own edit wins: exit 2, the edit is still there, and the repair is on the screen."""
    edited = BUGGY + "# edited\n"
    search_once = search.__class__.__call__

    def edit_then_search(self: Any, *args: Any, **kwargs: Any) -> Any:
        files.program.write_text(edited)
        return search_once(self, *args, **kwargs)

    search.__class__ = type("Editing", (search.__class__,), {"__call__": edit_then_search})
    ran = regreen("fix", files.program, "--tests", files.tests, "--apply")
    assert ran.status == 2
    assert "has changed since it was read" in ran.err
    assert "+    return a + b" in ran.out
    assert files.program.read_text() == edited
    files.program.write_text(BUGGY)
    ran = regreen("fix", files.program, "--tests", files.tests, "--apply", "--json")
    record = json.loads(ran.out)
    assert (ran.status, record["outcome"], record["error"]["kind"]) == (2, "fixed", "TaskError")


def test_json_is_one_object_with_the_fields_of_a_result_line(regreen: Command, search: Any, files: Any) -> None:
    """A program can read the whole record from stdout."""
    record = json.loads(regreen("fix", files.program, "--tests", files.tests, "--json").out)
    assert (record["task_id"], record["outcome"], record["stop"]) == ("adding.py", "fixed", "fixed")
    assert record["final_source"] == RIGHT
    assert record["diff"].startswith("--- a/adding.py\n")
    assert [check["outcome"] for check in record["checks"]] == ["passed", "passed"]


@pytest.mark.parametrize(
    ("stop", "source", "status"),
    [
        (Stop.FIXED, RIGHT, 0),
        (Stop.NOTHING_RED, None, 0),
        (Stop.SECONDS, RIGHT, 0),
        (Stop.SECONDS, None, 1),
        (Stop.CANDIDATES, None, 1),
        (Stop.EXHAUSTED, None, 1),
        (Stop.INTERRUPTED, RIGHT, 130),
        (Stop.ERROR, None, 3),
    ],
)
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_the_exit_status_tells_how_it_ended(
    regreen: Command, search: Any, files: Any, stop: Stop, source: str | None, status: int, form: tuple[str, ...]
) -> None:
    """0 fixed or nothing red, 1 not fixed, 3 failed, 130 interrupted; the same with --json."""
    search.stop, search.source = stop, source
    assert regreen("fix", files.program, "--tests", files.tests, *form).status == status


def test_an_interrupted_search_shows_its_best_and_writes_nothing(regreen: Command, search: Any, files: Any) -> None:
    """After Ctrl-C the best partial result is on the screen, and --apply is not obeyed."""
    search.stop = Stop.INTERRUPTED
    ran = regreen("fix", files.program, "--tests", files.tests, "--apply")
    assert "+    return a + b" in ran.out
    assert "Interrupted: nothing was written." in ran.out
    assert files.program.read_text() == BUGGY


def test_an_interrupted_search_hands_over_what_it_had_proven(regreen: Command, search: Any, files: Any) -> None:
    """It is called fixed, it may be larger than it needs to be, and --apply is not obeyed."""
    search.stop, search.proven = Stop.INTERRUPTED, True
    ran = regreen("fix", files.program, "--tests", files.tests, "--apply")
    assert ran.status == 130
    assert "Fixed adding.py" in ran.out
    assert "Interrupted: nothing was written. The change may be larger" in ran.out
    assert files.program.read_text() == BUGGY


@pytest.mark.parametrize("proven", [False, True])
def test_a_service_that_fails_midway_takes_nothing_with_it(
    regreen: Command, search: Any, files: Any, proven: bool
) -> None:
    """What was found is shown, then the error with its remedy; the status is that of the error."""
    search.stop, search.proven = Stop.ERROR, proven
    search.fails = ModelUnavailable("it broke down.", remedy="Start it again.")
    ran = regreen("fix", files.program, "--tests", files.tests, "--apply")
    assert (ran.status, ran.err) == (3, "error: it broke down. Start it again.\n")
    assert "+    return a + b" in ran.out
    assert ("Fixed adding.py" in ran.out) is proven
    assert ("nothing was written" in ran.out) is proven
    assert files.program.read_text() == BUGGY
    ran = regreen("fix", files.program, "--tests", files.tests, "--json")
    record = json.loads(ran.out)
    assert (ran.status, record["stop"], record["candidates"]) == (3, "error", 7)
    assert record["outcome"] == ("fixed" if proven else "error")
    assert record["error"] == {"kind": "ModelUnavailable", "message": "it broke down. Start it again."}


def test_a_service_that_was_never_there_is_only_an_error(regreen: Command, search: Any, files: Any) -> None:
    """Where nothing was tried there is nothing to show."""
    search.stop, search.source, search.cost = Stop.ERROR, None, Cost()
    search.fails = ModelUnavailable("it is down.")
    ran = regreen("fix", files.program, "--tests", files.tests)
    assert (ran.status, ran.out, ran.err) == (3, "", "error: it is down.\n")


def test_an_interrupt_that_reaches_the_command_ends_it_in_a_line(regreen: Command, search: Any, files: Any) -> None:
    """Ctrl-C at any moment: one line, 130, no traceback."""
    search.raises = KeyboardInterrupt()
    ran = regreen("fix", files.program, "--tests", files.tests)
    assert (ran.status, ran.out, ran.err) == (130, "", "error: interrupted.\n")


def test_a_machine_that_cannot_confine_is_refused_with_the_remedy(regreen: Command, search: Any, files: Any) -> None:
    """Never silently weaker: exit 3, and what to do."""
    search.raises = SandboxUnavailable("no sandbox can be built here.", remedy="Turn on Landlock.")
    ran = regreen("fix", files.program, "--tests", files.tests)
    assert (ran.status, ran.err) == (3, "error: no sandbox can be built here. Turn on Landlock.\n")


def test_a_fault_of_ours_is_said_in_a_line_and_traced_on_request(regreen: Command, search: Any, files: Any) -> None:
    """No traceback unless --debug asks for it."""
    search.raises = ZeroDivisionError("oops")
    quiet = regreen("fix", files.program, "--tests", files.tests)
    assert quiet.status == 3
    assert "Traceback" not in quiet.err
    assert "--debug" in quiet.err
    assert "Traceback" in regreen("fix", files.program, "--tests", files.tests, "--debug").err


@pytest.mark.parametrize("form", [(), ("--json",)])
@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("missing.py",), "does not exist"),
        (("adding.py", "--tests", "missing.py"), "does not exist"),
        (("adding.py",), "no doctest examples"),
        (("adding.py", "--tests", "tests.py", "--entry-point", "ad"), "Did you mean add?"),
        (("adding.py", "--tests", "tests.py", "--timeout", "x"), "--timeout is 'x'"),
        (("adding.py", "--tests", "tests.py", "--out", "no/such/x.patch"), "--out"),
        (("adding.py", "--tests", "tests.py", "--nonsense"), "--nonsense"),
        (("adding.py", "--", "-k", "add"), "arguments of pytest"),
        ((".", "--tests", "tests.py"), "--tests"),
        (("--entry-point", "add"), "--entry-point"),
    ],
)
def test_unusable_input_is_refused_with_a_remedy(
    regreen: Command, search: Any, files: Any, args: tuple[str, ...], said: str, form: tuple[str, ...]
) -> None:
    """Exit 2, one `error:` line or one JSON object, and nothing has been searched."""
    ran = regreen("fix", *form, *args)
    assert (ran.status, search.tasks) == (2, [])
    if form:
        error = json.loads(ran.out)["error"]
        assert said in f"{error['message']} {error['remedy']}"
        assert set(error) == {"kind", "message", "remedy"}
    else:
        assert ran.err.startswith("error: ")
        assert said in ran.err
        assert ran.out == ""


def test_the_flags_reach_the_search(regreen: Command, search: Any, files: Any) -> None:
    """What is given by hand is what the strategy gets."""
    regreen("fix", files.program, "--tests", files.tests, "--max-seconds", "7", "--seed", "3", "--workers", "1")
    settings = search.settings[0]
    assert (settings.max_seconds, settings.seed, settings.workers) == (7.0, 3, 1)


def test_a_project_s_own_settings_are_read_from_beside_the_program(regreen: Command, search: Any, files: Any) -> None:
    """[tool.regreen] is looked for upwards from the target, not from where the command runs."""
    folder = Path("inner")
    folder.mkdir()
    files.program.rename(folder / "adding.py")
    (folder / "pyproject.toml").write_text("[tool.regreen]\nmax_candidates = 5\n")
    regreen("fix", folder / "adding.py", "--tests", files.tests)
    assert search.settings[0].max_candidates == 5


def test_line_ends_and_marks_of_the_file_survive(regreen: Command, search: Any, files: Any) -> None:
    """A CRLF file with a byte order mark differs in the repaired line only, in the file and in the patch."""
    before, after = (b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode() for text in (BUGGY, RIGHT))
    files.program.write_bytes(before)
    regreen("fix", files.program, "--tests", files.tests, "--out", "fix.patch", "--apply")
    assert files.program.read_bytes() == after
    assert Path("fix.patch").read_bytes() == unified_patch(before, after, "adding.py")


def test_colours_are_only_for_terminals_unless_asked_for(regreen: Command, search: Any, files: Any) -> None:
    """A pipe gets plain text; REGREEN_COLOR=always is the way to force it, and --no-color the way out."""
    plain = regreen("fix", files.program, "--tests", files.tests)
    assert "\x1b" not in plain.out


def test_forced_colours_are_switched_off_by_the_flag(
    regreen: Command, search: Any, files: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Flags overrule the environment."""
    monkeypatch.setenv("REGREEN_COLOR", "always")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[32m" in regreen("fix", files.program, "--tests", files.tests).out
    assert "\x1b[32m" not in regreen("fix", files.program, "--tests", files.tests, "--no-color").out


def test_json_has_each_check_before_and_after(regreen: Command, search: Any, files: Any) -> None:
    """Name, outcome and message of both, and the offered change of a partial repair."""
    fixed = json.loads(regreen("fix", files.program, "--tests", files.tests, "--json").out)
    passed = {"outcome": "passed", "message": "", "place": "", "code": ""}
    red = {"outcome": "failed", "message": "expected 3, got -1", "place": "tests.py:3", "code": "assert add(1, 2) == 3"}
    assert fixed["checks_before_after"] == [
        {"name": "check-1", "before": red, "after": passed},
        {"name": "check-2", "before": passed, "after": passed},
    ]
    assert fixed["partial_diff"] == ""
    search.stop, search.partial = Stop.SECONDS, True
    partial = json.loads(regreen("fix", files.program, "--tests", files.tests, "--json").out)
    assert (partial["outcome"], partial["diff"]) == ("unfixed", "")
    assert "+    return a + b  # the sum\n" in partial["partial_diff"]
    search.partial, search.source = False, None
    nothing = json.loads(regreen("fix", files.program, "--tests", files.tests, "--json").out)
    assert [check["after"] for check in nothing["checks_before_after"]] == [None, None]


def test_tests_alone_name_the_program_that_they_import(regreen: Command, search: Any, files: Any) -> None:
    """It is said which one that is, on the other stream."""
    tests = files.tests.rename("test_adding.py")
    ran = regreen("fix", tests)
    assert ran.status == 0
    assert (
        ran.err
        == "test_adding.py holds tests; the one module of yours that they use is taken for the program: adding.py\n"
    )
    assert search.tasks[0].id == "adding.py"
    tests.write_text("def test():\n    assert 1\n")
    assert "regreen fix PROGRAM --tests test_adding.py" in regreen("fix", tests).err
