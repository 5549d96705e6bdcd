"""A change compiled by itself does what the whole changed text would."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.sandbox.guest.runner.checks.traceback_lines import program_lines
from regreen.sandbox.guest.runner.program_loading.incremental_compile import IncrementalCompiler, edited_text
from regreen.sandbox.guest.runner.timing.ticks import TICK

SOURCE = (
    '"""Döcs."""\nfrom __future__ import annotations\nA = 1; B = "€𝄞"; C = A\n\n\n@staticmethod\ndef f(x: Missing):\n'
    "    # ü\n    return x + A\nclass D:\n\tE = 2\nF = [\n    1,\n]\n"
)


def run(codes: object) -> dict[str, object]:
    """The plain names that the statements bind."""
    names: dict[str, object] = {"__name__": "program", TICK: lambda: True}
    for code in codes:  # type: ignore[attr-defined]
        exec(code, names)
    names["f(2)"] = names["f"](2) if "f" in names else None  # type: ignore[operator]
    return {name: value for name, value in names.items() if type(value) in (int, str, list)}


@given(st.data())
def test_any_change_is_what_the_whole_text_would_be(data: st.DataObject) -> None:
    """Wherever it begins and ends; also what is no Python either way."""
    start = data.draw(st.integers(0, len(SOURCE)))
    end = data.draw(st.integers(start, min(start + 12, len(SOURCE))))
    text = data.draw(st.sampled_from(["", "1", "\n", "A", "x = 1\n", " ", "2; G = 3"]))
    whole = SOURCE[:start] + text + SOURCE[end:]
    try:
        expected = run([compile(whole, "<p>", "exec", dont_inherit=True)])
    except Exception:  # noqa: BLE001  a change that breaks the program
        return
    assert run(IncrementalCompiler(SOURCE, "<p>").edited([(start, end, text)])) == expected


@given(st.data())
def test_any_two_changes_are_what_the_whole_text_would_be(data: st.DataObject) -> None:
    """In one statement, in two, or across several."""
    places = sorted(data.draw(st.lists(st.integers(0, len(SOURCE)), min_size=4, max_size=4)))
    texts = st.sampled_from(["", "1", "\n", "A", "x = 1\n", " ", "(", ")", "2; G = 3"])
    (start, end, first), (begin, last, second) = (*places[:2], data.draw(texts)), (*places[2:], data.draw(texts))
    whole = SOURCE[:start] + first + SOURCE[end:begin] + second + SOURCE[last:]
    try:
        expected = run([compile(whole, "<p>", "exec", dont_inherit=True)])
    except Exception:  # noqa: BLE001  changes that break the program
        return
    edits = [(start, end, first), (begin, last, second)]
    assert run(IncrementalCompiler(SOURCE, "<p>").edited(edits)) == expected


def test_changes_of_two_statements_leave_the_others_as_they_are_compiled() -> None:
    """Each of them by itself; what is Python together alone is compiled as a whole."""
    text = "a = 1\nb = 2\nc = 3\n"
    compiler = IncrementalCompiler(text, "<p>")
    codes = compiler.edited([(4, 5, "7"), (16, 17, "9")])
    assert codes[1] is compiler.codes[1]
    assert run(codes) == {"__name__": "program", "a": 7, "b": 2, "c": 9}
    together = compiler.edited([(4, 5, "'''"), (10, 11, "'''")])
    assert run(together) == {"__name__": "program", "a": "\nb = ", "c": 3}


@pytest.mark.parametrize("old", ["A = 1", "return x + A", "E = 2", "    1,"])
def test_lines_are_those_of_the_whole_text(old: str) -> None:
    """An error in a changed statement names the line where it is."""
    start = SOURCE.index(old)
    line = SOURCE[:start].count("\n") + 1
    with pytest.raises(SyntaxError) as caught:
        IncrementalCompiler(SOURCE, "<p>").edited([(start, start + len(old), old.replace(old.strip(), "= ="))])
    assert caught.value.lineno == line


def test_the_line_of_an_error_is_found_in_the_edited_text() -> None:
    """Ticks take lines of their own before compound statements."""
    text = "def f(xs):\n    for x in xs:\n        for y in x:\n            z = y\n            y / 0\n"
    compiler = IncrementalCompiler(text, "<p>")
    at = text.index("z = y")
    names: dict[str, Any] = {TICK: lambda: True}
    for code in compiler.edited([(at, at + 5, "z = 1")]):
        exec(code, names)
    with pytest.raises(ZeroDivisionError) as raised:
        names["f"]([[1]])
    line = program_lines(raised.tb, "<p>")[-1]
    assert compiler.line_without_ticks(line) == 5 < line


def test_text_that_is_no_python_says_so_when_it_is_run() -> None:
    """Its changes are compiled whole."""
    broken = IncrementalCompiler("def f(:\n    pass\n", "<p>")
    with pytest.raises(SyntaxError):
        broken.original()
    assert len(broken.edited([(6, 6, ")")])) == 1


def test_several_edits_are_done_at_once() -> None:
    """Positions are those of the text before."""
    assert edited_text("abcdef", [(0, 1, "X"), (3, 3, "-"), (5, 6, "")], 0) == "Xbc-de"
    assert edited_text("cdef", [(3, 4, "X")], 2) == "cXef"


@pytest.mark.parametrize("gone", ['B = "€𝄞"; ', "; C = A", "A = 1; "])
def test_of_several_statements_in_a_line_one_may_go(gone: str) -> None:
    """What stood beside it is not done twice, and what went is not done at all."""
    start = SOURCE.index(gone)
    whole = SOURCE.replace(gone, "", 1)
    try:
        expected = run([compile(whole, "<p>", "exec", dont_inherit=True)])
    except NameError:
        with pytest.raises(NameError):
            run(IncrementalCompiler(SOURCE, "<p>").edited([(start, start + len(gone), "")]))
        return
    assert run(IncrementalCompiler(SOURCE, "<p>").edited([(start, start + len(gone), "")])) == expected


@pytest.mark.parametrize("edits", [[(30, 30, "    return 2\n")], [(4, 5, "h"), (19, 30, "    return 2\n")]])
def test_what_is_put_below_a_function_is_compiled_with_it_alone(edits: list[tuple[int, int, str]]) -> None:
    """The statements around it are not compiled again."""
    whole = IncrementalCompiler("def g():\n    a = 1\n    a += 1\n\nB = 1\n", "<p>")
    codes = whole.edited(edits)
    assert codes[1:] == whole.codes[1:]
    assert run(codes)["B"] == 1


def test_what_stands_above_a_function_belongs_to_that_one() -> None:
    """A decorator, beside a change of what comes before."""
    text = "def g():\n    return 1\ndef f(x):\n    return x\n"
    edits = [(20, 21, "2"), (22, 22, "@staticmethod\n")]
    assert run(IncrementalCompiler(text, "<p>").edited(edits))["f(2)"] == 2


SHELF = """
class Shelf(Base):
    SIZE = 3
    def __init__(self, items=()):
        super().__init__()
        self.__items = list(items)

    def add(self, item):
        \"\"\"Put it in, once.\"\"\"
        for each in self.__items:
            if each == item:
                return False
        self.__items.append(item)
        return len(self.__items) <= self.SIZE

    @property
    def last(self):
        pick = lambda items: items[-1]
        return pick(self.__items) if self.__items else None
    def counted(
        self,
        wanted=(lambda x:
                x)):
        return sum(1 for each in self.__items if wanted(each))
RESULT = []
"""


def told(codes: object) -> list[object]:
    """What a shelf answers, or the kind of exception that it ends with."""
    names: dict[str, Any] = {"__name__": "program", TICK: lambda: True, "Base": type("Base", (), {})}
    for code in codes:  # type: ignore[attr-defined]
        exec(code, names)
    found: list[object] = [sorted(vars(names["Shelf"]).keys() - {"__static_attributes__"})]
    shelf = names["Shelf"](["a"])
    for ask in ("add('b')", "add('b')", "add(0)", "add(1)", "last", "counted()", "add.__doc__", "add.__qualname__"):
        try:
            # Written out: what a change has put into itself cannot be compared.
            found.append(re.sub(r" at 0x\w+", "", repr(eval(f"shelf.{ask}", {"shelf": shelf}))))
        except Exception as error:  # noqa: BLE001  a change may have any method raise
            found.append((type(error).__name__, str(error)))
    return found


@given(st.data())
def test_any_change_of_a_class_is_what_the_whole_text_would_be(data: st.DataObject) -> None:
    """Within a method, beside it, across several; with lines of its own, and with private names and `super()`."""
    start = data.draw(st.integers(0, len(SHELF)))
    end = data.draw(st.integers(start, min(start + 30, len(SHELF))))
    texts = [
        "",
        "0",
        "\n",
        "item",
        "\n        ",
        "\n    def more(self): pass\n",
        "super().add(1)",
        "return 7",
        "):",
        "#",
    ]
    text = data.draw(st.sampled_from(texts))
    whole = SHELF[:start] + text + SHELF[end:]
    try:
        expected = told([compile(whole, "<p>", "exec", dont_inherit=True)])
    except Exception:  # noqa: BLE001  a change that breaks the class itself
        return
    assert told(IncrementalCompiler(SHELF, "<p>").edited([(start, end, text)])) == expected


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        (SHELF.index("\n            if each"), SHELF.index("            if each"), "#"),
        (SHELF.index("RESULT"), SHELF.index("RESULT"), "\n        "),
        (SHELF.index("[-1]"), SHELF.index("[-1]"), "\n        "),
    ],
    ids=["a branch in a comment", "a statement in the method before it", "two lines of a lambda"],
)
def test_a_change_of_the_layout_is_what_the_whole_text_would_be(start: int, end: int, text: str) -> None:
    """A tick on a line of its own brings nothing back, and a statement may go into the one before it."""
    expected = told([compile(SHELF[:start] + text + SHELF[end:], "<p>", "exec", dont_inherit=True)])
    assert told(IncrementalCompiler(SHELF, "<p>").edited([(start, end, text)])) == expected


def test_a_change_within_a_method_leaves_the_other_methods_as_they_are_compiled() -> None:
    """The others' code is the very same, and the place of an error in them as well."""
    compiler = IncrementalCompiler(SHELF, "<p>")
    start = SHELF.index("<= self.SIZE")
    before, after = (
        {code.co_name: code for code in next(c for c in codes[0].co_consts if hasattr(c, "co_consts")).co_consts
         if hasattr(code, "co_consts")}
        for codes in (compiler.codes, compiler.edited([(start, start + 2, "<")]))
    )  # fmt: skip
    assert before.keys() == after.keys()
    assert [name for name in before if before[name] is not after[name]] == ["add"]
    assert after["add"].co_firstlineno == before["add"].co_firstlineno


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("super().__init__()", "self.x = 1"),
        ("return False", "return super().add"),
        ("return False", "return False\n    def further(self):\n        pass"),
        ("self.SIZE", "__class__.SIZE"),
    ],
)
def test_what_also_changes_the_class_is_compiled_with_it(old: str, new: str) -> None:
    """A cell for `super()` that was not needed before, or is no more, and a method beside."""
    start = SHELF.index(old)
    whole = compile(SHELF.replace(old, new, 1), "<p>", "exec", dont_inherit=True)
    assert told(IncrementalCompiler(SHELF, "<p>").edited([(start, start + len(old), new)])) == told([whole])
