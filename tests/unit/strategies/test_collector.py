"""The garbage collector while repairs are under way."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from regreen.strategies.collector import rare_collections

YOUNG_OBJECTS = 50_000


@pytest.fixture(autouse=True)
def put_back() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def test_a_block_leaves_what_it_found() -> None:
    gc.set_threshold(700, 10, 10)
    with rare_collections():
        assert gc.get_threshold() == (YOUNG_OBJECTS, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


def test_of_several_blocks_at_once_the_last_to_end_puts_it_back() -> None:
    gc.set_threshold(700, 10, 10)
    first, second = rare_collections(), rare_collections()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert gc.get_threshold()[0] == YOUNG_OBJECTS
    second.__exit__(None, None, None)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("young", [0, 10 * YOUNG_OBJECTS])
def test_who_wants_no_collections_or_rarer_ones_keeps_that(young: int) -> None:
    gc.set_threshold(young, 10, 10)
    with rare_collections():
        assert gc.get_threshold() == (young, 10, 10)
    assert gc.get_threshold() == (young, 10, 10)
