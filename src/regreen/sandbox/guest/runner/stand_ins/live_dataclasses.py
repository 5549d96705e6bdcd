"""What checks do to dataclasses of the program by Python's own functions, which look into their classes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from regreen.sandbox.guest.runner.stand_ins.live_stand_ins import LiveType

_OF_PYTHON: dict[str, Callable[..., Any]] = {
    name: getattr(dataclasses, name) for name in ("asdict", "astuple", "replace", "is_dataclass")
}


def ask_program_for_dataclasses(is_live: Callable[[Any], bool], ask: Callable[..., Any]) -> None:
    """Have `asdict`, `astuple`, `replace` and `is_dataclass` of an object or class of the program be done there.

    What comes back is plain data, or another live object. With a factory of the checks they are as Python has them.
    """

    def is_of_program(value: Any) -> bool:
        return is_live(value) or issubclass(type(value), LiveType)

    def asking(name: str) -> Callable[..., Any]:
        function = _OF_PYTHON[name]

        def asked(*args: Any, **kwargs: Any) -> Any:
            if len(args) == 1 and is_of_program(args[0]) and not {"dict_factory", "tuple_factory"} & kwargs.keys():
                return ask("dataclass", args[0], name, tuple(kwargs.items()))
            return function(*args, **kwargs)

        asked.__name__, asked.__qualname__, asked.__module__ = name, name, "dataclasses"
        return asked

    for name in _OF_PYTHON:
        setattr(dataclasses, name, asking(name))
