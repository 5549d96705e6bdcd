import pytest

from recordkit import field, in_range, optional, record, to_bool


@record
class Volume:
    level = field(default=0, converter=int, validator=in_range(0, 11))
    muted = field(default=False, converter=to_bool)
    name = field(default=None, converter=optional(str))
    tags = field(factory=list)


def test_defaults():
    volume = Volume()
    assert (volume.level, volume.muted, volume.name, volume.tags) == (0, False, None, [])
    assert Volume().tags is not volume.tags


def test_loud_and_muted():
    volume = Volume(level="11", muted="Yes")
    assert volume.level == 11
    assert volume.muted


def test_equal():
    assert Volume(level=3) == Volume(level="3")
    assert Volume(level=3) != Volume(level=4)


def test_repr():
    assert repr(Volume(level=1)) == "Volume(level=1, muted=False, name=None, tags=[])"


def test_unknown():
    with pytest.raises(TypeError, match="loudness"):
        Volume(loudness=3)
