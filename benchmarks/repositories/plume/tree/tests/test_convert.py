import pytest

from plume import Converter, to_html, to_text
from plume.cli import main
from plume.frontmatter import FrontMatterError, split


class TestFrontMatter:
    def test_split(self):
        meta, rest = split("---\nTitle: A: b\ndraft: yes\nn: 3\ntags: [a, 'b']\n---\n\nbody\n")
        assert meta == {"title": "A: b", "draft": True, "n": 3, "tags": ["a", "b"]}
        assert rest == "\nbody\n"

    def test_windows_line_ends(self):
        meta, rest = split("---\r\ntitle: x\r\n---\r\nbody\r\n")
        assert meta == {"title": "x"}
        assert rest == "body\r\n"

    def test_block_list(self):
        assert split("---\ntags:\n  - a\n  - b\n---\n")[0] == {"tags": ["a", "b"]}

    def test_not_at_the_top(self):
        text = "a\n---\nb: c\n---\n"
        assert split(text) == ({}, text)

    def test_unclosed(self):
        assert split("---\ntext") == ({}, "---\ntext")

    def test_bad_line(self):
        with pytest.raises(FrontMatterError, match="line 3"):
            split("---\na: 1\nnonsense\n---\n")


class TestConverter:
    def test_slugs(self):
        html = to_html("# A b\n# A b\n# A b-1\n# Ünïcode, it's\n# ?")
        ids = [line.split('"')[1] for line in html.splitlines()]
        assert ids == ["a-b", "a-b-1", "a-b-1-1", "unicode-its", "section"]

    def test_reuse_starts_afresh(self):
        converter = Converter()
        first = converter.convert("---\ntitle: x\n---\n# Intro\n\n[a]\n\n[a]: /1\n")
        assert 'id="intro"' in first
        second = converter.convert("# Intro\n\n[a]\n")
        assert second == '<h1 id="intro">Intro</h1>\n<p>[a]</p>\n'
        assert converter.meta == {}
        assert len(converter.toc) == 1

    def test_toc(self):
        converter = Converter(toc_level=3)
        converter.convert("# A\n### A1\n## A2\n#### deep\n# B *em*\n> ## Quoted\n")
        assert [entry.as_tuple() for entry in converter.toc] == [
            ("A", [("A1", []), ("A2", [])]),
            ("B em", [("Quoted", [])]),
        ]

    def test_title(self):
        converter = Converter()
        assert converter.title is None
        converter.convert("## no\n# *The* `title`\n")
        assert converter.title == "The title"
        converter.convert("---\ntitle: 1984\n---\n# Other")
        assert converter.title == "1984"

    def test_byte_order_mark(self):
        assert to_html("\ufeff---\na: 1\n---\nx") == "<p>x</p>\n"


class TestText:
    def test_wrap(self):
        assert to_text("one two three four five six", width=20) == "one two three four\nfive six\n"

    def test_quote_and_list(self):
        text = "> quote\n> # H\n\n9. nine\n10. ten\n    - sub\n"
        assert to_text(text) == "> quote\n> \n> H\n> =\n\n 9. nine\n10. ten\n    - sub\n"

    def test_links_are_numbered_once(self):
        assert to_text("[a](/1) [b](/2) [c](/1) <http://x>") == (
            "a [1] b [2] c [1] http://x\n\n[1] /1\n[2] /2\n"
        )

    def test_links_start_afresh(self):
        from plume.text import TextRenderer

        converter = Converter(TextRenderer())
        converter.convert("[a](/1)")
        assert converter.convert("[b](/2)") == "b [1]\n\n[1] /2\n"

    def test_table(self):
        assert to_text("|a|n|\n|-|-:|\n|long|5|\n") == "a     n\n----  -\nlong  5\n"


class TestCli:
    @pytest.fixture
    def page(self, tmp_path):
        path = tmp_path / "page.md"
        path.write_text("---\ntitle: Q & Ä\n---\n# Hé\n", encoding="utf-8")
        return path

    def test_standalone(self, page, tmp_path):
        out = tmp_path / "page.html"
        assert main([str(page), "--standalone", "-o", str(out)]) == 0
        text = out.read_text(encoding="utf-8")
        assert "<title>Q &amp; Ä</title>" in text
        assert '<h1 id="he">Hé</h1>' in text

    def test_to_text(self, page, capsys):
        assert main([str(page), "--to", "text"]) == 0
        assert capsys.readouterr().out == "Hé\n==\n"

    def test_missing_file(self, tmp_path, capsys):
        assert main([str(tmp_path / "gone.md")]) == 1
        assert "gone.md" in capsys.readouterr().err
