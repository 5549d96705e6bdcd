import pytest

from mensura import DimensionError, OffsetUnitError, Q, Quantity


class TestConversion:
    def test_simple(self):
        assert Q("90 km/h").to("m/s").magnitude == pytest.approx(25)

    def test_wrong_dimension(self):
        with pytest.raises(DimensionError, match="convert between"):
            Q("1 m").to("s")

    def test_same_unit_keeps_type(self):
        assert Q("3 m").to("m").magnitude == 3

    def test_from_quantity(self):
        assert Q("1 mi").magnitude_in(Q("1 m")) == pytest.approx(1609.344)


class TestSums:
    def test_left_unit_wins(self):
        result = Q("1 km") + Q("500 m")
        assert str(result) == "1.5 kilometer"

    def test_mismatch(self):
        with pytest.raises(DimensionError):
            Q("1 m") + Q("1 s")

    def test_number_and_ratio(self):
        assert 1 + Q("50 %") == Q(1.5)
        assert 1 - Q("25 %") == Q(0.75)

    def test_builtin_sum(self):
        assert sum([Q("1 m"), Q("20 cm")]) == Q("1.2 m")

    def test_unsupported_operand(self):
        with pytest.raises(TypeError):
            Q("1 m") + "1 m"


class TestProducts:
    def test_units_cancel(self):
        assert (Q("10 m") / Q("5 m")).is_dimensionless
        assert Q("6 m") / Q("3 s") * Q("2 s") == Q("4 m")

    def test_number_over_quantity(self):
        assert 10 / Q("2 s") == Q("5 Hz")

    def test_power_and_root(self):
        assert Q("3 m") ** 2 == Q("9 m^2")
        assert Q("9 m^2").sqrt() == Q("3 m")

    def test_power_of_quantity_exponent(self):
        assert Q("2 m") ** Q("200 %") == Q("4 m^2")
        with pytest.raises(DimensionError):
            Q("2 m") ** Q("2 s")

    def test_divmod(self):
        whole, rest = divmod(Q("130 min"), Q("1 h"))
        assert whole == 2
        assert rest == Q("10 min")

    def test_floordiv_and_mod(self):
        assert Q("2 m") // Q("30 cm") == 6
        assert Q("95 s") % Q("1 min") == Q("35 s")


class TestTemperature:
    def test_offset_conversion(self):
        assert Q("100 degC").to("degF").magnitude == pytest.approx(212)
        assert Q("0 degC").to("K").magnitude == pytest.approx(273.15)

    def test_difference_is_a_delta(self):
        difference = Q("20 degC") - Q("59 degF")
        assert difference.unit == Q("1 delta_degC").unit
        assert difference.magnitude == pytest.approx(5)

    def test_add_delta_either_side(self):
        assert (Q("20 degC") + Q("9 delta_degF")).magnitude == pytest.approx(25)
        assert (Q("5 K") + Q("20 degC")).magnitude == pytest.approx(25)

    def test_subtract_delta(self):
        warm = Q("20 degC") - Q("5 K")
        assert str(warm) == "15 degC"

    def test_refused(self):
        with pytest.raises(OffsetUnitError):
            Q("20 degC") + Q("5 degC")
        with pytest.raises(OffsetUnitError):
            Q("5 K") - Q("20 degC")
        with pytest.raises(OffsetUnitError):
            Q("20 degC") * 2


class TestComparison:
    def test_across_units(self):
        assert Q("1 km") == Q("1000 m")
        assert Q("1 ft") < Q("1 m")
        assert Q("10 mm") >= Q("1 cm")

    def test_equal_quantities_hash_alike(self):
        assert len({Q("1 km"), Q("1000 m"), Q("100000 cm")}) == 1
        assert hash(Q("100 %")) == hash(1)

    def test_different_dimensions(self):
        assert Q("1 m") != Q("1 s")
        with pytest.raises(DimensionError):
            Q("1 m") < Q("1 s")

    def test_compare_with_text(self):
        assert Q("1 m") != "1 m"

    def test_float_of_ratio(self):
        assert float(Q("1 m") / Q("1 km")) == pytest.approx(0.001)
        with pytest.raises(TypeError):
            float(Q("1 m"))


def test_sorted():
    lengths = [Q("1 mi"), Q("1 m"), Q("1 km"), Q("1 ft")]
    assert [q.unit.terms[0][0].symbol for q in sorted(lengths)] == ["ft", "m", "km", "mi"]


def test_custom_registry_is_kept(registry):
    registry.define("step", scale=0.75, dimension=Q("1 m").dimension)
    walked = Quantity(4, "step", registry) * 2
    assert walked.to("step").magnitude == 8
    assert abs(-walked).to("step").magnitude == 8
