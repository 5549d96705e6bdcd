import pytest

from plume import to_html


def inline(text):
    html = to_html(text).rstrip("\n")
    assert html.startswith("<p>") and html.endswith("</p>")
    return html[3:-4]


@pytest.mark.parametrize(
    "source, expected",
    [
        ("*a* and _b_", "<em>a</em> and <em>b</em>"),
        ("**a** and __b__", "<strong>a</strong> and <strong>b</strong>"),
        ("**bold with *em* inside**", "<strong>bold with <em>em</em> inside</strong>"),
        ("*em with **bold** inside*", "<em>em with <strong>bold</strong> inside</em>"),
        ("snake_case_name", "snake_case_name"),
        ("call do__the__thing now", "call do__the__thing now"),
        ("un*frigging*believable", "un<em>frigging</em>believable"),
    ],
)
def test_emphasis(source, expected):
    assert inline(source) == expected


@pytest.mark.parametrize(
    "source, expected",
    [
        ("`a < b`", "<code>a &lt; b</code>"),
        ("`` a`b ``", "<code>a`b</code>"),
    ],
)
def test_code(source, expected):
    assert inline(source) == expected


@pytest.mark.parametrize(
    "source, expected",
    [
        ('[a](/b "T & t")', '<a href="/b" title="T &amp; t">a</a>'),
        ("[w](http://x.org/A_(b))", '<a href="http://x.org/A_(b)">w</a>'),
        ("[*a* `b`](c)", '<a href="c"><em>a</em> <code>b</code></a>'),
        ("<https://x.org/?a&b>", '<a href="https://x.org/?a&amp;b">https://x.org/?a&amp;b</a>'),
        ("[a](</with space>)", '<a href="/with space">a</a>'),
    ],
)
def test_links(source, expected):
    assert inline(source) == expected


def test_quotes_in_urls_are_escaped():
    assert inline('[a](x"onclick=y)') == '<a href="x&quot;onclick=y">a</a>'


@pytest.mark.parametrize("url", ["javascript:alert(1)", "JavaScript:alert(1)"])
def test_unsafe_schemes(url):
    assert inline(f"[a]({url})") == '<a href="#">a</a>'


class TestReferences:
    @pytest.mark.parametrize("link", ["[text][Site]", "[text][ SITE ]"])
    def test_label(self, link):
        assert to_html(f"{link}\n\n[site]: /url") == '<p><a href="/url">text</a></p>\n'

    def test_shortcut(self):
        html = to_html('[My  Site]\n\n[my site]: /url "Title"')
        assert html == '<p><a href="/url" title="Title">My  Site</a></p>\n'

    def test_unknown_label_is_text(self):
        assert inline("[a][b] and [c]") == "[a][b] and [c]"

    def test_first_definition_wins(self):
        assert 'href="/1"' in to_html("[a]\n\n[a]: /1\n[a]: /2")

    def test_definitions_in_code_are_code(self):
        assert "[a]: /1" in to_html("```\n[a]: /1\n```\n")


def test_hard_break():
    assert inline("a  \nb\\\nc\nd") == "a<br>\nb<br>\nc\nd"
