import pytest

from inkwell import Environment, Markup
from inkwell.filters import do_truncate


class TestDefault:
    def test_undefined(self, render):
        assert render("{{ x|default('n/a') }}") == "n/a"

    @pytest.mark.parametrize("value, expected", [(0, "0"), ("", "")])
    def test_false_values_are_kept(self, render, value, expected):
        assert render("{{ x|default('n/a') }}", x=value) == expected

    def test_falsy_flag(self, render):
        assert render("{{ x|default('n/a', true) }}", x="") == "n/a"


@pytest.mark.parametrize(
    "text, length, expected",
    [("exactly ten", 11, "exactly ten"), ("a longer sentence", 10, "a longe...")],
)
def test_truncate(text, length, expected):
    assert do_truncate(text, length) == expected


def test_sort_by_attribute(render):
    rows = [{"n": 2}, {"n": 1}, {"n": 3}]
    assert render("{% for r in rows|sort('n', true) %}{{ r.n }}{% endfor %}", rows=rows) == "321"


def test_join_escapes_unsafe_parts():
    env = Environment(autoescape=True)
    out = env.from_string("{{ xs|join(' & ') }}").render(xs=[Markup("<b>"), "<i>"])
    assert out == "<b> &amp; &lt;i&gt;"


def test_register_filter(env):
    @env.filter()
    def shout(value):
        return value + "!"

    @env.filter("twice")
    def _double(value):
        return value * 2

    assert env.from_string("{{ 'a'|shout|twice }}").render() == "a!a!"


def test_filters_belong_to_one_environment():
    first = Environment()
    first.filters["upper"] = lambda value: "changed"
    assert Environment().from_string("{{ 'a'|upper }}").render() == "A"
