import pytest

from hunkwise import Normalizer, opcodes, ratio


def tags(a, b, key=None):
    return [op.tag for op in opcodes(a, b, key)]


@pytest.mark.parametrize(
    "a, b, expected",
    [
        ("", "", []),
        ("abc", "abc", ["equal"]),
        ("abc", "", ["delete"]),
        ("", "abc", ["insert"]),
        ("abc", "axc", ["equal", "replace", "equal"]),
        ("abcd", "acd", ["equal", "delete", "equal"]),
        ("abcb", "xabc", ["insert", "equal", "delete"]),
    ],
)
def test_tags(a, b, expected):
    assert tags(list(a), list(b)) == expected


def test_opcodes_cover_both_sides():
    a, b = list("the quick fox"), list("a quicker ox")
    ops = opcodes(a, b)
    assert "".join("".join(a[o.a0:o.a1]) for o in ops) == "the quick fox"
    assert "".join("".join(b[o.b0:o.b1]) for o in ops) == "a quicker ox"


def test_ratio():
    assert ratio("", "") == 1.0
    assert ratio("ab", "cd") == 0.0
    assert ratio("abcd", "abxd") == 0.75


class TestNormalizer:
    def test_case(self):
        assert tags(["Ab"], ["aB"], Normalizer(ignore_case=True)) == ["equal"]

    def test_space(self):
        key = Normalizer(ignore_space=True)
        assert tags(["a  b\n"], [" a b"], key) == ["equal"]
        assert tags(["A b"], ["a b"], key) == ["replace"]

    def test_both(self):
        key = Normalizer(ignore_case=True, ignore_space=True)
        assert key("  Foo\tBar ") == "foo bar"
