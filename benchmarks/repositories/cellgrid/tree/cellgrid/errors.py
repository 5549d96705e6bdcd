class FormulaSyntaxError(ValueError):
    """The text of a formula makes no sense."""

    def __init__(self, message, position):
        super().__init__(f"{message} at {position}")
        self.position = position


class CellError(Exception):
    """An error that is shown in a cell, such as #DIV/0!"""

    def __init__(self, code):
        super().__init__(code)
        self.code = code

    def __eq__(self, other):
        if isinstance(other, CellError):
            return self.code == other.code
        return NotImplemented

    def __hash__(self):
        return hash(self.code)

    def __repr__(self):
        return self.code

    __str__ = __repr__


DIV0 = "#DIV/0!"
REF = "#REF!"
NAME = "#NAME?"
VALUE = "#VALUE!"
CYCLE = "#CYCLE!"
NA = "#N/A"
