"""Memory, arranged for forks."""

from __future__ import annotations

import subprocess
import sys

from regreen.sandbox.guest.forking.mappings import EXECUTE, READ, WRITE, Mapping
from regreen.sandbox.guest.forking.memory_layout import _libraries, _parts

LOOK = """
import gc
from regreen.sandbox.guest.forking.memory_layout import settle

before = gc.get_freeze_count()
kept = [[number] for number in range(1000)]
settle()
assert gc.get_freeze_count() > before + 1000
assert gc.collect() == 0 and len(gc.get_objects()) < 1000
print("well")
"""

JOIN = """
import math
from regreen.sandbox.guest.forking import memory_layout
from regreen.sandbox.guest.forking.mappings import Own

def of_files():
    own = Own()
    own.open()
    return memory_layout._of_files(own.read())

before = of_files()
memory_layout.join_mappings()
after = of_files()
libraries = {mapping.name for mapping in before}
assert len(after) < len(before), (len(before), len(after))
assert all(len([m for m in after if m.name == file]) <= 2 for file in libraries if ".so" in file), after
assert not [m for m in after if m.allowed & 2 and m.allowed & 4]
assert math.sqrt(16.0) == 4.0
print("well")
"""


ROOM = """
from regreen.sandbox.guest.forking.memory_layout import settle

kept = [bytes(size) for size in range(1, 480, 3) for _ in range(20)]
del kept[::3]
settle()
fresh = [bytes(100) for _ in range(8)]
pages = {id(block) // 4096 for block in fresh}
assert pages == {id(fresh[0]) // (1 << 14) * 4}, [hex(id(block)) for block in fresh]
# Side by side, but for what the calls hold that looked for this place.
assert max(map(id, fresh)) - min(map(id, fresh)) <= 144 * (7 + 4), [hex(id(block)) for block in fresh]
print("well")
"""


def laid_out(*parts: tuple[int, int]) -> list[Mapping]:
    """A library's mappings from (pages, what is allowed), one after the other in memory as in the file."""
    rows, at = [], 0
    for pages, allowed in parts:
        rows.append(Mapping(0x10000 + at, 0x10000 + at + pages, at, "/lib/some.so", allowed, True))
        at += pages
    return rows


def test_the_libraries_of_a_living_process_lie_in_two_mappings_each() -> None:
    """And it goes on living."""
    done = subprocess.run([sys.executable, "-c", JOIN], capture_output=True, text=True, check=False)
    assert done.stdout == "well\n", done.stderr


def test_what_the_loader_made_read_only_goes_with_what_is_written_to() -> None:
    """The kernel joins mappings with equal rights alone, and the loader has written to this part."""
    rows = laid_out((1, READ), (8, READ | EXECUTE), (4, READ), (1, READ), (2, READ | WRITE))
    code, data = _parts(rows)
    assert (code, data) == (rows[:3], rows[3:])


def test_code_is_never_made_writable() -> None:
    """Where a library has nothing between its code and its data."""
    rows = laid_out((8, READ | EXECUTE), (2, READ | WRITE))
    assert _parts(rows) == (rows[:1], rows[1:])
    assert _parts(rows[:1]) == (rows[:1], [])


def test_gaps_in_memory_or_in_the_file_end_a_row() -> None:
    """Both have to go on, in the same file."""
    first, second = laid_out((4, READ), (4, READ))
    assert _libraries([first, second]) == [[first, second]]
    for other in (
        second._replace(start=second.start + 1, end=second.end + 1),
        second._replace(offset=second.offset + 1),
        second._replace(name="/lib/other.so"),
    ):
        assert _libraries([first, other]) == [[first], [other]]


def test_no_collection_in_a_child_looks_at_what_its_server_had() -> None:
    """It would write to every object's page."""
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=False)
    assert done.stdout == "well\n", done.stderr


def test_what_a_child_allocates_lies_on_one_page() -> None:
    """Beside the head of its pool, which is written in any case; the holes that were left elsewhere are filled."""
    done = subprocess.run([sys.executable, "-c", ROOM], capture_output=True, text=True, check=False)
    assert done.stdout == "well\n", done.stderr
