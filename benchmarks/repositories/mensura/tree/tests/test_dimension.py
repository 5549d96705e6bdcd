from fractions import Fraction

import pytest

from mensura import DIMENSIONLESS, Dimension


def test_zero_powers_are_dropped():
    assert Dimension(length=0) == DIMENSIONLESS
    assert Dimension(length=1) / Dimension(length=1) == DIMENSIONLESS


def test_unknown_name():
    with pytest.raises(ValueError, match="unknown base dimension"):
        Dimension(colour=1)


def test_product_and_power():
    speed = Dimension(length=1, time=-1)
    assert speed ** 2 == Dimension(length=2, time=-2)
    assert speed * Dimension(time=1) == Dimension(length=1)


def test_root():
    assert (Dimension(length=1) ** 0.5)["length"] == Fraction(1, 2)


def test_str_is_in_fixed_order():
    assert str(Dimension(time=-2, mass=1, length=1)) == "[length] [mass] [time]^-2"
    assert str(DIMENSIONLESS) == "[dimensionless]"


def test_hash_follows_equality():
    assert len({Dimension(mass=1, time=1), Dimension(time=1, mass=1)}) == 1
