"""Text output of units and quantities.

The format specification is an ordinary number format followed by flags:

``~``  symbols in place of names
``P``  superscripts and a middle dot
``C``  choose the SI prefix that leaves 1 to 3 digits before the point
"""

from .registry import PREFIXES
from .units import CompoundUnit

_SUPERS = str.maketrans("+-0123456789", "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_FLAGS = "~PC"


def split_spec(spec):
    flags = ""
    while spec and spec[-1] in _FLAGS:
        flags = spec[-1] + flags
        spec = spec[:-1]
    return spec, flags


def _power_text(power, pretty):
    if pretty and power.denominator == 1:
        return str(power).translate(_SUPERS)
    if power.denominator != 1:
        return f"^({power})"
    return f"^{power}"


def format_unit(unit, symbols=False, pretty=False):
    above, below = [], []
    for named, power in unit.terms:
        label = named.symbol if symbols else named.name
        side = above if power > 0 else below
        size = abs(power)
        side.append(label if size == 1 else label + _power_text(size, pretty))
    times = "·" if pretty else "*"
    text = times.join(above)
    if below:
        denominator = times.join(below)
        if len(below) > 1:
            denominator = f"({denominator})"
        text = f"{text or '1'}/{denominator}"
    return text


def compact(quantity):
    """The same quantity with the prefix that suits its size."""
    terms = quantity.unit.terms
    if not terms or quantity.magnitude == 0:
        return quantity
    first, power = terms[0]
    root = _unprefixed(first, quantity.registry)
    if root is None or power != 1:
        return quantity
    plain = CompoundUnit(((root, power),) + terms[1:])
    base = quantity.to(plain)
    size = abs(base.magnitude)
    if 1 <= size < 1000:
        return base
    for long, short, factor in PREFIXES:
        if factor in (1e2, 1e1, 1e-1, 1e-2):
            continue
        if size / factor >= 1:
            chosen = root.prefixed(long, short, factor)
            return base.to(CompoundUnit(((chosen, power),) + terms[1:]))
    return base


def _unprefixed(unit, registry):
    if unit.prefixable:
        return unit
    for long, _, _ in PREFIXES:
        if unit.name.startswith(long):
            rest = unit.name[len(long):]
            if rest in registry and registry.get(rest).prefixable:
                return registry.get(rest)
    return None


def format_quantity(quantity, spec):
    number_spec, flags = split_spec(spec)
    if "C" in flags:
        quantity = compact(quantity)
    if number_spec:
        number = format(quantity.magnitude, number_spec)
    elif isinstance(quantity.magnitude, float):
        number = f"{quantity.magnitude:.12g}"
    else:
        number = str(quantity.magnitude)
    unit = format_unit(quantity.unit, "~" in flags, "P" in flags)
    if not unit:
        return number
    if unit == "%":
        return number + unit
    return f"{number} {unit}"
