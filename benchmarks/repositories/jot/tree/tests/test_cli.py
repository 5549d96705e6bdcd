from datetime import date

import pytest

from jot.cli import default_path
from jot.errors import JotError
from jot.query import select
from jot.view import format_line

TODAY = date(2024, 1, 31)


class TestQuery:
    @pytest.fixture
    def tasks(self, tasks):
        tasks.add("Write report", date(2024, 2, 2), "high", ["work"])
        tasks.add("Workshop slides", date(2024, 2, 7), tags=["workshop"])
        tasks.add("Call mum", tags=["home/family"])
        tasks.add("Pay rent", date(2024, 1, 30), "low", ["home"])
        tasks.add("Old thing", tags=["home"])
        tasks.complete(5)
        return tasks

    @pytest.mark.parametrize(
        "query, ids",
        [
            ("", [4, 1, 2, 3]),
            ("#work", [1]),
            ("#Home", [4, 3]),
            ("-#home", [1, 2]),
            ("due:overdue", [4]),
            ("due:week", [4, 1]),
            ("is:done", [5]),
            ("#home -is:done", [4, 3]),
            ("'write rep'", [1]),
        ],
    )
    def test_select(self, tasks, query, ids):
        assert [task.id for task in select(tasks, query, TODAY)] == ids

    def test_notes_are_searched(self, tasks):
        tasks.note(3, "About the Party")
        assert [task.id for task in select(tasks, "party", TODAY)] == [3]

    def test_same_day_by_priority_then_age(self, tasks):
        for priority in ("low", "normal", "high", "high"):
            tasks.add("x", TODAY, priority)
        assert [task.id for task in select(tasks, "x due:today", TODAY)] == [8, 9, 7, 6]

    @pytest.mark.parametrize("query", ["due:soon", "'open"])
    def test_errors(self, tasks, query):
        with pytest.raises(JotError):
            select(tasks, query, TODAY)


class TestCommands:
    def test_add_and_list(self, jot):
        assert jot("add", "Buy", "milk", "-d", "fri", "-t", "shop") == (0, "Added 1: Buy milk\n", "")
        jot("add", "Think", "-p", "high")
        status, out, _ = jot("list")
        assert out == "1 [ ]  Buy milk (fri) #shop\n2 [ ]! Think\n"

    def test_done(self, jot):
        jot("add", "Rent", "-d", "2024-01-31", "-e", "month")
        assert jot("done", 1)[1] == "Done: Rent\nNext 2: 2024-02-29\n"

    def test_error_status(self, jot):
        assert jot("show", 9) == (1, "", "jot: no task 9\n")
        assert jot("add", "x", "-d", "whenever")[0] == 1

    @pytest.mark.parametrize("command", ["done", "remove"])
    def test_several_ids_go_on_after_error(self, jot, command):
        jot("add", "a")
        jot("add", "b")
        status, out, err = jot(command, 1, 9, 2)
        assert status == 1
        assert len(out.splitlines()) == 2
        assert err == "jot: no task 9\n"

    def test_edit_clears_due(self, jot):
        jot("add", "a", "-d", "today")
        assert jot("edit", 1, "--due", "none")[0] == 0
        assert jot("list")[1] == "1 [ ]  a\n"

    def test_show(self, jot):
        jot("add", "a", "-d", "tomorrow", "-t", "x")
        jot("note", 1, "some", "text")
        assert jot("show", 1)[1] == (
            "1: a\n  priority: normal\n  due: 2024-02-01 (tomorrow)\n  tags: x\n  - some text\n"
        )


def test_default_path():
    assert default_path({"JOT_FILE": "/x"}) == "/x"
    assert default_path({"XDG_DATA_HOME": "/data"}) == "/data/jot/tasks.json"


def test_long_titles_are_cut(tasks):
    task = tasks.add("a long title that does not fit", tags=["x"])
    line = format_line(task, TODAY, width=30)
    assert line == " 1 [ ]  a long title that… #x"
