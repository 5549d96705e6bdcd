import pytest

from waypost import App, Router
from waypost.middleware import BodyLimit, Origins, RequestId, Timer


def tracer(log, name):
    async def middleware(request, call_next):
        log.append("+" + name)
        response = await call_next()
        log.append("-" + name)
        return response

    return middleware


def test_order_is_registration_order(app):
    log = []
    for name in "abc":
        app.use(tracer(log, name))
    app.handle("GET", "/")
    assert log == ["+a", "+b", "+c", "-c", "-b", "-a"]


def test_route_middleware_is_inside(app):
    log = []
    app.use(tracer(log, "app"))
    app.add("/x", lambda request: "x", middleware=[tracer(log, "route")])
    app.handle("GET", "/x")
    assert log == ["+app", "+route", "-route", "-app"]


def test_mounted_middleware_only_there(app):
    log = []
    admin = Router()
    admin.use(tracer(log, "admin"))
    admin.add("/", lambda request: "admin")
    app.mount("/admin", admin)
    app.handle("GET", "/")
    assert log == []
    app.handle("GET", "/admin/")
    assert log == ["+admin", "-admin"]


def test_sync_middleware_short_circuits(app):
    app.use(lambda request, call_next: ("closed", 503))
    assert app.handle("GET", "/").status == 503


def test_body_limit(app):
    app.use(BodyLimit(4))
    assert app.handle("POST", "/users", body="[1]").status == 201
    assert app.handle("POST", "/users", body="[12]").status == 201
    assert app.handle("POST", "/users", body="[123]").status == 413


def test_request_id(app):
    app.use(RequestId())
    assert app.handle("GET", "/").headers["X-Request-Id"] == "req-1"
    assert app.handle("GET", "/").headers["X-Request-Id"] == "req-2"
    assert app.handle("GET", "/", {"x-request-id": "abc"}).headers["X-Request-Id"] == "abc"


def test_timer_records_pattern(app):
    ticks = iter([1.0, 3.5])
    timer = Timer(clock=lambda: next(ticks))
    app.use(timer)
    app.handle("GET", "/users/4")
    assert timer.samples == [("/users/<int:id>", 2.5)]


def test_timer_records_failures(app):
    ticks = iter([1.0, 2.0])
    timer = Timer(clock=lambda: next(ticks))
    app.use(timer)
    assert app.handle("GET", "/nope").status == 404
    assert timer.samples == [("/nope", 1.0)]


class TestOrigins:
    def ask(self, middleware, origin="https://a.example"):
        app = App()
        app.use(middleware)
        app.add("/", lambda request: "x")
        return app.handle("GET", "/", {"Origin": origin} if origin else {}).headers

    def test_listed(self):
        headers = self.ask(Origins(["https://a.example"]))
        assert headers["Access-Control-Allow-Origin"] == "https://a.example"
        assert headers["Vary"] == "Origin"

    def test_star(self):
        headers = self.ask(Origins(["*"]))
        assert headers["Access-Control-Allow-Origin"] == "*"
        assert "Vary" not in headers

    def test_star_with_credentials_echoes(self):
        headers = self.ask(Origins(["*"], allow_credentials=True))
        assert headers["Access-Control-Allow-Origin"] == "https://a.example"
        assert headers["Access-Control-Allow-Credentials"] == "true"

    @pytest.mark.parametrize("origin", ["https://b.example", None])
    def test_others_get_nothing(self, origin):
        headers = self.ask(Origins(["https://a.example"]), origin)
        assert "Access-Control-Allow-Origin" not in headers
