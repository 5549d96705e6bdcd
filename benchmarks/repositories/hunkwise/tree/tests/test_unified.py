from hunkwise import Normalizer, diff_files, unified_diff

from conftest import numbered


def test_same_text_gives_nothing(poem):
    assert unified_diff(poem, poem) == ""


def test_simple_change():
    out = unified_diff("a\nb\nc\n", "a\nB\nc\n", "old", "new")
    assert out == "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"


def test_context_is_limited(poem):
    out = unified_diff(poem, poem.replace("line 15\n", "x\n"), context=1)
    assert "@@ -14,3 +14,3 @@\n line 14\n-line 15\n+x\n line 16\n" in out


def test_far_changes_make_two_hunks(poem):
    new = poem.replace("line 5\n", "five\n").replace("line 25\n", "")
    headers = [l for l in unified_diff(poem, new).splitlines() if l.startswith("@@")]
    assert headers == ["@@ -2,7 +2,7 @@", "@@ -22,7 +22,6 @@"]


def test_near_changes_share_a_hunk(poem):
    new = poem.replace("line 5\n", "five\n").replace("line 11\n", "eleven\n")
    assert unified_diff(poem, new).count("@@ -") == 1


def test_empty_sides_are_numbered_zero():
    assert "@@ -0,0 +1,2 @@" in unified_diff("", "a\nb\n")
    assert "@@ -1,2 +0,0 @@" in unified_diff("a\nb\n", "")


def test_zero_context_insert():
    out = unified_diff(numbered(4), numbered(2) + "new\nline 3\nline 4\n", context=0)
    assert "@@ -2,0 +3 @@\n+new\n" in out


def test_missing_final_newline():
    out = unified_diff("a\nb", "a\nb\n")
    assert out.endswith("-b\n\\ No newline at end of file\n+b\n")


def test_form_feed_is_not_a_line_break():
    out = unified_diff("a\x0cb\n", "a\x0cc\n")
    assert "-a\x0cb\n+a\x0cc\n" in out


def test_key(poem):
    assert unified_diff(poem, poem.upper(), key=Normalizer(ignore_case=True)) == ""


def test_diff_files(two_files, tmp_path):
    old, new = two_files
    assert diff_files(old, new).startswith("--- a/old.txt\n+++ b/new.txt\n")
    created = diff_files(tmp_path / "nothing", new)
    assert created.startswith("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,3 @@\n")
