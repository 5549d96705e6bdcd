from .registry import converter


@converter("km", "m")
def km_to_m(value):
    return value * 1000


@converter("m", "km")
def m_to_km(value):
    return value / 1000
