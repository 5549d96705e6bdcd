import asyncio

import pytest

from fetch import Client, retried


class Flaky:
    def __init__(self, failures):
        self.failures = failures
        self.calls = 0

    async def __call__(self, name="x"):
        self.calls += 1
        await asyncio.sleep(0)
        if self.calls <= self.failures:
            raise OSError(f"failure {self.calls}")
        return name.upper()


def run(coroutine):
    return asyncio.run(coroutine)


def test_the_first_attempt():
    assert run(retried(Flaky(0))) == "X"


def test_the_second_attempt():
    assert run(retried(Flaky(1))) == "X"


def test_the_last_attempt():
    assert run(retried(Flaky(2))) == "X"


def test_one_attempt():
    assert run(retried(Flaky(0), times=1)) == "X"


def test_all_fail():
    attempt = Flaky(9)
    with pytest.raises(OSError, match="failure 3"):
        run(retried(attempt))
    assert attempt.calls == 3


def test_what_is_known_is_not_loaded_again():
    load = Flaky(0)
    client = Client(load)

    async def twice():
        return [await client.get("a"), await client.get("a")]

    assert run(twice()) == ["A", "A"]
    assert load.calls == 1


def test_all_at_once():
    assert run(Client(Flaky(0)).get_all(["a", "b"])) == ["A", "B"]
