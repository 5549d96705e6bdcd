import pytest

import config


@pytest.mark.parametrize("text, expected", [("1", True), ("true", True), ("0", False), ("false", False), ("", False), ("yes", True)])
def test_flag(monkeypatch, text, expected):
    monkeypatch.setenv("FEATURE", text)
    assert config.flag("FEATURE") is expected


def test_default(monkeypatch):
    monkeypatch.delenv("FEATURE", raising=False)
    assert config.flag("FEATURE", True) is True


def test_number(monkeypatch):
    monkeypatch.setenv("N", "7")
    assert config.number("N", 3) == 7
