"""Property tests of programs under repair: what failed before comes first, and nothing reaches the next program."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from regreen.sandbox.guest.runner.checks.property_tests import KnownExamples, seed_property, use_examples

Property = Callable[[], None]


@pytest.fixture(autouse=True)
def _own_profile() -> Iterator[None]:
    """The properties of this project go on under their own settings."""
    before = settings.get_current_profile_name()
    yield
    settings.load_profile(before)


def small_property(tried: list[int], limit: int = 1000) -> Property:
    """A property that fails for numbers from `limit` on, and writes down what it tried."""

    @given(st.integers())
    def is_small(number: int) -> None:
        tried.append(number)
        assert number < limit

    seed_property(is_small, 0)
    return is_small


def failed(property_test: Property) -> bool:
    """Whether an example fails."""
    try:
        property_test()
    except AssertionError:
        return True
    return False


def test_an_example_that_failed_is_tried_first() -> None:
    """So a wrong candidate costs two runs of the test, the second to see that it fails again."""
    known = use_examples({}, shrinks=True)
    assert failed(small_property([]))
    tried: list[int] = []
    use_examples(known.as_texts(), shrinks=False)
    assert failed(small_property(tried))
    assert tried == [1000, 1000]


def test_what_one_program_fails_on_is_not_given_to_the_next() -> None:
    """A candidate could else choose what its rivals are tried with."""
    known = use_examples({}, shrinks=True)
    assert failed(small_property([]))
    assert known.found
    assert not any(list(known.fetch(key)) for key in known.found)


def test_the_same_examples_are_drawn_each_time() -> None:
    """A verdict that is asked for again is the same."""
    use_examples({}, shrinks=False)
    runs: list[list[int]] = [[], []]
    for tried in runs:
        small_property(tried, limit=1 << 200)()
    assert runs[0] == runs[1]
    assert len(set(runs[0])) > 5


def test_what_a_test_sets_for_itself_stays() -> None:
    """Its seed and its number of examples are the user's."""
    use_examples({}, shrinks=False)
    tried: list[int] = []

    @seed(7)
    @settings(max_examples=3)
    @given(st.integers())
    def own(number: int) -> None:
        tried.append(number)

    seed_property(own, 0)
    own()
    assert own._hypothesis_internal_use_seed == 7  # type: ignore[attr-defined]
    assert len(tried) <= 3


def test_other_tests_are_left_alone() -> None:
    """Only Hypothesis's functions have a seed."""

    def plain() -> None: ...

    for test in (plain, None):
        seed_property(test, 0)
    assert not vars(plain)


def test_few_and_small_examples_are_kept_the_smallest_first() -> None:
    """They travel with every order."""
    known = KnownExamples({})
    for size in (5000, *range(30, 0, -1)):
        known.save(b"k", bytes(size))
    known.delete(b"k", bytes(3))
    assert known.as_texts() == {"6b": ["00" * size for size in (1, 2, *range(4, 11))]}
