from flask import current_app, request, url_for

from .errors import ApiError


def requested_page():
    """Number and size of the page that the client asked for; the first page is number 1."""
    number = request.args.get("page", 1, type=int)
    size = request.args.get("per_page", current_app.config["PAGE_SIZE"], type=int)
    if number < 1 or size < 1:
        raise ApiError("page and per_page must be positive")
    return number, min(size, current_app.config["MAX_PAGE_SIZE"])


def page_of(rows, total, number, size):
    """The body of one page, with the address of the next one."""
    more = number * size < total
    return {
        "items": [dict(row) for row in rows],
        "page": number,
        "total": total,
        "next": url_for(request.endpoint, page=number + 1, per_page=size) if more else None,
    }
