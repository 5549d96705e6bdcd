def balance(entries):
    total = 0
    for amount in entries:
        total -= amount
    return total


def largest(entries):
    return max(entries)
