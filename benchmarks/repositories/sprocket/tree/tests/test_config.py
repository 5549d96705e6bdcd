import pytest

from sprocket import Config, ConfigError
from sprocket.config import deep_merge


def test_deep_merge():
    merged = deep_merge({"a": {"x": 1, "y": 2}, "b": 1}, {"a": {"y": 3}, "b": {"z": 1}})
    assert merged == {"a": {"x": 1, "y": 3}, "b": {"z": 1}}


def test_merge_changes_neither():
    base, other = {"a": {"x": 1}}, {"a": {"y": 2}, "c": {}}
    merged = deep_merge(base, other)
    merged["c"]["new"] = 1
    assert base == {"a": {"x": 1}}
    assert other == {"a": {"y": 2}, "c": {}}


def test_layers_are_independent():
    base = Config({"mail": {"port": 25}})
    layered = base.with_layer({"mail": {"port": 587}})
    assert (base.get("mail.port"), layered.get("mail.port")) == (25, 587)


def test_get():
    config = Config({"a": {"b": 0, "c": None}})
    assert config.get("a.b", 5) == 0
    assert config.get("a.c", 5) is None
    assert config.get("a.b.c", 5) == 5


def test_require():
    config = Config({"port": "80"})
    assert config.require("port", int) == 80
    with pytest.raises(ConfigError, match="host is not set"):
        config.require("host", int)


def test_environ():
    environ = {"APP_MAIL__PORT": "2525", "APP_DEBUG": "Yes", "OTHER": "1"}
    config = Config({"mail": {"port": 25, "host": "h"}}).with_environ(environ, "APP_")
    assert config.as_dict() == {"mail": {"port": "2525", "host": "h"}, "debug": "Yes"}
    assert config.get("debug", cast=bool) is True


def test_environ_conflict():
    with pytest.raises(ConfigError, match="conflicts"):
        Config().with_environ({"A_X": "1", "A_X__Y": "2"}, "A_")


@pytest.mark.parametrize(
    "value, cast, expected",
    [("off", bool, False), (1, bool, True), ("a, b,", list, ["a", "b"]), ("7", int, 7)],
)
def test_cast(value, cast, expected):
    assert Config({"x": value}).get("x", cast=cast) == expected


@pytest.mark.parametrize("value, cast", [("maybe", bool), (None, int)])
def test_bad_cast(value, cast):
    with pytest.raises(ConfigError, match="not a valid"):
        Config({"x": value}).get("x", cast=cast)


def test_section():
    config = Config({"mail": {"port": 25}, "debug": True})
    assert config.section("mail").get("port") == 25
    assert config.section("none").as_dict() == {}
    with pytest.raises(ConfigError, match="not a section"):
        config.section("debug")
