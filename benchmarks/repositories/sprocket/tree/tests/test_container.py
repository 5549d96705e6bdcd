from typing import List, Optional

import pytest

from sprocket import CircularDependency, Container, Lifetime, MissingBinding
from sprocket.container import injectable


class Clock:
    pass


class Database:
    def __init__(self, url: str = "sqlite://"):
        self.url = url
        self.closed = 0

    def close(self):
        self.closed += 1


class Repository:
    def __init__(self, db: Database, clock: Clock):
        self.db = db
        self.clock = clock


class Chicken:
    def __init__(self, egg: "Egg"):
        self.egg = egg


class Egg:
    def __init__(self, chicken: "Chicken"):
        self.chicken = chicken


@pytest.fixture
def container():
    return Container().bind(Database).bind(Clock).bind(Repository)


class TestGet:
    def test_builds_dependencies(self, container):
        repository = container.get(Repository)
        assert isinstance(repository.db, Database)
        assert repository.clock is container.get(Clock)

    def test_transient(self):
        container = Container().bind(Clock, lifetime=Lifetime.TRANSIENT)
        assert container.get(Clock) is not container.get(Clock)

    def test_last_binding_wins(self, container):
        container.bind(Database, lambda: Database("other"))
        assert container.get(Repository).db.url == "other"

    def test_missing(self):
        with pytest.raises(MissingBinding, match=r"Database \(wanted by Repository\)"):
            Container().bind(Repository).get(Repository)

    def test_by_parameter_name(self):
        container = Container().bind_value("url", "x://")
        assert container.call(lambda url: url) == "x://"

    def test_decorator(self, container):
        @container.provides("greeting")
        def make(db: Database):
            return f"hello {db.url}"

        assert container.get("greeting") == "hello sqlite://"

    def test_value_is_not_callable(self):
        with pytest.raises(TypeError, match="bind_value"):
            Container().bind("n", 3)


class TestParameters:
    def test_optional(self, container):
        def want(clock: Optional[Clock], egg: Optional[Egg]):
            return clock, egg

        assert container.call(want) == (container.get(Clock), None)

    def test_default_is_kept(self, container):
        assert container.call(lambda egg=5: egg) == 5

    def test_optional_with_default_keeps_default(self, container):
        def want(size: Optional[int] = 10):
            return size

        assert container.call(want) == 10

    def test_list(self, container):
        container.bind(Clock)

        def want(clocks: List[Clock], eggs: List[Egg]):
            return len(clocks), eggs

        assert container.call(want) == (2, [])

    def test_injectable(self, container):
        @injectable(container)
        def handler(name, clock: Clock):
            return name, clock

        assert handler("x") == ("x", container.get(Clock))
        assert handler("x", clock=1) == ("x", 1)


class TestCircular:
    def test_path(self):
        container = Container().bind(Chicken).bind(Egg)
        with pytest.raises(CircularDependency, match="^Chicken -> Egg -> Chicken$"):
            container.get(Chicken)

    def test_again_after_failure(self):
        container = Container().bind(Chicken).bind(Egg)
        for _ in range(2):
            with pytest.raises(CircularDependency):
                container.get(Egg)

    def test_failing_factory_can_be_retried(self):
        answers = [OSError("down"), "up"]

        def connect():
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        container = Container().bind("service", connect)
        with pytest.raises(OSError):
            container.get("service")
        assert container.get("service") == "up"


class TestScope:
    def test_scoped_instances(self):
        container = Container().bind(Database, lifetime=Lifetime.SCOPED)
        with container.scope() as first, container.scope() as second:
            assert first.get(Database) is first.get(Database)
            assert first.get(Database) is not second.get(Database)

    def test_singletons_are_shared(self, container):
        with container.scope() as scope:
            db = scope.get(Database)
        assert container.get(Database) is db
        assert db.closed == 0

    def test_scope_closes_what_it_made(self):
        container = Container().bind(Database, lifetime=Lifetime.SCOPED)
        with container.scope() as scope:
            db = scope.get(Database)
        assert db.closed == 1

    def test_singleton_does_not_depend_on_scope_value(self, container):
        container.bind_value(Clock, "outer")
        with container.scope() as scope:
            scope.bind_value(Clock, "inner")
            assert scope.get(Clock) == "inner"
            assert scope.get(Repository).clock == "outer"

    def test_close_order_and_errors(self):
        closed = []

        class Thing:
            def __init__(self, name):
                self.name = name

            def close(self):
                closed.append(self.name)
                if self.name == "b":
                    raise RuntimeError(self.name)

        container = Container()
        for name in "abc":
            container.bind(name, lambda name=name: Thing(name))
            container.get(name)
        with pytest.raises(RuntimeError):
            container.close()
        assert closed == ["c", "b", "a"]


class TestOverride:
    def test_dependents_see_it(self, container):
        before = container.get(Repository)
        with container.override(Database, "fake"):
            assert container.get(Repository).db == "fake"
        assert container.get(Repository) is before

    def test_unbound_key(self):
        container = Container()
        with container.override("x", 1):
            assert container.get("x") == 1
        assert "x" not in container
