import json

import pytest

from app.config.loader import load


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"port": 9000, "host": "example.org"}), encoding="utf-8")
    return path


def test_defaults():
    assert load(environ={}) == {"host": "localhost", "port": 8080, "debug": False}


def test_a_file(file):
    assert load(file, {})["port"] == 9000


def test_the_environment():
    assert load(environ={"APP_PORT": "1", "APP_DEBUG": "yes", "HOME": "/"}) == {"host": "localhost", "port": 1, "debug": True}


def test_the_environment_wins(file):
    assert load(file, {"APP_PORT": "1"}) == {"host": "example.org", "port": 1, "debug": False}


def test_it_is_read_when_it_is_asked(monkeypatch):
    monkeypatch.setenv("APP_HOST", "here")
    assert load()["host"] == "here"
