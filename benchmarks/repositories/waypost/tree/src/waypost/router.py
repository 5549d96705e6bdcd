"""A table of routes."""
from urllib.parse import urlencode

from .errors import BuildError, DuplicateName, MethodNotAllowed, NotFound
from .patterns import Pattern


class Route:
    def __init__(self, pattern, handler, methods, name=None, middleware=(), converters=None):
        self.pattern = Pattern(pattern, converters)
        self.handler = handler
        self.methods = frozenset(m.upper() for m in methods)
        self.name = name
        self.middleware = list(middleware)

    def accepts(self, method):
        if method == "HEAD" and "GET" in self.methods:
            return True
        return method in self.methods

    def allowed(self):
        methods = set(self.methods)
        if "GET" in methods:
            methods.add("HEAD")
        return methods

    def __repr__(self):
        return "<Route %s %s>" % ("|".join(sorted(self.methods)), self.pattern.source)


class Router:
    def __init__(self, converters=None, strict_slashes=True):
        self.routes = []
        self.names = {}
        self.middleware = []
        self.converters = dict(converters or {})
        self.strict_slashes = strict_slashes

    def add(self, pattern, handler, methods=("GET",), name=None, middleware=()):
        route = Route(pattern, handler, methods, name, middleware, self.converters)
        self._register(route)
        return route

    def _register(self, route):
        if route.name is not None:
            if route.name in self.names:
                raise DuplicateName("route name %r is taken" % route.name)
            self.names[route.name] = route
        self.routes.append(route)
        self.routes.sort(key=lambda r: r.pattern.specificity)

    def route(self, pattern, methods=("GET",), name=None, middleware=()):
        def decorator(handler):
            self.add(pattern, handler, methods, name, middleware)
            return handler

        return decorator

    def get(self, pattern, **options):
        return self.route(pattern, ("GET",), **options)

    def post(self, pattern, **options):
        return self.route(pattern, ("POST",), **options)

    def put(self, pattern, **options):
        return self.route(pattern, ("PUT",), **options)

    def delete(self, pattern, **options):
        return self.route(pattern, ("DELETE",), **options)

    def use(self, middleware):
        self.middleware.append(middleware)
        return middleware

    def mount(self, prefix, other, namespace=None):
        """Copy another router's routes under a prefix."""
        prefix = prefix.rstrip("/")
        converters = dict(other.converters)
        for route in other.routes:
            name = route.name
            if name is not None and namespace:
                name = "%s.%s" % (namespace, name)
            self._register(
                Route(
                    prefix + route.pattern.source,
                    route.handler,
                    route.methods,
                    name,
                    other.middleware + route.middleware,
                    converters,
                )
            )

    def _candidates(self, path):
        paths = [path]
        if not self.strict_slashes and path != "/":
            paths.append(path[:-1] if path.endswith("/") else path + "/")
        for candidate in paths:
            for route in self.routes:
                params = route.pattern.match(candidate)
                if params is not None:
                    yield route, params

    def match(self, method, path):
        """The route for a request and its parameters."""
        allowed = set()
        for route, params in self._candidates(path):
            if route.accepts(method):
                return route, params
            allowed |= route.allowed()
        if allowed:
            raise MethodNotAllowed(allowed)
        raise NotFound("no route for %s" % path)

    def allowed_methods(self, path):
        allowed = set()
        for route, _ in self._candidates(path):
            allowed |= route.allowed()
        return allowed

    def url_for(self, name, /, **values):
        try:
            route = self.names[name]
        except KeyError:
            raise BuildError("no route named %r" % name) from None
        path = route.pattern.build(values)
        extra = [
            (key, value)
            for key, value in values.items()
            if key not in route.pattern.names and value is not None
        ]
        if extra:
            path += "?" + urlencode(extra, doseq=True)
        return path
