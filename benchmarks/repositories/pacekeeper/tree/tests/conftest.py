import pytest

from pacekeeper import FakeClock


@pytest.fixture
def clock():
    return FakeClock(100)
