"""Work done once in a server, so that each forked child finds it done.

A child pays for every page of memory that it is the first to write, and for every cache that it has to fill. So the
server imports what programs often use, and runs what its children will run, with programs and checks of our own: the
interpreter specialises code that runs often (PEP 659), and `typing` and `re` keep what they have made.
"""

from __future__ import annotations

import _socket
import contextlib
import sys
from _thread import _count as thread_count
from collections.abc import Callable
from typing import Any

_COMMON_MODULES = (
    "bisect collections copy datetime functools heapq itertools json math operator random re string time typing"
).split()
"""The standard modules that small programs use most."""
_FOR_CHECKS = (
    "abc array asyncio base64 calendar cmath contextlib csv dataclasses decimal doctest enum fractions hashlib "
    "inspect io keyword numbers os pprint queue statistics struct textwrap threading traceback types unicodedata "
    "unittest unittest.mock urllib.parse uuid"
).split()
_MORE_MODULES: dict[str, list[str]] = {"guests": [], "checks": _FOR_CHECKS, "screens": _FOR_CHECKS}
"""Further modules for each kind of server: few for guests, since each candidate pays for its server's page tables."""

_PROGRAMS = (
    "from typing import List, Optional\n\n\ndef work(xs: List[int], n: int = 3) -> Optional[int]:\n"
    '    """Adds up every second one above n."""\n    total = 0\n    for i, x in enumerate(xs):\n'
    "        if x > n and i % 2 == 0:\n            total += x * 2\n    return total or None\n",
    "import re\n\nclass Box:\n    def __init__(self, items=None):\n        self.items = items or []\n\n"
    "    def put(self, item):\n        self.items.append(item)\n        return self\n\n\n"
    "def work(xs, n=3):\n    box = Box()\n    for x in sorted(xs, key=lambda x: -x):\n        box.put(str(x))\n"
    "    return ' '.join(box.items).upper().split()\n",
    "def work(xs, n=3):\n    counts = {}\n    for x in xs:\n        counts[x] = counts.get(x, 0) + 1\n"
    "    if n not in counts:\n        raise ValueError(f'no {n} in {xs!r}')\n"
    "    return [k for k, v in counts.items() if v == max(counts.values())]\n",
    "import math\n\ndef work(xs, n=3):\n    i, found = 0, set()\n    while i < len(xs):\n"
    "        found.add(math.floor(xs[i] / 2) ** 2 if xs[i] % 2 else xs[i])\n        i += 1\n    return xs[::-1]\n",
)
_OF_SCALARS = "\n\ndef half(n, by=2):\n    return n // by\n"
"""What each of these programs has besides: a function that is called with scalars alone."""
_ANNOTATIONS = """
from typing import Any, Dict, Iterable, List, Optional, Sequence, Set, Tuple, Union

for kind in (int, float, str, bool, Any):
    for generic in (List, Set, Sequence, Iterable, Optional):
        List[generic[kind]]
    for pair in (Tuple[kind, kind], Tuple[kind, ...], Dict[str, kind], Dict[int, kind], Union[kind, str]):
        Optional[List[pair]]
    Optional[List[kind]], Union[int, kind], Tuple[int, kind], Tuple[str, kind], Tuple[kind, kind, kind]
"""
"""The types that programs annotate with: `typing` caches those that it has made."""
_CHECKS = (
    "assert work([1, 5, 3, 8, 9]) == 18, 'adds'",
    "assert work([]) is None",
    "assert abs((work([4, 4, 1]) or 0) - 1.0) < 1e-6",
    "for n in range(2):\n    assert work([n, 2], n=n) != [0]",
)
_ANSWERS_BYTES = 1 << 16
"""More than all answers of a rehearsed guest take."""
_ROUNDS = 60
"""Rehearsals. Code is specialised within its first dozens of calls; more rounds made no verdict cheaper."""
_LIVE_PROGRAM = """
class Box:
    def __init__(self, items=()):
        self.items = list(items)
    def put(self, item, n=1):
        self.items.append(item)
        return self
    def __eq__(self, other):
        return self.items == other.items
    def __len__(self):
        return len(self.items)
def count(n):
    yield from range(n)
"""
_LIVE_CHECKS = """
box = Box([1, "a"])
assert box.put(3, n=2) is box
assert box.items == [1, "a", 3] and len(box) == 3 and box == box
assert Box([1]).put(2).items == [1, 2]
assert Box().items == []
assert list(count(3)) == [0, 1, 2] and next(count(2)) == 0
for n in count(2):
    assert n < 2
try:
    Box(1, 2, 3)
except TypeError as error:
    assert "Box" in str(error)
assert "Box" in repr(box)
"""
_LIVE_ROUNDS = 6
"""As one round asks a dozen questions, these are as many as code is specialised after."""


def load_common_modules() -> None:
    """Import what most programs import."""
    _load(_COMMON_MODULES)


def _load(names: list[str]) -> None:
    for name in names:
        with contextlib.suppress(ImportError):
            __import__(name)


def rehearse(kind: str) -> None:
    """Import what further children of a server may import, and run what they will run."""
    _load(_MORE_MODULES[kind])
    streams = sys.stdout, sys.stderr
    exec(_ANNOTATIONS, {})
    try:
        for number in range(_ROUNDS):
            _REHEARSALS[kind](_PROGRAMS[number % len(_PROGRAMS)])
        for _ in range(_LIVE_ROUNDS):
            _LIVE_REHEARSALS[kind]()
    finally:
        sys.stdout, sys.stderr = streams
        sys.modules.pop("program", None)


def _rehearse_guest(source: str) -> bytes:
    """A guest from load to hang-up, with all messages of its judge on the wire before it starts; its answers."""
    import marshal

    from regreen.sandbox.guest.runner import guest_process
    from regreen.sandbox.guest.runner.program_loading.precompile import precompiled
    from regreen.sandbox.guest.runner.program_loading.program_module import SEED
    from regreen.sandbox.guest.wire.codec import encode
    from regreen.sandbox.guest.wire.fast_formats import plain_request

    calls: list[Any] = [
        ("call", "work", ([1, 5, 3, 8],), {}),
        ("call", "work", ([2.5, 4.0], 1), {}),
        ("call", "work", ([[]],), {}),
        ("call", "half", (8,), {}),
        ("call", "half", (8,), {"by": 4}),
        ("get", "nothing", (), {}),
    ]
    code = precompiled(source + _OF_SCALARS, "<program>")
    messages = [b"L" + marshal.dumps((code, "program", "<program>", {}, SEED))]
    messages += [plain_request(*call) or b"" for call in calls]
    messages += [b"C" + encode(calls[0])]
    ours, theirs = _socket.socketpair()
    ours.sendall(b"".join(len(m).to_bytes(4, "little") + m for m in messages))
    # Open for reading: a guest whose answers nobody can read ends after the first of them.
    ours.shutdown(_socket.SHUT_WR)
    guest_process.Guest({"output_bytes": 1000}).serve(theirs.fileno())
    answers = ours.recv(_ANSWERS_BYTES)
    theirs.close()
    ours.close()
    return answers


def _rehearse_live_objects() -> None:
    """A guest that is asked for its program's live objects."""
    from regreen.sandbox.guest.runner.guest_process import Guest
    from regreen.sandbox.guest.runner.program_loading.precompile import precompiled
    from regreen.sandbox.guest.runner.program_loading.program_module import SEED
    from regreen.sandbox.guest.runner.stand_ins.live_guest import LIVE, LiveGuest
    from regreen.sandbox.guest.wire.live_channel import QUESTION, LiveChannel
    from regreen.sandbox.guest.wire.live_handles import HandleTable

    guest = Guest({"output_bytes": 1000})
    guest._load((precompiled(_LIVE_PROGRAM, "<program>"), "program", "<program>", {}, SEED))
    live = LiveGuest(guest)
    judge = LiveChannel(
        HandleTable(lambda value: ("named", "builtins", "min"), _StandIn, lambda value: None), answering=False
    )

    def ask(*question: Any) -> Any:
        return judge.unpack(live.answer(LIVE + judge.pack(QUESTION, question))[1:])[1]

    (_, box_class), (_, count) = ask("names", ("Box", "count", "nothing"))
    box = ask("call", box_class, ([1, "a"],), ())
    ask("method", box, "put", (3,), (("n", 2),))
    ask("getattr", box, "items")
    ask("special", box, "__eq__", (box,))
    ask("special", box, "__len__", ())
    ask("repr", box)
    ask("call", box_class, (1, 2, 3), ())
    numbers = ask("call", count, (2,), ())
    ask("special", numbers, "__next__", ())
    ask("setattr", box, "each", min)
    ask("chain", box_class, ([1],), (), "method", ("put", (2,), ()))
    ask("chain", box_class, ([1],), (), "getattr", ("items",))
    ask("chain", count, (2,), (), "items", ())


class _StandIn:
    """What a rehearsed judge holds for an object of the program."""

    def __init__(self, number: int, description: tuple[Any, ...]) -> None:
        self.known = number, description


def _rehearse_checks(source: str) -> None:
    """A suite compiled, and run on a program that lives in this process."""
    from regreen.sandbox.guest.runner.checks.check_runner import ProgramUnderTest
    from regreen.sandbox.guest.runner.checks.suite_runner import prepare_suite
    from regreen.sandbox.guest.runner.program_loading.program_module import run_program

    plain = {"want": None, "flags": 0, "scope": ""}
    steps = [{"code": code, "check": code, "line": n, **plain} for n, code in enumerate(_CHECKS, 1)]
    checks = [{"id": code} for code in _CHECKS]
    surface = {"functions": ["work"]}
    frame = {"kind": "script", "origin": "<warm>", "module": None, "one_namespace": True}
    suite = {**frame, "steps": steps, "checks": checks, "surface": surface}
    module = run_program(source, "program", "<program>")
    subject = ProgramUnderTest(module, lambda error: None, lambda check: contextlib.nullcontext())
    prepare_suite(suite).run(subject, lambda check: True, lambda check, result: True)


def _rehearse_live_checks() -> dict[str, Any]:
    """A judge whose checks use live objects of a program, which a guest in this very process holds; their results."""
    from regreen.sandbox.guest.runner.checks.check_runner import ProgramUnderTest
    from regreen.sandbox.guest.runner.checks.suite_runner import prepare_suite
    from regreen.sandbox.guest.runner.guest_process import Guest
    from regreen.sandbox.guest.runner.program_loading.program_module import SEED
    from regreen.sandbox.guest.runner.stand_ins.live_guest import LiveGuest
    from regreen.sandbox.guest.runner.stand_ins.live_program import LiveProgram
    from regreen.sandbox.guest.runner.stand_ins.program_stubs import empty_stub
    from regreen.sandbox.guest.runner.stand_ins.stubs import RemoteProgram

    surface = {"functions": [], "imports": [], "exceptions": [], "coroutines": [], "by_handles": True}
    step = {"code": _LIVE_CHECKS, "check": "live", "line": 1, "want": None, "flags": 0, "scope": ""}
    frame = {"kind": "script", "origin": "<warm>", "module": "program", "one_namespace": True}
    suite = {**frame, "steps": [step], "checks": [{"id": "live"}], "surface": surface}
    guest = Guest({"output_bytes": 1000})
    guest.threads = thread_count()
    guest._compile((_LIVE_PROGRAM, "program", "<program>", {}, SEED))
    answering, remote = LiveGuest(guest), RemoteProgram(lambda patience: False)
    remote.exchange = lambda request: answering.answer(request)  # type: ignore[method-assign]
    live, module = LiveProgram(remote), empty_stub(suite)
    module.__dict__.update(live.ask("names", ("Box", "count")))
    subject = ProgramUnderTest(module, lambda error: None, lambda check: contextlib.nullcontext())
    live.calls.decide_for(subject.recorder)
    found: dict[str, Any] = {}
    prepare_suite(suite).run(subject, lambda check: True, lambda check, result: bool(found.update({check: result})))
    return found


_REHEARSALS: dict[str, Callable[[str], Any]] = {
    "guests": _rehearse_guest,
    "checks": _rehearse_checks,
    "screens": _rehearse_checks,
}
_LIVE_REHEARSALS: dict[str, Callable[[], Any]] = {
    "guests": _rehearse_live_objects,
    "checks": _rehearse_live_checks,
    "screens": lambda: None,
}
