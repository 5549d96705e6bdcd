import pytest

from helpdesk import create_app
from helpdesk.database import init_db


@pytest.fixture
def app(tmp_path):
    app = create_app(
        {
            "TESTING": True,
            "DATABASE": str(tmp_path / "test.sqlite"),
            "TOKENS": {"t-ann": "ann", "t-bob": "bob"},
            "PAGE_SIZE": 5,
            "MAX_PAGE_SIZE": 10,
        }
    )
    with app.app_context():
        init_db()
    return app


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def ann():
    return {"Authorization": "Bearer t-ann"}


@pytest.fixture
def bob():
    return {"Authorization": "Bearer t-bob"}


@pytest.fixture
def tickets(client, ann):
    """Twelve tickets of Ann's; every third one is closed."""
    for number in range(1, 13):
        client.post("/tickets", json={"title": f"Ticket {number}"}, headers=ann)
        if number % 3 == 0:
            client.post(f"/tickets/{number}/close", headers=ann)
