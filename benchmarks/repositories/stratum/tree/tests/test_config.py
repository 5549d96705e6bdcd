import pytest

from stratum import Config, CycleError, MissingKey, ValueTypeError


class TestLayers:
    def test_later_wins(self, config):
        config.push("site", {"db": {"port": 1}})
        assert config["db.port"] == 1
        assert config["db.host"] == "localhost"

    def test_push_after_reading(self, config):
        assert config["db.port"] == 5432
        config.push("site", {"db": {"port": 1}})
        assert config["db.port"] == 1

    def test_pop_restores(self, config):
        config.push("site", {"name": "other"})
        assert config["name"] == "other"
        assert config.pop("site") == {"name": "other"}
        assert config["name"] == "demo"

    def test_pop_unknown(self, config):
        with pytest.raises(MissingKey):
            config.pop("nope")

    def test_duplicate_layer(self, config):
        with pytest.raises(ValueError):
            config.push("defaults", {})

    def test_defaults_are_copied(self):
        defaults = {"a": {"b": 1}}
        config = Config(defaults)
        defaults["a"]["b"] = 2
        assert config["a.b"] == 1

    def test_overrides_stay_on_top(self, config):
        config.set("db.port", 1)
        config.push("late", {"db": {"port": 2}})
        config.set("db.host", "h")
        assert config["db.port"] == 1
        assert config.layer_names() == ["defaults", "late", "overrides"]

    def test_origin(self, config):
        config.push("site", {"db": {"port": 1}})
        assert config.origin("db.port") == "site"
        assert config.origin("db.host") == "defaults"
        with pytest.raises(MissingKey):
            config.origin("db.nope")


class TestReading:
    def test_interpolation(self, config):
        assert config["db.url"] == "pg://localhost:5432/demo"

    def test_interpolation_sees_upper_layers(self, config):
        config.push("site", {"db": {"host": "remote"}})
        assert config["db.url"] == "pg://remote:5432/demo"

    def test_get_default(self, config):
        assert config.get("nope") is None
        assert config.get("nope", 3) == 3

    def test_falsy_values_are_found(self):
        config = Config({"a": 0, "b": "", "c": None})
        assert config.int("a", 5) == 0
        assert config.get("b", "x") == ""
        assert config.get("c", "x") is None

    def test_typed_default_and_missing(self, config):
        assert config.int("nope", 4) == 4
        assert config.bool("nope", None) is None
        with pytest.raises(MissingKey, match="no such setting: nope"):
            config.int("nope")

    def test_typed_error_names_key(self, config):
        with pytest.raises(ValueTypeError, match="^name: not an integer"):
            config.int("name")

    def test_section(self, config):
        assert config.section("db")["url"] == "pg://localhost:5432/demo"
        with pytest.raises(ValueTypeError):
            config.section("name")

    def test_section_is_a_copy(self, config):
        config.section("db")["port"] = 9
        config["tags"].append("c")
        assert config["db.port"] == 5432
        assert config["tags"] == ["a", "b"]

    def test_keys_and_contains(self, config):
        assert config.keys() == ["name", "db.host", "db.port", "db.url", "tags"]
        assert "db" in config and "db.port" in config
        assert "db.nope" not in config


class TestInterpolation:
    def test_whole_reference_keeps_type(self):
        config = Config({"a": [1, 2], "b": "${a}", "c": "x${d}", "d": True})
        assert config["b"] == [1, 2]
        assert config["c"] == "xtrue"

    def test_fallback(self):
        config = Config({"a": "${nope:-red}", "b": "<${nope:-}>"})
        assert config["a"] == "red"
        assert config["b"] == "<>"

    def test_escape(self):
        config = Config({"a": "costs $$5 and $${x}", "b": "$$"})
        assert config["a"] == "costs $5 and ${x}"
        assert config["b"] == "$"

    def test_unknown_reference(self):
        with pytest.raises(MissingKey):
            Config({"a": "x ${nope}"})["a"]

    def test_cycle(self):
        config = Config({"a": "${b}", "b": "x${c}", "c": "${a}"})
        with pytest.raises(CycleError) as info:
            config["a"]
        assert info.value.chain == ["a", "b", "c", "a"]

    def test_same_reference_twice_is_no_cycle(self):
        config = Config({"x": "1", "y": "${x}", "a": "${x}-${x}", "b": "${y}+${x}", "l": ["${x}", "${y}"]})
        assert config["a"] == "1-1"
        assert config["b"] == "1+1"
        assert config["l"] == ["1", "1"]


class TestSources:
    def test_file(self, config, conf_file):
        config.push_file(conf_file("[db]\nport = 99\nuser = 'józef'\n"))
        assert config["db.port"] == 99
        assert config["db.user"] == "józef"

    def test_windows_file(self, config, conf_file):
        config.push_file(conf_file("\ufeffname = x\r\n[db]\r\nport = 1\r\n"))
        assert (config["name"], config["db.port"]) == ("x", 1)

    def test_missing_file(self, config, tmp_path):
        config.push_file(tmp_path / "nope", optional=True)
        assert config.layer_names() == ["defaults"]
        with pytest.raises(FileNotFoundError):
            config.push_file(tmp_path / "nope")

    def test_file_appends(self, config, conf_file):
        config.push_file(conf_file("tags + = ['c']"))
        assert config["tags"] == ["a", "b", "c"]

    def test_env(self, config, monkeypatch):
        monkeypatch.setenv("APP_DB__PORT", "7")
        monkeypatch.setenv("APP_NAME", "[broken")
        monkeypatch.setenv("OTHER_NAME", "x")
        config.push_env("APP_")
        assert config["db.port"] == 7
        assert config["name"] == "[broken"

    def test_env_prefix_letters(self):
        config = Config().push_env("APP_", {"APP_PATH": "/x", "APP_APP": "y", "APP_": "z"})
        assert config.as_dict() == {"path": "/x", "app": "y"}


class TestWatch:
    def test_called_on_change(self, config):
        calls = []
        config.watch("db.port", lambda old, new: calls.append((old, new)))
        config.push("site", {"db": {"port": 1}})
        config.push("same", {"db": {"port": 1}})
        config.set("db.port", 2)
        assert calls == [(5432, 1), (1, 2)]

    def test_derived_value(self, config):
        calls = []
        config.watch("db.url", lambda old, new: calls.append(new))
        config.set("name", "x")
        assert calls == ["pg://localhost:5432/x"]

    def test_stop(self, config):
        calls = []
        stop = config.watch("name", lambda old, new: calls.append(new))
        stop()
        config.set("name", "x")
        assert calls == []

    def test_callback_may_stop_itself(self, config):
        calls = []
        stops = []

        def once(old, new):
            calls.append(new)
            stops[0]()

        stops.append(config.watch("name", once))
        config.watch("name", lambda old, new: calls.append("second"))
        config.set("name", "x")
        assert calls == ["x", "second"]
