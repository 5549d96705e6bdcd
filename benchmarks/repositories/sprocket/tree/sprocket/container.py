"""Builds objects from the annotations of their constructors."""

import enum
import inspect
from contextlib import contextmanager

from .errors import CircularDependency, MissingBinding
from .signatures import wanted


class Lifetime(enum.Enum):
    SINGLETON = "singleton"
    SCOPED = "scoped"
    TRANSIENT = "transient"


class Binding:
    def __init__(self, key, factory, lifetime):
        self.key = key
        self.factory = factory
        self.lifetime = lifetime


class Container:
    """Keys are classes or strings; the last binding of a key wins.

    A parameter is looked up by its annotation, or, without one, by its name.
    ``List[X]`` asks for everything that is bound to X.
    """

    def __init__(self, parent=None):
        self.parent = parent
        self._bindings = {}
        self._instances = {}
        self._closers = []
        self._stack = [] if parent is None else parent._stack

    # -- binding ---------------------------------------------------------
    def bind(self, key, factory=None, lifetime=Lifetime.SINGLETON):
        """Bind *key* to what *factory* (by default *key* itself) makes."""
        factory = factory or key
        if not callable(factory):
            raise TypeError(f"{factory!r} cannot be called; use bind_value")
        self._bindings.setdefault(key, []).append(Binding(key, factory, lifetime))
        return self

    def bind_value(self, key, value):
        return self.bind(key, lambda: value)

    def provides(self, key, lifetime=Lifetime.SINGLETON):
        """Decorator form of :meth:`bind`."""

        def decorate(factory):
            self.bind(key, factory, lifetime)
            return factory

        return decorate

    def alias(self, key, target):
        return self.bind(key, lambda: self.get(target), Lifetime.TRANSIENT)

    @contextmanager
    def override(self, key, value):
        """Replace *key* by *value* inside a ``with`` block, for tests."""
        saved = self._bindings.get(key)
        instances = dict(self._instances)
        self._bindings[key] = [Binding(key, lambda: value, Lifetime.TRANSIENT)]
        self._instances.clear()
        try:
            yield value
        finally:
            if saved is None:
                del self._bindings[key]
            else:
                self._bindings[key] = saved
            self._instances.clear()
            self._instances.update(instances)

    # -- looking up ------------------------------------------------------
    def _find(self, key):
        """``(container, bindings)`` of the nearest container that knows *key*."""
        container = self
        while container is not None:
            if key in container._bindings:
                return container, container._bindings[key]
            container = container.parent
        return None, []

    def __contains__(self, key):
        return self._find(key)[0] is not None

    def get(self, key, wanted_by=None):
        owner, bindings = self._find(key)
        if owner is None:
            raise MissingBinding(key, wanted_by)
        return self._instance(owner, bindings[-1])

    def get_all(self, key):
        owner, bindings = self._find(key)
        return [self._instance(owner, binding) for binding in bindings]

    def _instance(self, owner, binding):
        if binding.lifetime is Lifetime.TRANSIENT:
            return self._build(binding, self)
        holder = owner if binding.lifetime is Lifetime.SINGLETON else self
        if binding not in holder._instances:
            instance = self._build(binding, holder)
            holder._instances[binding] = instance
            if hasattr(instance, "close"):
                holder._closers.append(instance)
        return holder._instances[binding]

    def _build(self, binding, holder):
        keys = [item.key for item in self._stack]
        if binding in self._stack:
            raise CircularDependency(keys[self._stack.index(binding) :] + [binding.key])
        self._stack.append(binding)
        try:
            return holder.call(binding.factory)
        finally:
            self._stack.pop()

    def call(self, function, **given):
        """Call *function*, giving it what it wants; *given* goes first."""
        kwargs = {}
        for item in wanted(function):
            if item.name in given:
                kwargs[item.name] = given[item.name]
            elif item.many:
                kwargs[item.name] = self.get_all(item.key)
            elif item.key in self:
                kwargs[item.name] = self.get(item.key, function)
            elif item.has_default:
                continue
            elif item.optional:
                kwargs[item.name] = None
            else:
                raise MissingBinding(item.key, function)
        return function(**kwargs)

    # -- scopes ----------------------------------------------------------
    @contextmanager
    def scope(self):
        """A child container; what it made is closed at the end."""
        child = Container(parent=self)
        try:
            yield child
        finally:
            child.close()

    def close(self):
        """Close what was made here, the newest first; every one gets its chance."""
        errors = []
        while self._closers:
            instance = self._closers.pop()
            try:
                instance.close()
            except Exception as exc:
                errors.append(exc)
        self._instances.clear()
        if errors:
            raise errors[0]


def injectable(container):
    """Decorator: calls of the function get their missing arguments from *container*."""

    def decorate(function):
        names = list(inspect.signature(function).parameters)

        def wrapper(*args, **kwargs):
            given = dict(zip(names, args))
            given.update(kwargs)
            return container.call(function, **given)

        wrapper.__name__ = function.__name__
        wrapper.__doc__ = function.__doc__
        return wrapper

    return decorate
