import pytest

from hunkwise import HunkwiseError, PatchConflict, apply_patch, apply_to_lines, parse_patch, unified_diff

from conftest import numbered


@pytest.mark.parametrize("context", [0, 1, 3])
def test_round_trip(poem, context):
    new = poem.replace("line 5\n", "").replace("line 20\n", "20\n20.5\n") + "end"
    patch = unified_diff(poem, new, context=context)
    assert apply_patch(poem, patch) == new


def test_reverse(poem):
    new = "head\n" + poem.replace("line 9\n", "")
    patch = unified_diff(poem, new)
    assert apply_patch(new, patch, reverse=True) == poem


def test_reverse_swaps_names():
    (patch,) = parse_patch(unified_diff("", "a\n", "/dev/null", "b/x"))
    back = patch.reversed()
    assert back.is_deletion
    assert back.hunks[0].header() == "@@ -1 +0,0 @@"


def test_moved_context(poem):
    new = poem.replace("line 12\n", "twelve\n")
    patch = unified_diff(poem, new)
    assert apply_patch("intro\n" * 4 + poem, patch) == "intro\n" * 4 + new


def test_drift_carries_over_to_later_hunks():
    block = "begin\nvalue\nend\n"
    old = "first\n" + numbered(10) + block + numbered(3, "pad") + block
    new = old.replace("first", "FIRST", 1)
    at = new.rindex("value")
    new = new[:at] + "changed\n" + new[at + 6:]
    patch = unified_diff(old, new, context=1)
    shift = "".join(f"extra {n}\n" for n in range(6))
    assert apply_patch(shift + old, patch) == shift + new


def test_conflict_lists_rejected(poem):
    patch = unified_diff(poem, poem.replace("line 12\n", "twelve\n"))
    with pytest.raises(PatchConflict) as info:
        apply_patch(poem.replace("12", "dozen"), patch)
    assert len(info.value.rejected) == 1
    assert "@@ -9,7 +9,7 @@" in str(info.value)


def test_input_is_not_changed():
    lines = ["a\n", "b\n"]
    (patch,) = parse_patch(unified_diff("a\nb\n", "a\n"))
    assert apply_to_lines(lines, patch.hunks) == (["a\n"], [])
    assert lines == ["a\n", "b\n"]


def test_newline_at_end_is_added_and_taken():
    patch = unified_diff("a\nb", "a\nb\n")
    assert apply_patch("a\nb", patch) == "a\nb\n"
    assert apply_patch("a\nb\n", patch, reverse=True) == "a\nb"


def test_empty_patch():
    assert apply_patch("a\n", "") == "a\n"


def test_two_files_are_refused():
    patch = unified_diff("a\n", "b\n") * 2
    with pytest.raises(HunkwiseError, match="more than one"):
        apply_patch("a\n", patch)
