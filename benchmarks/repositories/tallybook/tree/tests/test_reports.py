from datetime import date, datetime, timedelta, timezone

import pytest

from tallybook import Bank, Money
from tallybook.projections import Balances, DailyTurnover, LastSeen
from tallybook.statement import statement

from .conftest import eur


@pytest.fixture
def busy(bank, clock):
    bank.deposit("A1", eur("100"), "salary")
    clock.advance(days=1)
    bank.withdraw("A1", eur("30"), "rent")
    clock.advance(days=1)
    bank.transfer("A1", "B1", eur("20"), "gift")
    clock.advance(days=3)
    bank.deposit("A1", eur("1"), "interest, monthly")
    return bank


class TestStatement:
    def test_middle(self, busy):
        found = statement(busy.store, "A1", date(2023, 3, 2), date(2023, 3, 3))
        assert found.opening == eur("100")
        assert [(l.day.day, l.amount, l.balance) for l in found.lines] == [
            (2, eur("-30"), eur("70")),
            (3, eur("-20"), eur("50")),
        ]
        assert found.closing == eur("50")

    def test_without_lines(self, busy):
        found = statement(busy.store, "A1", date(2023, 3, 4), date(2023, 3, 5))
        assert found.lines == []
        assert found.opening == found.closing == eur("50")

    def test_totals(self, busy):
        found = statement(busy.store, "A1", date(2023, 3, 1), date(2023, 3, 31))
        assert found.totals() == (eur("101"), eur("-50"))

    def test_wrong_order(self, busy):
        with pytest.raises(ValueError):
            statement(busy.store, "A1", date(2023, 3, 2), date(2023, 3, 1))

    def test_text(self, busy):
        found = statement(busy.store, "A1", date(2023, 3, 2), date(2023, 3, 2))
        assert found.text() == (
            "            opening balance        100.00 EUR\n"
            "2023-03-02  rent                   -30.00 EUR\n"
            "            closing balance         70.00 EUR"
        )

    def test_csv_quotes(self, busy):
        found = statement(busy.store, "A1", date(2023, 3, 5), date(2023, 3, 9))
        assert found.csv() == 'day,memo,amount,balance\n2023-03-06,"interest, monthly",100,5100\n'


class TestBalances:
    def test_follows_store(self, busy):
        balances = Balances(busy.store)
        assert balances.total("EUR") == eur("71")
        busy.deposit("B1", eur("9"))
        assert balances.by_account == {"A1": eur("51"), "B1": eur("29")}
        assert balances.total("USD") == Money(0, "USD")

    def test_closing_forgets(self, bank):
        bank.open("A2", "ann", "EUR")
        balances = Balances(bank.store)
        bank.close("A1")
        assert balances.of_owner("ann") == {"A2": eur("0")}
        bank.close("A2")
        assert balances.of_owner("ann") == {}
        assert sorted(balances.owners) == ["bob"]

    def test_richest(self, bank):
        for number in ("D1", "C1"):
            bank.open(number, "x", "EUR")
            bank.deposit(number, eur("5"))
        bank.deposit("A1", eur("7"))
        assert Balances(bank.store).richest("EUR") == ["A1", "C1", "D1"]


class TestTurnover:
    def test_per_day(self, busy):
        turnover = DailyTurnover(busy.store)
        assert turnover.on(date(2023, 3, 3), "EUR") == (eur("20"), eur("20"))
        assert turnover.on(date(2023, 3, 4), "EUR") == (eur("0"), eur("0"))
        assert [d.day for d in turnover.days("EUR")] == [1, 2, 3, 6]

    def test_zone(self, bank, clock):
        clock.now = datetime(2023, 3, 1, 23, 30, tzinfo=timezone.utc)
        bank.deposit("A1", eur("1"))
        turnover = DailyTurnover(bank.store, timezone(timedelta(hours=1)))
        assert turnover.days("EUR") == [date(2023, 3, 2)]


def test_dormant(busy, clock):
    seen = LastSeen(busy.store)
    assert seen.dormant(datetime(2023, 3, 5)) == ["B1"]
    assert seen.dormant(datetime(2023, 4, 1, tzinfo=timezone.utc)) == ["A1", "B1"]


def test_last_seen_forgets_closed(bank):
    seen = LastSeen(bank.store)
    bank.close("A1")
    assert list(seen.last) == ["B1"]


def test_local_clock_is_stored_as_utc():
    local = datetime(2023, 3, 2, 0, 30, tzinfo=timezone(timedelta(hours=1)))
    bank = Bank(clock=lambda: local)
    bank.open("A", "ann", "EUR")
    bank.deposit("A", eur("1"))
    assert [l.day for l in statement(bank.store, "A", date(2023, 3, 1), date(2023, 3, 1)).lines] == [
        date(2023, 3, 1)
    ]
