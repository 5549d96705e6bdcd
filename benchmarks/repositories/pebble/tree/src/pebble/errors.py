class PebbleError(Exception):
    """Base of all errors; knows where in the source it happened."""

    def __init__(self, message, line=None, column=None):
        self.message = message
        self.line = line
        self.column = column
        super().__init__(message)

    def __str__(self):
        if self.line is None:
            return self.message
        return f"{self.line}:{self.column}: {self.message}"


class PebbleSyntaxError(PebbleError):
    """The source cannot be read."""


class PebbleRuntimeError(PebbleError):
    """The source was read but its evaluation failed."""


class PebbleNameError(PebbleRuntimeError):
    """An unknown name; ``suggestion`` holds a similar one or None."""

    def __init__(self, name, suggestion=None, line=None, column=None):
        self.name = name
        self.suggestion = suggestion
        message = f"unknown name '{name}'"
        if suggestion:
            message += f", did you mean '{suggestion}'?"
        super().__init__(message, line, column)
