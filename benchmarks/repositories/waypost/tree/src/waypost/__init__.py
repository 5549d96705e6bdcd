"""Request routing without a server."""
from .app import App
from .errors import (
    BuildError,
    DuplicateName,
    HttpError,
    MethodNotAllowed,
    NotFound,
    PatternError,
    WaypostError,
)
from .headers import Headers
from .message import Request, Response
from .router import Route, Router

__version__ = "0.6.2"

__all__ = [
    "App",
    "BuildError",
    "DuplicateName",
    "Headers",
    "HttpError",
    "MethodNotAllowed",
    "NotFound",
    "PatternError",
    "Request",
    "Response",
    "Route",
    "Router",
    "WaypostError",
]
