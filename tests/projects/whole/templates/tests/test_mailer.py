import pytest

from mailer.filters import money, shorten
from mailer.render import render


@pytest.mark.parametrize(("cents", "text"), [(1234, "12.34"), (-250, "-2.50"), (5, "0.05"), (100, "1.00")])
def test_money(cents, text):
    assert money(cents) == text


def test_shorten():
    assert shorten("abc", 3) == "abc"
    assert shorten("abcd", 3) == "ab\u2026"


def test_a_bill():
    lines = [{"text": "a very long line", "price": 1250}, {"text": "tea", "price": 99}]
    assert render("bill", name="Ann", lines=lines) == "Dear Ann,\n- a very long\u2026: 12.50\n- tea: 0.99\nTotal: 13.49"
