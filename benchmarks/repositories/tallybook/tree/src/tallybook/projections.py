"""Read models fed by the store."""
from collections import defaultdict

from .events import Closed, Deposited, Opened, Withdrawn, utc
from .money import Money


class Balances:
    """The balance of each open account."""

    def __init__(self, store=None):
        self.by_account = {}
        self.owners = defaultdict(set)
        self._owner_of = {}
        if store is not None:
            store.subscribe(self)

    def __call__(self, event):
        number = event.account
        if isinstance(event, Opened):
            self.by_account[number] = Money.zero(event.currency)
            self.owners[event.owner].add(number)
            self._owner_of[number] = event.owner
        elif isinstance(event, Deposited):
            self.by_account[number] += event.amount
        elif isinstance(event, Withdrawn):
            self.by_account[number] -= event.amount
        elif isinstance(event, Closed):
            del self.by_account[number]
            owner = self._owner_of.pop(number)
            self.owners[owner].discard(number)
            if not self.owners[owner]:
                del self.owners[owner]

    def total(self, currency):
        amounts = [m for m in self.by_account.values() if m.currency == currency]
        return sum(amounts, Money.zero(currency))

    def of_owner(self, owner):
        return {number: self.by_account[number] for number in sorted(self.owners.get(owner, ()))}

    def richest(self, currency, count=3):
        """Account numbers by balance, high to low, then by number."""
        rows = [(n, m) for n, m in self.by_account.items() if m.currency == currency]
        rows.sort(key=lambda row: (-row[1].minor, row[0]))
        return [number for number, _ in rows[:count]]


class DailyTurnover:
    """Sums in and out per day, in the time zone of the bank."""

    def __init__(self, store=None, zone=None):
        self.zone = zone
        self._days = {}
        if store is not None:
            store.subscribe(self)

    def __call__(self, event):
        if not isinstance(event, (Deposited, Withdrawn)):
            return
        day = utc(event.at).astimezone(self.zone).date() if self.zone else utc(event.at).date()
        currency = event.amount.currency
        zero = Money.zero(currency)
        into, out = self._days.get((day, currency), (zero, zero))
        if isinstance(event, Deposited):
            into += event.amount
        else:
            out += event.amount
        self._days[day, currency] = (into, out)

    def on(self, day, currency):
        zero = Money.zero(currency)
        return self._days.get((day, currency), (zero, zero))

    def days(self, currency):
        return sorted(day for day, code in self._days if code == currency)


class LastSeen:
    """When each account was last used."""

    def __init__(self, store=None):
        self.last = {}
        if store is not None:
            store.subscribe(self)

    def __call__(self, event):
        if isinstance(event, Closed):
            self.last.pop(event.account, None)
        else:
            known = self.last.get(event.account)
            if known is None or event.at > known:
                self.last[event.account] = event.at

    def dormant(self, before):
        return sorted(number for number, at in self.last.items() if at < utc(before))
