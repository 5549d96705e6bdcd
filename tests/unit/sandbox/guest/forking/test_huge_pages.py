"""Memory laid anew on huge pages."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.forking import huge_pages, mappings
from regreen.sandbox.guest.forking.huge_pages import HUGE_BYTES, Stretch, lay_anew, places, stretches
from regreen.sandbox.guest.forking.mappings import EXECUTE, READ, WRITE, Mapping, Own, parse

MAPS = """\
55d0a000-55d0c000 r-xp 00000000 fe:00 26723                      /usr/bin/python3
55d0c000-55d0d000 rw-p 00002000 fe:00 26723                      /usr/bin/python3
55e00000-55e90000 rw-p 00000000 00:00 0                          [heap]
7f001000-7f002000 ---p 00000000 00:00 0
7f002000-7f104000 rw-p 00000000 00:00 0
7f104000-7f105000 r--s 00000000 fe:00 338846                     /usr/lib/a cache
7f105000-7f106000 r--p 00000000 00:00 0                          [vvar]
7ffe0000-7fff0000 rw-p 00000000 00:00 0                          [stack]
"""

LIVE = """
import ctypes, gc, hashlib, json, os, re
from regreen.sandbox.guest.forking.huge_pages import lay_anew, stretches
from regreen.sandbox.guest.forking.mappings import Own

def rows():
    own = Own()
    own.open()
    return own.read()

kept = {str(number): [number, {number: str(number) * 3}] for number in range(20_000)}
told = hashlib.sha256(json.dumps(kept).encode()).hexdigest()
before = rows()
done = lay_anew(before)
after = rows()
assert hashlib.sha256(json.dumps(kept).encode()).hexdigest() == told
if done:
    assert len(after) < len(before) / 2, after
    for old in stretches(before):
        assert any(part.start <= old.start and old.end <= part.end for part in stretches(after)), old

def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)

import sqlite3
from concurrent.futures import ThreadPoolExecutor
assert sqlite3.connect(":memory:").execute("select 6 * 7").fetchone() == (42,)
assert re.fullmatch("(a|b)*c", "ab" * 1000 + "c") and deep(900) == 900
with ThreadPoolExecutor(4) as pool:
    assert sum(pool.map(len, kept.values())) == 40_000
back = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda x: x + 1)
assert back(41) == 42
try:
    [][1]
except IndexError as error:
    assert str(error) == "list index out of range"
kept.clear()
gc.collect()
kept = [bytearray(5000) for _ in range(20_000)]
if (child := os.fork()) == 0:
    kept.append(sum(map(len, kept)))
    os._exit(kept[-1] != 100_000_000)
assert os.waitpid(child, 0)[1] == 0
print("done" if done else "left")
"""


def run(code: str) -> str:
    """What a process of its own prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout.strip()


def test_a_process_goes_on_living() -> None:
    """With all that it had, and all that it can do: libraries, threads, callbacks, exceptions, children."""
    assert run(LIVE) in ("done", "left")


@pytest.mark.parametrize("missing", ["_is_huge", "_mapped"])
def test_where_there_is_no_such_memory_nothing_changes(missing: str) -> None:
    """Neither what is there, nor where it lies."""
    answer = {"_is_huge": "lambda *_: False", "_mapped": "lambda *_: 0"}[missing]
    code = LIVE.replace(
        "kept = {",
        f"from regreen.sandbox.guest.forking.huge_pages import _Mover; _Mover.{missing} = {answer}\nkept = {{",
        1,
    )
    code = code.replace(
        "if done:",
        "assert [row[:5] for row in after if 'lib' in row.name] == "
        "[row[:5] for row in before if 'lib' in row.name]\nif done:",
    )
    assert run(code) == "left"


GIVES_BACK = """
import mmap
from regreen.sandbox.guest.forking import huge_pages
from regreen.sandbox.guest.forking.mappings import Own

hole = mmap.mmap(-1, SIZE, mmap.MAP_PRIVATE)
own = Own()
own.open()
rows = own.read()
hole.close()
assert not huge_pages.lay_anew(rows)
print("left")
"""


@pytest.mark.parametrize("size", [1 << 12, 1 << 18, 1 << 22, 1 << 26])
def test_what_was_given_back_since_it_was_looked_at_is_not_touched(size: int) -> None:
    """The allocator may hand memory back at any time, and our own may come to lie there; nothing is moved then."""
    assert run(GIVES_BACK.replace("SIZE", str(size))) == "left"


def test_other_machines_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copied code may not be run everywhere before the caches are told."""
    monkeypatch.setattr(huge_pages, "_MACHINES", ())
    assert not lay_anew(list(parse(MAPS.splitlines())))


def test_without_proc_nothing_is_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is no reason to have no sandbox."""
    monkeypatch.setattr(mappings, "_PATH", str(tmp_path / "maps"))
    own = Own()
    own.open()
    assert own.read() == []
    assert not lay_anew([])


def test_mappings_are_read_once_and_let_go() -> None:
    """A child would inherit what holds them."""
    before = set(Path("/proc/self/fd").iterdir())
    own = Own()
    own.open()
    assert any(row.name == "[stack]" for row in own.read())
    assert own.read() == []
    assert set(Path("/proc/self/fd").iterdir()) == before


def test_what_lies_side_by_side_is_one_stretch() -> None:
    """Never what is shared, may not be read, or is the kernel's own, nor the stack that we stand on."""
    found = stretches(list(parse(MAPS.splitlines())))
    assert found == [Stretch(0x55D0A000, 0x55D0D000), Stretch(0x55E00000, 0x55E90000), Stretch(0x7F002000, 0x7F104000)]


def test_a_row_is_read_as_the_kernel_writes_it() -> None:
    """Names may have blanks, or be missing."""
    rows = list(parse(MAPS.splitlines(keepends=True)))
    assert rows[0] == Mapping(0x55D0A000, 0x55D0C000, 0, "/usr/bin/python3", READ | EXECUTE, True)
    assert rows[1].offset == 0x2000
    assert rows[4] == Mapping(0x7F002000, 0x7F104000, 0, "", READ | WRITE, True)
    assert (rows[5].name, rows[5].private) == ("/usr/lib/a cache", False)


pages = st.integers(1, 2_000)


@given(st.lists(st.tuples(pages, pages), min_size=1, max_size=8))
def test_every_part_has_a_place_of_its_own(sizes: list[tuple[int, int]]) -> None:
    """None overlaps another, all lie within the area, and those that can have whole huge pages get them."""
    parts, end = [], 0x5000_0000
    for gap, size in sizes:
        start = end + gap * 4096
        end = start + size * 4096
        parts.append(Stretch(start, end))
    found, size = places(parts)
    assert size % HUGE_BYTES == 0
    ends = [at + part.size for at, part in zip(found, parts, strict=True)]
    assert all(one <= other for one, other in zip(ends, found[1:], strict=False))
    assert ends[-1] <= size
    for at, part in zip(found, parts, strict=True):
        assert part.size < HUGE_BYTES or (part.start - at) % HUGE_BYTES == 0
