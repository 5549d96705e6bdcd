from .table import PAIRS, VALUES


def to_roman(number):
    if not 0 < number < 4000:
        raise ValueError(f"{number} has no Roman numeral")
    letters = []
    for value, letter in PAIRS:
        if number >= value:
            letters.append(letter)
            number -= value
    return "".join(letters)


def from_roman(numeral):
    total = 0
    for letter, following in zip(numeral, numeral[1:] + " "):
        value = VALUES[letter]
        total += -value if VALUES.get(following, 0) > value else value
    return total
