import pytest
from fastapi.testclient import TestClient

from stock.dependencies import get_store, get_users
from stock.main import app
from stock.models import User
from stock.store import Store

USERS = {
    "k-ed": User(name="ed", role="editor"),
    "k-ray": User(name="ray"),
    "k-old": User(name="old", role="admin", disabled=True),
}


@pytest.fixture
def client():
    store = Store()
    app.dependency_overrides[get_store] = lambda: store
    app.dependency_overrides[get_users] = lambda: USERS
    yield TestClient(app)
    app.dependency_overrides.clear()


@pytest.fixture
def editor():
    return {"X-API-Key": "k-ed"}


@pytest.fixture
def reader():
    return {"X-API-Key": "k-ray"}


@pytest.fixture
def bolt(client, editor):
    item = {"sku": "BLT-001", "name": "Bolt", "quantity": 7, "tags": ["Metal", " small "]}
    return client.post("/items", json=item, headers=editor).json()
