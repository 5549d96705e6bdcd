import pytest

from slugkit import slugify, unique_slug


@pytest.mark.parametrize(
    ("text", "slug"),
    [("Hello, World!", "hello-world"), ("  a  b ", "a-b"), ("Crème brûlée", "creme-brulee"), ("", "")],
)
def test_slugify(text, slug):
    assert slugify(text) == slug


def test_stopwords():
    assert slugify("The lord of the rings", stopwords=("the", "of")) == "lord-rings"


@pytest.mark.parametrize(("most", "slug"), [(5, "jumps"), (10, "jumps-over"), (14, "jumps-over-the"), (3, "jum")])
def test_max_length(most, slug):
    assert slugify("jumps over the lazy dog", max_length=most) == slug


def test_unique():
    assert unique_slug("A b", {"a-b", "a-b-2"}) == "a-b-3"
    assert unique_slug("A b", set()) == "a-b"
