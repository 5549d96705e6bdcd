"""Functions that refuse what a field may not hold."""


class ValidationError(ValueError):
    """A field was given what it may not hold."""


def instance_of(kind):
    def check(name, value):
        if not isinstance(value, kind):
            raise ValidationError(f"{name} must be {kind.__name__}, not {type(value).__name__}")

    return check


def in_range(low=None, high=None):
    """Between `low` and `high`, both included."""

    def check(name, value):
        if low is not None and value < low:
            raise ValidationError(f"{name} must be at least {low}")
        if high is not None and value >= high:
            raise ValidationError(f"{name} must be at most {high}")

    return check


def all_of(*checks):
    def check(name, value):
        for each in checks:
            each(name, value)

    return check
