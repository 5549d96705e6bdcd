import json
from datetime import date, datetime, timedelta, timezone

import pytest

from tallybook import ConcurrencyError, FileStore, MemoryStore, Money
from tallybook.errors import CorruptStore
from tallybook.events import Closed, Deposited, HoldPlaced, Opened, from_record, to_record

T0 = datetime(2023, 1, 1, tzinfo=timezone.utc)


def opened(number="A"):
    return Opened(number, T0, "ann", "EUR")


def paid(minor, number="A"):
    return Deposited(number, T0, Money(minor, "EUR"))


class TestMemory:
    def test_versions(self):
        store = MemoryStore()
        assert store.append("A", [opened(), paid(1)], 0) == 2
        assert store.append("A", [paid(2)], 2) == 3
        assert store.load("A", after=2) == [paid(2)]
        assert store.load("zzz") == []

    def test_conflict(self):
        store = MemoryStore()
        store.append("A", [opened()], 0)
        with pytest.raises(ConcurrencyError) as info:
            store.append("A", [paid(1)], 0)
        assert (info.value.expected, info.value.actual) == (0, 1)

    def test_batches_are_all_or_nothing(self):
        store = MemoryStore()
        store.append("B", [opened("B")], 0)
        with pytest.raises(ConcurrencyError):
            store.append_many([("A", [opened()], 0), ("B", [paid(1, "B")], 0)])
        assert store.streams() == ["B"]
        assert len(store.all()) == 1

    def test_global_order(self):
        store = MemoryStore()
        store.append("B", [opened("B")], 0)
        store.append("A", [opened()], 0)
        store.append("B", [paid(3, "B")], 1)
        assert [e.account for e in store.all()] == ["B", "A", "B"]
        assert store.all(after=2) == [paid(3, "B")]

    def test_subscribe(self):
        store = MemoryStore()
        store.append("A", [opened()], 0)
        with_past, without = [], []
        store.subscribe(with_past.append)
        cancel = store.subscribe(without.append, replay=False)
        store.append("A", [paid(1)], 1)
        cancel()
        store.append("A", [paid(2)], 2)
        assert with_past == [opened(), paid(1), paid(2)]
        assert without == [paid(1)]

    def test_loaded_list_is_a_copy(self):
        store = MemoryStore()
        store.append("A", [opened()], 0)
        store.load("A").clear()
        store.all().clear()
        assert store.load("A") == store.all() == [opened()]


class TestRecords:
    @pytest.mark.parametrize(
        "event",
        [
            opened(),
            Deposited("A", T0, Money(5, "EUR"), "zażółć", "k1"),
            HoldPlaced("A", T0, "h", Money(5, "EUR"), date(2023, 2, 1)),
            Closed("A", T0, "moved"),
        ],
    )
    def test_round_trip(self, event):
        assert from_record(json.loads(json.dumps(to_record(event)))) == event

    def test_times_become_utc(self):
        local = datetime(2023, 1, 1, 1, 30, tzinfo=timezone(timedelta(hours=2)))
        assert to_record(Closed("A", local))["at"] == "2022-12-31T23:30:00+00:00"
        record = {"kind": "Closed", "account": "A", "at": "2023-01-01T01:30:00+02:00"}
        assert from_record(record).at.date() == date(2022, 12, 31)

    def test_old_records_without_zone(self):
        event = from_record({"kind": "Closed", "account": "A", "at": "2023-01-01T00:00:00"})
        assert event.at == T0

    @pytest.mark.parametrize("record", [{"kind": "Nope"}, {}, {"kind": "Deposited", "account": "A"}])
    def test_corrupt(self, record):
        with pytest.raises(CorruptStore):
            from_record(record)


class TestFile:
    def test_reopen(self, tmp_path):
        path = tmp_path / "log"
        FileStore(path).append("A", [opened(), paid(7)], 0)
        again = FileStore(path)
        assert again.load("A") == [opened(), paid(7)]
        again.append("A", [paid(8)], 2)
        assert FileStore(path).version("A") == 3

    def test_conflict_is_not_written(self, tmp_path):
        path = tmp_path / "log"
        store = FileStore(path)
        store.append("A", [opened()], 0)
        with pytest.raises(ConcurrencyError):
            store.append("A", [paid(1)], 5)
        assert FileStore(path).version("A") == 1

    def test_torn_line_is_dropped(self, tmp_path):
        path = tmp_path / "log"
        store = FileStore(path)
        store.append("A", [opened()], 0)
        with open(path, "a", encoding="utf-8") as stream:
            stream.write('{"kind": "Depo')
        store = FileStore(path)
        assert store.version("A") == 1
        store.append("A", [paid(1)], 1)
        assert FileStore(path).load("A") == [opened(), paid(1)]

    def test_broken_line(self, tmp_path):
        path = tmp_path / "log"
        path.write_text("{}}\n")
        with pytest.raises(CorruptStore, match="line 1"):
            FileStore(path)

    def test_text_is_readable(self, tmp_path):
        path = tmp_path / "log"
        FileStore(path).append("A", [Closed("A", T0, "żółw")], 0)
        assert "żółw" in path.read_text(encoding="utf-8")
