def test_two_titles(run):
    assert run("One Two", "three") == "one-two\nthree\n"


def test_upper(run):
    assert run("--upper", "One Two") == "ONE-TWO\n"


def test_stdin(run):
    assert run("--separator", "_", input="One Two\n") == "one_two\n"


def test_short(run):
    assert run("--max-length", "7", "One Two Three") == "one-two\n"
