import json

from site_app import app


def ask(path, method="GET", query=""):
    seen = []
    body = app({"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query}, lambda status, headers: seen.append(status))
    return int(seen[0].split()[0]), json.loads(b"".join(body))


def test_all_books():
    assert ask("/books") == (200, ["Emma", "Persuasion"])


def test_search():
    assert ask("/books", query="q=EM") == (200, ["Emma"])


def test_one_book():
    assert ask("/books/2") == (200, {"title": "Persuasion"})


def test_no_such_book():
    assert ask("/books/3")[0] == 404


def test_no_such_page():
    assert ask("/authors")[0] == 404


def test_a_method_that_is_not_allowed():
    assert ask("/books/1", method="POST")[0] == 405


def test_post():
    assert ask("/books", "POST", "title=Mort") == (200, {"added": "Mort"})
