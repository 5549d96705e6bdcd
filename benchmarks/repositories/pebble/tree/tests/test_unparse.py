import pytest

from pebble import parse, unparse


def roundtrip(source):
    (statement,) = parse(source).statements
    return unparse(statement)


@pytest.mark.parametrize(
    "source, expected",
    [
        ("(1+2)*3", "(1 + 2) * 3"),
        ("1+(2*3)", "1 + 2 * 3"),
        ("a-(b-c)", "a - (b - c)"),
        ("(a-b)-c", "a - b - c"),
        ("(a**b)**c", "(a ** b) ** c"),
        ("a**(b**c)", "a ** b ** c"),
        ("(-a)**2", "(-a) ** 2"),
        ("not (a and b)", "not (a and b)"),
        ("(fn(x, y=1) => x)(2)", "(fn(x, y = 1) => x)(2)"),
        ("(if a then b else c) + 1", "(if a then b else c) + 1"),
        ("{a, 'b c': [1, null]}", "{a: a, 'b c': [1, null]}"),
        ("x |> f(1)", "f(x, 1)"),
        ("(a + b).c[0]", "(a + b).c[0]"),
        ("'it''s'", "'it''s'"),
    ],
)
def test_unparse(source, expected):
    assert roundtrip(source) == expected


@pytest.mark.parametrize(
    "source",
    [r'"a\n${b + 1}\$ \"q\" \\"', "let f = fn() => (let x = 1; x)", "a ?? b ?? c", "(a ?? b) ?? c"],
)
def test_reparse_gives_same_tree(source):
    tree = parse(source).statements
    assert parse(roundtrip(source)).statements == tree
