from types import SimpleNamespace

import pytest

from inkwell import Environment, TemplateError, TemplateSyntaxError, UndefinedError


@pytest.mark.parametrize(
    "source, expected",
    [
        ("1 + 2 * 3", "7"),
        ("0 or 'x'", "x"),
        ("2 in items", "True"),
        ("2 not in items", "False"),
        ("not 2 in items", "False"),
        ("items|length > 2", "True"),
    ],
)
def test_evaluate(render, source, expected):
    assert render("{{ " + source + " }}", items=[1, 2, 3]) == expected


def test_lookup_prefers_items(render):
    assert render("{{ d.keys }}", d={"keys": "mine"}) == "mine"


def test_private_attributes_are_hidden(render):
    assert render("{{ u._secret }}", u=SimpleNamespace(_secret=1)) == ""


def test_undefined_is_empty(render):
    assert render("[{{ nothing.at.all }}]") == "[]"


def test_strict_raises():
    env = Environment(strict=True)
    with pytest.raises(UndefinedError, match="nothing"):
        env.from_string("{{ nothing }}").render()


def test_unknown_filter(render):
    with pytest.raises(TemplateError, match="no filter named 'nope'"):
        render("{{ 1|nope }}")


@pytest.mark.parametrize("source", ["{{ 1 + }}", "{{ a b }}", "{{ f(1 }}"])
def test_syntax_errors(render, source):
    with pytest.raises(TemplateSyntaxError):
        render(source)
