"""The registry resolves names, symbols, aliases and prefixes to units."""

from .dimension import Dimension
from .errors import RedefinitionError, UndefinedUnitError
from .units import NamedUnit

PREFIXES = (
    ("tera", "T", 1e12),
    ("giga", "G", 1e9),
    ("mega", "M", 1e6),
    ("kilo", "k", 1e3),
    ("hecto", "h", 1e2),
    ("deca", "da", 1e1),
    ("deci", "d", 1e-1),
    ("centi", "c", 1e-2),
    ("milli", "m", 1e-3),
    ("micro", "µ", 1e-6),
    ("nano", "n", 1e-9),
    ("pico", "p", 1e-12),
)


class UnitRegistry:
    def __init__(self, parent=None):
        self.parent = parent
        self._units = {}
        self._prefixed = {}

    def define(self, name, symbol=None, *, dimension=None, scale=1.0, offset=0.0,
               prefixable=False, aliases=(), replace=False):
        """Add a unit and return it.

        Redefining a name needs ``replace=True``.
        """
        unit = NamedUnit(
            name=name,
            symbol=symbol or name,
            dimension=dimension or Dimension(),
            scale=float(scale),
            offset=float(offset),
            prefixable=prefixable,
            aliases=tuple(aliases),
        )
        keys = [unit.name, unit.symbol, *unit.aliases]
        if not replace:
            for key in keys:
                if key in self._units:
                    raise RedefinitionError(key)
        for key in keys:
            self._units[key] = unit
        self._prefixed.clear()
        return unit

    def define_from(self, name, quantity, symbol=None, **options):
        """Define a unit as a multiple of others: ``define_from("ell", Q("45 inch"))``."""
        return self.define(
            name,
            symbol,
            dimension=quantity.dimension,
            scale=quantity.base_magnitude,
            **options,
        )

    def get(self, name):
        unit = self._lookup(name)
        if unit is None:
            raise UndefinedUnitError(name)
        return unit

    def _lookup(self, name):
        unit = self._exact(name)
        if unit is not None:
            return unit
        if name in self._prefixed:
            return self._prefixed[name]
        unit = self._with_prefix(name)
        if unit is not None:
            self._prefixed[name] = unit
        return unit

    def _exact(self, name):
        if name in self._units:
            return self._units[name]
        if self.parent is not None:
            return self.parent._exact(name)
        return None

    def _with_prefix(self, name):
        for long, short, factor in PREFIXES:
            for prefix, attribute in ((long, "name"), (short, "symbol")):
                if not name.startswith(prefix) or len(name) == len(prefix):
                    continue
                rest = name[len(prefix):]
                unit = self._exact(rest)
                if unit is None or not unit.prefixable:
                    continue
                if attribute == "name" and rest == unit.symbol and rest != unit.name:
                    continue
                if attribute == "symbol" and rest != unit.symbol:
                    continue
                return unit.prefixed(long, short, factor)
        return None

    def __contains__(self, name):
        return self._lookup(name) is not None

    def child(self):
        """A registry that sees this one's units and keeps its own additions."""
        return UnitRegistry(parent=self)


_default = None


def default_registry():
    global _default
    if _default is None:
        from .defaults import load

        _default = load(UnitRegistry())
    return _default
