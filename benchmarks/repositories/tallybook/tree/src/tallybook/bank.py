"""The service that ties accounts and store together."""
from datetime import datetime, timezone

from .account import Account
from .errors import CurrencyMismatch, DuplicateAccount, InvalidAmount, UnknownAccount
from .events import Opened, utc
from .store import MemoryStore


def _now():
    return datetime.now(timezone.utc)


class Bank:
    def __init__(self, store=None, clock=_now, snapshot_every=50):
        self.store = MemoryStore() if store is None else store
        self.clock = clock
        self.snapshot_every = snapshot_every
        self._snapshots = {}

    def _at(self):
        return utc(self.clock())

    # -- loading and saving -------------------------------------------------
    def account(self, number):
        """The current state of an account; yours to change."""
        if not self.store.version(number):
            raise UnknownAccount(number)
        saved = self._snapshots.get(number)
        account = saved.snapshot() if saved else Account(number)
        account.replay(self.store.load(number, after=account.version))
        return account

    def _save(self, *changes):
        changes = [(account, events) for account, events in changes if events]
        self.store.append_many(
            [(account.number, events, account.version) for account, events in changes]
        )
        for account, events in changes:
            before = account.version
            account.replay(events)
            if before // self.snapshot_every != account.version // self.snapshot_every:
                self._snapshots[account.number] = account.snapshot()

    # -- commands -----------------------------------------------------------
    def open(self, number, owner, currency, overdraft=0):
        if self.store.version(number):
            raise DuplicateAccount("account %s exists" % number)
        if overdraft < 0:
            raise InvalidAmount("overdraft must not be negative")
        account = Account(number)
        self._save((account, [Opened(number, self._at(), owner, currency, overdraft)]))
        return account

    def deposit(self, number, amount, memo="", key=""):
        account = self.account(number)
        self._save((account, account.deposit(amount, self._at(), memo, key)))
        return account.balance

    def withdraw(self, number, amount, memo="", key=""):
        account = self.account(number)
        self._save((account, account.withdraw(amount, self._at(), memo, key)))
        return account.balance

    def transfer(self, source, target, amount, memo="", key=""):
        """Move money; both sides are written or none."""
        if source == target:
            raise InvalidAmount("source and target are the same account")
        giver, taker = self.account(source), self.account(target)
        if giver.currency != taker.currency:
            raise CurrencyMismatch("%s to %s" % (giver.currency, taker.currency))
        at = self._at()
        out = giver.withdraw(amount, at, memo or "to %s" % target, key)
        into = taker.deposit(amount, at, memo or "from %s" % source, key)
        self._save((giver, out), (taker, into))

    def split_deposit(self, amount, weights, memo=""):
        """Share an amount among accounts: ``{number: weight}``."""
        at = self._at()
        changes = []
        for (number, _), share in zip(weights.items(), amount.allocate(weights.values())):
            if share:
                account = self.account(number)
                changes.append((account, account.deposit(share, at, memo)))
        self._save(*changes)

    def hold(self, number, name, amount, until):
        account = self.account(number)
        self._save((account, account.hold(name, amount, until, self._at())))

    def capture(self, number, name, memo=""):
        account = self.account(number)
        self._save((account, account.capture(name, self._at(), memo)))
        return account.balance

    def release(self, number, name):
        account = self.account(number)
        self._save((account, account.release(name, self._at())))

    def close(self, number, reason=""):
        account = self.account(number)
        self._save((account, account.close(self._at(), reason)))
