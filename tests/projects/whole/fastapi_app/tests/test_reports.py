def test_low_stock(client, editor, reader, bolt):
    client.post("/items", json={"sku": "NUT-002", "name": "Nut", "quantity": 2}, headers=editor)
    client.post("/items", json={"sku": "PIN-003", "name": "Pin", "quantity": 1}, headers=editor)
    low = client.get("/reports/low", headers=reader).json()
    assert low == {"for": "ray", "items": ["PIN-003", "NUT-002"], "missing": 7}


def test_another_threshold(client, reader, bolt):
    assert client.get("/reports/low", params={"below": 7}, headers=reader).json()["items"] == []
    assert client.get("/reports/low", params={"below": 8}, headers=reader).json()["items"] == ["BLT-001"]


def test_reports_need_a_key(client):
    assert client.get("/reports/low").status_code == 401
