import pytest

from waypost import BuildError, DuplicateName, MethodNotAllowed, NotFound, Router
from waypost.patterns import Converter


def handler(request, **params):
    return params


def test_literal_beats_placeholder():
    router = Router()
    router.add("/users/<name>", handler, name="any")
    router.add("/users/me", handler, name="me")
    assert router.match("GET", "/users/me")[0].name == "me"


def test_int_beats_str_and_path_last():
    router = Router()
    router.add("/<path:p>", handler, name="path")
    router.add("/<s>", handler, name="str")
    router.add("/<int:n>", handler, name="int")
    assert router.match("GET", "/5")[0].name == "int"
    assert router.match("GET", "/x")[0].name == "str"
    assert router.match("GET", "/x/y")[0].name == "path"


def test_methods_are_spread_over_routes():
    router = Router()
    router.add("/x", handler, ["GET"], name="read")
    router.add("/x", handler, ["put"], name="write")
    assert router.match("PUT", "/x")[0].name == "write"
    with pytest.raises(MethodNotAllowed) as info:
        router.match("DELETE", "/x")
    assert info.value.allowed == ["GET", "HEAD", "PUT"]


def test_head_uses_get():
    router = Router()
    router.add("/x", handler, ["GET"])
    assert router.match("HEAD", "/x")[0].handler is handler


def test_not_found():
    with pytest.raises(NotFound):
        Router().match("GET", "/nope")


def test_duplicate_name():
    router = Router()
    router.add("/a", handler, name="a")
    with pytest.raises(DuplicateName):
        router.add("/b", handler, name="a")
    assert len(router.routes) == 1


def test_loose_slashes():
    router = Router(strict_slashes=False)
    router.add("/a", handler, name="a")
    router.add("/b/", handler, name="b")
    assert router.match("GET", "/a/")[0].name == "a"
    assert router.match("GET", "/b")[0].name == "b"


class TestMount:
    def test_prefix_and_namespace(self):
        inner = Router()
        inner.add("/<int:id>", handler, name="show")
        outer = Router()
        outer.mount("/books/", inner, namespace="books")
        route, params = outer.match("GET", "/books/3")
        assert params == {"id": 3}
        assert outer.url_for("books.show", id=3) == "/books/3"

    def test_same_router_twice(self):
        inner = Router()
        inner.add("/x", handler, name="x")
        outer = Router()
        outer.mount("/a", inner, namespace="a")
        outer.mount("/b", inner, namespace="b")
        assert outer.url_for("a.x") == "/a/x"
        assert outer.url_for("b.x") == "/b/x"

    def test_middleware_comes_along(self):
        inner = Router()
        own, shared = object(), object()
        inner.use(shared)
        inner.add("/x", handler, middleware=[own])
        outer = Router()
        outer.mount("/a", inner)
        assert outer.match("GET", "/a/x")[0].middleware == [shared, own]
        assert outer.middleware == []

    def test_converters_come_along(self):
        class Hex(Converter):
            regex = "[0-9a-f]+"

            def parse(self, text):
                return int(text, 16)

        inner = Router(converters={"hex": Hex()})
        inner.add("/<hex:n>", handler)
        outer = Router()
        outer.mount("/h", inner)
        assert outer.match("GET", "/h/ff")[1] == {"n": 255}


class TestUrlFor:
    @pytest.fixture
    def router(self):
        router = Router()
        router.add("/s/<name>", handler, name="s")
        return router

    def test_extra_goes_to_query(self, router):
        assert router.url_for("s", name="a", page=2, tag=["x", "y"]) == "/s/a?page=2&tag=x&tag=y"

    def test_none_is_dropped(self, router):
        assert router.url_for("s", name="a", page=None) == "/s/a"

    def test_unknown(self, router):
        with pytest.raises(BuildError):
            router.url_for("zzz")
