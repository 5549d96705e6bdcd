import pytest

from inkwell import TemplateSyntaxError
from inkwell.lexer import BLOCK, OUTPUT, TEXT, tokenize


def kinds(source):
    return [token.kind for token in tokenize(source)]


def test_mixed_tokens():
    assert kinds("a{{ b }}c{% d %}") == [TEXT, OUTPUT, TEXT, BLOCK]


def test_comment_is_dropped():
    assert kinds("a{# {{ nothing }} #}b") == [TEXT, TEXT]


def test_delimiter_inside_string():
    (token,) = tokenize('{{ "}}" }}')
    assert token.value == '"}}"'


@pytest.mark.parametrize(
    "source, expected",
    [
        ("a  {{- x }}", ["a", "x"]),
        ("a {#- note -#} b", ["a", "b"]),
        ("a\n{%- set x = 1 -%}\nb", ["a", "set x = 1", "b"]),
    ],
)
def test_whitespace_control(source, expected):
    assert [token.value for token in tokenize(source)] == expected


def test_line_numbers():
    tokens = tokenize("one\ntwo {{ a }}\n\n{{ b }}")
    assert [t.lineno for t in tokens if t.kind == OUTPUT] == [2, 4]


def test_line_numbers_after_multiline_comment():
    tokens = tokenize("{# one\ntwo\nthree #}\n{{ a }}")
    assert tokens[-1].lineno == 4


def test_line_numbers_after_raw():
    tokens = tokenize("{% raw %}\n\n{% endraw %}{{ a }}")
    assert tokens[-1] == (OUTPUT, "a", 3)


@pytest.mark.parametrize("source", ["{{ x", "{# x", "{% raw %} x"])
def test_unclosed(source):
    with pytest.raises(TemplateSyntaxError):
        tokenize(source)
