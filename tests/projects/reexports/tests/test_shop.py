import shop
from shop import total
from tests.helpers import line

from . import helpers
from .helpers import line as same_line


def test_one_line():
    assert total([line(3, 100)]) == 360


def check_two_lines():
    assert shop.total([same_line(1, 100), helpers.line(2, 50)]) == 240


class TestNothing:
    def test_costs_nothing(self):
        assert total([]) == 0
