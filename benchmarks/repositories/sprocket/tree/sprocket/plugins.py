"""Plugins: pieces of an application that start in the order of their needs."""

import inspect

from .errors import CircularDependency, PluginError


def on(pattern, **options):
    """Mark a plugin's method as handler of an event."""

    def decorate(method):
        marks = list(getattr(method, "_sprocket_events", ()))
        marks.append((pattern, options))
        method._sprocket_events = marks
        return method

    return decorate


class Plugin:
    name = None
    requires = ()
    after = ()  # like requires, but only when the other plugin is there
    defaults = {}

    def setup(self, container, config):
        """Bind things; nothing is running yet."""

    def start(self):
        """May be a coroutine function."""

    def stop(self):
        """May be a coroutine function."""


def plugin_name(plugin):
    return plugin.name or type(plugin).__name__.lower()


def event_methods(plugin):
    """Bound methods marked by :func:`on`, base classes' methods included."""
    for attribute, _ in inspect.getmembers(type(plugin), callable):
        method = getattr(plugin, attribute)
        for pattern, options in getattr(method, "_sprocket_events", ()):
            yield pattern, options, method


class PluginManager:
    def __init__(self, bus, container):
        self.bus = bus
        self.container = container
        self._plugins = {}
        self._started = []
        self._subscriptions = {}

    def add(self, plugin):
        name = plugin_name(plugin)
        if name in self._plugins:
            raise PluginError(f"there is already a plugin named {name!r}")
        self._plugins[name] = plugin
        return plugin

    def __getitem__(self, name):
        return self._plugins[name]

    def __iter__(self):
        return iter(self._plugins)

    @property
    def started(self):
        return [plugin_name(plugin) for plugin in self._started]

    def order(self):
        """Names so that each comes after those that it needs; else as added."""
        ordered = []
        path = []

        def visit(name):
            if name in ordered:
                return
            if name in path:
                raise CircularDependency(path[path.index(name) :] + [name])
            path.append(name)
            plugin = self._plugins[name]
            for other in plugin.requires:
                if other not in self._plugins:
                    raise PluginError(f"{name} requires {other}, which is not installed")
                visit(other)
            for other in plugin.after:
                if other in self._plugins:
                    visit(other)
            path.pop()
            ordered.append(name)

        for name in self._plugins:
            visit(name)
        return ordered

    def setup(self, config):
        for name in self.order():
            plugin = self._plugins[name]
            from .config import Config

            section = Config(plugin.defaults).with_layer(config.section(name).as_dict())
            plugin.setup(self.container, section)

    async def start(self):
        """Start all; when one fails, those already running are stopped again."""
        try:
            for name in self.order():
                plugin = self._plugins[name]
                self._subscriptions[name] = [
                    self.bus.subscribe(pattern, method, **options)
                    for pattern, options, method in event_methods(plugin)
                ]
                try:
                    await self._call(plugin.start)
                except BaseException:
                    self._unsubscribe(name)
                    raise
                self._started.append(plugin)
        except BaseException:
            await self.stop()
            raise

    async def stop(self):
        """Stop in the opposite order; returns the errors, by plugin name."""
        errors = {}
        while self._started:
            plugin = self._started.pop()
            name = plugin_name(plugin)
            self._unsubscribe(name)
            try:
                await self._call(plugin.stop)
            except Exception as exc:
                errors[name] = exc
        return errors

    def _unsubscribe(self, name):
        for subscription in self._subscriptions.pop(name, []):
            subscription.cancel()

    @staticmethod
    async def _call(method):
        result = method()
        if inspect.isawaitable(result):
            await result
