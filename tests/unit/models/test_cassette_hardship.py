"""Tapes in bad company: killed writers, many threads, other people's files, and disks that are full."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from regreen.errors import RunError, RunStorageError
from regreen.models import Message, Reply, Request
from regreen.models.cassette import cached, recording, replaying, tape_file, tape_rows, tape_summary
from regreen.models.scripted import ReplySpec, Script, ScriptedModel


@pytest.fixture
def tape(tmp_path: Path) -> Path:
    return tmp_path / "cassette.sqlite"


def a_request(text: str = "hello", turn: int = 0, scope: str = "a#0") -> Request:
    return Request((Message("user", text),), scope=scope, turn=turn)


def record(path: Path, *requests: Request) -> None:
    model = recording(ScriptedModel(Script(default=ReplySpec("ok"))), path)
    try:
        for request in requests:
            model.ask(request)
    finally:
        model.close()


def edited(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_many_threads_share_a_tape(tape: Path) -> None:
    """64 at once record, and play back, each its own."""
    model = recording(ScriptedModel(lambda body: ReplySpec(body["messages"][0]["content"])), tape)

    def repair(number: int, model: object = model) -> list[str]:
        requests = [a_request(f"{number} {turn}", turn, f"task/{number}#0") for turn in range(5)]
        return [model.ask(request).text for request in requests]  # type: ignore[attr-defined]

    expected = [[f"{number} {turn}" for turn in range(5)] for number in range(128)]
    with ThreadPoolExecutor(64) as threads:
        assert list(threads.map(repair, range(128))) == expected
        model.close()
        player = replaying(tape)
        assert list(threads.map(lambda number: repair(number, player), range(128))) == expected
        player.close()
    assert tape_summary(tape).turns == 640


def test_recording_costs_little(tape: Path) -> None:
    """Under half a millisecond of processor time a turn, and as little to play it back, at the best of three."""
    text = "def f(x):\n    return x\n" * 100
    requests = [a_request(text + str(turn), turn) for turn in range(100)]

    def seconds(model: object) -> float:
        started = time.process_time()
        for request in requests:
            model.ask(request)  # type: ignore[attr-defined]
        return (time.process_time() - started) / len(requests)

    bare = ScriptedModel(Script(default=ReplySpec(text)))
    recorder = recording(bare, tape)
    assert min(seconds(recorder) for _ in range(3)) - min(seconds(bare) for _ in range(3)) < 0.0005
    recorder.close()
    player = replaying(tape)
    assert min(seconds(player) for _ in range(3)) < 0.0005
    player.close()


OPENERS: dict[str, Callable[[Path], object]] = {
    "replay": replaying,
    "record": lambda path: recording(ScriptedModel(Script()), path),
    "cache": lambda path: cached(ScriptedModel(Script()), path),
    "summary": tape_summary,
    "rows": lambda path: list(tape_rows(path)),
}


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("content", [b"no database at all, " * 100, b"SQLite format 3\0" + bytes(range(256)) * 8])
def test_a_file_that_is_no_database_is_refused(tape: Path, opener: str, content: bytes) -> None:
    """And left as it was."""
    tape.write_bytes(content)
    with pytest.raises(RunError) as raised:
        OPENERS[opener](tape)
    assert str(tape) in str(raised.value)
    assert raised.value.remedy
    assert tape.read_bytes() == content


@pytest.mark.parametrize("opener", OPENERS)
def test_somebody_else_s_database_is_refused(tape: Path, opener: str) -> None:
    """It is not written to."""
    edited(tape, "CREATE TABLE theirs (x)")
    before = tape.read_bytes()
    with pytest.raises(RunError, match="is no tape of a run"):
        OPENERS[opener](tape)
    assert tape.read_bytes() == before


@pytest.mark.parametrize("opener", OPENERS)
def test_a_tape_of_another_schema_is_refused(tape: Path, opener: str) -> None:
    """Neither read wrongly nor written over."""
    record(tape, a_request())
    edited(tape, "PRAGMA user_version = 99")
    with pytest.raises(RunError, match=r"has schema 99 of tapes"):
        OPENERS[opener](tape)


def test_a_tape_that_is_not_there_is_not_made_by_looking_for_it(tape: Path) -> None:
    """Only who records makes one."""
    with pytest.raises(RunError, match="There is no tape"):
        replaying(tape)
    assert not tape.exists()
    with pytest.raises(RunError, match="cannot be opened"):
        recording(ScriptedModel(Script()), tape.parent / "nowhere" / "cassette.sqlite")
    with pytest.raises(RunError, match="is a folder"):
        replaying(tape.parent)


def test_an_empty_file_is_a_new_tape_to_who_records(tape: Path) -> None:
    """What a writer leaves that was killed before it began."""
    tape.touch()
    with pytest.raises(RunError, match="is no tape"):
        replaying(tape)
    record(tape, a_request())
    assert tape_summary(tape).turns == 1


def test_pages_that_are_damaged_are_an_error_of_ours(tape: Path) -> None:
    """Whatever SQLite stumbles over in the middle of the file."""
    record(tape, *(a_request("x" * 3000 + str(turn), turn) for turn in range(50)))
    content = bytearray(tape.read_bytes())
    content[8192:] = b"\xa5" * (len(content) - 8192)
    tape.write_bytes(content)
    with pytest.raises(RunError, match="damaged") as raised:
        list(tape_rows(tape))
    assert "Move it away" in raised.value.remedy


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("reply", "{"),
        ("reply", "[]"),
        ("reply", '{"text": "a", "surprise": 1}'),
        ("reply", '{"text": "a", "tool_calls": [3]}'),
        ("reply", '{"text": "a", "usage": 3}'),
        ("request", "3"),
        ("request", "[1, {}]"),
        ("request", '["m", {"messages": [{"role": "user"}]}]'),
    ],
)
def test_entries_that_are_none_of_ours_are_an_error_of_ours(tape: Path, column: str, value: str) -> None:
    """A tape that somebody edited."""
    record(tape, a_request())
    edited(tape, f"UPDATE exchanges SET {column} = '{value}'")
    with pytest.raises(RunError, match="cannot be understood"):
        list(tape_rows(tape))


def test_an_entry_with_neither_reply_nor_error_is_an_error_of_ours(tape: Path) -> None:
    """On playing back as well."""
    record(tape, a_request())
    edited(tape, "UPDATE exchanges SET reply = NULL")
    with closing(replaying(tape)) as model, pytest.raises(RunError, match="cannot be understood"):
        model.ask(a_request())


def test_a_tape_that_somebody_holds_is_waited_for_and_then_said_so(tape: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process that writes at once is let go first; one that never ends is named."""
    record(tape, a_request())
    monkeypatch.setattr(tape_file, "BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(tape, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(RunError, match="in use by another process"):
            tape_summary(tape)
        with pytest.raises(RunError, match="in use by another process"):
            record(tape, a_request())
        holder.execute("ROLLBACK")


def test_a_disk_that_is_full_is_told_as_such(tape: Path) -> None:
    """The turn is not half on the tape, and those before it stay."""
    model = recording(ScriptedModel(Script(default=ReplySpec("x" * 10_000))), tape)
    model.ask(a_request())
    connection = model._tape._connection  # type: ignore[attr-defined]
    connection.execute(f"PRAGMA max_page_count = {connection.execute('PRAGMA page_count').fetchone()[0]}")
    with pytest.raises(RunStorageError, match="cannot be written"):
        model.ask(a_request("more", 1))
    connection.execute("PRAGMA max_page_count = 100000")
    model.ask(a_request("more", 1))
    model.close()
    assert [row.turn for row in tape_rows(tape)] == [0, 1]


def test_a_tape_can_be_read_while_it_is_written(tape: Path) -> None:
    """A report of a run that is under way."""
    model = recording(ScriptedModel(Script(default=ReplySpec("ok"))), tape)
    model.ask(a_request())
    assert tape_summary(tape).turns == 1
    rows = tape_rows(tape)
    assert isinstance(next(rows).reply, Reply)
    model.ask(a_request("x", 1))
    rows.close()  # type: ignore[attr-defined]
    model.close()


def test_two_recorders_of_one_file_do_not_lose_each_other_s_turns(tape: Path) -> None:
    """A cache that two runs share."""
    models = [cached(ScriptedModel(lambda body: ReplySpec(body["messages"][0]["content"])), tape) for _ in range(2)]

    def ask(number: int) -> str:
        return models[number % 2].ask(a_request(str(number), scope=f"{number}#0")).text

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ask, range(100))) == [str(number) for number in range(100)]
    for model in models:
        model.close()
    assert tape_summary(tape).turns == 100
