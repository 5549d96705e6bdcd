import pytest

from ebbcache import FakeClock


@pytest.fixture
def clock():
    return FakeClock(start=1000)
