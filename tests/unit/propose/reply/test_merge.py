"""What of a reply goes into the program, and where: helpers, imports, classes, constants, decorators, docstrings."""

from __future__ import annotations

import pytest

from regreen.propose.reply import ReplyFault, ReplyFaultKind, ReplyProgram, read_reply
from regreen.types import Suite, SuiteKind, Task


def read(
    reply: str, program: str, entry_point: str | None = "f", *, base: str | None = None
) -> ReplyProgram | ReplyFault:
    """What comes of a reply whose code stands in one fence."""
    task = Task("t", program, entry_point, Suite(SuiteKind.SCRIPT, "", ()))
    return read_reply(f"```python\n{reply}```\n", task, base=base)


def source(reply: str, program: str, entry_point: str | None = "f") -> str:
    """The program that comes of it."""
    found = read(reply, program, entry_point)
    assert isinstance(found, ReplyProgram), found
    return found.source


def test_helpers_constants_and_imports_come_along_where_they_are_used() -> None:
    """Imports join the program's own, helpers stand before the function; what nothing uses stays away."""
    program = "import os\n\n\n# About f.\ndef f(x):\n    return x\n"
    reply = (
        "import os, re\nimport json\nfrom math import floor as down, ceil\n\nSTEP = 2\nresult = 9\n\n"
        "def used(x):\n    return down(x) + STEP\n\ndef unused():\n    return ceil(1)\n\n"
        "def f(x):\n    return used(re.escape(x))\n\nresult = f('1')\nprint(result)\n"
    )
    assert source(reply, program) == (
        "import os\nimport re\nfrom math import floor as down\n\n\n"
        "STEP = 2\n\n\ndef used(x):\n    return down(x) + STEP\n\n\n"
        "# About f.\ndef f(x):\n    return used(re.escape(x))\n"
    )


def test_a_variable_of_a_trial_run_is_no_constant_of_the_function() -> None:
    """`items` below is the function's own parameter: the trial's variable of that name stays away."""
    program = "def f(items):\n    return items\n"
    assert source("def f(items):\n    return items[0]\n\nitems = [1]\nf(items)\n", program) == (
        "def f(items):\n    return items[0]\n"
    )


def test_imports_go_below_the_docstring_where_there_are_none_yet() -> None:
    """A program without imports gets them after its docstring, apart from what follows."""
    program = '"""Doc."""\n\n# About f.\ndef f(x):\n    return x\n'
    assert source("import math\ndef f(x):\n    return math.pi\n", program) == (
        '"""Doc."""\n\nimport math\n\n\n# About f.\ndef f(x):\n    return math.pi\n'
    )


def test_an_import_that_was_forgotten_is_added_where_there_is_no_doubt() -> None:
    """Typing's names and modules of the standard library are known; anything else is left for the run to find."""
    found = read("def f(x: List[int]):\n    return math.sqrt(x) + frobnicate.it(x)\n", "def f(x):\n    return x\n")
    assert isinstance(found, ReplyProgram)
    assert found.source.startswith("import math\nfrom typing import List\n\n\ndef f(x: List[int]):")
    assert "frobnicate" not in found.source.partition("def")[0]
    assert "`import math` was added, because the reply uses it" in found.notes


def test_an_import_from_elsewhere_of_a_known_name_wins() -> None:
    """The reply's `datetime` is the class, the program's was the module: the later import decides, and it is said."""
    program = "import datetime\n\n\ndef f(x):\n    return datetime.datetime(x, 1, 1)\n"
    found = read("from datetime import datetime\ndef f(x):\n    return datetime(x, 1, 2)\n", program)
    assert isinstance(found, ReplyProgram)
    assert found.source.startswith("import datetime\nfrom datetime import datetime\n")
    assert found.notes == ("`datetime` now comes from `from datetime import datetime`",)


def test_other_functions_of_the_program_are_taken_when_they_differ() -> None:
    """The bug may be in a helper: what the program has, too, counts, and only what says something else is replaced."""
    program = "def g(x):\n    return  x\n\n\ndef h(x):\n    return x  # kept\n\n\ndef f(x):\n    return g(x)\n"
    reply = "def g(x):\n    return x + 1\n\ndef h(x):\n    return (x)\n\ndef f(x):\n    return g(x)\n"
    assert source(reply, program) == program.replace("return  x", "return x + 1")
    assert source("def g(x):\n    return x + 2\n", program) == program.replace("return  x", "return x + 2")


def test_an_added_import_alone_is_a_repair() -> None:
    """A whole file whose only news is an import is taken for that."""
    program = "def f(x):\n    return sqrt(x)\n"
    assert source("from math import sqrt\n\n\n" + program, program) == "from math import sqrt\n\n\n" + program


def test_a_constant_of_the_program_is_changed_in_its_place() -> None:
    """The module's variables count where functions use them, and not where the functions made them."""
    program = "LIMIT = 3  # most\nlast = None\n\n\ndef f(x):\n    return x < LIMIT or last\n"
    reply = "LIMIT = 4\n\ndef f(x):\n    return x < LIMIT or last\n\nlast = f(3)\n"
    assert source(reply, program) == program.replace("LIMIT = 3  # most", "LIMIT = 4")


def test_decorators_docstring_and_async_stay_when_the_reply_leaves_them_out() -> None:
    """What the reply says nothing of is kept, and noted."""
    program = 'import functools\n\n\n@functools.cache\nasync def f(x):\n    """Doc."""\n    return x\n'
    found = read("def f(x):\n    return x + 1\n", program)
    assert isinstance(found, ReplyProgram)
    assert found.source == program.replace("return x", "return x + 1")
    assert len(found.notes) == 3


def test_a_docstring_that_only_looks_different_keeps_its_looks() -> None:
    """Blanks and line breaks in a docstring are no news; other words are."""
    program = 'def f(x):\n    """One   two.\n    Three."""\n    return x\n'
    assert source('def f(x):\n    """One two. Three."""\n    return 1\n', program) == program.replace(
        "return x", "return 1"
    )
    assert '"""Four."""' in source('def f(x):\n    """Four."""\n    return 1\n', program)


def test_a_one_line_function_gets_its_docstring_on_lines_of_its_own() -> None:
    """`def f(x): return 1` cannot hold it otherwise."""
    program = 'def f(x):\n    """Doc."""\n    return x\n'
    assert (
        source("def f(x): return 1; pass  # so\n", program) == 'def f(x):\n    """Doc."""\n    return 1; pass  # so\n'
    )


def test_strings_over_several_lines_survive_being_moved() -> None:
    """A method is indented anew, but for the lines within its strings."""
    program = "class A:\n\tdef f(self):\n\t\treturn ''\n"
    reply = 'def f(self):\n    """Doc\n    two."""\n    if self:\n        return """a\n    b\n"""\n'
    reply += "    return (1,\n            2)\n"
    assert source(reply, program) == (
        'class A:\n\tdef f(self):\n\t\t"""Doc\n\t\ttwo."""\n\t\tif self:\n\t\t\treturn """a\n    b\n"""\n'
        "\t\treturn (1,\n\t\t\t\t2)\n"
    )


def test_a_class_is_taken_member_by_member() -> None:
    """New methods and attributes are added, others' bases taken, and what is left out stays."""
    program = "class A:\n    size = 1\n\n    def f(self):\n        return 1\n"
    program += "\n    def g(self):\n        return 2\n\n\nx = 1\n"
    head = "class A(dict):\n    size = 2\n    more = 3\n\n    def f(self):\n        return 3\n"
    reply = head + "\n    def h(self):\n        return 4\n"
    assert source(reply, program) == (
        head + "\n    def g(self):\n        return 2\n\n    def h(self):\n        return 4\n\n\nx = 1\n"
    )


def test_a_setter_is_not_its_property() -> None:
    """Two methods of one name are told apart by their decorators."""
    program = "class A:\n    @property\n    def f(self):\n        return 1\n"
    program += "\n    @f.setter\n    def f(self, x):\n        self.x = x\n"
    reply = "class A:\n    @f.setter\n    def f(self, x):\n        self.x = -x\n"
    assert source(reply, program) == program.replace("= x\n", "= -x\n")


def test_a_method_of_several_classes_needs_its_class() -> None:
    """Which one is meant cannot be guessed."""
    program = "class A:\n    def f(self):\n        return 1\n\n\nclass B:\n    def f(self):\n        return 2\n"
    found = read("def f(self):\n    return 3\n", program)
    assert isinstance(found, ReplyFault)
    assert found.kind is ReplyFaultKind.AMBIGUOUS
    assert source("class B:\n    def f(self):\n        return 3\n", program) == program.replace("return 2", "return 3")


def test_a_function_may_replace_a_lambda() -> None:
    """`f = lambda x: x` and `def f(x)` are the same to callers."""
    assert source("def f(x):\n    return x + 1\n", "f = lambda x: x\ng = 1\n") == "def f(x):\n    return x + 1\ng = 1\n"


def test_without_an_entry_point_every_shared_definition_counts() -> None:
    """Functions in several blocks go each to their place; the last one of a name wins."""
    program = "def f(x):\n    return 1\n\n\ndef g(x):\n    return 2\n"
    reply = "def f(x):\n    return 3\n```\nand\n```python\ndef g(x):\n    return 4\n"
    assert source(reply, program, None) == program.replace("1", "3").replace("2", "4")


def test_a_helper_may_stand_in_another_block() -> None:
    """What the function uses is looked for in all blocks."""
    reply = "def g(x):\n    return x\n```\nand\n```python\ndef f(x):\n    return g(x)\n"
    assert source(reply, "def f(x):\n    return 1\n") == "def g(x):\n    return x\n\n\ndef f(x):\n    return g(x)\n"


def test_a_broken_helper_that_is_used_is_a_fault() -> None:
    """A program that is sure to fail on a missing name is not handed on."""
    found = read(
        "def g(x):\n    return (x\n```\nand\n```python\ndef f(x):\n    return g(x)\n", "def f(x):\n    return 1\n"
    )
    assert isinstance(found, ReplyFault)
    assert found.kind is ReplyFaultKind.SYNTAX


def test_the_program_that_was_shown_is_what_counts() -> None:
    """With `base`, the reply goes into that program, and saying the same as it is no news."""
    task, base = "def f(x):\n    return 1\n", "def f(x):\n    return 2\n\n\nnew = 1\n"
    same = read("def f(x):\n    return 2\n", task, base=base)
    assert isinstance(same, ReplyFault)
    assert same.kind is ReplyFaultKind.UNCHANGED
    found = read("def f(x):\n    return 3\n", task, base=base)
    assert isinstance(found, ReplyProgram)
    assert found.source == base.replace("2", "3")


def test_a_program_that_does_not_parse_is_read_by_its_lines() -> None:
    """The function goes into its place; where the rest is broken too, a whole program is asked for and taken."""
    broken = 'import os\n\n\ndef f(x)\n    """Doc."""\n    return x\n\n\ndef g(x):\n    return x\n'
    assert source("def f(x):\n    return 1\n", broken) == broken.replace("def f(x)\n", "def f(x):\n").replace(
        "return x", "return 1", 1
    )
    worse = broken + "\nprint((1)\n"
    found = read("def f(x):\n    return 1\n", worse)
    assert isinstance(found, ReplyFault)
    assert "whole program" in found.detail
    whole = "import os\n\n\ndef f(x):\n    return 1\n\n\ndef g(x):\n    return x\n"
    assert source(whole + "assert f(1)\nprint(f(1))\n", worse) == whole


@pytest.mark.parametrize(
    ("old", "new", "fits"),
    [
        ("a, b=1", "a, b=2", True),
        ("a, b=1", "a: int, b: int = 1, c=None", True),
        ("a, b=1", "a, b", False),
        ("a, b", "b, a", False),
        ("a, b", "a", False),
        ("a", "a, /", False),
        ("a", "*, a", False),
        ("a, *, b", "a, b", True),
        ("a, *, b=1", "a, *, b", False),
        ("a, *, b", "a", False),
        ("a, *rest", "a", False),
        ("a, *rest, **more", "a, *others, **others2", True),
        ("a", "a, *rest, b=2, **more", True),
        ("a", "a, *, b", False),
    ],
)
def test_callers_must_be_able_to_call_it_as_before(old: str, new: str, fits: bool) -> None:
    """Names, order and kinds of parameters stay; what is new can be left out."""
    found = read(f"def f({new}):\n    return 1\n", f"def f({old}):\n    return 0\n")
    assert isinstance(found, ReplyProgram) == fits, found
    if isinstance(found, ReplyFault):
        assert found.kind is ReplyFaultKind.SIGNATURE
        assert f"Keep `def f({old})`" in found.detail


REMARKS = (
    *("# ...", "# \u2026 rest of the code", "# rest of the function remains the same", "# (same as before)"),
    *("# your code here", "# existing code", "# unchanged", "# ... existing implementation ..."),
    "# remaining logic stays unchanged",
)
COMMENTS = (
    *("# the rest of the list", "# same as above, but for zero", "# leave it unchanged if x", "# here"),
    *("# existing codes are kept", "# other lines follow the header", "# remaining = total - used"),
)


@pytest.mark.parametrize("remark", REMARKS)
def test_remarks_that_stand_for_code_are_seen(remark: str) -> None:
    """A program with a hole in it is never handed on."""
    found = read(f"def f(x):\n    {remark}\n    return 1\n", "def f(x):\n    return 0\n")
    assert isinstance(found, ReplyFault)
    assert found.kind is ReplyFaultKind.ELIDED
    assert found.detail.count(remark) == 1


@pytest.mark.parametrize("comment", COMMENTS)
def test_ordinary_comments_are_no_such_remarks(comment: str) -> None:
    """Comments that explain are left alone, and so is a remark that the program itself holds."""
    assert comment in source(f"def f(x):\n    {comment}\n    return 1\n", "def f(x):\n    return 0\n")
    assert source("def f(x):\n    # ...\n    return 1\n", "def f(x):\n    # ...\n    return 0\n")
