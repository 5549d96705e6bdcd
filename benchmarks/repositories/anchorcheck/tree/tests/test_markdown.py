import textwrap

import pytest

from anchorcheck import Link, parse_page


def page(text):
    return parse_page("p.md", textwrap.dedent(text))


def targets(text):
    return [link.target for link in page(text).links]


class TestLinks:
    @pytest.mark.parametrize(
        "text, expected",
        [
            ("[a](b.md)", ["b.md"]),
            ("[a](b.md 'title') and [c](d.md \"t\")", ["b.md", "d.md"]),
            ("[a](<b c.md>)", ["b c.md"]),
            ("[a](b_(c).md)", ["b_(c).md"]),
            ("[a]()", [""]),
            ("[x [y] z](b.md)", ["b.md"]),
            ("<https://x.org> <b>", ["https://x.org"]),
            ('<a class="x" href="b.md">t</a>', ["b.md"]),
            ("`[a](b.md)` [c](d.md)", ["d.md"]),
            ("``a ` [a](b.md)`` x", []),
        ],
    )
    def test_inline(self, text, expected):
        assert targets(text) == expected

    def test_image(self):
        assert page("![pic](a.png)").links == [Link("a.png", 1, image=True)]

    def test_image_in_link(self):
        links = page("[![pic](a.png)](b.md)").links
        assert {(link.target, link.image) for link in links} == {("a.png", True), ("b.md", False)}

    def test_line_numbers(self):
        assert [link.line for link in page("x\n\n[a](b)\n[c](d)\n").links] == [3, 4]

    def test_line_numbers_after_front_matter(self):
        assert page("---\ntitle: x\n---\n[a](b)\n").links == [Link("b", 4)]


class TestReferences:
    def test_full_and_collapsed(self):
        text = "[one][Two  Words] [three][]\n\n[two words]: a.md\n[Three]: <b.md>\n"
        assert targets(text) == ["a.md", "b.md"]

    def test_first_definition_counts(self):
        assert targets("[x][]\n\n[x]: a.md\n[x]: b.md\n") == ["a.md"]

    def test_undefined(self):
        assert page("a\n[x][Nope]\n").undefined == [("nope", 2)]

    def test_footnote_is_no_definition(self):
        assert targets("[x][^1]\n\n[^1]: note\n") == []


class TestHidden:
    def test_fence(self):
        assert targets("```\n[a](b.md)\n```\n[c](d.md)\n") == ["d.md"]

    def test_fence_needs_its_own_kind_to_close(self):
        assert targets("````\n```\n[a](b.md)\n~~~\n````\n[c](d.md)\n") == ["d.md"]

    def test_info_string_does_not_close(self):
        assert targets("```\n```python\n[a](b.md)\n```\n[c](d.md)\n") == ["d.md"]

    def test_comments(self):
        assert targets("<!-- [a](b) --> [c](d)\n<!--\n[e](f)\n--> [g](h)\n") == ["d", "h"]

    def test_headings_in_code_are_no_anchors(self):
        assert page("# A\n```\n# not me\n```\n").anchors == {"a"}


class TestAnchors:
    def test_headings(self):
        text = "# One #\nTwo\n===\n\n## One\n#hashtag\n"
        assert page(text).anchors == {"one", "two", "one-1"}
        assert page(text).title == "One"

    def test_custom_id(self):
        parsed = page("# Long title {#short}\n")
        assert parsed.anchors == {"short"}
        assert parsed.title == "Long title"

    def test_html_ids(self):
        assert page('<a name="x"></a> <div class="k" id="y">\n').anchors == {"x", "y"}

    def test_rule_is_no_heading(self):
        assert page("text\n\n---\n\n# A\n---\n").anchors == {"a"}
