import pytest

from convert import convert
from convert.registry import UnknownConversion


def test_the_same_unit():
    assert convert(3, "m", "m") == 3


def test_lengths():
    assert convert(2, "km", "m") == 2000
    assert convert(500, "m", "km") == 0.5


def test_temperatures():
    assert convert(100, "C", "F") == 212
    assert convert(0, "C", "K") == 273.15


def test_unknown():
    with pytest.raises(UnknownConversion, match="from F to C"):
        convert(1, "F", "C")
