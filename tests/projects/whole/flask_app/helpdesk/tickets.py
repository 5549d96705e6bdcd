from flask import Blueprint, g, jsonify, request, url_for

from .auth import login_required
from .database import get_db
from .errors import ApiError, Conflict, NotFound
from .paging import page_of, requested_page

bp = Blueprint("tickets", __name__, url_prefix="/tickets")

STATUSES = ("open", "waiting", "closed")


def find(ticket_id):
    row = get_db().execute("SELECT * FROM ticket WHERE id = ?", (ticket_id,)).fetchone()
    if row is None:
        raise NotFound(f"no ticket {ticket_id}")
    return row


@bp.get("")
def index():
    number, size = requested_page()
    where, values = "", ()
    if "status" in request.args:
        where, values = "WHERE status = ?", (request.args["status"],)
    db = get_db()
    total = db.execute(f"SELECT count(*) FROM ticket {where}", values).fetchone()[0]
    rows = db.execute(
        f"SELECT * FROM ticket {where} ORDER BY id LIMIT ? OFFSET ?",
        (*values, size, (number - 1) * size),
    ).fetchall()
    return page_of(rows, total, number, size)


@bp.route("", methods=["POST"])
@login_required
def create():
    body = request.get_json()
    title = body.get("title", "").strip()
    if not title:
        raise ApiError("a ticket needs a title", field="title")
    db = get_db()
    cursor = db.execute("INSERT INTO ticket (title, author) VALUES (?, ?)", (title, g.user))
    db.commit()
    location = url_for("tickets.show", ticket_id=cursor.lastrowid)
    return jsonify(dict(find(cursor.lastrowid))), 201, {"Location": location}


@bp.route("/<int:ticket_id>")
def show(ticket_id):
    return dict(find(ticket_id))


@bp.route("/<int:ticket_id>", methods=["PATCH"])
@login_required
def update(ticket_id):
    ticket = find(ticket_id)
    body = request.get_json()
    status = body.get("status", ticket["status"])
    if status not in STATUSES:
        raise ApiError("unknown status", field="status")
    title = body.get("title", ticket["title"])
    db = get_db()
    db.execute("UPDATE ticket SET title = ?, status = ? WHERE id = ?", (title, status, ticket_id))
    return dict(find(ticket_id))


@bp.route("/<int:ticket_id>/close", methods=["POST"])
@login_required
def close(ticket_id):
    if find(ticket_id)["status"] == "closed":
        raise Conflict("the ticket is closed already")
    db = get_db()
    db.execute("UPDATE ticket SET status = 'closed' WHERE id = ?", (ticket_id,))
    db.commit()
    return dict(find(ticket_id))


@bp.route("/<int:ticket_id>", methods=["DELETE"])
@login_required
def delete(ticket_id):
    ticket = find(ticket_id)
    if ticket["author"] != g.user:
        raise ApiError("only its author may delete a ticket", status=403)
    db = get_db()
    db.execute("DELETE FROM ticket WHERE id = ?", (ticket_id,))
    db.commit()
    return "", 204
