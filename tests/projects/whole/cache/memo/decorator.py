import functools

from .lru import LRU

_NOTHING = object()


def cached(size=8):
    def decorate(function):
        entries = LRU(size)

        @functools.wraps(function)
        def wrapper(*arguments):
            found = entries.get(arguments, _NOTHING)
            if found is _NOTHING:
                found = function(*arguments)
                entries.put(arguments, found)
            return found

        return wrapper

    return decorate
