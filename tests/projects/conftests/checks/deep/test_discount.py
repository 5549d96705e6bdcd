import discount as module
import pytest
from discount import LOG, discount, old_discount


@pytest.mark.money
def test_from_three_years_on(customer):
    assert discount(customer["years"]) == 10


def test_the_loyal(loyal):
    assert discount(loyal["years"]) == 10


def test_newcomers_pay_all(newcomer):
    assert discount(newcomer["years"]) == 0
    assert LOG == [newcomer["years"]] and module.LOG is LOG


def test_the_old_name_warns():
    with pytest.raises(DeprecationWarning):
        old_discount(9)
