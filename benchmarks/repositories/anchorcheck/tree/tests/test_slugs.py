import pytest

from anchorcheck import Slugger, slugify


@pytest.mark.parametrize(
    "text, slug",
    [
        ("Hello World", "hello-world"),
        ("What's new?", "whats-new"),
        ("`code` and *more*", "code-and-more"),
        ("See [the docs](x.md)", "see-the-docs"),
        ("snake_case name", "snake_case-name"),
        ("A - B", "a---b"),
        ("Über uns", "über-uns"),
    ],
)
def test_slugify(text, slug):
    assert slugify(text) == slug


def test_repeated_headings():
    slugger = Slugger()
    assert [slugger(t) for t in ("Use", "Use", "Use")] == ["use", "use-1", "use-2"]


def test_repeated_heading_meets_a_taken_slug():
    slugger = Slugger()
    assert [slugger(t) for t in ("Use 1", "Use", "Use")] == ["use-1", "use", "use-2"]
