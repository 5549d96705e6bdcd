import json
import re
from urllib.parse import parse_qs


class HTTPError(Exception):
    def __init__(self, status):
        super().__init__(status)
        self.status = status


class Request:
    def __init__(self, environ):
        self.method = environ["REQUEST_METHOD"]
        self.path = environ["PATH_INFO"]
        self.query = {name: values[0] for name, values in parse_qs(environ.get("QUERY_STRING", "")).items()}


class App:
    def __init__(self):
        self.routes = []

    def route(self, pattern, method="GET"):
        regex = re.compile("^" + re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", pattern) + "$")

        def register(view):
            self.routes.append((method, regex, view))
            return view

        return register

    def dispatch(self, request):
        allowed = False
        for method, regex, view in self.routes:
            found = regex.match(request.path)
            if found is None:
                continue
            if method == request.method:
                return view(request, **found.groupdict())
            allowed = True
        raise HTTPError(404 if allowed else 405)

    def __call__(self, environ, start_response):
        try:
            status, body = 200, self.dispatch(Request(environ))
        except HTTPError as error:
            status, body = error.status, {"error": error.status}
        start_response(f"{status} x", [("Content-Type", "application/json")])
        return [json.dumps(body).encode()]
