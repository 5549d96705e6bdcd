import pytest

from recordkit import ValidationError, in_range, instance_of


def test_in_range():
    check = in_range(0, 10)
    check("x", 0)
    check("x", 5)
    check("x", 10)


@pytest.mark.parametrize("value", [-1, 11])
def test_out_of_range(value):
    with pytest.raises(ValidationError):
        in_range(0, 10)("x", value)


def test_instance():
    instance_of(int)("x", 3)
    with pytest.raises(ValidationError, match="x must be int"):
        instance_of(int)("x", "3")
