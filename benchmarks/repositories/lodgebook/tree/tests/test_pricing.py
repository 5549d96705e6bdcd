import unittest
from datetime import date
from decimal import Decimal

from lodgebook import DateRange, PriceList, Season
from lodgebook.pricing import money, refund

R = DateRange.parse
SUMMER = Season("summer", R("2024-07-01..2024-09-01"), Decimal("1.5"))
FAIR = Season("fair", R("2024-07-10+3"), Decimal("3"))


class PriceListTest(unittest.TestCase):
    def setUp(self):
        self.prices = PriceList({"standard": "80"}, [SUMMER, FAIR], weekend_extra="20")

    def test_plain_nights(self):
        self.assertEqual(self.prices.quote("standard", R("2024-05-06+3")), Decimal("240.00"))

    def test_weekend(self):
        # Thursday to Sunday: two of three nights
        self.assertEqual(self.prices.quote("standard", R("2024-05-09+3")), 280)

    def test_season_applies_per_night(self):
        self.assertEqual(self.prices.quote("standard", R("2024-06-30+2")), 80 + 120)

    def test_later_season_wins(self):
        self.assertEqual(self.prices.season(date(2024, 7, 11)), FAIR)
        self.assertEqual(self.prices.night("standard", date(2024, 7, 11)), 240)

    def test_weekend_extra_is_not_multiplied(self):
        self.assertEqual(self.prices.night("standard", date(2024, 7, 19)), 140)

    def test_long_stay(self):
        prices = PriceList({"standard": "10"})
        self.assertEqual(prices.quote("standard", R("2024-05-01+6")), 60)
        self.assertEqual(prices.quote("standard", R("2024-05-01+7")), 63)
        self.assertEqual(prices.quote("standard", R("2024-05-01+30")), 225)

    def test_unknown_kind(self):
        with self.assertRaisesRegex(ValueError, "no price for 'castle'"):
            self.prices.quote("castle", R("2024-05-01"))


class MoneyTest(unittest.TestCase):
    def test_half_cents_go_up(self):
        self.assertEqual(str(money("0.125")), "0.13")
        self.assertEqual(str(money("2")), "2.00")

    def test_refund(self):
        price = Decimal("99.99")
        self.assertEqual(refund(price, 14), price)
        self.assertEqual(refund(price, 13), Decimal("50.00"))
        self.assertEqual(refund(price, 3), Decimal("50.00"))
        self.assertEqual(refund(price, 2), 0)
