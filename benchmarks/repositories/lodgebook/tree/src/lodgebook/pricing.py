"""What a stay costs."""
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from .dates import DateRange

CENT = Decimal("0.01")


def money(amount):
    return Decimal(amount).quantize(CENT, rounding=ROUND_HALF_UP)


@dataclass(frozen=True)
class Season:
    name: str
    dates: DateRange
    factor: Decimal


class PriceList:
    WEEKEND = (4, 5)  # nights of Friday and Saturday

    def __init__(self, base, seasons=(), weekend_extra="0", long_stay=((7, "0.10"), (28, "0.25"))):
        self.base = {kind: Decimal(price) for kind, price in base.items()}
        self.seasons = list(seasons)
        self.weekend_extra = Decimal(weekend_extra)
        self.long_stay = sorted((nights, Decimal(cut)) for nights, cut in long_stay)

    def season(self, day):
        """The season of a day; a later one in the list wins."""
        for season in reversed(self.seasons):
            if day in season.dates:
                return season
        return None

    def night(self, kind, day):
        try:
            price = self.base[kind]
        except KeyError:
            raise ValueError(f"no price for {kind!r} rooms") from None
        season = self.season(day)
        if season is not None:
            price *= season.factor
        if day.weekday() in self.WEEKEND:
            price += self.weekend_extra
        return price

    def discount(self, nights):
        cut = Decimal(0)
        for least, share in self.long_stay:
            if nights >= least:
                cut = share
        return cut

    def quote(self, kind, nights):
        total = sum((self.night(kind, day) for day in nights), Decimal(0))
        return money(total * (1 - self.discount(nights.nights)))


def refund(price, days_before):
    """Money given back for a cancellation."""
    if days_before >= 14:
        return price
    if days_before >= 3:
        return money(price / 2)
    return Decimal("0.00")
