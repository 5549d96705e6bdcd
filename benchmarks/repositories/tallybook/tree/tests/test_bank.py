from datetime import date

import pytest

from tallybook import (
    AccountClosed,
    Bank,
    ConcurrencyError,
    CurrencyMismatch,
    InsufficientFunds,
    LedgerError,
    Money,
    UnknownAccount,
)
from tallybook.errors import DuplicateAccount, InvalidAmount
from tallybook.events import Withdrawn

from .conftest import eur


def test_open_and_deposit(bank):
    assert bank.deposit("A1", eur("10")) == eur("10")
    assert bank.account("A1").owner == "ann"


def test_open_twice(bank):
    with pytest.raises(DuplicateAccount):
        bank.open("A1", "eve", "EUR")


def test_unknown(bank):
    with pytest.raises(UnknownAccount, match="no account 'zz'"):
        bank.deposit("zz", eur("1"))


@pytest.mark.parametrize("amount", [eur("0"), eur("-1")])
def test_amount_must_be_positive(bank, amount):
    with pytest.raises(InvalidAmount):
        bank.deposit("A1", amount)


def test_withdraw_to_the_last_cent(bank):
    bank.deposit("A1", eur("10"))
    assert bank.withdraw("A1", eur("10")) == eur("0")
    with pytest.raises(InsufficientFunds):
        bank.withdraw("A1", eur("0.01"))


def test_overdraft(bank):
    assert bank.withdraw("B1", eur("50")) == eur("-50")
    with pytest.raises(InsufficientFunds) as info:
        bank.withdraw("B1", eur("1"))
    assert info.value.available == eur("0")


class TestTransfer:
    def test_moves(self, bank):
        bank.deposit("A1", eur("10"))
        bank.transfer("A1", "B1", eur("4"))
        assert bank.account("A1").balance == eur("6")
        assert bank.account("B1").balance == eur("4")
        assert bank.store.load("A1")[-1].memo == "to B1"
        assert bank.store.load("B1")[-1].memo == "from A1"

    def test_closed_target_keeps_money(self, bank):
        bank.deposit("A1", eur("10"))
        bank.close("B1")
        with pytest.raises(AccountClosed):
            bank.transfer("A1", "B1", eur("4"))
        assert bank.account("A1").balance == eur("10")

    def test_currencies(self, bank):
        bank.open("U1", "uma", "USD")
        bank.deposit("A1", eur("10"))
        with pytest.raises(CurrencyMismatch, match="EUR to USD"):
            bank.transfer("A1", "U1", eur("4"))

    def test_same_account(self, bank):
        with pytest.raises(InvalidAmount):
            bank.transfer("B1", "B1", eur("4"))

    def test_same_key_once(self, bank):
        bank.deposit("A1", eur("10"))
        for _ in range(2):
            bank.transfer("A1", "B1", eur("8"), key="t-1")
        assert bank.account("A1").balance == eur("2")
        assert bank.account("B1").balance == eur("8")


class TestKeys:
    def test_deposit_once(self, bank):
        bank.deposit("A1", eur("5"), key="k")
        assert bank.deposit("A1", eur("5"), key="k") == eur("5")

    def test_keys_belong_to_an_account(self, bank):
        bank.deposit("A1", eur("5"), key="k")
        assert bank.deposit("B1", eur("5"), key="k") == eur("5")

    def test_repeated_withdrawal_after_balance_is_gone(self, bank):
        bank.deposit("A1", eur("5"))
        bank.withdraw("A1", eur("5"), key="w")
        assert bank.withdraw("A1", eur("5"), key="w") == eur("0")

    def test_no_key_is_no_key(self, bank):
        bank.deposit("A1", eur("5"))
        assert bank.deposit("A1", eur("5")) == eur("10")


class TestHolds:
    def test_hold_blocks(self, bank, clock):
        bank.deposit("A1", eur("10"))
        bank.hold("A1", "hotel", eur("8"), date(2023, 3, 3))
        with pytest.raises(InsufficientFunds):
            bank.withdraw("A1", eur("3"))
        assert bank.withdraw("A1", eur("2")) == eur("8")

    def test_hold_counts_on_last_day_only_until_then(self, bank, clock):
        bank.deposit("A1", eur("10"))
        bank.hold("A1", "hotel", eur("8"), date(2023, 3, 3))
        account = bank.account("A1")
        assert account.available(date(2023, 3, 3)) == eur("2")
        assert account.available(date(2023, 3, 4)) == eur("10")

    def test_hold_needs_funds(self, bank):
        bank.deposit("A1", eur("10"))
        bank.hold("A1", "a", eur("6"), date(2023, 3, 3))
        with pytest.raises(InsufficientFunds):
            bank.hold("A1", "b", eur("6"), date(2023, 3, 3))

    def test_capture(self, bank):
        bank.deposit("A1", eur("10"))
        bank.hold("A1", "hotel", eur("8"), date(2023, 3, 3))
        assert bank.capture("A1", "hotel") == eur("2")
        assert bank.account("A1").available(date(2023, 3, 1)) == eur("2")
        with pytest.raises(LedgerError):
            bank.capture("A1", "hotel")

    def test_release(self, bank):
        bank.deposit("A1", eur("10"))
        bank.hold("A1", "hotel", eur("8"), date(2023, 3, 3))
        bank.release("A1", "hotel")
        bank.release("A1", "hotel")
        assert bank.account("A1").available(date(2023, 3, 1)) == eur("10")


class TestClose:
    def test_needs_empty_account(self, bank):
        bank.deposit("A1", eur("1"))
        with pytest.raises(LedgerError, match="still has 1.00 EUR"):
            bank.close("A1")

    def test_closed_account_refuses(self, bank):
        bank.close("A1")
        bank.close("A1")
        with pytest.raises(AccountClosed):
            bank.deposit("A1", eur("1"))
        assert bank.store.version("A1") == 2


def test_split_deposit(bank):
    bank.open("C1", "cat", "EUR")
    bank.split_deposit(eur("1"), {"A1": 1, "B1": 1, "C1": 1})
    assert [bank.account(n).balance.minor for n in ("A1", "B1", "C1")] == [34, 33, 33]


def test_split_skips_zero_shares(bank):
    bank.split_deposit(eur("1"), {"A1": 1, "B1": 0})
    assert bank.store.version("B1") == 1


class TestSnapshots:
    def test_same_state_as_replay(self, bank, clock):
        for _ in range(11):
            bank.deposit("A1", eur("1"))
        bank.hold("A1", "h", eur("2"), date(2023, 3, 3))
        assert "A1" in bank._snapshots
        fresh = Bank(bank.store, clock)
        ours, theirs = bank.account("A1"), fresh.account("A1")
        assert vars(ours) == vars(theirs)

    def test_loaded_accounts_are_independent(self, bank):
        for _ in range(3):
            bank.deposit("A1", eur("1"))
        first = bank.account("A1")
        first.holds["mine"] = (eur("1"), date(2023, 9, 9))
        first.keys.add("x")
        second = bank.account("A1")
        assert second.holds == {}
        assert second.keys == set()

    def test_stale_account_conflicts(self, bank, clock):
        stale = bank.account("A1")
        bank.deposit("A1", eur("1"))
        with pytest.raises(ConcurrencyError):
            bank._save((stale, [Withdrawn("A1", clock(), eur("1"))]))
