import pytest

from inkwell import TemplateError, TemplateSyntaxError


class TestIf:
    @pytest.mark.parametrize("n, expected", [(2, "two"), (3, "many")])
    def test_branches(self, render, n, expected):
        source = "{% if n == 1 %}one{% elif n == 2 %}two{% else %}many{% endif %}"
        assert render(source, n=n) == expected

    def test_missing_endif_reports_opening_line(self, render):
        with pytest.raises(TemplateSyntaxError) as info:
            render("\n{% if x %}\n\n")
        assert info.value.lineno == 2


class TestFor:
    def test_unpacking(self, render):
        out = render("{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}", d={"a": 1, "b": 2})
        assert out == "a=1;b=2;"

    def test_unpacking_mismatch(self, render):
        with pytest.raises(TemplateError, match="cannot unpack 3 values into 2"):
            render("{% for a, b in xs %}{% endfor %}", xs=[(1, 2, 3)])

    def test_else(self, render):
        assert render("{% for x in xs %}{{ x }}{% else %}none{% endfor %}", xs=[]) == "none"

    def test_generator(self, render):
        source = "{% for x in xs %}{{ x }}{% if not loop.last %}, {% endif %}{% endfor %}"
        assert render(source, xs=(n * n for n in range(4))) == "0, 1, 4, 9"

    def test_else_with_empty_generator(self, render):
        source = "{% for x in xs %}{{ x }}{% else %}none{% endfor %}"
        assert render(source, xs=(x for x in ())) == "none"

    def test_parent_loop(self, render):
        source = (
            "{% for row in rows %}{% for x in row %}"
            "{{ loop.parent.index }}.{{ loop.index }} {% endfor %}{% endfor %}"
        )
        assert render(source, rows=["ab", "c"]) == "1.1 1.2 2.1 "

    def test_loop_names_do_not_leak(self, render):
        source = "{% for x in xs %}{% set y = x %}{% endfor %}[{{ x }}{{ y }}]"
        assert render(source, xs=[1, 2]) == "[]"

    def test_set_is_fresh_for_every_item(self, render):
        source = "{% for x in xs %}{% if x == 1 %}{% set seen = 1 %}{% endif %}{{ seen|default('-') }}{% endfor %}"
        assert render(source, xs=[1, 2, 3]) == "1--"


def test_set_with_comparison(render):
    assert render("{% set x = n == 2 %}{{ x }}", n=2) == "True"


def test_unknown_tag(render):
    with pytest.raises(TemplateSyntaxError, match=r"unknown tag 'frob' \(line 1\)"):
        render("{% frob %}")
