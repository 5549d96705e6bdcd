import inspect

from .bus import EventBus
from .config import Config
from .container import Container
from .errors import SprocketError
from .plugins import PluginManager


class Application:
    """Container, bus, settings and plugins of one program."""

    def __init__(self, plugins=(), config=None, on_error=None):
        self.config = config if isinstance(config, Config) else Config(config)
        self.bus = EventBus(on_error)
        self.container = Container()
        self.container.bind_value(Config, self.config)
        self.container.bind_value(EventBus, self.bus)
        self.container.bind_value(Application, self)
        self.plugins = PluginManager(self.bus, self.container)
        for plugin in plugins:
            self.plugins.add(plugin)
        self.running = False
        self.stop_errors = {}

    async def __aenter__(self):
        if self.running:
            raise SprocketError("the application is running already")
        self.plugins.setup(self.config)
        await self.plugins.start()
        self.running = True
        await self.bus.publish("app.started", app=self)
        return self

    async def __aexit__(self, exc_type, exc, tb):
        try:
            await self.bus.publish("app.stopping", app=self)
            await self.bus.drain()
        finally:
            self.stop_errors = await self.plugins.stop()
            self.running = False
            self.container.close()

    async def run(self, main):
        """Start, call *main* with what it wants, stop; returns main's result."""
        async with self:
            result = self.container.call(main)
            if inspect.isawaitable(result):
                result = await result
            return result
