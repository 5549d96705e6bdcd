"""A case-insensitive, ordered multi-mapping for headers."""
from collections.abc import Mapping


class Headers:
    def __init__(self, items=()):
        self._items = []
        if isinstance(items, Headers):
            self._items = list(items._items)
        else:
            pairs = items.items() if isinstance(items, Mapping) else items
            for name, value in pairs:
                self.add(name, value)

    @staticmethod
    def _clean(value):
        value = str(value)
        if "\r" in value or "\n" in value:
            raise ValueError("header values must not contain line breaks")
        return value.strip()

    def add(self, name, value):
        """Append a value, keeping the ones already there."""
        self._items.append((name, self._clean(value)))

    def get(self, name, default=None):
        wanted = name.lower()
        for key, value in self._items:
            if key.lower() == wanted:
                return value
        return default

    def getlist(self, name):
        wanted = name.lower()
        return [value for key, value in self._items if key.lower() == wanted]

    def setdefault(self, name, value):
        found = self.get(name)
        if found is None:
            self.add(name, value)
            return self.get(name)
        return found

    def vary(self, field):
        """Add a field to Vary, once."""
        present = [part.strip() for part in self.get("Vary", "").split(",") if part.strip()]
        if field.lower() not in [part.lower() for part in present]:
            present.append(field)
        self["Vary"] = ", ".join(present)

    def copy(self):
        return Headers(self)

    def items(self):
        return list(self._items)

    def __getitem__(self, name):
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name, value):
        value = self._clean(value)
        wanted = name.lower()
        for index, (key, _) in enumerate(self._items):
            if key.lower() == wanted:
                rest = [p for p in self._items[index + 1:] if p[0].lower() != wanted]
                self._items[index:] = [(name, value)] + rest
                return
        self._items.append((name, value))

    def __delitem__(self, name):
        wanted = name.lower()
        kept = [pair for pair in self._items if pair[0].lower() != wanted]
        if len(kept) == len(self._items):
            raise KeyError(name)
        self._items = kept

    def __contains__(self, name):
        return self.get(name) is not None

    def __iter__(self):
        return iter([key for key, _ in self._items])

    def __len__(self):
        return len(self._items)

    def __repr__(self):
        return "Headers(%r)" % (self._items,)
