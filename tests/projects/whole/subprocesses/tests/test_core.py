from checksum.core import is_valid, luhn_sum


def test_sum():
    assert luhn_sum([7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 3]) == 70


def test_nothing():
    assert not is_valid("")
