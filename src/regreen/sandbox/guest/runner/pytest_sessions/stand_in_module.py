"""A stand-in for a program that cannot be loaded: pytest can collect tests beside it, so that their ids are known."""

from __future__ import annotations

from types import ModuleType
from typing import Any


class StandInModule(ModuleType):
    """A module that has every name: those of another module, and a stand-in for any other."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module.__name__)
        self.__dict__.update(module.__dict__)

    def __getattr__(self, name: str) -> StandInValue:
        """Called for a name that the module does not have."""
        return StandInValue(name) if _may_stand_in(name) else _refuse(name)


class StandInValue:
    """Whatever a test module may do with a name of the program while it is imported, this allows."""

    def __init__(self, name: str) -> None:
        self.__name__ = name
        """Parts of a test's id, where the test is parametrised with the name."""

    def __getattr__(self, name: str) -> StandInValue:
        return StandInValue(name) if _may_stand_in(name) else _refuse(name)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """As a decorator it returns what it decorates, else itself."""
        return arguments[0] if len(arguments) == 1 and callable(arguments[0]) and not named else self

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        return (object,)


def _may_stand_in(name: str) -> bool:
    """Whether a name may be the program's: pytest looks for marks and hooks of its own on whatever it meets."""
    return not name.startswith(("_", "pytest"))


def _refuse(name: str) -> Any:
    raise AttributeError(name)
