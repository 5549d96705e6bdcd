import textwrap

import pytest

from stratum import ParseError, dump, parse
from stratum.writer import is_plain


def read(text):
    return parse(textwrap.dedent(text))


def test_sections_and_dotted_keys():
    tree = read(
        """
        name = demo
        log.level = info
        [db]
        port = 1
        [db.pool]
        size = 3
        """
    )
    assert tree == {"name": "demo", "log": {"level": "info"}, "db": {"port": 1, "pool": {"size": 3}}}


def test_comments():
    tree = read(
        """
        # whole line
        a = 1  # trailing
        b = 2  ; also
        c = x#y
        """
    )
    assert tree == {"a": 1, "b": 2, "c": "x#y"}


def test_comment_sign_in_quotes():
    tree = read(
        r"""
        a = "x # y"  # real
        b = 'p ; q'
        c = "say \" # still"
        """
    )
    assert tree == {"a": "x # y", "b": "p ; q", "c": 'say " # still'}


def test_multiline_list():
    tree = read(
        """
        hosts = [
            "a",   # first
            "b]",

            "c",
        ]
        after = 1
        """
    )
    assert tree == {"hosts": ["a", "b]", "c"], "after": 1}


def test_value_with_equals_sign():
    assert read("query = a=b=c") == {"query": "a=b=c"}


def test_empty_section_is_kept():
    assert read("[a]\n[b]\nx = 1") == {"a": {}, "b": {"x": 1}}


def test_reopened_section_keeps_values():
    assert read("[a]\nx = 1\n[b]\n[a]\ny = 2") == {"a": {"x": 1, "y": 2}, "b": {}}


def test_bom():
    assert parse("\ufeffa = 1") == {"a": 1}


@pytest.mark.parametrize(
    "text, line, message",
    [
        ("a = 1\nnonsense", 2, "expected"),
        ("\n\n9a = 1", 3, "bad key"),
        ("a = 1\na = 2", 2, "already set on line 1"),
        ("a = [1,\n2", 1, "never closed"),
        ('x = 1\ny = "abc', 2, "unterminated"),
    ],
)
def test_errors(text, line, message):
    with pytest.raises(ParseError, match=message) as info:
        parse(text)
    assert info.value.line == line


def test_error_names_source():
    with pytest.raises(ParseError) as info:
        parse("oops", "my.conf")
    assert str(info.value) == "my.conf:1: expected 'key = value'"


def test_same_key_in_two_sections():
    assert read("[a]\nx = 1\n[b]\nx = 2") == {"a": {"x": 1}, "b": {"x": 2}}


class TestDump:
    @pytest.mark.parametrize(
        "tree",
        [
            {"a": 1, "b": {"c": [1, "x, y"], "d": {"e": None}}},
            {"t": 'quote " back \\ slash', "n": "line\nbreak"},
            {"s": "yes", "i": "12", "b": True, "f": 1.5},
            {"empty": {}, "list": []},
        ],
    )
    def test_round_trip(self, tree):
        assert parse(dump(tree)) == tree

    def test_layout(self):
        assert dump({"x": {"y": 1}, "a": True}) == "a = true\n\n[x]\ny = 1\n"

    def test_unknown_type(self):
        with pytest.raises(TypeError):
            dump({"a": object()})


@pytest.mark.parametrize("text, plain", [("abc", True), ("yes", False), ("1", False), ('"', False), ("", False)])
def test_is_plain(text, plain):
    assert is_plain(text) is plain
