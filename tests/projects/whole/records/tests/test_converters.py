import pytest

from recordkit import optional, to_bool


@pytest.mark.parametrize("text", ["yes", "on", "1", True, 1, " t "])
def test_true(text):
    assert to_bool(text) is True


@pytest.mark.parametrize("text", ["no", "off", "0", False, 0])
def test_false(text):
    assert to_bool(text) is False


def test_case_does_not_matter():
    assert to_bool("Yes") is True
    assert to_bool("FALSE") is False


def test_other():
    with pytest.raises(ValueError, match="maybe"):
        to_bool("maybe")


def test_optional():
    assert optional(int)(None) is None
    assert optional(int)("3") == 3
