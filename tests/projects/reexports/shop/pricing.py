from .tax import with_tax


def total(lines):
    net = 0
    for count, price in lines:
        net += count + price
    return with_tax(net)
