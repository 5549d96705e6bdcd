def luhn_sum(digits):
    total = 0
    for place, digit in enumerate(reversed(digits)):
        if place % 2 == 0:
            digit *= 2
            if digit > 9:
                digit -= 9
        total += digit
    return total


def is_valid(number):
    digits = [int(letter) for letter in number if letter.isdigit()]
    return bool(digits) and luhn_sum(digits) % 10 == 0
