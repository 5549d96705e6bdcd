import pytest

from numerals import from_roman, to_roman

KNOWN = [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (40, "XL"), (90, "XC"), (2, "II"), (1994, "MCMXCIV"), (3888, "MMMDCCCLXXXVIII")]


@pytest.mark.parametrize(("number", "numeral"), KNOWN)
def test_to_roman(number, numeral):
    assert to_roman(number) == numeral


@pytest.mark.parametrize(("number", "numeral"), KNOWN)
def test_from_roman(number, numeral):
    assert from_roman(numeral) == number


@pytest.mark.parametrize("number", [0, -1, 4000])
def test_no_numeral(number):
    with pytest.raises(ValueError, match="no Roman numeral"):
        to_roman(number)
