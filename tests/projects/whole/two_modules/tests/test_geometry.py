import pytest

from geometry import Box, Point


@pytest.fixture
def box():
    return Box(Point(0, 0), Point(4, 2))


def test_area(box):
    assert box.area == 8


def test_centre(box):
    assert box.centre == Point(2, 1)


def test_inside(box):
    assert box.holds(Point(1, 1))


def test_above(box):
    assert not box.holds(Point(1, 3))


def test_beside(box):
    assert not box.holds(Point(5, 1))


def test_distance():
    assert Point(1, 1).distance(Point(4, 5)) == 5


def test_no_distance():
    assert Point(3, 3).distance(Point(3, 3)) == 0


def test_distance_is_symmetric():
    assert Point(0, 3).distance(Point(2, 7)) == pytest.approx(Point(2, 7).distance(Point(0, 3)))
