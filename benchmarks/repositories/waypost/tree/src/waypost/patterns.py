"""Path patterns such as ``/users/<int:id>/files/<path:rest>``."""
import re
import uuid
from urllib.parse import quote

from .errors import BuildError, PatternError

_PLACEHOLDER = re.compile(r"<(?:(?P<conv>[a-z_]+):)?(?P<name>[A-Za-z_]\w*)>")


class Converter:
    regex = r"[^/]+"
    weight = 10

    def parse(self, text):
        return text

    def format(self, value):
        return quote(str(value), safe="")


class StrConverter(Converter):
    def format(self, value):
        if value == "":
            raise ValueError("must not be empty")
        return super().format(value)


class IntConverter(Converter):
    regex = r"-?[0-9]+"
    weight = 5

    def parse(self, text):
        return int(text)

    def format(self, value):
        if isinstance(value, bool):
            raise ValueError("not an integer: %r" % value)
        return str(int(value))


class UuidConverter(Converter):
    regex = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    weight = 3

    def parse(self, text):
        return uuid.UUID(text)

    def format(self, value):
        return str(uuid.UUID(str(value)))


class PathConverter(Converter):
    regex = r".+"
    weight = 50

    def format(self, value):
        return quote(str(value), safe="/")


CONVERTERS = {
    "str": StrConverter(),
    "int": IntConverter(),
    "uuid": UuidConverter(),
    "path": PathConverter(),
}


class Pattern:
    def __init__(self, source, converters=None):
        if not source.startswith("/"):
            raise PatternError("pattern must start with '/': %r" % source)
        table = dict(CONVERTERS)
        table.update(converters or {})
        self.source = source
        self._parts = []
        self._converters = {}
        regex = []
        position = 0
        for found in _PLACEHOLDER.finditer(source):
            self._literal(source[position:found.start()], regex)
            name = found.group("name")
            kind = found.group("conv") or "str"
            if kind not in table:
                raise PatternError("unknown converter %r in %r" % (kind, source))
            if name in self._converters:
                raise PatternError("parameter %r used twice in %r" % (name, source))
            self._converters[name] = table[kind]
            self._parts.append((name, table[kind]))
            regex.append("(?P<%s>%s)" % (name, table[kind].regex))
            position = found.end()
        self._literal(source[position:], regex)
        self._regex = re.compile("".join(regex))

    def _literal(self, text, regex):
        if "<" in text or ">" in text:
            raise PatternError("stray angle bracket in %r" % self.source)
        if text:
            self._parts.append((None, text))
            regex.append(re.escape(text))

    @property
    def names(self):
        return list(self._converters)

    @property
    def specificity(self):
        """Lower sorts first: literal patterns before greedy ones."""
        weights = sorted((c.weight for c in self._converters.values()), reverse=True)
        literal = sum(len(text) for name, text in self._parts if name is None)
        return (weights, -literal)

    def match(self, path):
        found = self._regex.fullmatch(path)
        if found is None:
            return None
        params = {}
        for name, text in found.groupdict().items():
            try:
                params[name] = self._converters[name].parse(text)
            except ValueError:
                return None
        return params

    def build(self, values):
        pieces = []
        for name, part in self._parts:
            if name is None:
                pieces.append(part)
                continue
            if name not in values:
                raise BuildError("missing value for %r in %r" % (name, self.source))
            try:
                pieces.append(part.format(values[name]))
            except (TypeError, ValueError) as exc:
                raise BuildError("bad value for %r: %s" % (name, exc)) from exc
        return "".join(pieces)

    def __repr__(self):
        return "Pattern(%r)" % self.source
