import asyncio
from unittest import mock

import pytest

from sprocket import (
    Application,
    CircularDependency,
    Container,
    EventBus,
    Plugin,
    PluginError,
    PluginManager,
    on,
)


@pytest.fixture
def log():
    return []


@pytest.fixture
def manager():
    return PluginManager(EventBus(), Container())


@pytest.fixture
def make(log):
    def _make(name, requires=(), after=(), fail=None):
        class Recorder(Plugin):
            async def start(self):
                await asyncio.sleep(0)
                if fail == "start":
                    raise RuntimeError(f"{name} cannot start")
                log.append(f"+{self.name}")

            def stop(self):
                log.append(f"-{self.name}")
                if fail == "stop":
                    raise RuntimeError(f"{name} cannot stop")

            @on("ping")
            def ping(self, event):
                log.append(f"{self.name} pinged")

        plugin = Recorder()
        plugin.name, plugin.requires, plugin.after = name, requires, after
        return plugin

    return _make


class TestOrder:
    def test_requirements_first(self, manager, make):
        for plugin in (make("web", ["auth"]), make("auth", ["db"]), make("db"), make("x")):
            manager.add(plugin)
        assert manager.order() == ["db", "auth", "web", "x"]

    def test_after_is_optional(self, manager, make):
        manager.add(make("a", after=["b", "gone"]))
        manager.add(make("b"))
        assert manager.order() == ["b", "a"]

    def test_missing(self, manager, make):
        manager.add(make("a", ["gone"]))
        with pytest.raises(PluginError, match="a requires gone"):
            manager.order()

    def test_circular(self, manager, make):
        manager.add(make("a", ["b"]))
        manager.add(make("b", ["a"]))
        with pytest.raises(CircularDependency, match="a -> b -> a"):
            manager.order()

    def test_duplicate(self, manager, make):
        manager.add(make("a"))
        with pytest.raises(PluginError, match="already"):
            manager.add(make("a"))


class TestLifecycle:
    def test_start_and_stop(self, make, log):
        app = Application([make("b", ["a"]), make("a")])
        asyncio.run(app.run(lambda: log.append("main")))
        assert log == ["+a", "+b", "main", "-b", "-a"]

    def test_failed_start_stops_the_others(self, make, log):
        app = Application([make("a"), make("b"), make("c", fail="start"), make("d")])
        with pytest.raises(RuntimeError, match="c cannot start"):
            asyncio.run(app.run(lambda: log.append("main")))
        assert log == ["+a", "+b", "-b", "-a"]
        assert app.plugins.started == []

    def test_failed_start_leaves_no_subscriptions(self, make):
        app = Application([make("a"), make("b", fail="start")])
        with pytest.raises(RuntimeError):
            asyncio.run(app.run(lambda: None))
        assert app.bus.handlers("ping") == []

    def test_failed_stop_does_not_keep_others_running(self, make, log):
        app = Application([make("a"), make("b", fail="stop")])
        asyncio.run(app.run(lambda: None))
        assert log == ["+a", "+b", "-b", "-a"]
        assert list(app.stop_errors) == ["b"]

    def test_error_in_main_still_stops(self, make, log):
        def main():
            raise KeyError("x")

        with pytest.raises(KeyError):
            asyncio.run(Application([make("a")]).run(main))
        assert log == ["+a", "-a"]

    def test_can_run_twice(self, make, log):
        app = Application([make("a")])
        for _ in range(2):
            asyncio.run(app.run(lambda: None))
        assert log == ["+a", "-a"] * 2

    def test_main_gets_what_it_wants(self):
        async def main(bus: EventBus, app: Application):
            return app.bus is bus

        assert asyncio.run(Application().run(main)) is True


class TestEvents:
    def test_marked_methods(self, make, log):
        async def main(bus: EventBus):
            await bus.publish("ping")

        asyncio.run(Application([make("a"), make("b")]).run(main))
        assert log[2:4] == ["a pinged", "b pinged"]

    def test_several_marks_on_one_method(self):
        class Audit(Plugin):
            names = []

            @on("user.*")
            @on("app.stopping")
            async def note(self, event):
                self.names.append(event.name)

        async def main(bus: EventBus):
            await bus.publish("user.created")

        asyncio.run(Application([Audit()]).run(main))
        assert Audit.names == ["user.created", "app.stopping"]

    def test_background_events_are_finished(self):
        handler = mock.Mock(return_value=None)
        app = Application()
        app.bus.subscribe("late", handler)

        async def main(bus: EventBus):
            bus.emit("late", n=1)

        asyncio.run(app.run(main))
        assert handler.call_args[0][0]["n"] == 1


def test_setup_gets_own_section():
    class Mailer(Plugin):
        defaults = {"port": 25, "tls": {"on": False}}

        def setup(self, container, config):
            container.bind_value("mail.settings", config.as_dict())

    app = Application([Mailer()], {"mailer": {"tls": {"on": True}}, "other": {"x": 1}})
    settings = asyncio.run(app.run(lambda: app.container.get("mail.settings")))
    assert settings == {"port": 25, "tls": {"on": True}}
    assert Mailer.defaults == {"port": 25, "tls": {"on": False}}
