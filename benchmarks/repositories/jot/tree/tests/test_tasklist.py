import json
from datetime import date

import pytest

from jot.errors import JotError, StoreError
from jot.store import JsonStore, upgrade


def titles(tasks):
    return [task.title for task in tasks]


class TestAdd:
    def test_round_trip(self, tasks, reload):
        added = tasks.add(" Buy \n milk ", date(2024, 2, 1), "high", ["#Home", "shop", "home"], "2 weeks")
        (task,) = reload()
        assert task == added
        assert (task.title, task.tags, task.every) == ("Buy milk", ["home", "shop"], "2 weeks")

    @pytest.mark.parametrize("options", [{"title": " "}, {"title": "a", "tags": ["#"]}])
    def test_rejected(self, tasks, options):
        with pytest.raises(JotError):
            tasks.add(**options)
        assert (len(tasks), tasks.next_id) == (0, 1)

    def test_ids_are_never_used_again(self, tasks, reload):
        tasks.add("a")
        tasks.add("b")
        tasks.remove(2)
        assert tasks.add("c").id == 3
        tasks.remove(3)
        assert reload().add("d").id == 4

    def test_tasks_do_not_share_tags(self, tasks):
        tasks.add("a")
        tasks.add("b")
        tasks.tag(1, add=["x"])
        assert tasks.get(2).tags == []


class TestComplete:
    def test_done(self, tasks):
        tasks.add("a")
        assert tasks.complete(1) is None
        assert tasks.get(1).is_done
        with pytest.raises(JotError, match="done already"):
            tasks.complete(1)

    def test_recurring(self, tasks):
        tasks.add("rent", date(2024, 1, 31), tags=["home"], every="month")
        tasks.note(1, "account 12")
        follow_up = tasks.complete(1)
        assert (follow_up.id, follow_up.due, follow_up.is_done) == (2, date(2024, 2, 29), False)
        assert (follow_up.tags, follow_up.notes) == (["home"], ["account 12"])

    def test_end_of_month_is_kept(self, tasks):
        tasks.add("rent", date(2024, 1, 31), every="month")
        due = [tasks.complete(task_id).due.isoformat() for task_id in (1, 2, 3)]
        assert due == ["2024-02-29", "2024-03-31", "2024-04-30"]

    def test_end_of_month_is_kept_after_reload(self, tasks, reload):
        tasks.add("rent", date(2024, 1, 31), every="month")
        tasks.complete(1)
        assert reload().complete(2).due == date(2024, 3, 31)

    def test_new_due_date_is_new_anchor(self, tasks):
        tasks.add("rent", date(2024, 1, 31), every="month")
        tasks.edit(1, due=date(2024, 2, 15))
        assert tasks.complete(1).due == date(2024, 3, 15)

    def test_follow_up_is_separate(self, tasks):
        tasks.add("rent", every="month", tags=["home"])
        tasks.complete(1)
        tasks.tag(2, add=["bank"])
        assert tasks.get(1).tags == ["home"]


class TestEdit:
    def test_edit(self, tasks, reload):
        tasks.add("a", date(2024, 2, 1))
        tasks.edit(1, title="b", priority="low", clear_due=True)
        task = reload().get(1)
        assert (task.title, task.priority, task.due) == ("b", "low", None)

    def test_bad_edit_changes_nothing(self, tasks):
        tasks.add("a")
        with pytest.raises(JotError):
            tasks.edit(1, title="b", priority="urgent")
        assert tasks.get(1).title == "a"

    def test_rename_tag(self, tasks):
        tasks.add("a", tags=["old", "new"])
        tasks.add("b", tags=["old"])
        assert tasks.rename_tag("#old", "New") == 2
        assert [task.tags for task in tasks] == [["new"], ["new"]]


class TestUndo:
    def test_each_step(self, tasks):
        tasks.add("a")
        tasks.edit(1, title="b")
        tasks.remove(1)
        assert tasks.undo() == "remove 1"
        assert titles(tasks) == ["b"]
        assert tasks.undo() == "edit 1"
        assert titles(tasks) == ["a"]

    def test_tags_and_notes(self, tasks):
        tasks.add("a", tags=["x"])
        tasks.tag(1, add=["y"])
        tasks.note(1, "n")
        tasks.undo()
        tasks.undo()
        assert (tasks.get(1).tags, tasks.get(1).notes) == (["x"], [])

    def test_after_reload(self, tasks, reload):
        tasks.add("a")
        tasks.complete(1)
        again = reload()
        again.undo()
        assert not reload().get(1).is_done

    def test_limit(self, tasks):
        for n in range(25):
            tasks.add(str(n))
        for _ in range(20):
            tasks.undo()
        assert len(tasks) == 5
        with pytest.raises(JotError):
            tasks.undo()


def test_clear_done(tasks):
    for title in "abc":
        tasks.add(title)
    tasks.complete(1)
    tasks.complete(3)
    assert tasks.clear_done() == 2
    assert titles(tasks) == ["b"]


class TestStore:
    def test_file(self, tmp_path):
        store = JsonStore(tmp_path / "new" / "t.json")
        data = store.load()
        data["tasks"].append({"id": 1, "title": "Grüße ✓", "created": "2024-01-01T00:00:00"})
        store.save(data)
        assert store.load() == data
        assert "Grüße ✓" in (tmp_path / "new" / "t.json").read_text(encoding="utf-8")

    def test_failed_save_keeps_old_file(self, tmp_path):
        store = JsonStore(tmp_path / "t.json")
        store.save({"version": 2})
        with pytest.raises(TypeError):
            store.save({"bad": object()})
        assert json.loads((tmp_path / "t.json").read_text()) == {"version": 2}
        assert [path.name for path in tmp_path.iterdir()] == ["t.json"]

    @pytest.mark.parametrize("text", ["{", '{"version": 1}', '{"version": 99}'])
    def test_damaged(self, tmp_path, text):
        path = tmp_path / "t.json"
        path.write_text(text)
        with pytest.raises(StoreError):
            JsonStore(path).load()

    def test_upgrade_from_list(self):
        old = [{"id": 4, "title": "a", "tags": "x y", "notes": "hi"}, {"id": 2, "title": "b", "notes": ""}]
        data = upgrade(old)
        assert (data["version"], data["next_id"]) == (2, 5)
        assert data["tasks"][0]["tags"] == ["x", "y"]
        assert [task["notes"] for task in data["tasks"]] == [["hi"], []]
