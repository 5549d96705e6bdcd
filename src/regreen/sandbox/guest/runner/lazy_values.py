"""Looking at values of which nothing is to be run.

`isinstance` asks a value for its `__class__`, too. An object that stands for another one which is still to be made
(Django's settings, a proxy of a request) makes it then, or raises.
"""

from __future__ import annotations

from typing import Any, TypeGuard, TypeVar

Kind = TypeVar("Kind")


def is_plainly(value: Any, kind: type[Kind]) -> TypeGuard[Kind]:
    """Whether a value is an instance of a class, whatever it says of itself."""
    return issubclass(type(value), kind)


def attributes_of(value: Any) -> dict[str, Any] | None:
    """The dict of an object's own attributes, past whatever its class makes of looking them up; None without one."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return None
    return found if type(found) is dict else None
