"""Patches and the size of edits."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.select.diff import NO_NEWLINE, changed_lines, edit_size, unified_diff
from regreen.select.tokens import lines_of

texts = st.lists(
    st.sampled_from(["a", "b", "\n", "\r\n", "\x0c", "\u2028", "--- x", "\\ No", "@@ -1 +1 @@"]), max_size=25
).map("".join)


def applied(before: str, patch: str) -> str:
    """What a patch tool makes of `before`."""
    old, new, at = lines_of(before), "", 0
    lines = lines_of(patch)[2:]
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
        assert applied(before, patch) == after


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
        ("in\\out.py", "--- a/in/out.py\n"),
        ('a\n+++ b/"x"', '--- "a/a\\012+++ b/\\042x\\042"\n'),
    ],
)
def test_a_file_name_cannot_break_the_header(name: str, header: str) -> None:
    """Spaces are marked and control characters quoted, as git does it."""
    assert unified_diff("a\n", "b\n", name).startswith(header)


def test_sizes_count_tokens_and_not_formatting() -> None:
    """One changed operator is one token; spaces and comments are none."""
    before = "def f(a, b):\n    return a+b\n"
    assert edit_size(before, "def f(a, b):\n    return a - b  # not a sum\n").tokens == 1
    spaced = edit_size(before, "def f(a, b):\n    return a + b\n")
    assert (spaced.tokens, spaced.characters, spaced.lines) == (0, 0, 1)
    assert edit_size(before, before).lines == 0


def test_an_indentation_is_one_token() -> None:
    """Moving a statement out of a loop is a small edit, not none."""
    before = "for x in y:\n    f(x)\n    g(x)\n"
    assert edit_size(before, "for x in y:\n    f(x)\ng(x)\n").tokens == 1


def test_an_insertion_counts_what_it_inserts() -> None:
    """`abs(...)` around a name is three tokens: the name of the function and both brackets."""
    assert edit_size("x = a\n", "x = abs(a)\n").tokens == 3


@given(texts, texts)
def test_sizes_are_never_negative_and_zero_for_equal_texts(before: str, after: str) -> None:
    """An edit that changes something changes a line at least."""
    size = edit_size(before, after)
    assert min(size.tokens, size.characters, size.lines) >= 0
    assert (size.lines == 0) == (before == after)


@given(texts, texts)
def test_changed_lines_are_lines_of_the_old_text_or_just_past_it(before: str, after: str) -> None:
    """An insertion counts for the line in front of which it stands."""
    lines = changed_lines(before, after)
    assert (lines == ()) == (before == after)
    assert all(1 <= line <= len(lines_of(before)) + 1 for line in lines)
