"""Middleware: callables taking ``(request, call_next)``."""
import inspect
import itertools
import time

from .errors import PayloadTooLarge
from .message import Response


async def settle(value):
    """Await a value if it can be awaited."""
    if inspect.isawaitable(value):
        return await value
    return value


def compose(middleware, endpoint):
    """Wrap an endpoint so that the first middleware is the outermost."""
    handler = endpoint
    for layer in reversed(list(middleware)):
        handler = _wrap(layer, handler)
    return handler


def _wrap(layer, following):
    async def call(request):
        async def call_next(req=request):
            return await following(req)

        return Response.of(await settle(layer(request, call_next)))

    return call


class RequestId:
    """Give each request an id, and echo it."""

    def __init__(self, header="X-Request-Id", prefix="req-"):
        self.header = header
        self._numbers = itertools.count(1)
        self.prefix = prefix

    async def __call__(self, request, call_next):
        given = request.headers.get(self.header)
        request.state["request_id"] = given or "%s%d" % (self.prefix, next(self._numbers))
        response = await call_next()
        response.headers[self.header] = request.state["request_id"]
        return response


class Timer:
    """Record how long a request took."""

    def __init__(self, clock=time.perf_counter):
        self.clock = clock
        self.samples = []

    async def __call__(self, request, call_next):
        started = self.clock()
        try:
            return await call_next()
        finally:
            name = request.route.pattern.source if request.route else request.path
            self.samples.append((name, self.clock() - started))


class BodyLimit:
    def __init__(self, limit):
        self.limit = limit

    async def __call__(self, request, call_next):
        if len(request.body) > self.limit:
            raise PayloadTooLarge("body exceeds %d bytes" % self.limit)
        return await call_next()


class Origins:
    """Let some origins read responses."""

    def __init__(self, origins, allow_credentials=False):
        self.origins = set(origins)
        self.allow_credentials = allow_credentials

    def _grant(self, origin):
        if origin in self.origins:
            return origin
        if "*" in self.origins:
            return origin if self.allow_credentials else "*"
        return None

    async def __call__(self, request, call_next):
        response = await call_next()
        origin = request.headers.get("Origin")
        if origin is None:
            return response
        granted = self._grant(origin)
        if granted is not None:
            response.headers["Access-Control-Allow-Origin"] = granted
            if self.allow_credentials:
                response.headers["Access-Control-Allow-Credentials"] = "true"
            if granted != "*":
                response.headers.vary("Origin")
        return response
