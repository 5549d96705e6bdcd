import asyncio
import functools

import pytest

from sprocket import EventBus
from sprocket.bus import matches


@pytest.fixture
def bus():
    return EventBus()


@pytest.mark.parametrize(
    "pattern, name, expected",
    [
        ("a.b", "a.b", True),
        ("a.*", "a.b.c", False),
        ("a.**", "a.b.c", True),
        ("a.**", "ab.c", False),
        ("**", "anything.at.all", True),
    ],
)
def test_matches(pattern, name, expected):
    assert matches(pattern, name) is expected


def test_sync_and_async_handlers(bus):
    async def slow(event):
        await asyncio.sleep(0)
        return event["n"] * 2

    bus.subscribe("x", lambda event: event["n"])
    bus.subscribe("x", slow)
    assert asyncio.run(bus.publish("x", n=2)) == [2, 4]


def test_wrapped_async_handlers(bus):
    class Handler:
        async def __call__(self, event):
            return "object"

    async def base(prefix, event):
        return prefix + event.name

    bus.subscribe("x", Handler())
    bus.subscribe("x", functools.partial(base, "partial "))
    bus.subscribe("x", lambda event: base("lambda ", event))
    assert asyncio.run(bus.publish("x")) == ["object", "partial x", "lambda x"]


def test_priority(bus):
    for name, priority in (("a", 0), ("b", 10), ("c", 0)):
        bus.subscribe("x", lambda event, name=name: name, priority=priority)
    assert asyncio.run(bus.publish("x")) == ["b", "a", "c"]


def test_stop(bus):
    bus.subscribe("x", lambda event: event.stop(), priority=1)
    bus.subscribe("x", lambda event: "never")
    assert asyncio.run(bus.publish("x")) == [None]


def test_once(bus):
    bus.subscribe("x", lambda event: 1, once=True)
    bus.subscribe("x", lambda event: 2)

    async def main():
        return await bus.publish("x"), await bus.publish("x")

    assert asyncio.run(main()) == ([1, 2], [2])


def test_once_handler_that_publishes_again(bus):
    calls = []

    @bus.on("x", once=True)
    async def again(event):
        calls.append(1)
        await bus.publish("x")

    asyncio.run(bus.publish("x"))
    assert calls == [1]


def test_cancelling_another_while_publishing(bus):
    @bus.on("x", priority=1)
    def first(event):
        second.cancel()

    second = bus.subscribe("x", lambda event: "second")
    bus.subscribe("x", lambda event: "third")
    assert asyncio.run(bus.publish("x")) == [None, "third"]


def test_subscribing_while_publishing_waits_for_next_event(bus):
    @bus.on("x")
    def first(event):
        bus.subscribe("x", lambda event: "late")

    assert asyncio.run(bus.publish("x")) == [None]


def test_errors_are_raised_after_all_handlers(bus):
    calls = []

    @bus.on("x")
    def bad(event):
        raise ValueError("bad")

    bus.subscribe("x", calls.append)
    with pytest.raises(ValueError):
        asyncio.run(bus.publish("x"))
    assert len(calls) == 1


def test_on_error():
    seen = []
    bus = EventBus(on_error=lambda event, handler, exc: seen.append((event.name, repr(exc))))

    @bus.on("x")
    async def bad(event):
        raise ValueError("bad")

    bus.subscribe("x", lambda event: "good")
    assert asyncio.run(bus.publish("x")) == ["good"]
    assert seen == [("x", "ValueError('bad')")]


def test_emit_and_drain(bus):
    seen = []

    @bus.on("first")
    async def first(event):
        await asyncio.sleep(0)
        bus.emit("second")

    bus.subscribe("second", lambda event: seen.append(event.name))

    async def main():
        bus.emit("first")
        assert seen == []
        await bus.drain()

    asyncio.run(main())
    assert seen == ["second"]


def test_wait_for(bus):
    async def main():
        waiting = asyncio.ensure_future(bus.wait_for("n.*", where=lambda event: event["n"] > 1))
        await asyncio.sleep(0)
        for n in (1, 2, 3):
            await bus.publish("n.x", n=n)
        return await waiting

    assert asyncio.run(main())["n"] == 2
    assert bus.handlers("n.x") == []


def test_wait_for_timeout(bus):
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(bus.wait_for("x", timeout=0.01))
    assert bus.handlers("x") == []
