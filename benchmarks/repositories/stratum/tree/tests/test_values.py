import pytest

from stratum.errors import ValueTypeError
from stratum.values import literal, split_list, to_bool, to_int, to_list, to_seconds, to_size


@pytest.mark.parametrize(
    "text, expected",
    [
        ("1", 1),
        ("-7", -7),
        ("10_000", 10000),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("yes", True),
        ("Off", False),
        ("none", None),
        ("plain text", "plain text"),
        ("1.2.3", "1.2.3"),
        ('"a\\tb"', "a\tb"),
        (r"'c:\new'", r"c:\new"),
        ('"1"', "1"),
        ("[]", []),
        ("[1, 'a, b', [2, 3],]", [1, "a, b", [2, 3]]),
        ("", ""),
    ],
)
def test_literal(text, expected):
    value = literal(text)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize("text", ['"abc', '"a" b"', '"\\q"', "[1", "[1,,2]"])
def test_literal_errors(text):
    with pytest.raises(ValueError):
        literal(text)


def test_split_list_escaped_quote():
    assert split_list(r'"a\", b", c') == [r'"a\", b"', "c"]


@pytest.mark.parametrize("value, expected", [("on", True), ("0", False), (1, True), (False, False)])
def test_to_bool(value, expected):
    assert to_bool(value) is expected


@pytest.mark.parametrize("value", ["maybe", 2, None, []])
def test_to_bool_refuses(value):
    with pytest.raises(ValueTypeError):
        to_bool(value)


@pytest.mark.parametrize("value", [True, 1.5, "x", None])
def test_to_int_refuses(value):
    with pytest.raises(ValueTypeError):
        to_int(value)


def test_to_list():
    assert to_list("a, 2") == ["a", 2]
    assert to_list(5) == [5]
    assert to_list(("x",)) == ["x"]


@pytest.mark.parametrize(
    "value, expected", [(10, 10), ("10kB", 10000), ("1.5 MiB", 1572864), ("7", 7), ("2GB", 2 * 10**9)]
)
def test_to_size(value, expected):
    assert to_size(value) == expected


@pytest.mark.parametrize(
    "value, expected", [(5, 5), ("250ms", 0.25), ("1h30m", 5400), ("2 d", 172800), ("5m", 300)]
)
def test_to_seconds(value, expected):
    assert to_seconds(value) == expected


@pytest.mark.parametrize("value", ["", "5", "5 parsecs", "m5"])
def test_to_seconds_refuses(value):
    with pytest.raises(ValueTypeError):
        to_seconds(value)
