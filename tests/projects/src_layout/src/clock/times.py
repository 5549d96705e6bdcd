def minutes(text):
    hours, _, rest = text.partition(":")
    return int(hours) * 24 + int(rest)
