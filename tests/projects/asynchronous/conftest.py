import pytest


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture
def quiet():
    yield
