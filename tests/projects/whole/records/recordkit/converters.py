"""Functions that turn what was given into what is kept."""

_TRUE = {"true", "t", "yes", "y", "on", "1", 1, True}
_FALSE = {"false", "f", "no", "n", "off", "0", 0, False}


def to_bool(value):
    """True or False of the usual words. Raises ValueError for any other."""
    if isinstance(value, str):
        value = value.strip()
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise ValueError(f"cannot convert {value!r} to bool")


def optional(converter):
    """A converter that leaves None alone."""

    def convert(value):
        return None if value is None else converter(value)

    return convert
