"""The patches that --out saves: empty without a change, and named from where they apply."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from regreen.tasks.patch_file import patch_name, unified_patch

TEXTS = st.lists(st.sampled_from([b"a\n", b"b\n", b"a\r\n", b"\xff\n", b"\n", b"--- x\n", b"c"]), max_size=12).map(
    b"".join
)


@given(before=TEXTS, after=TEXTS)
def test_a_patch_is_empty_exactly_when_nothing_changed(before: bytes, after: bytes) -> None:
    """No patch, no change; no change, no patch."""
    assert (unified_patch(before, after, "x.py") == b"") == (before == after)


def test_a_patch_names_the_file_from_where_it_will_be_applied(tmp_path: Path) -> None:
    """Below the working folder: from there. Elsewhere in a repository: from its top. Else: the bare name."""
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    inside, outside = tmp_path / "repo" / "src" / "a.py", tmp_path / "b.py"
    assert patch_name(inside, tmp_path / "repo" / "src") == "a.py"
    assert patch_name(inside, tmp_path / "repo" / "docs") == "src/a.py"
    assert patch_name(outside, tmp_path / "repo") == "b.py"
