"""The module that stands for the program in the judge's process where its functions are asked one by one."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import ModuleType
from typing import Any

from regreen.sandbox.guest.runner.program_loading.program_module import fresh_module
from regreen.sandbox.guest.runner.stand_ins.stubs import RemoteProgram


def stub_module(remote: RemoteProgram, suite: dict[str, Any], module: ModuleType) -> None:
    """Fill a module with stand-ins for everything that the checks use of the program."""
    surface, names = suite["surface"], module.__dict__
    for statement in surface["imports"]:
        _import(statement, names)
    for name, base in surface["exceptions"]:
        parent = remote.rebuilder.mirrors.get(base) or getattr(builtins, base, Exception)
        remote.rebuilder.mirrors[name] = names[name] = _mirror(name, parent, module.__name__)
    for name in surface["functions"]:
        names[name] = _stub(remote, name)
    for name in surface["coroutines"]:
        names[name] = _async_stub(remote, name)


def fetch_constants(remote: RemoteProgram, suite: dict[str, Any], module: ModuleType) -> None:
    """Copy the plain module-level variables that the checks read; what the program lacks stays undefined."""
    for name in suite["surface"]["constants"]:
        module.__dict__.pop(name, None)
        try:
            module.__dict__[name] = remote.call(name, (), {}, "get")
        except NameError:
            continue


def empty_stub(suite: dict[str, Any]) -> ModuleType:
    """An empty module, under the name by which the checks import the program."""
    return fresh_module(suite["module"] or "program", "<program>")


def _stub(remote: RemoteProgram, name: str) -> Callable[..., Any]:
    def stub(*args: Any, **kwargs: Any) -> Any:
        return remote.call(name, args, kwargs)

    stub.__name__ = stub.__qualname__ = name
    return stub


def _async_stub(remote: RemoteProgram, name: str) -> Callable[..., Any]:
    async def stub(*args: Any, **kwargs: Any) -> Any:
        return remote.call(name, args, kwargs, "await")

    stub.__name__ = stub.__qualname__ = name
    return stub


def _import(statement: str, names: dict[str, Any]) -> None:
    """Run one of the program's import statements in the judge; what is not installed here stays undefined."""
    try:
        exec(compile(statement, "<imports>", "exec", dont_inherit=True), names)
    except ImportError:
        return


def _mirror(name: str, base: Any, module: str) -> type[BaseException]:
    parent = base if isinstance(base, type) and issubclass(base, BaseException) else Exception
    return type(name, (parent,), {"__module__": module, "__qualname__": name})
