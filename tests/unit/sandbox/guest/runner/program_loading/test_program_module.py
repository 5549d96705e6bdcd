"""Classes whose methods' texts are kept compiled are as they would be without."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterator

import pytest

from regreen.sandbox.guest.runner.program_loading.program_module import keep_class_texts


@pytest.fixture
def kept() -> Iterator[None]:
    """The texts are kept, for the test."""
    keep_class_texts()
    yield
    vars(dataclasses).pop("exec")
    vars(collections).pop("eval")


def made() -> tuple[type, type]:
    """A dataclass and a named tuple, new each time."""

    @dataclasses.dataclass(order=True, frozen=True)
    class Point:
        x: int
        y: list[int] = dataclasses.field(default_factory=list, compare=False)

        def __post_init__(self) -> None:
            assert self.x != 9

    return Point, collections.namedtuple("Pair", "a b", defaults=[2])


def told(point: type, pair: type) -> list[object]:
    """What their methods say."""
    return [
        repr(point(1)), point(1) == point(1, [2]), point(1) < point(2), hash(point(1)), repr(pair(1)), pair(b=1, a=0),
        point.__init__.__annotations__.keys(), pair.__new__.__doc__,
    ]  # fmt: skip


@pytest.mark.usefixtures("kept")
def test_classes_made_again_are_apart_and_do_the_same() -> None:
    """Each has functions of its own, with defaults of its own."""
    (point, pair), (other, twin) = made(), made()
    assert told(point, pair)[1:] == told(other, twin)[1:]
    assert point.__init__ is not other.__init__
    assert point.__init__.__code__ is other.__init__.__code__
    assert point(1).y is not other(1).y
    with pytest.raises(dataclasses.FrozenInstanceError):
        point(1).x = 2


def test_they_do_what_they_do_where_nothing_is_kept(kept: None) -> None:
    """To call it again changes nothing."""
    with_texts = told(*made())
    keep_class_texts()
    assert told(*made()) == with_texts
    vars(dataclasses).pop("exec")
    vars(collections).pop("eval")
    assert told(*made()) == with_texts
    keep_class_texts()
