from functools import wraps

from flask import current_app, g, request

from .errors import ApiError

SCHEME = "Bearer "


def current_user():
    """The name that belongs to the request's token, or None."""
    header = request.headers.get("Authorization", "")
    if not header.startswith(SCHEME):
        return None
    return current_app.config["TOKENS"].get(header[len(SCHEME) :])


def login_required(view):
    @wraps(view)
    def wrapped(*args, **kwargs):
        g.user = current_user()
        if g.user is None:
            raise ApiError("log in first", status=401)
        return view(*args, **kwargs)

    return wrapped
