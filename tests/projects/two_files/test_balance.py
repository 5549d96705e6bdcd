from ledger import balance


def test_balance_adds_up():
    assert balance([1, 2, 3]) == 6


def test_an_empty_ledger_is_even():
    assert balance([]) == 0
