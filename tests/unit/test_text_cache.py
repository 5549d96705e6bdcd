"""What was worked out of texts is remembered, up to so many characters."""

from __future__ import annotations

import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.text_cache import cached_by_text

MOST = 12


@given(st.lists(st.text("abc", max_size=MOST + 3), max_size=40))
def test_the_texts_asked_for_last_are_worked_out_once(asked: list[str]) -> None:
    """As many of them as have room together; each is answered as if nothing were remembered."""
    worked_out: list[str] = []

    @cached_by_text(MOST)
    def upper(text: str) -> str:
        worked_out.append(text)
        return text.upper()

    known: OrderedDict[str, None] = OrderedDict()
    for text in asked:
        before = len(worked_out)
        assert upper(text) == text.upper()
        assert (len(worked_out) == before) == (text in known)
        if len(text) <= MOST:
            known[text] = None
            known.move_to_end(text)
        while sum(map(len, known)) > MOST:
            known.popitem(last=False)


def test_what_raises_is_not_remembered() -> None:
    """The second time may go well."""
    faults = [ValueError("not yet")]

    @cached_by_text(MOST)
    def length(text: str) -> int:
        if faults:
            raise faults.pop()
        return len(text)

    with pytest.raises(ValueError, match="not yet"):
        length("abc")
    assert length("abc") == 3


def test_all_who_ask_share_one_answer_until_it_is_forgotten() -> None:
    """From any thread."""

    @cached_by_text(1_000)
    def made(text: str) -> list[str]:
        return [text]

    first = made("a")
    with ThreadPoolExecutor(4) as threads:
        assert all(found is first for found in threads.map(made, ["a"] * 50))
    made.clear()
    assert made("a") is not first


def test_a_text_that_two_threads_work_out_at_once_takes_its_room_once() -> None:
    """Another still has room beside it."""
    both = threading.Barrier(2, timeout=10)

    @cached_by_text(4)
    def made(text: str) -> list[str]:
        if text == "abc":
            both.wait()
        return [text]

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(made, ["abc", "abc"]))
    short = made("x")
    assert made("abc") is made("abc")
    assert made("x") is short
