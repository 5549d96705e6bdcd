"""Exceptions raised by waypost."""


class WaypostError(Exception):
    """Base class of everything raised here."""


class PatternError(WaypostError, ValueError):
    """A route pattern could not be compiled."""


class BuildError(WaypostError, LookupError):
    """A URL could not be built from a route name and values."""


class DuplicateName(WaypostError, ValueError):
    """Two routes were registered under one name."""


class HttpError(WaypostError):
    """An error that maps onto a response status."""

    status = 500

    def __init__(self, detail="", status=None):
        super().__init__(detail)
        self.detail = detail
        if status is not None:
            self.status = status


class BadRequest(HttpError):
    status = 400


class NotFound(HttpError):
    status = 404


class MethodNotAllowed(HttpError):
    status = 405

    def __init__(self, allowed, detail=""):
        super().__init__(detail or "method not allowed")
        self.allowed = sorted(allowed)


class PayloadTooLarge(HttpError):
    status = 413
