from clock.api import lasts


def test_an_hour_has_sixty_minutes():
    assert lasts("8:00", "9:00") == 60
