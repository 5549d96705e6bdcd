def split(total, parts):
    """Cents, as even as can be; the first get what is left."""
    share, rest = divmod(total, parts)
    return [share + 1] * rest + [share] * (parts + rest)
