from . import lengths, temperatures
from .registry import convert
