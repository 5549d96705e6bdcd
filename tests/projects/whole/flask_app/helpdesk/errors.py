from flask import jsonify
from werkzeug.exceptions import HTTPException


class ApiError(Exception):
    """What the client did wrong, told as JSON."""

    status = 400

    def __init__(self, message, status=None, **details):
        super().__init__(message)
        self.message = message
        self.details = details
        if status is not None:
            self.status = status


class NotFound(ApiError):
    status = 404


class Conflict(ApiError):
    status = 409


def handle_api_error(error):
    body = {"error": error.message}
    if error.details:
        body["details"] = error.details
    return jsonify(body), error.status


def handle_http_error(error):
    return jsonify({"error": error.description}), error.code


def init_app(app):
    app.register_error_handler(ApiError, handle_api_error)
    app.register_error_handler(HTTPException, handle_http_error)
