"""An asynchronous event bus with wildcard subscriptions."""

import asyncio
import inspect
import itertools
from dataclasses import dataclass, field
from typing import Any, Dict


@dataclass
class Event:
    name: str
    data: Dict[str, Any] = field(default_factory=dict)
    stopped: bool = False

    def stop(self):
        """Keep the event from handlers that have not seen it yet."""
        self.stopped = True

    def __getitem__(self, key):
        return self.data[key]


def matches(pattern, name):
    """``*`` stands for one part of a dotted name, ``**`` for any number at the end.

    >>> matches("user.*", "user.created"), matches("user.*", "user.role.added")
    (True, False)
    >>> matches("user.**", "user.role.added"), matches("user.**", "user")
    (True, True)
    """
    wanted, parts = pattern.split("."), name.split(".")
    if wanted[-1] == "**":
        wanted = wanted[:-1]
        if len(parts) < len(wanted):
            return False
        parts = parts[: len(wanted)]
    if len(wanted) != len(parts):
        return False
    return all(w in ("*", p) for w, p in zip(wanted, parts))


class Subscription:
    def __init__(self, bus, pattern, handler, priority, once, order):
        self.bus = bus
        self.pattern = pattern
        self.handler = handler
        self.once = once
        self.sort_key = (-priority, order)
        self.active = True

    def cancel(self):
        if self.active:
            self.active = False
            self.bus._subscriptions.remove(self)


class EventBus:
    """*on_error* gets ``(event, handler, exception)``; without it errors are raised
    after all handlers have run."""

    def __init__(self, on_error=None):
        self.on_error = on_error
        self._subscriptions = []
        self._order = itertools.count()
        self._tasks = set()

    def subscribe(self, pattern, handler, priority=0, once=False):
        subscription = Subscription(self, pattern, handler, priority, once, next(self._order))
        self._subscriptions.append(subscription)
        self._subscriptions.sort(key=lambda item: item.sort_key)
        return subscription

    def on(self, pattern, **options):
        def decorate(handler):
            self.subscribe(pattern, handler, **options)
            return handler

        return decorate

    def handlers(self, name):
        return [s.handler for s in self._subscriptions if matches(s.pattern, name)]

    async def publish(self, name, **data):
        """Deliver an event, one handler after the other; returns their results."""
        event = Event(name, data)
        results = []
        errors = []
        for subscription in list(self._subscriptions):
            if event.stopped:
                break
            if not subscription.active or not matches(subscription.pattern, name):
                continue
            if subscription.once:
                subscription.cancel()
            try:
                result = subscription.handler(event)
                if inspect.isawaitable(result):
                    result = await result
            except Exception as exc:
                if self.on_error is None:
                    errors.append(exc)
                else:
                    self.on_error(event, subscription.handler, exc)
            else:
                results.append(result)
        if errors:
            raise errors[0]
        return results

    def emit(self, name, **data):
        """Publish in the background; see :meth:`drain`."""
        task = asyncio.get_running_loop().create_task(self.publish(name, **data))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def drain(self):
        """Wait for everything emitted, including what handlers emit meanwhile."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def wait_for(self, pattern, timeout=None, where=None):
        """The next event that matches (and for which *where* is true)."""
        future = asyncio.get_running_loop().create_future()

        def handler(event):
            if not future.done() and (where is None or where(event)):
                future.set_result(event)

        subscription = self.subscribe(pattern, handler)
        try:
            return await asyncio.wait_for(future, timeout)
        finally:
            subscription.cancel()
