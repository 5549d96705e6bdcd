"""Keys, rests, retries and giving up, with a clock that costs no time."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from regreen.errors import CircuitOpen, ContextTooLong, ModelError, ModelUnavailable, ToolsUnsupported
from regreen.models.contract import Message, Reply, Request
from regreen.models.keys import KeyRing
from regreen.models.providers import NAMELESS, Endpoint
from regreen.models.retrying import (
    FIRST_WAIT,
    GIVE_UP_AFTER,
    GIVE_UP_AFTER_AT_FIRST,
    LONGEST_WAIT,
    CircuitBreaker,
    RetryingClient,
)
from regreen.models.service_errors import KeyRefused, TransientError

LONGEST_REST = 900.0

ASKED = Request((Message("user", "Hello."),))
KEYS = ("first-long-key", "second-long-key")
Happening = Exception | str


class Clock:
    """Time that passes in sleep alone."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.slept.append(seconds)
        self.now += seconds


class Scene:
    """A line on which things happen in order; the last one goes on for ever."""

    def __init__(self, clock: Clock, *happenings: Happening, seconds: float = 0.0) -> None:
        self.clock = clock
        self.happenings = happenings
        self.seconds = seconds
        self.keys: list[str] = []
        self.closed = False

    def ask(self, request: Request, key: str) -> Reply:
        self.clock.now += self.seconds
        happening = self.happenings[min(len(self.keys), len(self.happenings) - 1)]
        self.keys.append(key)
        if isinstance(happening, Exception):
            raise happening
        return Reply(happening)

    def close(self) -> None:
        self.closed = True


def patient(
    scene: Scene, *, keys: Sequence[str] = KEYS, retries: int = 3, breaker: CircuitBreaker | None = None
) -> RetryingClient:
    return RetryingClient(
        scene,
        Endpoint(NAMELESS, "small", "http://here/v1", tuple(keys)),
        retries=retries,
        breaker=breaker,
        clock=scene.clock,
        sleep=scene.clock.sleep,
        rng=random.Random(1),
    )


def test_which_key_answered_and_which_was_set_aside_is_logged_and_no_key_is(caplog: pytest.LogCaptureFixture) -> None:
    """Masked, as in errors; so is a key that the service quotes."""
    caplog.set_level("INFO", "regreen")
    scene = Scene(Clock(), KeyRefused("no such key: first-long-key"), TransientError("busy"), "There you are.")
    assert patient(scene).ask(ASKED).text == "There you are."
    first, second, third = caplog.messages
    assert "key fir...ey is set aside: no such key: fir...ey" in first
    assert "a try with key sec...ey failed, another one follows: busy" in second
    assert "answered with key sec...ey" in third
    assert not any(key in caplog.text for key in KEYS)


def busy(retry_after: float | None = None) -> TransientError:
    return TransientError("busy", retry_after=retry_after, busy=True)


def test_a_long_wait_is_told_at_any_verbosity(caplog: pytest.LogCaptureFixture) -> None:
    """A service that asks for minutes would look like a run that hangs; a second is not worth a line."""
    caplog.set_level("WARNING", "regreen")
    scene = Scene(Clock(), busy(1.0), busy(600.0), "There you are.")
    assert patient(scene, keys=KEYS[:1]).ask(ASKED).text == "There you are."
    (told,) = caplog.messages
    (waited,) = [pause for pause in scene.clock.slept if pause > 2]
    assert told == f"small is asked again in {waited:.0f} s: it is busy, or does not answer."


def test_a_wait_of_many_threads_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    """All of them wait for one key, each a little longer than the other."""
    caplog.set_level("WARNING", "regreen")
    clock = Clock()
    clock.sleep = clock.slept.append  # type: ignore[method-assign]
    client = patient(Scene(clock, "Hi."))
    for seconds in (60.0, 70.0, 65.0):
        client._pause(seconds)
    assert len(caplog.messages) == 1


def test_a_reply_comes_back_at_once() -> None:
    """Nothing is waited for."""
    scene = Scene(Clock(), "Hi.")
    assert patient(scene).ask(ASKED).waited == 0
    assert scene.clock.slept == []


def test_failures_are_repeated_with_growing_random_waits() -> None:
    """Full jitter: each wait lies between nothing and a bound that doubles, up to a longest."""
    scene = Scene(Clock(), *[TransientError("down")] * 12, "Hi.")
    reply = patient(scene, retries=12).ask(ASKED)
    assert reply.text == "Hi."
    bounds = [min(LONGEST_WAIT, FIRST_WAIT * 2**number) for number in range(12)]
    assert all(0 <= slept <= bound for slept, bound in zip(scene.clock.slept, bounds, strict=True))
    assert len(set(scene.clock.slept)) == 12
    assert reply.waited == pytest.approx(sum(scene.clock.slept))


def test_time_lost_in_failed_tries_counts_as_waited() -> None:
    """A repair's clock does not run while a service is down."""
    scene = Scene(Clock(), TransientError("timeout"), TransientError("timeout"), "Hi.", seconds=50)
    reply = patient(scene).ask(ASKED)
    assert reply.waited == pytest.approx(100 + sum(scene.clock.slept))


@pytest.mark.parametrize("retries", [0, 1, 3])
@pytest.mark.parametrize("failure", [TransientError("down"), busy(), busy(5)])
def test_a_service_that_stays_down_is_given_up(retries: int, failure: TransientError) -> None:
    """After as many retries as were allowed, and no more."""
    scene = Scene(Clock(), failure)
    with pytest.raises(ModelUnavailable, match="one try" if not retries else f"after {retries + 1} tries"):
        patient(scene, retries=retries).ask(ASKED)
    assert len(scene.keys) == retries + 1


def test_a_server_that_was_never_started_is_not_waited_for() -> None:
    """One try before the first reply; after it, a restart is worth waiting for."""
    not_running = TransientError("nothing listens there.", not_running=True, remedy="Start it.")
    never = Scene(Clock(), not_running)
    with pytest.raises(ModelUnavailable, match=r"after one try\) Start it"):
        patient(never).ask(ASKED)
    assert never.clock.slept == []
    restarted = patient(Scene(Clock(), "Hi.", not_running, not_running, "Hi again."))
    assert [restarted.ask(ASKED).text, restarted.ask(ASKED).text] == ["Hi.", "Hi again."]


def test_a_network_fault_keeps_its_key() -> None:
    """Keys go on taking turns: none is rested for what is not its fault."""
    scene = Scene(Clock(), TransientError("down"), TransientError("down"), "Hi.")
    patient(scene).ask(ASKED)
    assert scene.keys == [KEYS[0], KEYS[1], KEYS[0]]


def test_a_busy_answer_rests_that_key_alone() -> None:
    """The other key is used at once, and alone until the rest is over."""
    scene = Scene(Clock(), busy(30), "Hi.")
    model = patient(scene)
    for _ in range(3):
        model.ask(ASKED)
    assert scene.keys == [KEYS[0], KEYS[1], KEYS[1], KEYS[1]]
    assert scene.clock.slept == []
    scene.clock.now += 31
    model.ask(ASKED)
    model.ask(ASKED)
    assert scene.keys[4:] == [KEYS[0], KEYS[1]]


def test_when_all_rest_the_soonest_is_waited_for() -> None:
    """At least as long as the service said, and not much longer."""
    scene = Scene(Clock(), busy(40), busy(20), "Hi.")
    reply = patient(scene).ask(ASKED)
    assert scene.keys == [KEYS[0], KEYS[1], KEYS[1]]
    assert 20 <= reply.waited <= 25


def test_a_rest_that_is_too_long_is_an_error_and_no_wait() -> None:
    """A daily limit is not slept through."""
    scene = Scene(Clock(), busy(LONGEST_REST * 10))
    with pytest.raises(ModelUnavailable, match="wait of 9000 s"):
        patient(scene, keys=KEYS[:1]).ask(ASKED)
    assert scene.clock.slept == []


def test_a_wait_that_a_broken_service_asks_for_is_kept() -> None:
    """503 with Retry-After; a very long one is cut."""
    scene = Scene(
        Clock(), TransientError("loading", retry_after=20), TransientError("loading", retry_after=9999), "Hi."
    )
    patient(scene).ask(ASKED)
    assert scene.clock.slept == [20, LONGEST_WAIT]


def test_a_refused_key_is_set_aside_and_named() -> None:
    """It is masked, and never used again."""
    scene = Scene(Clock(), KeyRefused("no such key"), "Hi.")
    model = patient(scene)
    assert model.ask(ASKED).extra == {"keys_set_aside": ["fir...ey"]}
    assert model.ask(ASKED).extra == {}
    assert scene.keys == [KEYS[0], KEYS[1], KEYS[1]]


def test_when_every_key_is_refused_each_is_named() -> None:
    """No key of a message can be used."""
    scene = Scene(Clock(), KeyRefused(f"bad key {KEYS[0]}"))
    with pytest.raises(ModelError, match=r"fir\.\.\.ey: bad key fir\.\.\.ey; sec\.\.\.ey") as raised:
        patient(scene).ask(ASKED)
    assert not isinstance(raised.value, ModelUnavailable)
    assert not any(key in str(raised.value) for key in KEYS)


def test_a_service_that_asks_for_a_key_where_none_is_set_is_understood() -> None:
    """It is not said that a key was refused."""
    with pytest.raises(ModelError, match="asks for a key"):
        patient(Scene(Clock(), KeyRefused("who are you?")), keys=()).ask(ASKED)


@pytest.mark.parametrize("error", [ToolsUnsupported("x"), ContextTooLong("x"), ModelError("x")])
def test_what_would_fail_again_is_not_repeated(error: ModelError) -> None:
    """Only the service's own failures are."""
    scene = Scene(Clock(), error)
    with pytest.raises(type(error)):
        patient(scene).ask(ASKED)
    assert len(scene.keys) == 1


def test_a_service_that_was_never_there_ends_the_run_soon() -> None:
    """The requests that follow are not even sent."""
    scene = Scene(Clock(), TransientError("down"))
    model = patient(scene, retries=1)
    for _ in range(GIVE_UP_AFTER_AT_FIRST):
        with pytest.raises(ModelUnavailable, match="after 2 tries"):
            model.ask(ASKED)
    with pytest.raises(CircuitOpen, match=r"3 requests in a row.*the last: down"):
        model.ask(ASKED)
    assert len(scene.keys) == 2 * GIVE_UP_AFTER_AT_FIRST


def test_a_service_that_did_answer_gets_more_patience() -> None:
    """A success in between starts the count anew."""
    happenings: list[Happening] = ["Hi."]
    happenings += [TransientError("down")] * (GIVE_UP_AFTER - 1)
    scene = Scene(Clock(), *happenings, *happenings, TransientError("down"), TransientError("down"))
    model = patient(scene, retries=0)
    outcomes = []
    for _ in range(2 * GIVE_UP_AFTER + 2):
        try:
            outcomes.append(model.ask(ASKED).text)
        except CircuitOpen:
            outcomes.append("open")
        except ModelUnavailable:
            outcomes.append("down")
    down = ["down"] * (GIVE_UP_AFTER - 1)
    assert outcomes == ["Hi.", *down, "Hi.", *down, "down", "open"]


@pytest.mark.parametrize("answer", [ToolsUnsupported("x"), ContextTooLong("x")])
def test_an_answer_that_says_no_shows_that_the_service_lives(answer: ModelError) -> None:
    """Tasks that are too long one after the other do not end a run."""
    model = patient(Scene(Clock(), answer))
    for _ in range(GIVE_UP_AFTER + 3):
        with pytest.raises(type(answer)):
            model.ask(ASKED)


def test_a_run_that_became_hopeless_ends_those_that_wait() -> None:
    """Other threads learn it when their wait is over."""
    breaker = CircuitBreaker()
    scene = Scene(Clock(), TransientError("down"))

    def sleep(seconds: float) -> None:
        for _ in range(GIVE_UP_AFTER_AT_FIRST):
            breaker.record_failure(ModelError("elsewhere"))

    model = RetryingClient(scene, Endpoint(NAMELESS, "m"), retries=5, breaker=breaker, clock=scene.clock, sleep=sleep)
    with pytest.raises(CircuitOpen):
        model.ask(ASKED)
    assert len(scene.keys) == 1


def test_closing_ends_a_wait_at_once() -> None:
    """An interrupted run does not sleep on."""
    scene = Scene(Clock(), busy(600))
    model = RetryingClient(scene, Endpoint(NAMELESS, "m"), retries=5)
    errors: list[Exception] = []

    def ask() -> None:
        try:
            model.ask(ASKED)
        except ModelUnavailable as error:
            errors.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    while not scene.keys:
        pass
    model.close()
    thread.join(5)
    assert not thread.is_alive()
    assert "closed" in str(errors[0])
    assert scene.closed


def test_a_service_that_serves_others_is_asked_for_as_long_as_it_does() -> None:
    """Being busy is no failure while replies come: a thread that loses every race is not given up."""
    breaker = CircuitBreaker()
    clock = Clock()

    class Crowded(Scene):
        def ask(self, request: Request, key: str) -> Reply:
            if len(self.keys) < 30:
                breaker.record_answer()
            return super().ask(request, key)

    scene = Crowded(clock, *[busy(1)] * 30, "Hi.")
    assert patient(scene, retries=0, breaker=breaker).ask(ASKED).text == "Hi."


@given(st.lists(st.sampled_from(["take", "rest", "refuse", "pass"]), max_size=40), st.integers(1, 4))
def test_a_key_that_rests_or_was_refused_is_never_handed_out(deeds: list[str], count: int) -> None:
    """Whatever happens in whatever order; and no fit key is passed over twice in a row."""
    clock = Clock()
    names = [f"key-{number}" for number in range(count)]
    ring = KeyRing(names, clock=clock, sleep=clock.sleep, rng=random.Random(0))
    until: dict[str, float] = {}
    refused: set[str] = set()
    key = names[0]
    for deed in deeds:
        if deed == "take":
            if len(refused) == count:
                with pytest.raises(ModelError):
                    ring.take()
                return
            key = ring.take()
            assert key not in refused
            assert until.get(key, 0) <= clock.now
        elif deed == "rest":
            ring.rest(key, 10)
            until[key] = max(until.get(key, 0), clock.now + 10)
        elif deed == "refuse":
            ring.set_aside(key, "no")
            refused.add(key)
        else:
            clock.now += 4


def test_many_threads_share_keys_evenly() -> None:
    """Round-robin holds under contention."""
    ring = KeyRing(("a", "b", "c"))
    taken: list[str] = []

    def take(draw: Callable[[], str]) -> None:
        taken.extend(draw() for _ in range(300))

    threads = [threading.Thread(target=take, args=(ring.take,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [taken.count(key) for key in "abc"] == [600, 600, 600]


def test_no_more_tries_are_under_way_than_may_be() -> None:
    """Those that wait for a place get one as others end."""
    most = Counted()
    asker = RetryingClient(most, Endpoint(NAMELESS, "small", "http://here/v1", KEYS), retries=0, at_once=3)
    with ThreadPoolExecutor(10) as threads:
        replies = list(threads.map(lambda _: asker.ask(ASKED), range(30)))
    assert len(replies) == 30
    assert most.most == 3


class Counted:
    """A line that knows how many asked at once."""

    def __init__(self) -> None:
        self.now = self.most = 0
        self.lock = threading.Lock()

    def ask(self, request: Request, key: str) -> Reply:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(0.005)
        with self.lock:
            self.now -= 1
        return Reply("well")

    def close(self) -> None:
        """Nothing is open."""
