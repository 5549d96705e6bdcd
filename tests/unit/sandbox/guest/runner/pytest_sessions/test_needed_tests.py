"""What has to be collected where only some of the checks are run."""

from __future__ import annotations

from regreen.sandbox.guest.runner.pytest_sessions.needed_tests import PlacedTest, needed_tests

PLACES = {
    "a[x::y]": PlacedTest("/p/test_a.py", "test_a.py::test_a[x::y]"),
    "a[z]": PlacedTest("/p/test_a.py", "test_a.py::test_a[z]"),
    "b": PlacedTest("/p/test_b.py", "test_b.py::TestB::TestC::test_b"),
}


def test_the_files_and_the_nodes_around_what_is_wanted_are_needed() -> None:
    """All cases of a function are made together."""
    needed = needed_tests(PLACES, lambda check: check == "a[z]")
    assert needed == (("/p/test_a.py",), {"test_a.py::test_a"})
    needed = needed_tests(PLACES, lambda check: check == "b")
    nodes = {"test_b.py::TestB", "test_b.py::TestB::TestC", "test_b.py::TestB::TestC::test_b"}
    assert needed == (("/p/test_b.py",), nodes)


def test_everything_is_needed_for_all_and_where_nothing_is_known() -> None:
    """There is nothing to leave out then, and no way to name a folder that looks like a case."""
    assert needed_tests(PLACES, lambda check: True) is None
    assert needed_tests({}, lambda check: True) is None
    odd = {**PLACES, "c": PlacedTest("/p[1]/test_c.py", "test_c.py::test_c")}
    assert needed_tests(odd, lambda check: check == "b") is None
