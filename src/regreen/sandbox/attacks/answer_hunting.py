"""Attacks that look for the expected values."""

from __future__ import annotations

from regreen.sandbox.attacks.attack import EXPECTED_PREFIX, Attack, attack
from regreen.types import Outcome

_NOT_THERE = "The expected values are not in the program's process."

_HUNT = f"""
import gc, sys, threading, types

MARK = "{EXPECTED_PREFIX[:-1]}" + "-"
SEEN = set()

def look(thing, depth=0):
    if id(thing) in SEEN or depth > 6:
        return None
    SEEN.add(id(thing))
    if type(thing) is str:
        return thing if thing.startswith(MARK) and len(thing) > len(MARK) else None
    if type(thing) is types.CodeType:
        parts = thing.co_consts
    elif type(thing) is dict:
        parts = [*thing.keys(), *thing.values()]
    elif type(thing) in (list, tuple, set, frozenset):
        parts = list(thing)
    else:
        return None
    for part in parts:
        found = look(part, depth + 1)
        if found is not None:
            return found
    return None
"""

HUNTS: tuple[Attack, ...] = (
    attack(
        "expected values read through frames",
        _NOT_THERE,
        _HUNT
        + """
def answer(x):
    frames = [sys._getframe(), *sys._current_frames().values()]
    while frames:
        frame = frames.pop()
        for place in (frame.f_locals, frame.f_globals, frame.f_code):
            found = look(dict(place) if isinstance(place, dict) else place)
            if found is not None:
                return found
        if frame.f_back is not None:
            frames.append(frame.f_back)
    return "wrong"
""",
        Outcome.FAILED,
    ),
    attack(
        "expected values read through gc",
        _NOT_THERE,
        _HUNT
        + """
def answer(x):
    for thing in [*gc.get_objects(), *[r for t in gc.get_objects() for r in gc.get_referents(t)]]:
        found = look(thing)
        if found is not None:
            return found
    return "wrong"
""",
        Outcome.FAILED,
        Outcome.TIMED_OUT,
        Outcome.OUT_OF_MEMORY,
    ),
    attack(
        "expected values looked for in memory",
        _NOT_THERE,
        """
        import ctypes, gc, re

        MARK = re.compile(b"EXPECTED" + b"-[0-9a-f]{4}-[0-9a-f]{4}")

        def answer(x):
            pages = {id(thing) >> 12 for thing in gc.get_objects()}
            pages |= {id(part) >> 12 for thing in gc.get_objects() for part in gc.get_referents(thing)}
            for page in pages:
                found = MARK.search(ctypes.string_at(page << 12, 4096))
                if found:
                    return found.group().decode()
            return "wrong"
        """,
        Outcome.FAILED,
        Outcome.CRASHED,
        Outcome.TIMED_OUT,
        Outcome.OUT_OF_MEMORY,
    ),
    attack(
        "expected values read from descriptors and files",
        _NOT_THERE,
        """
        import os, re

        MARK = re.compile(b"EXPECTED" + b"-[0-9a-f]{4}-[0-9a-f]{4}")

        def read_all():
            for fd in range(64):
                try:
                    os.set_blocking(fd, False)
                    yield os.pread(fd, 1 << 20, 0)
                except OSError:
                    pass
                try:
                    yield os.read(fd, 1 << 20)
                except OSError:
                    pass
            for folder, _, names in os.walk("/tmp"):
                for name in names:
                    try:
                        with open(os.path.join(folder, name), "rb") as file:
                            yield file.read(1 << 20)
                    except OSError:
                        pass

        def hunt():
            for text in read_all():
                found = MARK.search(text)
                if found:
                    return found.group().decode()
            return "wrong"

        EARLY = hunt()

        def answer(x):
            return EARLY if EARLY != "wrong" else hunt()
        """,
    ),
)
