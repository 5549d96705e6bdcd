import asyncio

import pytest

from waypost import App, HttpError, Request, Response
from waypost.errors import BadRequest


def test_sync_handler(app):
    response = app.handle("GET", "/")
    assert response.text() == "welcome"
    assert response.headers["content-type"].startswith("text/plain")


def test_async_handler(app):
    assert app.handle("get", "/users/3").json() == {"id": 3}


def test_tuple_response(app):
    response = app.handle("POST", "/users", body='{"a": 1}')
    assert response.status == 201
    assert response.headers["Location"] == "/users/1"
    assert response.json() == {"a": 1}


def test_bad_json(app):
    response = app.handle("POST", "/users", body="{")
    assert response.status == 400
    assert "malformed JSON" in response.text()


def test_head_has_length_but_no_body(app):
    response = app.handle("HEAD", "/")
    assert response.status == 200
    assert response.body == b""
    assert response.headers["Content-Length"] == "7"


def test_options(app):
    response = app.handle("OPTIONS", "/users/3")
    assert response.status == 204
    assert response.headers["Allow"] == "GET, HEAD, OPTIONS"


def test_method_not_allowed_lists_methods(app):
    response = app.handle("DELETE", "/users/3")
    assert response.status == 405
    assert response.headers["Allow"] == "GET, HEAD"


def test_none_is_no_content():
    app = App()
    app.add("/x", lambda request: None, ["DELETE"])
    assert app.handle("DELETE", "/x").status == 204


class TestHooks:
    def test_before_may_answer(self, app):
        @app.before
        async def guard(request):
            if "Authorization" not in request.headers:
                return "who are you?", 401

        assert app.handle("GET", "/").status == 401
        assert app.handle("GET", "/", {"authorization": "x"}).status == 200

    def test_after_runs_in_reverse(self, app):
        seen = []
        app.after(lambda request, response: seen.append("first"))
        app.after(lambda request, response: seen.append("second"))
        app.handle("GET", "/")
        assert seen == ["second", "first"]

    def test_async_after_replaces(self, app):
        @app.after
        async def shout(request, response):
            return response.text().upper()

        response = app.handle("GET", "/")
        assert response.text() == "WELCOME"
        assert response.headers["Content-Length"] == "7"

    def test_after_runs_on_errors(self, app):
        @app.after
        def mark(request, response):
            response.headers["X-Seen"] = "yes"

        assert app.handle("GET", "/nope").headers["X-Seen"] == "yes"


class TestErrors:
    def test_crash_is_500(self, app):
        app.add("/boom", lambda request: 1 / 0)
        response = app.handle("GET", "/boom")
        assert (response.status, response.text()) == (500, "internal error")

    def test_debug_raises(self):
        app = App(debug=True)
        app.add("/boom", lambda request: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            app.handle("GET", "/boom")

    def test_handler_by_base_class(self, app):
        app.add("/boom", lambda request: {}["missing"])

        @app.errorhandler(LookupError)
        def lookup(request, exc):
            return "lookup: %s" % exc, 410

        response = app.handle("GET", "/boom")
        assert (response.status, response.text()) == (410, "lookup: 'missing'")

    def test_nearest_class_wins(self, app):
        def fail(request):
            raise BadRequest("no")

        app.add("/boom", fail)
        app.errorhandler(Exception)(lambda request, exc: ("any", 500))
        app.errorhandler(HttpError)(lambda request, exc: ("http", exc.status))
        assert app.handle("GET", "/boom").text() == "http"

    def test_handler_by_status(self, app):
        @app.errorhandler(404)
        async def missing(request, exc):
            return {"error": request.path}, 404

        assert app.handle("GET", "/nope").json() == {"error": "/nope"}

    def test_custom_405_keeps_allow(self, app):
        app.errorhandler(405)(lambda request, exc: ("no", 405))
        assert app.handle("PUT", "/users").headers["Allow"] == "POST"


def test_route_is_on_request(app):
    request = Request("GET", "/users/9?verbose=")
    asyncio.run(app.dispatch(request))
    assert request.route.name == "user"
    assert request.params == {"id": 9}
    assert request.query == {"verbose": ""}


def test_percent_encoded_path():
    app = App()
    app.add("/t/<tag>", lambda request, tag: tag)
    assert app.handle("GET", "/t/caf%C3%A9").text() == "café"


def test_request_charset():
    request = Request("POST", "/", {"Content-Type": 'text/plain; Charset="latin-1"'}, b"caf\xe9")
    assert request.text() == "café"
    assert request.content_type == "text/plain"


@pytest.mark.parametrize("value", [object(), {1, 2}])
def test_unsupported_value(value):
    with pytest.raises(TypeError):
        Response.of(value)
