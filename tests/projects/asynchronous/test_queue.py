import pytest
from queue_of_jobs import run

pytestmark = pytest.mark.anyio


async def test_in_order():
    assert await run([1, 2, 3]) == [1, 2, 3]


async def test_nothing():
    assert await run([]) == []
