"""Looking at a value runs nothing of its own."""

from __future__ import annotations

from types import FunctionType

from regreen.sandbox.guest.runner.lazy_values import attributes_of, is_plainly


class Lazy:
    """Stands for something that cannot be made yet, as Django's settings before they are configured."""

    def __getattribute__(self, name: str) -> object:
        raise RuntimeError(f"not configured: {name}")


def test_a_lazy_value_is_of_the_class_that_it_has() -> None:
    """And is not asked for the one of what it stands for."""
    assert not is_plainly(Lazy(), FunctionType)
    assert is_plainly(Lazy(), Lazy)


def test_subclasses_count() -> None:
    """As for `isinstance`."""
    assert is_plainly(True, int)
    assert is_plainly(Lazy, type)


def test_attributes_are_read_past_the_class() -> None:
    """What has none has no dict."""
    assert attributes_of(Lazy()) == {}
    assert attributes_of(1) is None
