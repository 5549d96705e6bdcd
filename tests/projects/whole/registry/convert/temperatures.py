from .registry import converter


@converter("C", "F")
def c_to_f(value):
    return value * 9 / 5 + 32


@converter("C", "K")
def c_to_k(value):
    return value + 273.15
