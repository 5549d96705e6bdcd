import pytest

from mensura import DimensionError, Q, clamp, maximum, mean, minimum, total


def test_total_keeps_first_unit():
    assert str(total([Q("1 km"), Q("250 m")])) == "1.25 kilometer"


def test_total_in_unit():
    assert total([Q("1 km"), Q("250 m")], "m").magnitude == pytest.approx(1250)


def test_total_of_nothing():
    with pytest.raises(ValueError):
        total([])


def test_mean_of_temperatures():
    assert mean([Q("10 degC"), Q("293.15 K")]).magnitude == pytest.approx(15)


def test_extremes():
    lengths = [Q("3 ft"), Q("1 m"), Q("99 cm")]
    assert minimum(lengths) == Q("3 ft")
    assert maximum(lengths) == Q("1 m")
    assert maximum([], default=Q("0 m")) == Q("0 m")
    with pytest.raises(ValueError):
        minimum(iter(()))


def test_clamp_keeps_unit():
    assert str(clamp(Q("5 km"), high=Q("900 m"))) == "0.9 kilometer"
    assert clamp(Q("5 m"), Q("1 m"), Q("1 km")) == Q("5 m")


def test_clamp_checks_both_bounds():
    with pytest.raises(DimensionError):
        clamp(Q("5 m"), low=Q("1 m"), high=Q("1 s"))
