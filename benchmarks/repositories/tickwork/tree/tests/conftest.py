import pytest

from tickwork import ManualClock, Scheduler


@pytest.fixture
def clock():
    return ManualClock()


@pytest.fixture
def scheduler(clock):
    return Scheduler(clock)


@pytest.fixture
def calls():
    return []


class Flaky:
    """Fails the first *failures* calls."""

    __name__ = "flaky"

    def __init__(self, failures, error=RuntimeError("boom")):
        self.failures = failures
        self.error = error
        self.calls = 0

    def __call__(self):
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error
        return "ok"


@pytest.fixture
def flaky():
    return Flaky
