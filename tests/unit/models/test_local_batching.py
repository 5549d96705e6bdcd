"""The queue before a local model, with a generator that writes letters."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from waiting import wait_for

from regreen.errors import ModelError
from regreen.models.contract import Finish
from regreen.models.local.batching import Batcher, OutOfMemory, group_by_length
from regreen.models.local.generation import BatchRow, GenerationRequest, IncrementalDecoder

END = 0


def spell(tokens: Sequence[int]) -> str:
    """Tokens as the letters that they number."""
    return "".join(map(chr, tokens))


def row(limit: int = 5, *, prompt: int = 3, stops: tuple[str, ...] = ()) -> BatchRow:
    """A request for `limit` letters."""
    return BatchRow(GenerationRequest(tuple(range(65, 65 + prompt)), limit, stops=stops), spell, frozenset({END}))


class Letters:
    """A generator whose rows each write on from the letter that their prompt ends with."""

    def __init__(self, room: int = 1000) -> None:
        self.room = room
        self.rows: list[BatchRow] = []
        self.sizes: list[int] = []
        self.joins: list[int] = []
        self.closed = self.overflowed = False
        self.hold = threading.Event()
        self.hold.set()
        self.wound: Callable[[], None] = lambda: None

    def join(self, rows: Sequence[BatchRow]) -> None:
        if len(self.rows) + len(rows) > self.room:
            self._overflow()
        self.wound()
        self.joins.append(len(rows))
        self.rows.extend(rows)
        self._write(rows)

    def step(self) -> None:
        self.hold.wait(10)
        self.wound()
        self.sizes.append(len(self.rows))
        if len(self.rows) > self.room:
            self._overflow()
        self._write(self.rows)

    def _overflow(self) -> None:
        self.overflowed = True
        raise OutOfMemory

    def keep(self, rows: Sequence[BatchRow]) -> None:
        self.rows = [row for row in self.rows if row in rows]

    def clear(self) -> None:
        self.rows = []

    def close(self) -> None:
        self.closed = True

    def _write(self, rows: Sequence[BatchRow]) -> None:
        for each in rows:
            assert not each.done
            each.take(each.context[-1] + 1)


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def batcher(letters: Letters) -> Iterator[Batcher]:
    batcher = Batcher(letters, most=8)
    yield batcher
    letters.hold.set()
    batcher.close()


def ask_all(batcher: Batcher, rows: Sequence[BatchRow]) -> list[str]:
    """Ask for all at once, each from a thread of its own."""
    with ThreadPoolExecutor(len(rows)) as threads:
        return [written.text for written in threads.map(batcher.ask, rows)]


def test_requests_of_many_threads_are_generated_together(batcher: Batcher, letters: Letters) -> None:
    """All get their own replies, in fewer steps than they have tokens, and never more than allowed at once."""
    rows = [row(20 + number % 3) for number in range(24)]
    assert ask_all(batcher, rows) == [spell(range(68, 88 + number % 3)) for number in range(24)]
    assert 4 < max(letters.sizes) <= 8
    assert len(letters.sizes) < 24 * 10


def test_a_late_request_joins_a_batch_that_runs(batcher: Batcher, letters: Letters) -> None:
    """It need not wait for those before it to end."""
    letters.hold.clear()
    with ThreadPoolExecutor(2) as threads:
        long = threads.submit(batcher.ask, row(1000))
        wait_for(lambda: bool(letters.joins))
        short = threads.submit(batcher.ask, row(2))
        wait_for(lambda: bool(batcher._waiting))
        letters.hold.set()
        assert short.result(10).text == "DE"
        assert long.result(10).tokens == 1000
    assert {1, 2} <= set(letters.sizes)


@pytest.mark.parametrize("room", [1, 2, 3, 5])
def test_a_batch_that_does_not_fit_is_tried_smaller_and_nothing_is_lost(room: int) -> None:
    """Memory that suffices for some rows suffices for all, one batch after the other."""
    letters = Letters(room)
    batcher = Batcher(letters, most=8)
    try:
        rows = [row(10, prompt=3 + 40 * (number % 3)) for number in range(12)]
        assert ask_all(batcher, rows) == [spell(range(65 + n, 75 + n)) for n in (len(r.order.prompt) for r in rows)]
        assert batcher.most <= max(4, room) or not letters.overflowed
    finally:
        batcher.close()


def test_a_batch_that_grows_too_large_goes_on_from_its_text(batcher: Batcher, letters: Letters) -> None:
    """Memory that runs out in the middle costs no token: half goes on at once, the rest later."""
    shrinks = iter([8] * 5 + [2] * 1000)
    letters.wound = lambda: setattr(letters, "room", next(shrinks))
    assert ask_all(batcher, [row(30) for _ in range(8)]) == [spell(range(68, 98))] * 8
    assert batcher.most <= 4


def test_memory_that_does_not_suffice_for_one_row_is_an_error_with_a_remedy(letters: Letters) -> None:
    """The queue goes on with the next."""
    letters.room = 0
    batcher = Batcher(letters, most=8)
    with pytest.raises(ModelError, match="memory") as raised:
        batcher.ask(row())
    assert "smaller model" in raised.value.remedy
    letters.room = 8
    assert batcher.ask(row(2)).text == "DE"
    batcher.close()


def test_a_failure_of_the_model_reaches_whoever_asked_and_ends_nothing(batcher: Batcher, letters: Letters) -> None:
    """Each gets an error of its own, and the next request is served."""
    letters.wound = lambda: (_ for _ in ()).throw(IndexError("odd"))
    for _ in range(2):
        with pytest.raises(ModelError, match="IndexError: odd"):
            batcher.ask(row())
    letters.wound = lambda: None
    assert batcher.ask(row(2)).text == "DE"


def test_a_failure_in_the_middle_of_a_reply_is_told_too(batcher: Batcher, letters: Letters) -> None:
    """A step that fails fails its rows, and clears the batch."""
    rounds = iter([None, None, IndexError("odd"), *[None] * 1000])

    def wound() -> None:
        error = next(rounds)
        if error:
            raise error

    letters.wound = wound
    with pytest.raises(ModelError, match="odd"):
        batcher.ask(row())
    assert letters.rows == []
    assert batcher.ask(row(2)).text == "DE"


def test_closing_tells_who_waits_and_who_comes(batcher: Batcher, letters: Letters) -> None:
    """Rows at work and rows in the queue fail; so does whoever asks afterwards. Closing twice is no error."""
    with ThreadPoolExecutor(12) as threads:
        asked = [threads.submit(batcher.ask, row(10**6)) for _ in range(12)]
        wait_for(lambda: sum(letters.joins) == 8)
        closing = threading.Thread(target=batcher.close)
        closing.start()
        for future in asked:
            with pytest.raises(ModelError, match="closed"):
                future.result(10)
        closing.join(10)
    assert letters.closed
    batcher.close()
    with pytest.raises(ModelError, match="closed"):
        batcher.ask(row())


def test_a_row_that_nobody_waits_for_leaves_the_batch(batcher: Batcher, letters: Letters) -> None:
    """An interrupted request does not go on at others' cost."""
    letters.hold.clear()
    lost = row(10**6)
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(batcher.ask, lost)
        wait_for(lambda: bool(letters.joins))
        lost.abandoned = True
        letters.hold.set()
        wait_for(lambda: not letters.rows)
        lost.fail(ModelError("interrupted"))
        assert isinstance(asked.exception(10), ModelError)
    assert batcher.ask(row(2)).text == "DE"


def test_an_interrupt_ends_the_wait_and_the_work(batcher: Batcher, letters: Letters) -> None:
    """Ctrl-C reaches whoever waits, and the row is given up."""
    letters.hold.clear()
    main = threading.main_thread().ident
    assert main is not None

    def interrupt() -> None:
        wait_for(lambda: bool(letters.joins))
        signal.pthread_kill(main, signal.SIGINT)

    patience = threading.Thread(target=interrupt)
    patience.start()
    with pytest.raises(KeyboardInterrupt):
        batcher.ask(row(10**6))
    letters.hold.set()
    wait_for(lambda: not letters.rows)
    patience.join(10)


def test_an_interrupt_before_the_wait_ends_the_work_as_well(
    batcher: Batcher, letters: Letters, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C between the moment in which a row is handed over and that in which its reply is waited for."""
    hand_over = batcher._changed.notify

    def interrupted() -> None:
        hand_over()
        raise KeyboardInterrupt

    letters.hold.clear()
    monkeypatch.setattr(batcher._changed, "notify", interrupted)
    with pytest.raises(KeyboardInterrupt):
        batcher.ask(row(10**6))
    monkeypatch.undo()
    letters.hold.set()
    assert batcher.ask(row(2)).text == "DE"
    wait_for(lambda: not letters.rows)


def test_the_room_for_tokens_limits_a_batch() -> None:
    """Rows wait while prompt and reply of all could grow beyond it; one that is too long alone is let in."""
    letters = Letters()
    batcher = Batcher(letters, most=8, room=40)
    try:
        ask_all(batcher, [row(10) for _ in range(9)])
        assert max(letters.sizes) == 3
        assert batcher.ask(row(100)).tokens == 100
    finally:
        batcher.close()


@pytest.mark.parametrize(
    ("limit", "stops", "text", "finish"),
    [(3, (), "DEF", Finish.LENGTH), (3, ("EF",), "D", Finish.STOP), (9, ("ZZ",), "DEFGHIJKL", Finish.LENGTH)],
)
def test_a_reply_says_why_it_ended(
    batcher: Batcher, limit: int, stops: tuple[str, ...], text: str, finish: str
) -> None:
    """At its limit or at a stop text, which it does not hold."""
    written = batcher.ask(row(limit, stops=stops))
    assert (written.text, written.finish) == (text, finish)


def test_a_reply_that_the_model_ends_holds_no_mark_of_it() -> None:
    """The token that ends a reply is counted, but it is no text; tokens that are hidden are none either."""
    one = BatchRow(GenerationRequest((1,), 9), spell, frozenset({END}), hidden=frozenset({7}))
    for token in (72, 7, 105, END):
        one.take(token)
    one.deliver()
    written = one.future.result(0)
    assert (written.text, written.tokens, written.finish) == ("Hi", 4, Finish.STOP)


def test_groups_are_alike_and_not_too_large() -> None:
    """Every row is in one group; what is padded stays less than what counts, and no group is too much at once."""
    rows = [row(prompt=length) for length in (3000, 10, 12, 2900, 200, 210, 3000, 11)]
    groups = group_by_length(rows)
    assert sorted(map(len, rows)) == [len(each) for group in groups for each in group]
    for group in groups:
        assert len(group[-1]) <= 1.5 * len(group[0]) + 32
    assert [len(group) for group in groups] == [3, 2, 2, 1]
    long, longer = (
        [len(group) for group in group_by_length([row(prompt=n) for _ in range(200)])] for n in (1000, 2000)
    )
    assert sum(long) == sum(longer) == 200
    assert max(longer) <= max(long) / 2 < 100, "twice as long, half as many at once"


def test_a_character_of_several_tokens_comes_whole() -> None:
    """Bytes of one character are held back until it is complete, or the reply ends."""
    reader = IncrementalDecoder(lambda tokens: bytes(tokens).decode("utf-8", errors="replace"))
    pieces = [reader.feed(byte) for byte in "aé€🙂z".encode()]
    assert "".join(pieces) == "aé€🙂z"
    assert not any("\N{REPLACEMENT CHARACTER}" in piece for piece in pieces)
    assert reader.feed("é".encode()[0]) == ""
    assert reader.rest() == "\N{REPLACEMENT CHARACTER}"


def test_the_dice_depend_on_the_seed_and_the_place_alone() -> None:
    """Rows of one seed draw alike, of another seed otherwise, and every token draws anew."""

    def drawn(seed: int | None) -> list[float]:
        each = BatchRow(GenerationRequest((1,), 9, seed=seed), spell)
        numbers = []
        for token in (70, 71, 72):
            numbers.append(each.draw)
            each.take(token)
        return numbers

    assert drawn(5) == drawn(5)
    assert len({*drawn(5), *drawn(6), *drawn(None), *drawn(None)}) == 12
