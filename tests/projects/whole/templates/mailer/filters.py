def money(cents):
    """1234 cents are "12.34"."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100}"


def shorten(text, length):
    """The text, cut at the end where it is too long."""
    return text if len(text) <= length else text[: length - 1] + "\u2026"
