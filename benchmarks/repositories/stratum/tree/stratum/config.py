"""The stack of layers."""
import copy
import os

from . import environ as _environ
from . import reader, values
from .errors import MissingKey, ValueTypeError
from .interpolate import resolve
from .merge import assign, flatten, lookup, merge

_MISSING = object()


class Config:
    """Layers of settings; the last one pushed wins."""

    def __init__(self, defaults=None):
        self._layers = []
        self._merged = None
        self._watchers = {}
        if defaults is not None:
            self.push("defaults", defaults)

    # -- layers -----------------------------------------------------------
    def push(self, name, tree):
        if name in self.layer_names():
            raise ValueError("there is a layer %r already" % name)
        self._change(lambda: self._layers.append((name, copy.deepcopy(tree))))
        return self

    def push_file(self, path, optional=False):
        try:
            tree = reader.read_file(path)
        except FileNotFoundError:
            if optional:
                return self
            raise
        return self.push(str(path), tree)

    def push_env(self, prefix, env=None):
        env = os.environ if env is None else env
        return self.push("env:" + prefix, _environ.from_environ(env, prefix))

    def pop(self, name):
        """Remove a layer and return it."""
        for index, (label, tree) in enumerate(self._layers):
            if label == name:
                self._change(lambda: self._layers.pop(index))
                return tree
        raise MissingKey(name)

    def set(self, key, value):
        """Set one key in the ``overrides`` layer, which stays on top."""
        def apply():
            tree = {}
            for index, (label, layer) in enumerate(self._layers):
                if label == "overrides":
                    tree = layer
                    del self._layers[index]
                    break
            assign(tree, key, value)
            self._layers.append(("overrides", tree))

        self._change(apply)

    def layer_names(self):
        return [name for name, _ in self._layers]

    def origin(self, key):
        """The name of the layer a setting comes from."""
        for name, tree in reversed(self._layers):
            try:
                lookup(tree, key)
            except MissingKey:
                continue
            return name
        raise MissingKey(key)

    # -- reading ----------------------------------------------------------
    def _tree(self):
        if self._merged is None:
            merged = {}
            for _, tree in self._layers:
                merged = merge(merged, tree)
            self._merged = merged
        return self._merged

    def get(self, key, default=None):
        try:
            return self[key]
        except MissingKey:
            return default

    def __getitem__(self, key):
        tree = self._tree()
        return resolve(tree, lookup(tree, key), (key,))

    def __contains__(self, key):
        try:
            lookup(self._tree(), key)
        except MissingKey:
            return False
        return True

    def _typed(self, key, default, convert):
        value = self.get(key, _MISSING)
        if value is _MISSING:
            if default is _MISSING:
                raise MissingKey(key)
            return default
        try:
            return convert(value)
        except ValueTypeError as exc:
            raise ValueTypeError("%s: %s" % (key, exc)) from None

    def bool(self, key, default=_MISSING):
        return self._typed(key, default, values.to_bool)

    def int(self, key, default=_MISSING):
        return self._typed(key, default, values.to_int)

    def list(self, key, default=_MISSING):
        return self._typed(key, default, values.to_list)

    def size(self, key, default=_MISSING):
        return self._typed(key, default, values.to_size)

    def seconds(self, key, default=_MISSING):
        return self._typed(key, default, values.to_seconds)

    def section(self, key):
        """A table, resolved, as a plain dictionary."""
        value = self[key]
        if not isinstance(value, dict):
            raise ValueTypeError("%s is not a table" % key)
        return value

    def as_dict(self):
        tree = self._tree()
        return resolve(tree, tree)

    def keys(self):
        return list(flatten(self._tree()))

    # -- watching ---------------------------------------------------------
    def watch(self, key, callback):
        """Call back with (old, new) when a setting changes."""
        self._watchers.setdefault(key, []).append(callback)

        def stop():
            self._watchers[key].remove(callback)

        return stop

    def _change(self, action):
        before = {key: self.get(key) for key in self._watchers}
        action()
        self._merged = None
        for key, callbacks in list(self._watchers.items()):
            now = self.get(key)
            if now != before[key]:
                for callback in list(callbacks):
                    callback(before[key], now)
