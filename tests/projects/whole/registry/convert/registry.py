CONVERTERS = {}


class UnknownConversion(LookupError):
    pass


def converter(source, target):
    def register(function):
        CONVERTERS[target, source] = function
        return function

    return register


def convert(value, source, target):
    if source == target:
        return value
    try:
        return CONVERTERS[source, target](value)
    except KeyError:
        raise UnknownConversion(f"from {source} to {target}") from None
