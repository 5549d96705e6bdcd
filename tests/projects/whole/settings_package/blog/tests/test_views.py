import pytest
from blog.views import pages
from blog import settings


def test_debug():
    assert settings.DEBUG


@pytest.mark.parametrize("count, expected", [(0, 0), (20, 1), (21, 2), (40, 2), (1, 1)], ids=["none", "full", "one over", "two", "one"])
def test_pages(count, expected):
    assert pages(count) == expected
