"""From the text of a sample to the program that is judged, or to the reason why there is none."""

from __future__ import annotations

from regreen.evaluate.extract import extraction_of
from regreen.tasks.sample_rows import SampleContent
from regreen.types import Suite, SuiteKind, Task

TASK = Task("t", "def add(a, b):\n    return a - b\n", "add", Suite(SuiteKind.SCRIPT, "", ()), module="pack.adding")
PATCH = "@@ -2 +2 @@\n-    return a - b\n+    return a + b\n"


def test_a_program_is_taken_as_it_is() -> None:
    """Even one that is none."""
    assert extraction_of(SampleContent.PROGRAMS).take("no program", TASK).source == "no program"


def test_a_patch_is_applied_to_the_task_s_program() -> None:
    """Among several files it is the one of the module's name."""
    new = "--- /dev/null\n+++ b/try.py\n@@ -0,0 +1 @@\n+x\n"
    taken = extraction_of(SampleContent.PATCHES).take(f"{new}--- a/pack/adding.py\n+++ b/pack/adding.py\n{PATCH}", TASK)
    assert (taken.source, taken.fault) == ("def add(a, b):\n    return a + b\n", "")


def test_a_patch_that_does_not_fit_is_a_fault_of_the_sample() -> None:
    """Told with the reason; none of it is applied."""
    taken = extraction_of(SampleContent.PATCHES).take(PATCH, TASK)
    assert taken.source == ""
    assert taken.fault == "the patch cannot be applied: line 1 begins a hunk of no file"


def test_a_reply_is_read_for_its_program() -> None:
    """And one without any is a fault of the sample."""
    read = extraction_of(SampleContent.REPLIES)
    taken = read.take("Here:\n```python\ndef add(a, b):\n    return a + b\n```\nDone.", TASK)
    assert "return a + b" in taken.source
    assert taken.fault == ""
    assert "no_code" in read.take("I would rather not.", TASK).fault


def test_every_way_has_a_name_of_its_own() -> None:
    """Records say by which one programs were taken."""
    assert len({extraction_of(holds).policy for holds in SampleContent}) == len(SampleContent)
