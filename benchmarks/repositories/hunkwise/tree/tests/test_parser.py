import pytest

from hunkwise import ParseError, format_patch, parse_patch, unified_diff

GIT = """\
diff --git a/x.py b/x.py
index 111..222 100644
--- a/x.py\t2024-01-01 10:00:00
+++ b/x.py\t2024-01-02 10:00:00
@@ -1,2 +1,2 @@ def f():
 a
-b
+c
diff --git a/gone b/gone
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-bye
"""


def test_git_style():
    first, second = parse_patch(GIT)
    assert (first.old_path, first.new_path, first.path) == ("a/x.py", "b/x.py", "x.py")
    assert first.hunks[0].section == "def f():"
    assert first.stat() == (1, 1)
    assert second.is_deletion and second.path == "gone"
    assert not second.is_creation


def test_count_left_out_means_one():
    (patch,) = parse_patch("--- a\n+++ b\n@@ -3 +3 @@\n-x\n+y\n")
    (hunk,) = patch.hunks
    assert (hunk.old_count, hunk.new_count) == (1, 1)


def test_removed_line_that_looks_like_a_header():
    text = "--- a\n+++ b\n@@ -1,2 +1 @@\n--- old comment\n x\n"
    (patch,) = parse_patch(text)
    assert patch.hunks[0].lines[0].text == "-- old comment"


def test_no_newline_marker():
    text = "--- a\n+++ b\n@@ -1 +1 @@\n-x\n\\ No newline at end of file\n+x\n"
    (patch,) = parse_patch(text)
    assert [line.eol for line in patch.hunks[0].lines] == [False, True]


def test_no_newline_marker_after_last_line():
    text = "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+x\n\\ No newline at end of file\n"
    (patch,) = parse_patch(text)
    assert [line.eol for line in patch.hunks[0].lines] == [True, False]


def test_stripped_blank_context_line():
    (patch,) = parse_patch("--- a\n+++ b\n@@ -1,3 +1,2 @@\n a\n\n-b\n")
    assert patch.hunks[0].lines[1].text == ""


@pytest.mark.parametrize(
    "text, lineno",
    [
        ("@@ -1 +1 @@\n-a\n+b\n", 1),
        ("--- a\nnothing\n", 2),
        ("--- a\n+++ b\n@@ -x +y @@\n", 3),
        ("--- a\n+++ b\n@@ -1 +1 @@\n-a\n*b\n", 5),
    ],
)
def test_errors(text, lineno):
    with pytest.raises(ParseError) as info:
        parse_patch(text)
    assert info.value.lineno == lineno


def test_cut_short():
    with pytest.raises(ParseError, match="cut short"):
        parse_patch("--- a\n+++ b\n@@ -1,5 +1,5 @@\n a\n b\n")


def test_round_trip(poem):
    text = unified_diff(poem, poem.replace("7", "seven"))
    assert format_patch(parse_patch(text)[0]) == text
