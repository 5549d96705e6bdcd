import pytest

NUT = {"sku": "NUT-002", "name": "Nut"}


@pytest.mark.parametrize("key", [None, "k-wrong", "k-old"])
def test_strangers_write_nothing(client, key):
    headers = {"X-API-Key": key} if key else {}
    assert client.post("/items", json=NUT, headers=headers).status_code == 401
    assert client.get("/items").json()["total"] == 0


def test_readers_write_nothing(client, reader):
    assert client.post("/items", json=NUT, headers=reader).status_code == 403


def test_everybody_reads(client, bolt):
    assert client.get("/items").json()["items"] == [bolt]
