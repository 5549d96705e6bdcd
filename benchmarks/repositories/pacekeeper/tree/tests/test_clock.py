import asyncio

import pytest

from pacekeeper import FakeClock


def test_sleep_advances(clock):
    clock.sleep(2.5)
    assert clock.now() == 102.5
    assert clock.sleeps == [2.5]


def test_backwards(clock):
    with pytest.raises(ValueError):
        clock.advance(-1)


def test_timers_in_order():
    clock = FakeClock()
    seen = []
    clock.call_at(3, lambda: seen.append(("late", clock.now())))
    clock.call_at(1, lambda: seen.append(("early", clock.now())))
    clock.call_at(1, lambda: seen.append(("same", clock.now())))
    clock.advance(2)
    assert seen == [("early", 1), ("same", 1)]
    clock.advance(2)
    assert seen[2:] == [("late", 3)]
    assert clock.now() == 4


def test_timer_may_start_timer():
    clock = FakeClock()
    seen = []
    clock.call_at(1, lambda: clock.call_later(1, lambda: seen.append(clock.now())))
    clock.advance(5)
    assert seen == [2]


def test_cancel():
    clock = FakeClock()
    seen = []
    cancel = clock.call_later(1, lambda: seen.append(1))
    cancel()
    clock.advance(2)
    assert seen == []


def test_asleep_lets_others_run(clock):
    seen = []

    async def worker(name):
        for _ in range(2):
            await clock.asleep(1)
            seen.append(name)

    async def main():
        await asyncio.gather(worker("a"), worker("b"))

    asyncio.run(main())
    assert seen == ["a", "b", "a", "b"]
