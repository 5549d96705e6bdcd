"""Patches say all that changed, and are applied whole or not at all, to the program alone, and never by guessing."""

from __future__ import annotations

import contextlib
import difflib
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.unified_diff import PatchError, apply_patch, unified_diff

SOURCE = "import math\n\n\ndef area(r):\n    return math.pi * r\n\n\ndef side(a):\n    return a ** 2\n"
PATCH = (
    "--- a/program.py\n+++ b/program.py\n"
    "@@ -4,2 +4,2 @@\n def area(r):\n-    return math.pi * r\n+    return math.pi * r**2\n"
)
PATCHED = SOURCE.replace("math.pi * r\n", "math.pi * r**2\n")
GIT = "diff --git a/x/program.py b/x/program.py\nindex 1234567..89abcde 100644\n"
NEW_FILE = "--- /dev/null\n+++ b/try.py\n@@ -0,0 +1,2 @@\n+import program\n+print(program)\n"


LINES = re.compile(r"[^\n]*\n|[^\n]+")
NO_NEWLINE = "\\ No newline at end of file\n"
texts = st.lists(
    st.sampled_from(["a", "b", "\n", "\r\n", "\x0c", "\u2028", "--- x", "\\ No", "@@ -1 +1 @@"]), max_size=25
).map("".join)


def applied(patch: str, source: str = SOURCE) -> str:
    return apply_patch(patch, source, name="program.py")


def diff(before: str, after: str, context: int = 3) -> str:
    """As `diff -u` writes it, with its word on a missing line end."""
    one, two = (text.split("\n") for text in (before, after))
    one, two = ([*(f"{line}\n" for line in lines[:-1]), *([lines[-1]] * bool(lines[-1]))] for lines in (one, two))
    lines = difflib.unified_diff(one, two, "a/program.py", "b/program.py", n=context)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


WELL_FORMED = {
    "as it is": PATCH,
    "from git": GIT + PATCH,
    "with times": PATCH.replace("program.py\n", "program.py\t2024-01-01 00:00:00\n"),
    "with words around it": f"Here is my patch:\n\n{PATCH}\nThat is all.\n",
    "for a file of another name": PATCH.replace("program.py", "solution.py"),
    "beside a new file": NEW_FILE + PATCH,
    "before a new file": PATCH + NEW_FILE,
    "of a place that has moved": PATCH.replace("@@ -4,2 +4,2 @@", "@@ -1,2 +1,2 @@"),
    "of a place behind the end": PATCH.replace("@@ -4,2 +4,2 @@", "@@ -400,2 +400,2 @@"),
    "with other line ends": PATCH.replace("\n", "\r\n"),
    "without the last line end": PATCH.removesuffix("\n"),
    "with a heading": PATCH.replace("@@\n", "@@ def area(r):\n"),
}


@pytest.mark.parametrize("kind", WELL_FORMED)
def test_a_patch_is_applied(kind: str) -> None:
    """In all the forms that tools and agents write."""
    assert applied(WELL_FORMED[kind]) == PATCHED


@pytest.mark.parametrize("patch", ["", "\n", "  \n"])
def test_a_blank_patch_changes_nothing(patch: str) -> None:
    """An agent that left none left the program as it was."""
    assert applied(patch) == SOURCE


def test_an_empty_line_of_context_may_have_lost_its_space() -> None:
    """Editors strip it."""
    patch = diff(SOURCE, PATCHED).replace("\n \n", "\n\n")
    assert "\n\n" in patch
    assert applied(patch) == PATCHED


MALFORMED = {
    "no patch": ("def area(r): ...", "no unified diff"),
    "no hunk": ("--- a/program.py\n+++ b/program.py\n", "has no hunk"),
    "a cut hunk": (PATCH[: PATCH.index("+    return")], "cut off"),
    "a line too many": (PATCH.replace("-4,2 +4,2", "-4,3 +4,1"), "line 6 is one more than"),
    "a hunk too long": (PATCH + "+    # more\n", "line 7 belongs to no hunk"),
    "counts that lie": (PATCH.replace("-4,2 +4,2", "-4,2 +4,1"), "line 6 belongs to no hunk"),
    "a broken head": (PATCH.replace("@@ -4,2 +4,2 @@", "@@ here @@"), "line 3 is no head of a hunk"),
    "a hunk of no file": (PATCH.partition("+++ b/program.py\n")[2], "begins a hunk of no file"),
    "lines of another kind": (PATCH.replace(" def", "def"), "line 4 belongs to no hunk"),
    "lines that are not there": (PATCH.replace("math.pi * r\n", "math.tau * r\n"), "hunk 1 does not fit"),
    "one hunk of two that fits": (
        PATCH + "@@ -9,1 +9,1 @@\n-    return a ** 3\n+    return a\n",
        "hunk 2 does not fit",
    ),
    "hunks in the wrong order": (
        "--- a/p\n+++ b/p\n@@ -9 +9 @@\n-    return a ** 2\n+    return a\n@@ -4 +4 @@\n-def area(r):\n+def area(s):\n",
        "hunk 2 does not fit",
    ),
    "another file too": (PATCH + PATCH.replace("program.py", "other.py"), "changes other files too: a/other.py"),
    "two other files": (
        PATCH.replace("program", "a") + PATCH.replace("program", "b"),
        "0 of them are called program.py",
    ),
    "the end of the program": ("--- a/program.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-import math\n", "removes the program"),
    "a new file alone": (NEW_FILE, "makes a new file"),
    "a binary file": ("diff --git a/x b/x\nGIT binary patch\nliteral 3\n", "binary"),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_patch_that_does_not_fit_is_refused_whole(kind: str) -> None:
    """With the reason; the program is as it was, since it is a value."""
    patch, reason = MALFORMED[kind]
    with pytest.raises(PatchError, match=reason):
        applied(patch)


def test_hunks_that_moved_move_together() -> None:
    """Where lines recur, the place is told by how far the hunk before had moved."""
    patch = "--- a/p\n+++ b/p\n@@ -1 +1 @@\n-A\n+B\n@@ -4 +4 @@\n-x\n+y\n"
    assert applied(patch, "A\n" + "x\n" * 6) == "B\nx\nx\ny\nx\nx\nx\n"
    assert applied(patch, "new\n" * 3 + "A\n" + "x\n" * 6) == "new\n" * 3 + "B\nx\nx\ny\nx\nx\nx\n"


TEXTS = st.lists(
    st.sampled_from(["a\n", "b\n", "\n", "    c\n", "-- d\n", "++ e\n", "@@ f\n", "\\ g\n", "x\x0cy\n", "\r\n"])
)


@given(TEXTS, TEXTS, st.sampled_from(["", "end"]), st.sampled_from(["", "end", "other"]), st.integers(0, 3))
def test_what_diff_finds_is_put_back(one: list[str], two: list[str], end: str, other: str, context: int) -> None:
    """For every pair of texts, with and without a last line end, whatever their lines look like."""
    before, after = "".join(one) + end, "".join(two) + other
    patch = diff(before, after, context)
    assert apply_patch(patch, before, name="program.py") == (after if patch else before)


@given(st.text(alphabet="ab \n+-@\\,1", max_size=80))
def test_no_text_breaks_it(noise: str) -> None:
    """Refused or applied, whatever is written."""
    for patch in (noise, PATCH + noise, "--- a\n+++ b\n" + noise):
        with contextlib.suppress(PatchError):
            assert isinstance(applied(patch), str)


def test_a_patch_that_fits_nowhere_costs_little() -> None:
    """A patch may be written so that every place looks right almost to the end."""
    hunk = "@@ -1,500 +1,500 @@\n" + " x\n" * 499 + "-y\n+z\n"
    began = time.process_time()
    with pytest.raises(PatchError, match="too long"):
        applied("--- a\n+++ b\n" + hunk * 200, "x\n" * 200_000)
    assert time.process_time() - began < 10


def patched_by_hand(before: str, patch: str) -> str:
    """What a patch tool makes of `before`."""
    old, new, at = LINES.findall(before), "", 0
    lines = LINES.findall(patch)[2:]
    for index, line in enumerate(lines):
        text = line[1:]
        if index + 1 < len(lines) and lines[index + 1] == NO_NEWLINE:
            text = text.removesuffix("\n")
        if hunk := re.match(r"@@ -(\d+)(?:,(\d+))? \+", line):
            start = int(hunk[1]) - (hunk[2] != "0")
            new += "".join(old[at:start])
            at = start
        elif line == NO_NEWLINE:
            continue
        elif line[0] in " -":
            assert old[at] == text
            at += 1
            new += text if line[0] == " " else ""
        else:
            new += text
    return new + "".join(old[at:])


@given(texts, texts, st.integers(0, 3))
def test_a_patch_applied_to_the_old_text_gives_the_new_one(before: str, after: str, context: int) -> None:
    """Whatever the line ends, with and without one at the end of the file."""
    patch = unified_diff(before, after, "f.py", context=context)
    assert (patch == "") == (before == after)
    if patch:
        assert patch.endswith("\n")
        assert patched_by_hand(before, patch) == after


def test_a_missing_final_line_end_is_said() -> None:
    """The words that patch tools look for stand after the line that lacks it."""
    assert unified_diff("a\nb", "a\nc\n", "f.py") == (
        "--- a/f.py\n+++ b/f.py\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
    )


def test_carriage_returns_stay_in_the_patch() -> None:
    """A file with CRLF line ends gets a patch that applies to it."""
    assert "-b\r\n+c\r\n" in unified_diff("a\r\nb\r\n", "a\r\nc\r\n", "f.py")


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("f.py", "--- a/f.py\n"),
        ("/tmp/f.py", "--- a/tmp/f.py\n"),
        ("my f.py", "--- a/my f.py\t\n"),
        ("in\\out.py", '--- "a/in\\134out.py"\n'),
        ('a\n+++ b/"x"', '--- "a/a\\012+++ b/\\042x\\042"\n'),
    ],
)
def test_a_file_name_cannot_break_the_header(name: str, header: str) -> None:
    """Spaces are marked; control characters, quotes and backslashes are escaped, as git does it."""
    assert unified_diff("a\n", "b\n", name).startswith(header)
