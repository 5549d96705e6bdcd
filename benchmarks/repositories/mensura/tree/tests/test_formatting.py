import pytest

from mensura import Q


@pytest.mark.parametrize(
    "quantity, spec, expected",
    [
        (Q("9.81 m/s^2"), "", "9.81 meter/second^2"),
        (Q("9.81 m/s^2"), "~", "9.81 m/s^2"),
        (Q("9.81 m/s^2"), ".1f~P", "9.8 m/s²"),
        (Q("8.314 J/(mol K)"), "~", "8.314 J/(mol*K)"),
        (Q("8.314 J/(mol K)"), "~P", "8.314 J/(mol·K)"),
        (Q("5 1/s"), "~", "5 1/s"),
        (Q("12 %"), "~", "12%"),
        (Q(0.5), "", "0.5"),
        (Q("2 m^(1/2)"), "~P", "2 m^(1/2)"),
    ],
)
def test_format(quantity, spec, expected):
    assert format(quantity, spec) == expected


@pytest.mark.parametrize(
    "text, expected",
    [
        ("1500 m", "1.5 km"),
        ("0.002 s", "2 ms"),
        ("12000 g", "12 kg"),
        ("0.5 km", "500 m"),
        ("5 ft", "5 ft"),
        ("0 m", "0 m"),
        ("-2500 W", "-2.5 kW"),
        ("3000000 B/s", "3 MB/s"),
    ],
)
def test_compact(text, expected):
    assert f"{Q(text):~C}" == expected


def test_repr():
    assert repr(Q("3 km")) == "<Quantity 3 'kilometer'>"


def test_round():
    assert str(round(Q("2.345 m"), 1)) == "2.3 meter"
