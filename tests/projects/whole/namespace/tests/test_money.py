from acme.billing.money import split
from acme.report.lines import lines


def test_even():
    assert split(9, 3) == [3, 3, 3]


def test_rest():
    assert split(10, 3) == [4, 3, 3]


def test_lines():
    assert lines(5, ["a", "b"]) == {"a": 3, "b": 2}
