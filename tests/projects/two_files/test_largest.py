from ledger import largest


def test_the_largest_entry():
    assert largest([1, 3, 2]) == 3
