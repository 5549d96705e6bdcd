class MensuraError(Exception):
    """Base class of all errors of this package."""


class DimensionError(MensuraError, TypeError):
    """Two quantities of different dimensions were combined."""

    def __init__(self, left, right, action="combine"):
        self.left = left
        self.right = right
        super().__init__(f"cannot {action} {left} and {right}")


class OffsetUnitError(MensuraError, ValueError):
    """A unit with an offset (degC, degF) was used in a product or a sum."""


class UndefinedUnitError(MensuraError, LookupError):
    def __init__(self, name):
        self.name = name
        super().__init__(f"unit {name!r} is not defined")


class RedefinitionError(MensuraError, ValueError):
    def __init__(self, name):
        self.name = name
        super().__init__(f"unit {name!r} is already defined")


class UnitSyntaxError(MensuraError, ValueError):
    def __init__(self, text, position, reason):
        self.text = text
        self.position = position
        super().__init__(f"{reason} at {position} in {text!r}")
