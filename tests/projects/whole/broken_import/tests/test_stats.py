from words import longest, mean_length


def test_longest():
    assert longest("to be or nothing") == "nothing"


def test_mean_length():
    assert mean_length("a bb ccc") == 2
    assert mean_length("") == 0
