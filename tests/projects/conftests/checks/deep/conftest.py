import pytest


@pytest.fixture(params=[0, 1])
def newcomer(customer, request):
    return {**customer, "years": request.param}
