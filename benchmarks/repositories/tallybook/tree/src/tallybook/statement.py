"""Account statements."""
import csv
import io
from dataclasses import dataclass
from datetime import date

from .events import Deposited, Opened, Withdrawn, utc
from .money import Money


@dataclass(frozen=True)
class Line:
    day: date
    memo: str
    amount: Money
    balance: Money


class Statement:
    """The movements of an account from one day to another, both included."""

    def __init__(self, number, events, first, last):
        if first > last:
            raise ValueError("statement ends before it begins")
        self.number = number
        self.first = first
        self.last = last
        self.lines = []
        self.opening = None
        balance = None
        for event in events:
            if isinstance(event, Opened):
                balance = Money.zero(event.currency)
                self.opening = balance
                continue
            if isinstance(event, Deposited):
                change = event.amount
            elif isinstance(event, Withdrawn):
                change = -event.amount
            else:
                continue
            day = utc(event.at).date()
            if day > last:
                break
            balance += change
            if day < first:
                self.opening = balance
            else:
                self.lines.append(Line(day, event.memo, change, balance))

    @property
    def closing(self):
        return self.lines[-1].balance if self.lines else self.opening

    def totals(self):
        zero = Money.zero(self.opening.currency)
        into = sum((l.amount for l in self.lines if l.amount > zero), zero)
        out = sum((l.amount for l in self.lines if l.amount < zero), zero)
        return into, out

    def text(self):
        width = max([len(line.memo) for line in self.lines] + [len("opening balance")])
        rows = ["%-10s  %-*s  %16s" % ("", width, "opening balance", self.opening)]
        for line in self.lines:
            rows.append("%s  %-*s  %16s" % (line.day.isoformat(), width, line.memo, line.amount))
        rows.append("%-10s  %-*s  %16s" % ("", width, "closing balance", self.closing))
        return "\n".join(row.rstrip() for row in rows)

    def csv(self):
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["day", "memo", "amount", "balance"])
        for line in self.lines:
            writer.writerow([line.day.isoformat(), line.memo, line.amount.minor, line.balance.minor])
        return out.getvalue()


def statement(store, number, first, last):
    return Statement(number, store.load(number), first, last)
