import pytest


def test_create(client, ann):
    response = client.post("/tickets", json={"title": "  Printer on fire "}, headers=ann)
    assert response.status_code == 201
    assert response.headers["Location"] == "/tickets/1"
    assert response.json == {"id": 1, "title": "Printer on fire", "author": "ann", "status": "open"}


@pytest.mark.parametrize("body", [{}, {"title": ""}, {"title": "   "}])
def test_a_ticket_needs_a_title(client, ann, body):
    response = client.post("/tickets", json=body, headers=ann)
    assert response.status_code == 400
    assert response.json == {"error": "a ticket needs a title", "details": {"field": "title"}}


@pytest.mark.parametrize("header", [None, "Bearer wrong", "Basic t-ann"])
def test_strangers_create_nothing(client, header):
    headers = {"Authorization": header} if header else {}
    response = client.post("/tickets", json={"title": "x"}, headers=headers)
    assert response.status_code == 401
    assert client.get("/tickets").json["total"] == 0


def test_show(client, tickets):
    assert client.get("/tickets/7").json["title"] == "Ticket 7"


def test_no_such_ticket(client):
    response = client.get("/tickets/99")
    assert response.status_code == 404
    assert response.json == {"error": "no ticket 99"}


def test_update_lasts(client, tickets, ann):
    response = client.patch("/tickets/2", json={"status": "waiting"}, headers=ann)
    assert response.json["status"] == "waiting"
    assert client.get("/tickets/2").json == {"id": 2, "title": "Ticket 2", "author": "ann", "status": "waiting"}


def test_unknown_status(client, tickets, ann):
    response = client.patch("/tickets/2", json={"status": "lost"}, headers=ann)
    assert response.status_code == 400
    assert response.json["details"] == {"field": "status"}


def test_close(client, tickets, bob):
    assert client.post("/tickets/1/close", headers=bob).json["status"] == "closed"
    assert client.get("/tickets/1").json["status"] == "closed"


def test_closed_twice(client, tickets, bob):
    response = client.post("/tickets/3/close", headers=bob)
    assert response.status_code == 409


def test_delete(client, tickets, ann):
    response = client.delete("/tickets/4", headers=ann)
    assert (response.status_code, response.data) == (204, b"")
    assert client.get("/tickets/4").status_code == 404


def test_only_the_author_deletes(client, tickets, bob):
    assert client.delete("/tickets/4", headers=bob).status_code == 403
    assert client.get("/tickets/4").status_code == 200
