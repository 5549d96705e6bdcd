import os

import pytest
from squares import Square

UNIT = Square(1)


@pytest.mark.parametrize(("side", "area"), [(3, 9), (5, 25)])
def test_area(side, area):
    assert Square(side).area() == area


def test_the_unit_square():
    assert UNIT.area() == 1


def test_the_table_of_shapes():
    assert os.environ["SHAPES"] == "square" and Square(2).area() == 4
