from anchorcheck import Checker, Config, Site
from anchorcheck.checker import split_target


def test_good_site(check):
    assert check(
        index="# Home\n[up](#home) [a](sub/a.md#part) [s](sub/) [abs](/sub/a.md?x=1)",
        sub__a="## Part\n[home](../index.md) [file](../data.csv)",
        sub__index="",
        **{"data.csv": "1"},
    ) == []


def test_missing_file(check):
    assert check(index="\n[x](nope.md)") == [("index.md", 2, "missing")]


def test_link_out_of_the_site(check):
    assert check(index="[x](../../etc/passwd)") == [("index.md", 1, "missing")]


def test_anchors(check):
    files = dict(index="[x](b.md#nope)\n[y](#gone)", b="# B")
    assert check(**files) == [("index.md", 1, "anchor"), ("index.md", 2, "anchor")]
    assert check(Config(check_anchors=False), **files) == []


def test_anchor_of_other_files_is_left_alone(check):
    assert check(index="[x](code.py#L10)", **{"code.py": ""}) == []


def test_encoded_target(check):
    assert check(index="[x](my%20page.md#%C3%BCber)", **{"my page.md": "# Über"}) == []


def test_folder_without_index(check):
    assert check(index="[x](sub)", sub__a="") == [("index.md", 1, "missing")]


def test_empty_and_undefined(check):
    assert check(index="[x]()\n[y][z]") == [("index.md", 1, "empty"), ("index.md", 2, "undefined")]


def test_case_hint(write):
    checker = Checker(Site.scan(write(docs__Guide="", docs__index="[x](guide.md)")))
    (problem,) = checker.run()
    assert problem.message == "no file guide.md (did you mean docs/Guide.md?)"


def test_external_links_are_collected(write):
    root = write(a="[x](https://x.org)\n<mailto:me@x.org>", b="[x](https://x.org) [y](//cdn.org/z)")
    checker = Checker(Site.scan(root))
    assert checker.run() == []
    assert checker.external["https://x.org"] == [("a.md", 1), ("b.md", 1)]
    assert set(checker.external) == {"https://x.org", "mailto:me@x.org", "//cdn.org/z"}


def test_second_run_starts_afresh(write):
    checker = Checker(Site.scan(write(index="[x](no.md) <https://x.org>")))
    first = list(checker.run())
    assert checker.run() == first
    assert len(checker.external["https://x.org"]) == 1


def test_ignored_and_excluded(check):
    config = Config(ignore_links=["*.html"], exclude=["drafts/"])
    assert check(config, index="[x](api.html)", drafts__deep__a="[x](no.md)") == []


def test_orphans(check):
    files = dict(index="[a](a.md)", a="[me](a.md)", lost="[me](lost.md) [me](#)")
    assert check(**files) == []
    assert check(Config(severity={"orphan": "warning"}), **files) == [("lost.md", 0, "orphan")]


def test_levels(write):
    root = write(index="[x](no.md)")
    checker = Checker(Site.scan(root, Config(severity={"missing": "warning"})))
    assert [p.level for p in checker.run()] == ["warning"]
    assert not checker.failed


def test_hidden_folders_and_bom(check):
    assert check(**{".git__x.md": "[x](no.md)", "index.md": "\ufeff# Top\n[t](#top)"}) == []


def test_split_target():
    assert split_target("a.md") == ("a.md", None)
    assert split_target("a.md?q=1#x%20y") == ("a.md", "x y")
    assert split_target("#") == ("", "")
