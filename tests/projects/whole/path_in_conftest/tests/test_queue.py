from lib.queue import Queue


def test_order():
    q = Queue()
    q.put("low", 1)
    q.put("high", 9)
    assert q.get() == "high"


def test_one():
    q = Queue()
    q.put("x")
    assert q.get() == "x"
