import pytest

from lodestar import Constraint, Version
from lodestar.errors import VersionError


def v(text):
    return Version.parse(text)


class TestVersion:
    def test_order(self):
        texts = ["0.9", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-alpha", "1.0.0-alpha.1",
                 "1.0.0-beta", "1.0.0", "1.2", "1.10", "2"]
        assert sorted(texts[::-1], key=v) == texts

    def test_short_forms_are_equal(self):
        assert v("1") == v("1.0") == v("v1.0.0")
        assert hash(v("1")) == hash(v("1.0.0"))

    def test_build_is_no_part_of_order(self):
        assert v("1.0.0+a") == v("1.0.0+b")
        assert str(v("1.0+a")) == "1.0.0+a"

    @pytest.mark.parametrize("text", ["", "x", "1.2.3.4", "1.", "1.0-", "1.0-a..b"])
    def test_errors(self, text):
        with pytest.raises(VersionError):
            v(text)

    @pytest.mark.parametrize("part, expected", [(0, "2.0.0"), (1, "1.3.0"), (2, "1.2.4")])
    def test_bump(self, part, expected):
        assert str(v("1.2.3-rc.1").bump(part)) == expected


class TestConstraint:
    @pytest.mark.parametrize(
        "text, inside, outside",
        [
            ("^1.2", ["1.2.0", "1.9.9"], ["1.1.9", "2.0.0"]),
            ("^0.2.3", ["0.2.3", "0.2.9"], ["0.3.0", "1.0.0"]),
            ("^0.0.3", ["0.0.3"], ["0.0.4", "0.1.0"]),
            ("~1.2.3", ["1.2.3", "1.2.9"], ["1.3.0", "1.2.2"]),
            ("~1.2", ["1.2.0", "1.2.9"], ["1.3.0"]),
            ("~1", ["1.0.0", "1.9.0"], ["2.0.0"]),
            ("1.2.*", ["1.2.0", "1.2.7"], ["1.3.0", "1.1.0"]),
            ("1.*", ["1.0.0", "1.9.0"], ["2.0.0"]),
            ("*", ["0.0.1", "99.0.0"], []),
            ("", ["3.0.0"], []),
            (">=1, <2, !=1.5", ["1.0.0", "1.9.0"], ["1.5.0", "2.0.0"]),
            ("<1 || >=2", ["0.5.0", "2.0.0"], ["1.0.0"]),
            ("=1.2", ["1.2.0"], ["1.2.1"]),
        ],
    )
    def test_allows(self, text, inside, outside):
        constraint = Constraint(text)
        assert [t for t in inside if not constraint.allows(v(t))] == []
        assert [t for t in outside if constraint.allows(v(t))] == []

    @pytest.mark.parametrize("text", ["abc", "1.*.2", ">=1.*", "^^1", ">=1,", "1 2"])
    def test_errors(self, text):
        with pytest.raises(VersionError):
            Constraint(text)

    def test_pre_releases_only_when_asked(self):
        constraint = Constraint(">=1")
        assert not constraint.allows(v("1.5.0-rc.1"))
        assert constraint.allows(v("1.5.0-rc.1"), pre=True)

    def test_pre_release_named_in_constraint(self):
        constraint = Constraint("^1.5.0-beta")
        assert constraint.allows(v("1.5.0-rc"))
        assert not constraint.allows(v("1.6.0-rc"))

    def test_upper_bound_excludes_its_own_pre_releases(self):
        assert not Constraint("^1.2").allows(v("2.0.0-rc.1"), pre=True)
        assert Constraint("<2.0.0-rc.2").allows(v("2.0.0-rc.1"))
