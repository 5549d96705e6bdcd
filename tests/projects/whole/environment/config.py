import os


def flag(name, default=False):
    value = os.environ.get(name)
    if value is None:
        return default
    return bool(value)


def number(name, default):
    return int(os.environ.get(name, default))
