"""What stands in the program's process for exceptions of its checks, and for their classes."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from regreen.sandbox.guest.runner.stand_ins.exception_rebuild import new_error
from regreen.sandbox.guest.wire.exception_parts import BUILTIN_EXCEPTIONS
from regreen.sandbox.guest.wire.reference_counts import ALONE, reference_counts

if TYPE_CHECKING:
    from regreen.sandbox.guest.runner.stand_ins.lent_stand_ins import Checks

_MOST_WATCHED = 100
"""Exceptions, the last ones, that are looked at for what the program has done to them."""
_LET_GO = ALONE + 2
"""The references to an exception that nothing of the program holds, but what is watched and the table of handles."""


class LentErrors:
    """The exceptions of the checks that one program has met."""

    def __init__(self, checks: Checks) -> None:
        self.checks = checks
        self.classes: set[type[BaseException]] = set()
        """What stands for classes of the checks."""
        self.known: set[type[BaseException]] = set()
        """Classes that both processes have loaded, each for itself."""
        self.texts: dict[int, str] = {}
        """Id of what stands for an exception -> what the checks say its text is."""
        self.watched: list[tuple[BaseException, dict[str, Any], BaseException | None]] = []

    def error_class(
        self,
        module: str,
        qualname: str,
        bases: tuple[type[BaseException], ...],
        plain: dict[str, Any],
        refused: tuple[str, ...],
        makes_itself: bool,
    ) -> type[BaseException]:
        """The class itself, where its module is loaded here, too; else one that is told of it."""
        known = _loaded(module, qualname)
        if known is not None:
            self.known.add(known)
            return known
        members: dict[str, Any] = {name: self._refusing(name) for name in refused}
        members |= {**plain, "__module__": module, "__qualname__": qualname, "__str__": self._telling()}
        if makes_itself:
            members["__new__"] = self._refusing("__new__")
        made = type(qualname.rpartition(".")[2], bases, members)
        self.classes.add(made)
        return made

    def error(
        self,
        kind: type[BaseException],
        args: tuple[Any, ...],
        text: str | None,
        slots: dict[str, Any],
        attributes: dict[str, Any],
        refused: tuple[str, ...],
        cause: BaseException | None,
    ) -> BaseException:
        """An exception that the program cannot tell from the one of the checks."""
        if refused:
            members = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
            kind = type(kind.__name__, (kind,), {**{name: self._refusing(name) for name in refused}, **members})
            self.classes.add(kind)
        error = self._made(kind, args, {"slots": slots, "attributes": attributes})
        error.__cause__ = cause
        if text is not None:
            self.texts[id(error)] = text
        self.watched = [*self.watched[1 - _MOST_WATCHED :], (error, copy.deepcopy(vars(error)), cause)]
        return error

    def is_changed(self) -> bool:
        """Whether the program has given attributes or a cause to an exception that is the checks' own."""
        changed = any(vars(error) != before or error.__cause__ is not cause for error, before, cause in self.watched)
        self._watch_the_held()
        return changed

    def _watch_the_held(self) -> None:
        """Look no more at the exceptions that the program has let go of."""
        counts = reference_counts([error for error, *_ in self.watched])
        self.watched = [watched for watched, held in zip(self.watched, counts, strict=True) if held > _LET_GO]

    def _made(self, kind: type[BaseException], args: tuple[Any, ...], parts: dict[str, Any]) -> BaseException:
        """An exception of the class; the program's own code makes those of its classes."""
        nearest = next(base for base in kind.__mro__ if base not in self.classes)
        if nearest not in BUILTIN_EXCEPTIONS and nearest not in self.known:
            made = kind(*args)
            vars(made).update(parts["attributes"])
            return made
        is_group = issubclass(kind, BaseExceptionGroup) and len(args) > 1
        return new_error(kind, args, parts, args[1] if is_group else ())

    def _telling(self) -> Callable[[BaseException], str]:
        texts = self.texts

        def told(error: BaseException) -> str:
            text = texts.get(id(error))
            return BaseException.__str__(error) if text is None else text

        return told

    def _refusing(self, name: str) -> Any:
        return _Refusing(self.checks, name)


class _Refusing:
    """What only the checks' process could tell of an exception."""

    def __init__(self, checks: Checks, name: str) -> None:
        self.checks, self.name = checks, name

    def __get__(self, instance: Any, owner: Any) -> NoReturn:
        self.checks.refuse(f"the program looks at `{self.name}` of an exception of the checks")
        raise AssertionError("unreachable")


def _loaded(module: str, qualname: str) -> type[BaseException] | None:
    """The class of that name of a module that is loaded in this process; None where there is none."""
    found: Any = sys.modules.get(module)
    for name in qualname.split("."):
        found = getattr(found, "__dict__", {}).get(name)
    fits = isinstance(found, type) and issubclass(found, BaseException)
    return found if fits and (found.__module__, found.__qualname__) == (module, qualname) else None
