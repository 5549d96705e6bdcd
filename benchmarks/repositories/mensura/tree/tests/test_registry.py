import pytest

from mensura import Dimension, Quantity, RedefinitionError, UndefinedUnitError


class TestLookup:
    def test_name_symbol_alias(self, registry):
        assert registry.get("meter") is registry.get("m") is registry.get("metre")

    def test_prefix(self, registry):
        assert registry.get("kilometer").scale == 1000
        assert registry.get("mm").name == "millimeter"

    def test_exact_name_beats_prefix(self, registry):
        assert registry.get("min").name == "minute"
        assert registry.get("ft").name == "foot"

    def test_prefix_styles_do_not_mix(self, registry):
        assert "kilom" not in registry
        assert "kmeter" not in registry

    def test_unprefixable(self, registry):
        with pytest.raises(UndefinedUnitError):
            registry.get("kilofoot")

    def test_undefined_carries_name(self, registry):
        with pytest.raises(UndefinedUnitError) as info:
            registry.get("parsec")
        assert info.value.name == "parsec"


class TestDefine:
    def test_redefinition_is_refused(self, registry):
        with pytest.raises(RedefinitionError):
            registry.define("meter")

    def test_refused_definition_leaves_nothing(self, registry):
        with pytest.raises(RedefinitionError):
            registry.define("league", "lea", aliases=("mile",))
        assert "lea" not in registry

    def test_replace_reaches_prefixed_units(self, registry):
        registry.define("credit", "cr", scale=2, prefixable=True)
        assert registry.get("kilocredit").scale == 2000
        registry.define("credit", "cr", scale=5, prefixable=True, replace=True)
        assert registry.get("kilocredit").scale == 5000

    def test_define_from(self, registry):
        ell = registry.define_from("ell", Quantity(45, "inch", registry))
        assert ell.scale == pytest.approx(1.143)
        assert ell.dimension == Dimension(length=1)

    def test_child_sees_parent(self, registry):
        child = registry.child()
        child.define("furlong", dimension=Dimension(length=1), scale=201.168)
        assert child.get("km").scale == 1000
        assert "furlong" not in registry
