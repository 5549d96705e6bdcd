class TabulaError(Exception):
    pass


class IllegalMove(TabulaError, ValueError):
    def __init__(self, move, reason="not allowed"):
        self.move = move
        self.reason = reason
        super().__init__(f"illegal move {move}: {reason}")


class GameOver(TabulaError):
    """A move was made after the end."""


class ReplayError(TabulaError, ValueError):
    def __init__(self, message, line=None):
        self.line = line
        super().__init__(message if line is None else f"line {line}: {message}")
