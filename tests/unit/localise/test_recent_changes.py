"""Lines that were changed lately."""

from __future__ import annotations

from regreen.localise.recent_changes import BEFORE_HEAD, HEAD, lines_new_in, recent_lines

OLD, NEW = b"a = 1\nb = 2\nc = 3\n", b"a = 1\nb = 5\nc = 3\n"


def test_lines_that_differ_are_new_and_those_around_what_is_gone() -> None:
    """Lines are those of the later text, from 1."""
    assert lines_new_in(OLD, NEW) == {2}
    assert lines_new_in(OLD, b"a = 1\nc = 3\n") == {1, 2}
    assert lines_new_in(OLD, OLD) == set()


def test_what_is_not_committed_comes_before_the_last_commit() -> None:
    """Where the files are as committed, what the last commit changed is recent."""
    recorded = {(HEAD, "a.py"): OLD, (BEFORE_HEAD, "a.py"): b"a = 9\nb = 2\nc = 3\n", (HEAD, "b.py"): OLD}
    assert recent_lines({"a.py": NEW, "b.py": OLD}, recorded) == {"a.py": {2}}
    assert recent_lines({"a.py": OLD, "b.py": OLD}, recorded) == {"a.py": {1}}
    assert recent_lines({"a.py": OLD}, {}) == {}
