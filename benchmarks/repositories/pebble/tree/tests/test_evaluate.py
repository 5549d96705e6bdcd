import pytest

from pebble import Interpreter, PebbleNameError, PebbleRuntimeError, PebbleSyntaxError, evaluate


@pytest.mark.parametrize(
    "source, expected",
    [
        ("1 + 2 * 3", 7),
        ("10 - 3 - 2", 5),
        ("2 ** 3 ** 2", 512),
        ("-2 ** 2", -4),
        ("2 ** -1", 0.5),
        ("7 // 2 + 7 % 2", 4),
        ("not 1 == 2 and true", True),
        ("1 < 2 == true", True),
        ("null ?? null ?? 3", 3),
        ("0 or 5", 0),
        ("if '' then 1 else 2", 1),
        ("if null then 1", None),
        ("2 in [1, 2] and 'a' in {a: 1} and 'b' in 'abc'", True),
        ("1 == true", False),
        ("true in [1]", False),
        ("[1, 2,] + [3]", [1, 2, 3]),
        ("'ab'[-1]", "b"),
        ("{a: {b: 5}}.a.b", 5),
        ("{a: 1}['z']", None),
        ("(let x = 2; let y = x * 3; y + 1)", 7),
        ("", None),
    ],
)
def test_values(source, expected):
    value = evaluate(source)
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize(
    "source, message",
    [
        ("1 / 0", "1:3: division by zero"),
        ("1 + 'a'", "cannot apply '\\+' to number and text"),
        ("true + 1", "cannot apply '\\+' to boolean and number"),
        ("1 < 'a'", "cannot apply '<'"),
        ("[1][3]", "index 3 is out of range"),
        ("[1][0.5]", "whole number"),
        ("5(1)", "number is not a function"),
        ("{a: 1}.b", "no field 'b'"),
        ("-'a'", "cannot negate text"),
        ("len(1)", "1:4: len\\(\\) of number"),
        ("(fn(a) => a)()", "argument 'a' is missing"),
        ("(fn() => 1)(2)", "takes 0 arguments, 1 given"),
    ],
)
def test_runtime_errors(source, message):
    with pytest.raises(PebbleRuntimeError, match=message):
        evaluate(source)


@pytest.mark.parametrize(
    "source",
    ["1 +", "(1", "let = 3", "if 1 else 2", "fn(a, a) => a", "fn(a = 1, b) => a", "1 2", '"${1 2}"'],
)
def test_syntax_errors(source):
    with pytest.raises(PebbleSyntaxError):
        evaluate(source)


class TestNames:
    def test_suggestion(self):
        with pytest.raises(PebbleNameError, match="did you mean 'price'"):
            evaluate("prize * 2", {"price": 3})

    def test_default(self):
        assert evaluate("unknown + 1", default=None) is None

    def test_globals_persist(self):
        interpreter = Interpreter()
        interpreter.run("let a = 1")
        assert interpreter.run("a + 1") == 2

    def test_given_names_are_not_changed(self):
        names = {"a": 1}
        Interpreter(names).run("let a = 2; let b = 3")
        assert names == {"a": 1}

    def test_block_scope(self):
        assert evaluate("let x = 1; let y = (let x = 5; x); [x, y]") == [1, 5]

    def test_builtins_can_be_shadowed_but_stay(self):
        interpreter = Interpreter()
        assert interpreter.run("let len = 3; len") == 3
        assert Interpreter().run("len([1])") == 1


class TestFunctions:
    def test_closure_keeps_its_scope(self):
        source = """
        let adder = fn(n) => fn(x) => x + n;
        let add2 = adder(2);
        let n = 100;
        add2(1)
        """
        assert evaluate(source) == 3

    def test_scope_is_lexical(self):
        source = "let f = fn() => hidden; let g = fn(hidden) => f(); g(1)"
        with pytest.raises(PebbleNameError):
            evaluate(source)

    def test_recursion(self):
        assert evaluate("let f = fn(n) => if n < 2 then 1 else n * f(n - 1); f(10)") == 3628800

    def test_default_sees_earlier_parameters(self):
        assert evaluate("let f = fn(a, b = a * 2) => a + b; [f(1), f(1, 1)]") == [3, 2]

    def test_default_of_null(self):
        assert evaluate("(fn(a = null) => a)()") is None

    def test_pipe(self):
        assert evaluate("[3, 1, 2] |> sort |> map(fn(x) => x * 10)") == [10, 20, 30]

    def test_python_function(self):
        assert evaluate("twice(4)", {"twice": lambda x: x * 2}) == 8

    def test_python_error_is_wrapped(self):
        def fail():
            raise KeyError("gone")

        with pytest.raises(PebbleRuntimeError, match="gone") as info:
            evaluate("fail()", {"fail": fail})
        assert isinstance(info.value.__cause__, KeyError)

    def test_callable_from_python(self):
        assert evaluate("fn(a, b) => a - b")(5, 3) == 2

    def test_short_circuit(self):
        calls = []
        names = {"f": lambda: calls.append(1)}
        evaluate("false and f(); true or f(); 1 ?? f()", names)
        assert calls == []


class TestLimits:
    def test_depth(self):
        interpreter = Interpreter(max_depth=20)
        with pytest.raises(PebbleRuntimeError, match="nested"):
            interpreter.run("let f = fn(n) => f(n + 1); f(0)")

    def test_usable_after_depth_error(self):
        interpreter = Interpreter(max_depth=20)
        for _ in range(3):
            with pytest.raises(PebbleRuntimeError):
                interpreter.run("let f = fn(n) => f(n + 1); f(0)")
        assert interpreter.run("(fn(x) => x)(1)") == 1

    def test_steps_start_anew_each_run(self):
        interpreter = Interpreter(max_steps=10)
        for _ in range(5):
            assert interpreter.run("1 + 2 + 3") == 6
        with pytest.raises(PebbleRuntimeError, match="steps"):
            interpreter.run("map(range(50), fn(x) => x)")


class TestTemplates:
    def test_values(self):
        assert evaluate('"n=${1 + 1} ${[true, null, \'x\']} ${2.0}"') == "n=2 [true, null, 'x'] 2"

    def test_error_position_inside(self):
        with pytest.raises(PebbleNameError) as info:
            evaluate('let a = 1;\n"x ${a} ${nope}"')
        assert (info.value.line, info.value.column) == (2, 11)
