"""Requests and responses."""
import json
from urllib.parse import parse_qsl, unquote

from .errors import BadRequest
from .headers import Headers


class Request:
    def __init__(self, method, target, headers=(), body=b""):
        path, _, query = target.partition("?")
        self.method = method.upper()
        self.raw_path = path or "/"
        self.path = unquote(self.raw_path)
        self.query_string = query
        self.headers = Headers(headers)
        self.body = body.encode("utf-8") if isinstance(body, str) else body
        self.params = {}
        self.route = None
        self.state = {}

    @property
    def query(self):
        """The last value of each query key."""
        return dict(parse_qsl(self.query_string, keep_blank_values=True))

    def query_list(self, name):
        pairs = parse_qsl(self.query_string, keep_blank_values=True)
        return [value for key, value in pairs if key == name]

    @property
    def content_type(self):
        raw = self.headers.get("Content-Type", "")
        return raw.partition(";")[0].strip().lower()

    @property
    def charset(self):
        raw = self.headers.get("Content-Type", "")
        for part in raw.split(";")[1:]:
            key, _, value = part.strip().partition("=")
            if key.lower() == "charset":
                return value.strip('"') or "utf-8"
        return "utf-8"

    def text(self):
        return self.body.decode(self.charset)

    def json(self):
        try:
            return json.loads(self.text())
        except ValueError as exc:
            raise BadRequest("malformed JSON body: %s" % exc) from exc

    def __repr__(self):
        return "<Request %s %s>" % (self.method, self.raw_path)


class Response:
    def __init__(self, body=b"", status=200, headers=(), content_type=None):
        self.status = status
        self.headers = Headers(headers)
        if isinstance(body, str):
            body = body.encode("utf-8")
            content_type = content_type or "text/plain; charset=utf-8"
        self.body = body
        if content_type is not None:
            self.headers.setdefault("Content-Type", content_type)

    @classmethod
    def of(cls, value):
        """Turn what a handler returned into a response."""
        if isinstance(value, Response):
            return value
        if value is None:
            return cls(status=204)
        if isinstance(value, tuple):
            inner, status, *rest = value
            response = cls.of(inner)
            response.status = status
            for name, content in dict(rest[0] if rest else {}).items():
                response.headers[name] = content
            return response
        if isinstance(value, (str, bytes)):
            return cls(value)
        if isinstance(value, (dict, list, int, float, bool)):
            return cls(
                json.dumps(value, sort_keys=True).encode("utf-8"),
                content_type="application/json",
            )
        raise TypeError("cannot make a response of %s" % type(value).__name__)

    @property
    def ok(self):
        return 200 <= self.status < 400

    def text(self):
        return self.body.decode("utf-8")

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return "<Response %d, %d bytes>" % (self.status, len(self.body))
