import pytest

from mensura import Q, UnitSyntaxError
from mensura.parser import parse_quantity, parse_unit


@pytest.mark.parametrize(
    "text, expected",
    [
        ("kg*m/s^2", "[length] [mass] [time]^-2"),
        ("kg m s-2", "[length] [mass] [time]^-2"),
        ("kg·m·s⁻²", "[length] [mass] [time]^-2"),
        ("m**2", "[length]^2"),
        ("J/(mol K)", "[length]^2 [mass] [time]^-2 [temperature]^-1 [amount]^-1"),
        ("m^(1/2)", "[length]^1/2"),
        ("1/s", "[time]^-1"),
        ("", "[dimensionless]"),
    ],
)
def test_dimension_of(registry, text, expected):
    assert str(parse_unit(text, registry).dimension) == expected


def test_division_is_left_associative(registry):
    assert parse_unit("m/s/s", registry) == parse_unit("m/s^2", registry)
    assert parse_unit("m/s*s", registry) == parse_unit("m", registry)


@pytest.mark.parametrize("text", ["m^", "m^(1/2", "(m", "m)", "m $ s", "2 m"])
def test_syntax_errors(registry, text):
    with pytest.raises(UnitSyntaxError):
        parse_unit(text, registry)


def test_error_position(registry):
    with pytest.raises(UnitSyntaxError) as info:
        parse_unit("m $ s", registry)
    assert info.value.position == 1


@pytest.mark.parametrize(
    "text, value",
    [("3 km", 3), ("-2.5e3 m", -2500.0), ("1_000 m", 1000), (".5 s", 0.5), ("km", 1)],
)
def test_numbers(registry, text, value):
    assert parse_quantity(text, registry)[0] == value


def test_integer_stays_integer():
    assert isinstance(Q("3 km").magnitude, int)


def test_number_over_unit():
    assert Q("5 / s") == Q(5, "Hz")
