"""The units every registry starts with."""

import math

from .dimension import Dimension

LENGTH = Dimension(length=1)
MASS = Dimension(mass=1)
TIME = Dimension(time=1)
CURRENT = Dimension(current=1)
TEMPERATURE = Dimension(temperature=1)
AMOUNT = Dimension(amount=1)
INFORMATION = Dimension(information=1)

FORCE = MASS * LENGTH / TIME ** 2
ENERGY = FORCE * LENGTH
POWER = ENERGY / TIME


def load(registry):
    d = registry.define
    d("meter", "m", dimension=LENGTH, prefixable=True, aliases=("metre", "meters"))
    d("inch", "in", dimension=LENGTH, scale=0.0254, aliases=("inches",))
    d("foot", "ft", dimension=LENGTH, scale=0.3048, aliases=("feet",))
    d("mile", "mi", dimension=LENGTH, scale=1609.344, aliases=("miles",))
    # the kilogram is the base, but the prefixes go to the gram
    d("gram", "g", dimension=MASS, scale=1e-3, prefixable=True, aliases=("grams",))
    d("pound", "lb", dimension=MASS, scale=0.45359237, aliases=("lbs",))
    d("second", "s", dimension=TIME, prefixable=True, aliases=("sec", "seconds"))
    d("minute", "min", dimension=TIME, scale=60, aliases=("minutes",))
    d("hour", "h", dimension=TIME, scale=3600, aliases=("hr", "hours"))
    d("day", "d", dimension=TIME, scale=86400, aliases=("days",))
    d("ampere", "A", dimension=CURRENT, prefixable=True)
    d("mole", "mol", dimension=AMOUNT, prefixable=True)
    d("kelvin", "K", dimension=TEMPERATURE, prefixable=True)
    d("degC", "°C", dimension=TEMPERATURE, offset=273.15, aliases=("celsius",))
    d("degF", "°F", dimension=TEMPERATURE, scale=5 / 9, offset=459.67 * 5 / 9,
      aliases=("fahrenheit",))
    d("delta_degC", "Δ°C", dimension=TEMPERATURE)
    d("delta_degF", "Δ°F", dimension=TEMPERATURE, scale=5 / 9)
    d("hertz", "Hz", dimension=TIME ** -1, prefixable=True)
    d("newton", "N", dimension=FORCE, prefixable=True)
    d("joule", "J", dimension=ENERGY, prefixable=True)
    d("watt", "W", dimension=POWER, prefixable=True)
    d("pascal", "Pa", dimension=FORCE / LENGTH ** 2, prefixable=True)
    d("liter", "L", dimension=LENGTH ** 3, scale=1e-3, prefixable=True, aliases=("l", "litre"))
    d("bit", "bit", dimension=INFORMATION, prefixable=True)
    d("byte", "B", dimension=INFORMATION, scale=8, prefixable=True)
    d("percent", "%", scale=0.01)
    d("radian", "rad")
    d("degree", "deg", scale=math.pi / 180)
    return registry
