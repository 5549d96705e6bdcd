import pytest

NUT = {"sku": "NUT-002", "name": "Nut"}


def test_health(client):
    assert client.get("/health").json() == {"status": "ok"}


def test_create(client, editor):
    response = client.post("/items", json=NUT, headers=editor)
    assert response.status_code == 201
    assert response.headers["Location"] == "/items/1"
    assert response.json() == {"id": 1, "sku": "NUT-002", "name": "Nut", "quantity": 0, "tags": []}


def test_tags_are_tidied(bolt):
    assert bolt["tags"] == ["metal", "small"]


def test_the_same_sku_twice(client, editor, bolt):
    response = client.post("/items", json={**NUT, "sku": "BLT-001"}, headers=editor)
    assert response.status_code == 409
    assert response.json() == {"detail": "BLT-001 is there already"}


@pytest.mark.parametrize("wrong", [{"sku": "nut-2"}, {"name": ""}, {"quantity": -1}])
def test_invalid_items(client, editor, wrong):
    assert client.post("/items", json={**NUT, **wrong}, headers=editor).status_code == 422


def test_read(client, bolt):
    assert client.get("/items/1").json() == bolt


def test_no_such_item(client):
    response = client.get("/items/9")
    assert response.status_code == 404
    assert response.json() == {"detail": "no item 9"}


def test_change_only_what_was_given(client, editor, bolt):
    response = client.patch("/items/1", json={"quantity": 3}, headers=editor)
    assert response.status_code == 200
    assert response.json() == {**bolt, "quantity": 3}
    assert client.get("/items/1").json() == {**bolt, "quantity": 3}


def test_change_what_is_not_there(client, editor):
    assert client.patch("/items/9", json={"name": "x"}, headers=editor).status_code == 404


def test_delete(client, editor, bolt):
    assert client.delete("/items/1", headers=editor).status_code == 204
    assert client.get("/items/1").status_code == 404


def test_delete_what_is_not_there(client, editor):
    assert client.delete("/items/1", headers=editor).status_code == 404


def test_pages(client, editor):
    for number in range(12):
        client.post("/items", json={"sku": f"ABC-{number:03}", "name": "x", "tags": ["odd"] * (number % 2)}, headers=editor)
    first = client.get("/items").json()
    assert first["total"] == 12
    assert [item["id"] for item in first["items"]] == list(range(1, 11))
    second = client.get("/items", params={"offset": 10}).json()
    assert [item["id"] for item in second["items"]] == [11, 12]
    odd = client.get("/items", params={"tag": "odd", "limit": 2, "offset": 1}).json()
    assert [item["id"] for item in odd["items"]] == [4, 6]


@pytest.mark.parametrize("query", ["limit=0", "limit=101", "offset=-1"])
def test_pages_out_of_bounds(client, query):
    assert client.get(f"/items?{query}").status_code == 422


def test_the_largest_page(client):
    assert client.get("/items?limit=100").status_code == 200
