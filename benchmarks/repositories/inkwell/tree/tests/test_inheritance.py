import pytest

from inkwell import TemplateError, TemplateNotFound, TemplateSyntaxError

BASE = "<{% block title %}base{% endblock %}|{% block body %}{% endblock body %}>"


def test_override(make_env):
    env = make_env({"base": BASE, "page": "{% extends 'base' %}ignored{% block body %}B{% endblock %}"})
    assert env.get_template("page").render() == "<base|B>"


def test_super(make_env):
    env = make_env(
        {"base": BASE, "page": "{% extends 'base' %}{% block title %}{{ super() }}+{% endblock %}"}
    )
    assert env.get_template("page").render() == "<base+|>"


def test_super_through_three_levels(make_env):
    env = make_env(
        {
            "base": BASE,
            "mid": "{% extends 'base' %}{% block title %}{{ super() }}-mid{% endblock %}",
            "leaf": "{% extends 'mid' %}{% block title %}{{ super() }}-leaf{% endblock %}",
        }
    )
    assert env.get_template("leaf").render() == "<base-mid-leaf|>"


def test_super_is_not_escaped(make_env):
    env = make_env(
        {"base": "{% block b %}<hr>{% endblock %}", "p": "{% extends 'base' %}{% block b %}{{ super() }}{% endblock %}"},
        autoescape=True,
    )
    assert env.get_template("p").render() == "<hr>"


def test_super_without_parent(make_env):
    env = make_env({"base": "{% block b %}{{ super() }}{% endblock %}"})
    with pytest.raises(TemplateError, match="no parent"):
        env.get_template("base").render()


def test_extends_cycle(make_env):
    env = make_env({"a": "{% extends 'b' %}", "b": "{% extends 'a' %}"})
    with pytest.raises(TemplateError, match="extends itself"):
        env.get_template("a").render()


def test_duplicate_block(make_env):
    with pytest.raises(TemplateSyntaxError, match="defined twice"):
        make_env({"a": "{% block x %}{% endblock %}{% block x %}{% endblock %}"}).get_template("a")


class TestInclude:
    def test_sees_variables(self, make_env):
        env = make_env({"row": "[{{ x }}]", "page": "{% for x in xs %}{% include 'row' %}{% endfor %}"})
        assert env.get_template("page").render(xs=[1, 2]) == "[1][2]"

    def test_cannot_change_variables(self, make_env):
        env = make_env({"inner": "{% set x = 2 %}", "page": "{% include 'inner' %}{{ x }}"})
        assert env.get_template("page").render(x=1) == "1"

    def test_ignore_missing(self, make_env):
        env = make_env({"page": "a{% include 'nope' ignore missing %}b"})
        assert env.get_template("page").render() == "ab"

    def test_ignore_missing_does_not_hide_nested_errors(self, make_env):
        env = make_env({"page": "{% include 'mid' ignore missing %}", "mid": "{% include 'gone' %}"})
        with pytest.raises(TemplateNotFound) as info:
            env.get_template("page").render()
        assert info.value.name == "gone"
