import pytest


def titles(response):
    return [item["title"] for item in response.json["items"]]


def test_first_page(client, tickets):
    response = client.get("/tickets")
    assert titles(response) == [f"Ticket {number}" for number in range(1, 6)]
    assert response.json["total"] == 12
    assert response.json["next"] == "/tickets?page=2&per_page=5"


def test_last_page(client, tickets):
    response = client.get("/tickets?page=3")
    assert titles(response) == ["Ticket 11", "Ticket 12"]
    assert response.json["next"] is None


def test_a_last_page_that_is_full(client, tickets):
    response = client.get("/tickets?page=2&per_page=6")
    assert titles(response)[-1] == "Ticket 12"
    assert response.json["next"] is None


def test_the_size_is_capped(client, tickets):
    assert len(titles(client.get("/tickets?per_page=50"))) == 10


@pytest.mark.parametrize("query", ["page=0", "page=-1", "per_page=0"])
def test_bad_pages(client, query):
    response = client.get(f"/tickets?{query}")
    assert response.status_code == 400


def test_only_one_status(client, tickets):
    response = client.get("/tickets?status=closed")
    assert titles(response) == ["Ticket 3", "Ticket 6", "Ticket 9", "Ticket 12"]
    assert response.json["total"] == 4
