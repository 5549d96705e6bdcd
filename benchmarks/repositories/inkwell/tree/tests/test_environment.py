import os

import pytest

from inkwell import Environment, FileSystemLoader, Markup, TemplateNotFound


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "templates"
    (root / "mail").mkdir(parents=True)
    (root / "index.html").write_text("index é", encoding="utf-8")
    (root / "mail" / "welcome.txt").write_text("welcome {{ name }}", encoding="utf-8")
    private = tmp_path / "templates-private"
    private.mkdir()
    (private / "key.txt").write_text("secret", encoding="utf-8")
    return root


def test_file_loader(folder):
    env = Environment(FileSystemLoader(folder))
    assert env.get_template("index.html").render() == "index é"
    assert env.get_template("mail/welcome.txt").render(name="Bo") == "welcome Bo"


@pytest.mark.parametrize("name", ["../templates-private/key.txt", "mail/../../templates-private/key.txt", "gone"])
def test_file_loader_rejects(folder, name):
    with pytest.raises(TemplateNotFound):
        FileSystemLoader(folder).load(name)


def test_file_is_reloaded_when_changed(folder):
    env = Environment(FileSystemLoader(folder))
    env.get_template("index.html")
    path = folder / "index.html"
    path.write_text("new")
    os.utime(path, (1, 1))
    assert env.get_template("index.html").render() == "new"


def test_cache_drops_least_recently_used(make_env):
    env = make_env({"a": "", "b": "", "c": ""}, cache_size=2)
    first = env.get_template("a")
    env.get_template("b")
    env.get_template("a")
    env.get_template("c")
    assert env.get_template("a") is first
    assert list(env._cache) == ["c", "a"]


class TestAutoescape:
    @pytest.fixture
    def env(self):
        return Environment(autoescape=True)

    def test_output(self, env):
        assert env.from_string("<p>{{ x }}</p>").render(x="<&\"'>") == "<p>&lt;&amp;&#34;&#39;&gt;</p>"

    def test_no_double_escape(self, env):
        assert env.from_string("{{ x|escape|escape }}").render(x="<") == "&lt;"

    def test_none_is_empty(self, env):
        assert env.from_string("[{{ x }}]").render(x=None) == "[]"


def test_markup_add():
    assert Markup("<b>") + "<" == "<b>&lt;"
    assert "<" + Markup("<b>") == "&lt;<b>"
