from textwrap import dedent

import pytest

from plume import nodes, to_html
from plume.blocks import BlockParser, parse_delimiter, split_row


def blocks(text):
    return BlockParser().parse(dedent(text).lstrip("\n")).children


def html(text, **options):
    return to_html(dedent(text).lstrip("\n"), anchors=False, **options)


def test_headings():
    assert html("# A\n## B ##\n### C #3\n") == "<h1>A</h1>\n<h2>B</h2>\n<h3>C #3</h3>\n"


def test_heading_offset():
    assert html("# A\n###### B", heading_offset=2) == "<h3>A</h3>\n<h6>B</h6>\n"


@pytest.mark.parametrize("line", ["---", "* * *"])
def test_rule(line):
    assert html(f"a\n\n{line}\n\nb") == "<p>a</p>\n<hr>\n<p>b</p>\n"


class TestFences:
    def test_language(self):
        assert html("```python x\nif a < b:\n    pass\n```") == (
            '<pre><code class="language-python">if a &lt; b:\n    pass\n</code></pre>\n'
        )

    def test_shorter_fence_inside(self):
        (block,) = blocks("````\n```\ninner\n```\n````\n")
        assert block.text == "```\ninner\n```"

    def test_other_fence_inside(self):
        (block,) = blocks("~~~\n```\ninner\n```\n~~~\n")
        assert block.text == "```\ninner\n```"

    def test_indent_is_removed(self):
        (block,) = blocks("  ```\n  a\n    b\n c\n  ```")
        assert block.text == "a\n  b\nc"


class TestLists:
    def test_tight(self):
        assert html("- a\n- b") == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"

    def test_loose(self):
        assert html("- a\n\n- b") == "<ul>\n<li><p>a</p></li>\n<li><p>b</p></li>\n</ul>\n"

    def test_ordered_start(self):
        assert html("3. a\n4. b").startswith('<ol start="3">\n<li>a</li>')

    def test_nested(self):
        assert html("- a\n  - b\n    - c\n- d") == (
            "<ul>\n<li>a\n<ul>\n<li>b\n<ul>\n<li>c</li>\n</ul></li>\n</ul></li>\n<li>d</li>\n</ul>\n"
        )

    def test_blank_line_after_the_list_keeps_it_tight(self):
        assert html("- a\n- b\n\nc") == "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<p>c</p>\n"

    def test_other_bullet_starts_new_list(self):
        assert [len(block.items) for block in blocks("- a\n- b\n* c")] == [2, 1]

    def test_paragraph_and_code_in_item(self):
        (block,) = blocks("1. one\n\n   ```\n   code\n     more\n   ```\n2. two")
        first, second = block.items
        assert isinstance(first.children[1], nodes.CodeBlock)
        assert first.children[1].text == "code\n  more"
        assert not block.tight and len(second.children) == 1

    def test_lazy_continuation(self):
        assert html("- a\nb\n- c") == "<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n"

    def test_number_does_not_interrupt_paragraph(self):
        assert html("It was in\n1986. Or so.") == "<p>It was in\n1986. Or so.</p>\n"

    def test_tasks(self):
        (block,) = blocks("- [ ] a\n- [x] b\n- c")
        assert [item.checked for item in block.items] == [False, True, None]
        assert '<li><input type="checkbox" disabled checked> b</li>' in html("- [x] b")


class TestQuotes:
    def test_nested_blocks(self):
        assert html("> # A\n> b\n>\n> - c") == (
            "<blockquote>\n<h1>A</h1>\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>\n"
        )

    def test_lazy_line(self):
        assert html("> a\nb\n# c") == "<blockquote>\n<p>a\nb</p>\n</blockquote>\n<h1>c</h1>\n"


class TestTables:
    def test_table(self):
        assert html("| a | b |\n|---|--:|\n| 1 | 2 |") == (
            "<table>\n<thead>\n"
            '<tr><th>a</th><th style="text-align: right">b</th></tr>\n</thead>\n<tbody>\n'
            '<tr><td>1</td><td style="text-align: right">2</td></tr>\n</tbody>\n</table>\n'
        )

    @pytest.mark.parametrize(
        "line, cells",
        [
            ("| a | |", ["a", ""]),
            (r"| a \| b | c |", ["a | b", "c"]),
            ("| `x | y` | z |", ["`x | y`", "z"]),
        ],
    )
    def test_split_row(self, line, cells):
        assert split_row(line) == cells

    def test_delimiter(self):
        assert parse_delimiter("|:-|:-:|-:|---|") == ["left", "center", "right", ""]
        assert parse_delimiter("| a | - |") is None

    def test_rows_are_padded_and_cut(self):
        (table,) = blocks("| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |")
        assert [len(row) for row in table.rows] == [2, 2]
