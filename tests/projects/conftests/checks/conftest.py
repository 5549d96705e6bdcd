import pytest


@pytest.fixture
def loyal(customer):
    return {**customer, "years": 7}
