"""Memory, arranged for forks."""

from __future__ import annotations

import subprocess
import sys

LOOK = """
import gc
from regreen.sandbox.guest.pages import settle

assert gc.get_freeze_count() == 0
kept = [[number] for number in range(1000)]
settle()
assert gc.get_freeze_count() > 1000
assert gc.collect() == 0 and len(gc.get_objects()) < 1000
print("well")
"""


def test_no_collection_in_a_child_looks_at_what_its_server_had() -> None:
    """It would write to every object's page."""
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=False)
    assert done.stdout == "well\n", done.stderr
