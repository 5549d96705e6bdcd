"""What can happen to an account."""
from dataclasses import dataclass, fields
from datetime import date, datetime, timezone

from .errors import CorruptStore
from .money import Money


@dataclass(frozen=True)
class Event:
    account: str
    at: datetime


@dataclass(frozen=True)
class Opened(Event):
    owner: str
    currency: str
    overdraft: int = 0


@dataclass(frozen=True)
class Deposited(Event):
    amount: Money
    memo: str = ""
    key: str = ""


@dataclass(frozen=True)
class Withdrawn(Event):
    amount: Money
    memo: str = ""
    key: str = ""


@dataclass(frozen=True)
class HoldPlaced(Event):
    hold: str
    amount: Money
    until: date


@dataclass(frozen=True)
class HoldReleased(Event):
    hold: str


@dataclass(frozen=True)
class Closed(Event):
    reason: str = ""


KINDS = {kind.__name__: kind for kind in (Opened, Deposited, Withdrawn, HoldPlaced, HoldReleased, Closed)}


def utc(moment):
    """An aware moment in UTC; naive ones are taken to be UTC."""
    if moment.tzinfo is None:
        return moment.replace(tzinfo=timezone.utc)
    return moment.astimezone(timezone.utc)


def to_record(event):
    record = {"kind": type(event).__name__}
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, Money):
            value = [value.minor, value.currency]
        elif isinstance(value, datetime):
            value = utc(value).isoformat()
        elif isinstance(value, date):
            value = value.isoformat()
        record[field.name] = value
    return record


def from_record(record):
    try:
        kind = KINDS[record["kind"]]
    except KeyError:
        raise CorruptStore("unknown event in %r" % (record,)) from None
    values = {}
    for field in fields(kind):
        if field.name not in record:
            continue
        value = record[field.name]
        if field.name == "amount":
            value = Money(*value)
        elif field.name == "at":
            value = utc(datetime.fromisoformat(value))
        elif field.name == "until":
            value = date.fromisoformat(value)
        values[field.name] = value
    try:
        return kind(**values)
    except TypeError as exc:
        raise CorruptStore("incomplete event in %r" % (record,)) from exc
