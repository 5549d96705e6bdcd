"""The application: a router, hooks and error handlers."""
import asyncio

from .errors import HttpError, MethodNotAllowed
from .message import Request, Response
from .middleware import compose, settle
from .router import Router


class App(Router):
    def __init__(self, debug=False, **options):
        super().__init__(**options)
        self.debug = debug
        self._before = []
        self._after = []
        self._error_handlers = {}

    # -- registration ---------------------------------------------------
    def before(self, hook):
        """Run before the handler; a returned value answers the request."""
        self._before.append(hook)
        return hook

    def after(self, hook):
        """Run after the handler, last registered first."""
        self._after.append(hook)
        return hook

    def errorhandler(self, kind):
        """Handle an exception class or a status number."""

        def decorator(handler):
            self._error_handlers[kind] = handler
            return handler

        return decorator

    # -- dispatch -------------------------------------------------------
    async def dispatch(self, request):
        """Answer a request; never raises unless ``debug`` is set."""
        pipeline = compose(self.middleware, self._endpoint)
        try:
            response = await pipeline(request)
        except Exception as exc:
            response = await self._on_error(request, exc)
        for hook in reversed(self._after):
            replaced = await settle(hook(request, response))
            if replaced is not None:
                response = Response.of(replaced)
        return self._finish(request, response)

    async def _endpoint(self, request):
        if request.method == "OPTIONS":
            allowed = self.allowed_methods(request.path)
            if allowed and "OPTIONS" not in allowed:
                return Response(status=204, headers={"Allow": ", ".join(sorted(allowed | {"OPTIONS"}))})
        route, params = self.match(request.method, request.path)
        request.route = route
        request.params = params
        for hook in self._before:
            early = await settle(hook(request))
            if early is not None:
                return Response.of(early)

        async def call(req):
            return Response.of(await settle(route.handler(req, **req.params)))

        return await compose(route.middleware, call)(request)

    def _find_handler(self, exc):
        if isinstance(exc, HttpError) and exc.status in self._error_handlers:
            return self._error_handlers[exc.status]
        for kind in type(exc).__mro__:
            if kind in self._error_handlers:
                return self._error_handlers[kind]
        return None

    async def _on_error(self, request, exc):
        handler = self._find_handler(exc)
        if handler is not None:
            response = Response.of(await settle(handler(request, exc)))
        elif isinstance(exc, HttpError):
            response = Response(exc.detail, status=exc.status)
        elif self.debug:
            raise exc
        else:
            response = Response("internal error", status=500)
        if isinstance(exc, MethodNotAllowed):
            response.headers.setdefault("Allow", ", ".join(exc.allowed))
        return response

    def _finish(self, request, response):
        response.headers["Content-Length"] = len(response.body)
        if request.method == "HEAD":
            response.body = b""
        return response

    def handle(self, method, target, headers=(), body=b""):
        """Dispatch from synchronous code."""
        return asyncio.run(self.dispatch(Request(method, target, headers, body)))
