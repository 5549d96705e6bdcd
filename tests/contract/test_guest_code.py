"""The guest's code in a process of its own: memory arranged for forks, and a codec that needs nothing else."""

from __future__ import annotations

import subprocess
import sys

import pytest

from regreen.sandbox.guest.boot import command

LOOK = """
import gc
from regreen.sandbox.guest.forking.memory_layout import settle_memory

before = gc.get_freeze_count()
kept = [[number] for number in range(1000)]
settle_memory()
assert gc.get_freeze_count() > before + 1000
assert gc.collect() == 0 and len(gc.get_objects()) < 1000
print("well")
"""

ROOM = """
from regreen.sandbox.guest.forking.memory_layout import settle_memory

kept = [bytes(size) for size in range(1, 480, 3) for _ in range(20)]
del kept[::3]
settle_memory()
fresh = [bytes(100) for _ in range(8)]
pages = {id(block) // 4096 for block in fresh}
assert pages == {id(fresh[0]) // (1 << 14) * 4}, [hex(id(block)) for block in fresh]
# Side by side, but for what the calls hold that looked for this place.
assert max(map(id, fresh)) - min(map(id, fresh)) <= 144 * (7 + 4), [hex(id(block)) for block in fresh]
print("well")
"""


def test_no_collection_in_a_child_looks_at_what_its_server_had() -> None:
    """It would write to every object's page."""
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=False)
    assert done.stdout == "well\n", done.stderr


def test_what_a_child_allocates_lies_on_one_page() -> None:
    """Beside the head of its pool, which is written in any case; the holes that were left elsewhere are filled."""
    done = subprocess.run([sys.executable, "-c", ROOM], capture_output=True, text=True, check=False)
    assert done.stdout == "well\n", done.stderr


def test_the_codec_works_in_a_bare_interpreter():
    """No third-party package and nothing of Regreen's own outside the guest is imported."""
    script = (
        "import sys\n"
        "def main():\n"
        "    from regreen.sandbox.guest.wire.codec import decode, encode\n"
        "    assert decode(encode([1, 'a'])) == [1, 'a']\n"
        "    print([name for name in sys.modules if name.startswith('regreen')])\n"
        "sys.modules['regreen.sandbox.guest.probe'] = sys.modules['__main__']\n"
    )
    python, *options = command(sys.executable, "probe")
    options[options.index("-c") + 1] = script + options[options.index("-c") + 1]
    done = subprocess.run([python, *options], capture_output=True, text=True, timeout=30, check=True)
    outside = [name for name in done.stdout.strip("[]\n").split(", ") if "sandbox.guest" not in name]
    assert outside == ["'regreen'", "'regreen.sandbox'"]


LOADED = """
import sys
def main(kind):
    from regreen.sandbox.guest.fork_server import ROLES
    ROLES[kind]()
    print(*sys.modules)
sys.modules["regreen.sandbox.guest.probe"] = sys.modules["__main__"]
"""
SLOW_TO_LOAD = {"argparse", "dataclasses", "difflib", "hashlib", "inspect", "pathlib", "unittest", "urllib"}


@pytest.mark.parametrize("kind", ["guests", "checks", "screens"])
def test_a_server_loads_nothing_slow_that_few_programs_need(kind: str) -> None:
    """Each repair waits for three of them. A child that needs more loads it by itself."""
    python, *options = command(sys.executable, "probe")
    options[options.index("-c") + 1] = LOADED + options[options.index("-c") + 1]
    done = subprocess.run([python, *options, kind], capture_output=True, text=True, check=True)
    assert "regreen.sandbox.guest.roles" in done.stdout.split()
    assert SLOW_TO_LOAD.isdisjoint(done.stdout.split())
