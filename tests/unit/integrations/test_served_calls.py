"""Calls that end when their callers give up, and sandboxes that are kept for the next one."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

import pytest

from regreen.config import load_settings
from regreen.errors import SandboxError
from regreen.integrations import served_calls
from regreen.integrations.served_calls import CallAbandoned, KeptResources, ServedCall
from regreen.strategies import Event
from regreen.types import Budget


@dataclass(eq=False)
class FakePool:
    """Knows whether it was ended, and lets somebody wait for that."""

    ended: threading.Event = field(default_factory=threading.Event)
    closed: bool = False

    def abandon(self) -> None:
        self.ended.set()


@dataclass(frozen=True)
class FakeResources:
    pool: FakePool
    budget: Budget = field(default_factory=Budget)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> KeptResources:
    """Resources whose pools only remember what was done to them."""

    class Opening:
        def __init__(self, settings: object) -> None:
            self.pool = FakePool()

        def __enter__(self) -> FakeResources:
            return FakeResources(self.pool)

        def __exit__(self, *raised: object) -> None:
            self.pool.closed = True

    monkeypatch.setattr(served_calls, "open_resources", Opening)
    return KeptResources(load_settings({}, environ={}))


def test_sandboxes_are_kept_for_the_next_call(kept: KeptResources) -> None:
    """But for those in which something went wrong, and those that are in use."""
    with kept.lend() as first:
        pass
    with kept.lend() as second, kept.lend() as beside:
        assert second is first
        assert beside is not first
    with pytest.raises(SandboxError), kept.lend() as broken:
        raise SandboxError("it broke")
    assert broken.pool.closed
    with kept.lend() as another:
        assert another is not broken


def test_closing_ends_what_is_idle_and_what_is_under_way(kept: KeptResources) -> None:
    """Nothing is kept after that."""
    with kept.lend() as idle:
        pass
    with kept.lend() as busy, kept.lend() as other:
        kept.close()
        assert busy.pool.ended.is_set()
        assert other.pool.ended.is_set()
        assert not busy.pool.closed
    assert idle.pool.closed
    assert busy.pool.closed
    assert other.pool.closed


def test_a_call_that_is_given_up_ends_at_once(kept: KeptResources) -> None:
    """The sandbox under its work is ended, and what that raises is no fault of the sandbox's."""
    call, at_work, raised = ServedCall(kept), threading.Event(), []

    def work(call: ServedCall) -> None:
        with call.borrow() as resources:
            at_work.set()
            assert resources.pool.ended.wait(30)
            raise SandboxError("the sandbox was closed")

    def run() -> None:
        try:
            call.run(work)
        except (CallAbandoned, SandboxError) as error:
            raised.append(type(error))

    thread = threading.Thread(target=run)
    thread.start()
    assert at_work.wait(30)
    call.abandon(30)
    thread.join()
    assert raised == [CallAbandoned]


def test_the_next_event_ends_a_call_that_was_given_up(kept: KeptResources) -> None:
    """And one that has not begun never does."""
    call = ServedCall(kept)
    call.listen(Event("searching", 3))
    assert call.latest == Event("searching", 3)
    call.abandon(0)
    with pytest.raises(CallAbandoned):
        call.listen(Event("searching", 4))
    did: list[Any] = []
    with pytest.raises(CallAbandoned):
        call.run(lambda call: did.append(1))
    assert did == []


def test_a_call_has_the_budget_that_it_is_given(kept: KeptResources) -> None:
    """Its progress is counted in the seconds of that."""
    call = ServedCall(kept)
    with call.borrow(Budget(seconds=7)) as resources:
        assert (resources.budget.seconds, call.seconds) == (7, 7)
    with call.borrow() as resources:
        assert resources.budget == Budget()
