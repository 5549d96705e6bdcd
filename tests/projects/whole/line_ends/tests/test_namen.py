from gruesse.namen import anrede, gruß


def test_anrede():
    assert anrede("Änne Müller", "w") == "Frau Müller"


def test_gruß():
    assert gruß("Jörg Weiß", "m") == "Grüß Gott, Herr Weiß!"
