import asyncio

from .retry import retried


class Client:
    def __init__(self, load, times=3):
        self.load = load
        self.times = times
        self.cache = {}

    async def get(self, name):
        if name not in self.cache:
            self.cache[name] = await retried(lambda: self.load(name), self.times)
        return self.cache[name]

    async def get_all(self, names):
        return await asyncio.gather(*(self.get(name) for name in names))
