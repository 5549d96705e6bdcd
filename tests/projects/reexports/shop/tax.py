RATE = 20


def with_tax(amount):
    return amount * (100 + RATE) // 100
