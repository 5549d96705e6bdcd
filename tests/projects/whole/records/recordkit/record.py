"""Classes of plain fields."""

MISSING = object()


class Field:
    def __init__(self, default=MISSING, factory=None, converter=None, validator=None):
        self.default = default
        self.factory = factory
        self.converter = converter
        self.validator = validator

    def initial(self, name):
        if self.factory is not None:
            return self.factory()
        if self.default is MISSING:
            raise TypeError(f"missing argument: {name}")
        return self.default


def field(**options):
    return Field(**options)


def record(cls):
    fields = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}

    def __init__(self, **given):
        unknown = given.keys() - fields.keys()
        if unknown:
            raise TypeError(f"unknown argument: {min(unknown)}")
        for name, each in fields.items():
            value = given[name] if name in given else each.initial(name)
            if each.converter is not None:
                value = each.converter(value)
            if each.validator is not None:
                each.validator(name, value)
            setattr(self, name, value)

    def __eq__(self, other):
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in fields)

    def __repr__(self):
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields)
        return f"{cls.__name__}({inner})"

    cls.__init__, cls.__eq__, cls.__repr__ = __init__, __eq__, __repr__
    cls.__hash__ = None
    return cls
