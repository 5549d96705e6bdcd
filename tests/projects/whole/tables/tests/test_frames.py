import pytest

from sales.frames import best_region, by_region, read


@pytest.fixture
def frame():
    return read([("north", "tea", 3), ("south", "tea", 5), ("north", "nuts", 4), ("west", "tea", 1)])


def test_sums(frame):
    assert by_region(frame).to_dict() == {"north": 7, "south": 5, "west": 1}


def test_order(frame):
    assert list(by_region(frame).index) == ["north", "south", "west"]


def test_best(frame):
    assert best_region(frame) == "north"
