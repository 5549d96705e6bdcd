"""The rules of one account."""
import copy

from .errors import AccountClosed, CurrencyMismatch, InsufficientFunds, InvalidAmount, LedgerError
from .events import Closed, Deposited, HoldPlaced, HoldReleased, Opened, Withdrawn
from .money import Money


class Account:
    def __init__(self, number):
        self.number = number
        self.version = 0
        self.owner = None
        self.balance = None
        self.overdraft = None
        self.holds = {}
        self.closed = False
        self.keys = set()

    # -- state ------------------------------------------------------------
    def apply(self, event):
        handler = getattr(self, "_on_" + type(event).__name__.lower())
        handler(event)
        self.version += 1
        return self

    def replay(self, events):
        for event in events:
            self.apply(event)
        return self

    def _on_opened(self, event):
        self.owner = event.owner
        self.balance = Money.zero(event.currency)
        self.overdraft = Money(event.overdraft, event.currency)

    def _on_deposited(self, event):
        self.balance += event.amount
        self._remember(event)

    def _on_withdrawn(self, event):
        self.balance -= event.amount
        self._remember(event)

    def _on_holdplaced(self, event):
        self.holds[event.hold] = (event.amount, event.until)

    def _on_holdreleased(self, event):
        self.holds.pop(event.hold, None)

    def _on_closed(self, event):
        self.closed = True

    def _remember(self, event):
        if event.key:
            self.keys.add(event.key)

    def snapshot(self):
        twin = copy.copy(self)
        twin.holds = dict(self.holds)
        twin.keys = set(self.keys)
        return twin

    # -- questions --------------------------------------------------------
    @property
    def currency(self):
        return self.balance.currency

    def held(self, today):
        """What is blocked on a day; a hold still counts on its last day."""
        total = Money.zero(self.currency)
        for amount, until in self.holds.values():
            if until >= today:
                total += amount
        return total

    def available(self, today):
        return self.balance + self.overdraft - self.held(today)

    # -- commands: check, and give the events -----------------------------
    def _check(self, amount):
        if self.closed:
            raise AccountClosed("account %s is closed" % self.number)
        if amount.currency != self.currency:
            raise CurrencyMismatch("account %s is in %s" % (self.number, self.currency))
        if amount.minor <= 0:
            raise InvalidAmount("amount must be positive: %s" % amount)

    def deposit(self, amount, at, memo="", key=""):
        self._check(amount)
        if key and key in self.keys:
            return []
        return [Deposited(self.number, at, amount, memo, key)]

    def withdraw(self, amount, at, memo="", key=""):
        self._check(amount)
        if key and key in self.keys:
            return []
        available = self.available(at.date())
        if amount > available:
            raise InsufficientFunds(self.number, amount, available)
        return [Withdrawn(self.number, at, amount, memo, key)]

    def hold(self, name, amount, until, at):
        self._check(amount)
        if name in self.holds:
            raise LedgerError("there is a hold %r already" % name)
        available = self.available(at.date())
        if amount > available:
            raise InsufficientFunds(self.number, amount, available)
        return [HoldPlaced(self.number, at, name, amount, until)]

    def capture(self, name, at, memo=""):
        """Turn a hold into a withdrawal."""
        if self.closed:
            raise AccountClosed("account %s is closed" % self.number)
        if name not in self.holds:
            raise LedgerError("there is no hold %r" % name)
        amount, _ = self.holds[name]
        return [
            HoldReleased(self.number, at, name),
            Withdrawn(self.number, at, amount, memo),
        ]

    def release(self, name, at):
        if name not in self.holds:
            return []
        return [HoldReleased(self.number, at, name)]

    def close(self, at, reason=""):
        if self.closed:
            return []
        if self.balance:
            raise LedgerError("account %s still has %s" % (self.number, self.balance))
        if self.held(at.date()):
            raise LedgerError("account %s has open holds" % self.number)
        return [Closed(self.number, at, reason)]
