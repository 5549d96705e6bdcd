import unittest

from clock import times


class TimesTest(unittest.TestCase):
    def setUp(self):
        self.noon = "12:00"

    def test_noon(self):
        self.assertEqual(times.minutes(self.noon), 720)

    def test_midnight(self):
        self.assertEqual(times.minutes("0:00"), 0)
