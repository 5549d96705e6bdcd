import pytest

from pebble import PebbleRuntimeError, evaluate


@pytest.mark.parametrize(
    "source, expected",
    [
        ("round(2.5)", 3),
        ("round(-2.5)", -3),
        ("round(1.005 * 100) / 100", 1.0),
        ("round(2.345, 1)", 2.3),
        ("number(' 12 ')", 12),
        ("number('1.5') + number(true)", 2.5),
        ("min(3, 1, 2) + max([3, 1, 2])", 4),
        ("split('a b  c')", ["a", "b", "c"]),
        ("split('a,,b', ',')", ["a", "", "b"]),
        ("join([1, true, 'x'], '-')", "1-true-x"),
        ("fold([1, 2, 3], 10, fn(a, b) => a - b)", 4),
        ("merge({a: 1, b: 1}, {b: 2})", {"a": 1, "b": 2}),
        ("range(3) + range(5, 7)", [0, 1, 2, 5, 6]),
        ("keys({b: 1, 'c d': 2})", ["b", "c d"]),
        ("str([1.0, 'it''s', {a: null}])", "[1, 'it''s', {a: null}]"),
        ("[type(1), type(true), type(null), type(len)]", ["number", "boolean", "null", "function"]),
        ("sort(['b', 'A', 'c'], lower)", ["A", "b", "c"]),
        ("sort([1, 3, 2], null, true)", [3, 2, 1]),
    ],
)
def test_builtin(source, expected):
    assert evaluate(source) == expected


@pytest.mark.parametrize("source", ["upper(1)", "number('x')", "sort([1, 'a'])", "merge([1])"])
def test_wrong_arguments(source):
    with pytest.raises(PebbleRuntimeError):
        evaluate(source)


def test_lists_are_not_changed():
    assert evaluate("let a = [3, 1]; let b = push(a, 2); let c = sort(a); [a, b, c]") == [
        [3, 1],
        [3, 1, 2],
        [1, 3],
    ]


def test_given_list_is_not_changed():
    items = [2, 1]
    evaluate("push(items, 3); sort(items); reverse(items)", {"items": items})
    assert items == [2, 1]
