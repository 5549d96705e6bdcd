from .errors import PebbleError, PebbleNameError, PebbleRuntimeError, PebbleSyntaxError
from .interpreter import Interpreter, evaluate
from .parser import parse
from .unparse import unparse

__all__ = [
    "Interpreter",
    "evaluate",
    "parse",
    "unparse",
    "PebbleError",
    "PebbleNameError",
    "PebbleRuntimeError",
    "PebbleSyntaxError",
]
