import pytest

from waypost import Headers


def test_get_ignores_case():
    headers = Headers({"Content-Type": "text/html"})
    assert headers.get("content-type") == "text/html"
    assert "CONTENT-TYPE" in headers


def test_set_replaces_all_values():
    headers = Headers([("A", "1"), ("B", "2"), ("a", "3")])
    headers["a"] = "9"
    assert headers.items() == [("a", "9"), ("B", "2")]


def test_getlist_keeps_order():
    headers = Headers([("Link", "x"), ("Other", "o"), ("link", "y")])
    assert headers.getlist("LINK") == ["x", "y"]


def test_delete():
    headers = Headers({"A": "1"})
    del headers["a"]
    assert len(headers) == 0
    with pytest.raises(KeyError):
        del headers["a"]


def test_copy_is_independent():
    first = Headers({"A": "1"})
    second = first.copy()
    second["B"] = "2"
    assert "B" not in first


def test_line_breaks_rejected():
    headers = Headers()
    with pytest.raises(ValueError):
        headers["X"] = "a\r\nSet-Cookie: b"
    with pytest.raises(ValueError):
        headers.add("X", "a\nb")


@pytest.mark.parametrize(
    "before, expected",
    [(None, "Origin"), ("Accept", "Accept, Origin"), ("origin", "origin")],
)
def test_vary(before, expected):
    headers = Headers()
    if before:
        headers["Vary"] = before
    headers.vary("Origin")
    assert headers["Vary"] == expected
