import pytest

from lodestar import Conflict, Manifest, Version, resolve
from lodestar.errors import ManifestError, UnknownPackage
from lodestar.resolver import graph_of, problems


def names(chosen):
    return {name: str(version) for name, version in chosen.items()}


def test_newest_fitting():
    manifest = Manifest({"lib": "^1"}, {"lib": {"1.2": {}, "1.10": {}, "2.0": {}}})
    assert names(resolve(manifest)) == {"lib": "1.10.0"}


def test_transitive():
    manifest = Manifest(
        {"app": "*"},
        {"app": {"1.0": {"lib": "<2"}}, "lib": {"1.0": {"base": "*"}, "2.0": {}}, "base": {"0.1": {}}},
    )
    assert names(resolve(manifest)) == {"app": "1.0.0", "lib": "1.0.0", "base": "0.1.0"}


@pytest.fixture
def backtrack():
    return Manifest(
        {"a": "*", "b": "*"},
        {
            "a": {"2.0": {"c": "^2", "extra": "*"}, "1.0": {"c": "^1"}},
            "b": {"1.0": {"c": "^1"}, "0.9": {"c": "^1"}},
            "c": {"1.0": {}, "1.5": {}, "2.0": {}},
            "extra": {"1.0": {}},
        },
    )


def test_backtracks(backtrack):
    assert names(resolve(backtrack)) == {"a": "1.0.0", "b": "1.0.0", "c": "1.5.0"}


def test_conflict_names_demands():
    manifest = Manifest(
        {"a": "*", "b": "*"},
        {"a": {"1.0": {"c": "^2"}}, "b": {"1.0": {"c": "^1"}}, "c": {"1.0": {}, "2.0": {}}},
    )
    with pytest.raises(Conflict) as info:
        resolve(manifest)
    assert info.value.name == "c"
    assert str(info.value) == "no version of c fits:\n  a 1.0.0 wants ^2\n  b 1.0.0 wants ^1"


def test_conflict_with_root():
    manifest = Manifest({"a": "*", "c": "^1"}, {"a": {"1.0": {"c": "^2"}}, "c": {"1.0": {}, "2.0": {}}})
    with pytest.raises(Conflict, match="wants"):
        resolve(manifest)


def test_unknown_package():
    manifest = Manifest({"a": "*"}, {"a": {"1.0": {"ghost": "*"}}})
    with pytest.raises(UnknownPackage, match="'ghost' .wanted by a 1.0.0"):
        resolve(manifest)


def test_mutual_dependency():
    manifest = Manifest({"a": "*"}, {"a": {"1.0": {"b": "*"}}, "b": {"1.0": {"a": "^1"}}})
    assert set(resolve(manifest)) == {"a", "b"}


def test_locked_version_is_kept():
    manifest = Manifest({"lib": "^1"}, {"lib": {"1.1": {}, "1.2": {}, "2.0": {}}})
    assert names(resolve(manifest, {"lib": Version.parse("1.1")})) == {"lib": "1.1.0"}
    assert names(resolve(manifest, {"lib": Version.parse("2.0")})) == {"lib": "1.2.0"}


def test_pre_releases():
    manifest = Manifest({"lib": "*"}, {"lib": {"1.0": {}, "1.1.0-rc.1": {}}})
    assert names(resolve(manifest)) == {"lib": "1.0.0"}
    assert names(resolve(manifest, pre=True)) == {"lib": "1.1.0-rc.1"}


def test_names_are_normalised():
    manifest = Manifest({"My_Lib": "*"}, {"my-lib": {"1.0": {"OTHER": "*"}}, "Other": {"1.0": {}}})
    assert set(resolve(manifest)) == {"my-lib", "other"}


def test_graph(backtrack):
    graph = graph_of(backtrack, resolve(backtrack))
    assert graph.edges() == [("(root)", "a"), ("(root)", "b"), ("a", "c"), ("b", "c")]


def test_problems(backtrack):
    good = resolve(backtrack)
    assert problems(backtrack, good) == []
    bad = dict(good, c=Version.parse("2.0"))
    del bad["b"]
    assert problems(backtrack, bad) == ["(root) wants b, which is missing", "a wants c ^1, not 2.0.0"]
    assert problems(backtrack, dict(good, c=Version.parse("7"))) [0] == "c 7.0.0 does not exist"


@pytest.mark.parametrize("requires, packages", [({"a": "bad!"}, {}), ({}, {"a": {"x.y": {}}}), ({}, {"a": {"1": {"b": "?"}}})])
def test_bad_manifest(requires, packages):
    with pytest.raises(ManifestError):
        Manifest(requires, packages)


def test_fingerprint_ignores_order():
    one = Manifest({"a": "^1", "b": "*"}, {})
    two = Manifest({"b": "*", "a": "^1"}, {})
    assert one.fingerprint() == two.fingerprint()
    assert one.fingerprint() != Manifest({"a": "^2", "b": "*"}, {}).fingerprint()
