from dataclasses import dataclass
from datetime import datetime, timezone

from .money import Money

RECEIPT = "receipt"
ISSUE = "issue"
TRANSFER = "transfer"
COUNT = "count"


@dataclass(frozen=True)
class Product:
    id: int
    sku: str
    name: str
    unit: str = "pc"
    reorder_point: int = 0
    active: bool = True

    @classmethod
    def from_row(cls, row):
        return cls(
            row["id"],
            row["sku"],
            row["name"],
            row["unit"],
            row["reorder_point"],
            bool(row["active"]),
        )


@dataclass(frozen=True)
class Movement:
    id: int
    sku: str
    location: str
    kind: str
    quantity: int
    unit_cost: Money
    note: str
    moved_at: datetime

    @classmethod
    def from_row(cls, row):
        return cls(
            row["id"],
            row["sku"],
            row["location"],
            row["kind"],
            row["quantity"],
            Money.from_units(row["unit_cost"]),
            row["note"],
            parse_time(row["moved_at"]),
        )

    @property
    def value(self):
        return self.unit_cost * self.quantity


def format_time(moment):
    """UTC in a form that sorts as text; naive datetimes are taken as UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")


def parse_time(text):
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f").replace(tzinfo=timezone.utc)
