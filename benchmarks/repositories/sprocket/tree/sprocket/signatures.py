"""What a callable wants to be given."""

import inspect
import typing
from collections import namedtuple

Wanted = namedtuple("Wanted", "name key optional many has_default default")


def unwrap_optional(annotation):
    """``(X, True)`` for ``Optional[X]``, else ``(annotation, False)``."""
    if typing.get_origin(annotation) is typing.Union:
        args = [arg for arg in typing.get_args(annotation) if arg is not type(None)]
        if len(args) == 1:
            return args[0], True
    return annotation, False


def _hints(function):
    target = function.__init__ if inspect.isclass(function) else function
    if not inspect.isroutine(target):
        target = target.__call__
    try:
        return typing.get_type_hints(target)
    except (NameError, TypeError):
        return dict(getattr(target, "__annotations__", {}))


def wanted(function):
    """The parameters of *function*, in order; ``*args`` and ``**kwargs`` are left out."""
    if inspect.isclass(function) and function.__init__ is object.__init__:
        return []
    hints = _hints(function)
    result = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        key, optional = unwrap_optional(hints.get(parameter.name, parameter.name))
        many = typing.get_origin(key) in (list, tuple)
        if many:
            key = typing.get_args(key)[0]
        has_default = parameter.default is not parameter.empty
        result.append(Wanted(parameter.name, key, optional, many, has_default, parameter.default))
    return result
