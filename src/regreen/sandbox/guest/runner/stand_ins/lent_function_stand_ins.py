"""What stands in the program's process for functions, methods and partials of its checks: calling one is a question."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import TYPE_CHECKING, Any
from weakref import ReferenceType, ref

if TYPE_CHECKING:
    from regreen.sandbox.guest.runner.stand_ins.lent_stand_ins import Checks


class FunctionStandIns:
    """What one program has of its checks' functions."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks
        self.functions: dict[int, ReferenceType[Callable[..., Any]]] = {}
        """By their ids: those that the program has not let go of."""
        self.had_attributes = False
        """Whether one that it let go of had an attribute."""
        self.owners: dict[int, _Owner] = {}
        """By the number that the judge gives an object."""
        self.methods: dict[tuple[int, int | str], MethodType] = {}
        """By the numbers of object and function: the first of those that are equal."""

    def callback(self, *names: str | None) -> Callable[..., Any]:
        """What stands for a function."""

        def callback(*args: Any, **kwargs: Any) -> Any:
            return self.checks.ask("call", itself(), args, tuple(kwargs.items()))

        # A function that held itself would never be let go of.
        itself = ref(callback)
        return self._named(callback, *names)

    def method(self, owner: int, function: int | str, *names: str | None) -> MethodType:
        """What stands for a bound method: equal to any other one of that function and object."""
        key = owner, function
        if key in self.methods:
            first = self.methods[key]
            return MethodType(first.__func__, first.__self__)

        def callback(owner: _Owner, *args: Any, **kwargs: Any) -> Any:
            return self.checks.ask("call", self.methods[key], args, tuple(kwargs.items()))

        bound_to = self.owners.setdefault(owner, _Owner(self.checks))
        made = self.methods[key] = MethodType(self._named(callback, *names), bound_to)
        return made

    def partial(self, function: Any, args: tuple[Any, ...], names: tuple[tuple[str, Any], ...]) -> Callable[..., Any]:
        """A partial of what stands for the function."""
        return functools.partial(function, *args, **dict(names))

    def have_attributes(self) -> bool:
        """Whether the program gave an attribute to one of them."""
        functions = (function() for function in self.functions.values())
        return self.had_attributes or any(vars(function) for function in functions if function is not None)

    def let_go(self, value: Any) -> None:
        """Look no more at what may have been a function: the program has let go of it."""
        if self.functions.pop(id(value), None) is not None and vars(value):
            self.had_attributes = True

    def _named(
        self, callback: Any, name: str | None, qualname: str | None, module: str | None, doc: str | None
    ) -> Callable[..., Any]:
        callback.__name__, callback.__qualname__ = name or "function", qualname or "function"
        callback.__module__, callback.__doc__ = module or "__checks__", doc
        self.functions[id(callback)] = ref(callback)
        return callback  # type: ignore[no-any-return]


class _Owner:
    """An object of the checks, of which the program has a method and nothing else."""

    def __init__(self, checks: Checks) -> None:
        object.__setattr__(self, "_refuse", checks.refuse)

    def __getattribute__(self, name: str) -> Any:
        refuse = object.__getattribute__(self, "_refuse")
        refuse("the program looks at the object of a method of the checks")

    def __setattr__(self, name: str, value: Any) -> None:
        self.anything  # noqa: B018  refused, as all other uses are
