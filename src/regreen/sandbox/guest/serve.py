"""The guest: holds one candidate, answers calls of its functions, and knows nothing of the checks.

Whatever a candidate does to this process, all that it can bring about is another answer on the wire; the judge
believes no answer, it compares them.
"""

from __future__ import annotations

import json
import marshal
import sys
import time
from types import ModuleType
from typing import Any

from regreen.sandbox.guest.aliases import containers
from regreen.sandbox.guest.codec import TooLarge, Unplain, decode, describe_exception, encode
from regreen.sandbox.guest.output import CappedText, Flood
from regreen.sandbox.guest.program import install_companions, run_program, seed_random
from regreen.sandbox.guest.simple import fits_json
from regreen.sandbox.guest.trace import program_lines
from regreen.sandbox.guest.wire import Closed, Line

NEVER_CHANGED = frozenset({int, float, str, bytes, bool, type(None), complex})


def main(fd: int, limits: dict[str, Any]) -> None:
    """Load the program that comes first, then answer until the judge hangs up."""
    wire = Line(fd)
    output = CappedText(limits["output_bytes"])
    sys.stdout = sys.stderr = output
    module: ModuleType | None = None
    try:
        while True:
            request = wire.receive()
            if request[:1] == b"L":
                module, reply = _load(output, *marshal.loads(request[1:]))
            else:
                reply = _answer(module, request, output)
            wire.send(reply)
    except Closed:
        return


def _load(
    output: CappedText, source: str, name: str, filename: str, companions: dict[str, str], seed: int = 0
) -> tuple[ModuleType | None, bytes]:
    started = time.process_time()
    install_companions(companions)
    seed_random(seed)
    try:
        module = run_program(source, name, filename)
    except BaseException as error:  # noqa: BLE001  whatever the program raises is its answer
        return None, _raised(error, filename, output, None, started)
    return module, _returned(None, output, None, started)


def _answer(module: ModuleType | None, request: bytes, output: CappedText) -> bytes:
    read = marshal.loads if request[:1] == b"M" else decode
    kind, name, args, kwargs = read(request[1:])
    filename = getattr(module, "__file__", "") or ""
    started = time.process_time()
    given = _image(args, kwargs)
    held = containers((args, kwargs)) if given is not None else []
    try:
        value = _perform(kind, module.__dict__[name] if name in module.__dict__ else _missing(name), args, kwargs)
        back = held if _shared(value, held) or (held and _image(args, kwargs) != given) else None
        return _returned(value, output, back, started)
    except BaseException as error:  # noqa: BLE001  whatever the program raises is its answer
        back = held if held and _image(args, kwargs) != given else None
        return _raised(error, filename, output, back, started)


def _perform(kind: str, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    if kind == "get":
        return target
    if kind == "await":
        import asyncio

        return asyncio.run(_awaited(target, args, kwargs))
    return target(*args, **kwargs)


async def _awaited(target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return await target(*args, **kwargs)


def _missing(name: str) -> Any:
    raise NameError(f"the program defines no {name!r}")


def _image(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bytes | None:
    """The arguments as bytes, to see later whether a call changed them; None when nothing in them can change."""
    if not kwargs and all(type(a) in NEVER_CHANGED for a in args):
        return None
    try:
        return encode((args, kwargs))
    except (Unplain, TooLarge):
        return b""


def _shared(value: Any, held: list[Any]) -> bool:
    """Whether an answer is, or holds, something of what the arguments held."""
    if not held or type(value) in NEVER_CHANGED:
        return False
    known = {id(item) for item in held}
    return any(id(item) in known for item in containers(value))


def _returned(value: Any, output: CappedText, back: Any, started: float) -> bytes:
    if back is None and not output.parts and fits_json(value):
        return b"J" + json.dumps([value, time.process_time() - started]).encode("ascii")
    try:
        return b"R" + encode((value, back, output.take(), time.process_time() - started))
    except Unplain as error:
        return b"U" + encode((str(error), "", time.process_time() - started))
    except TooLarge as error:
        return b"T" + encode((str(error), "", time.process_time() - started))


def _raised(error: BaseException, filename: str, output: CappedText, back: Any, started: float) -> bytes:
    lines = program_lines(error.__traceback__, filename)
    described = {**describe_exception(error), "lines": lines, "flood": type(error) is Flood}
    if isinstance(error, MemoryError):
        back = None
    try:
        return b"E" + encode((described, back, output.take(), time.process_time() - started))
    except (Unplain, TooLarge):
        return b"E" + encode((described, None, "", time.process_time() - started))
