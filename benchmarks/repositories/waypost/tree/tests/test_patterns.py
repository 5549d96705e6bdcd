import uuid

import pytest

from waypost.errors import BuildError, PatternError
from waypost.patterns import Converter, Pattern


class TestMatch:
    @pytest.mark.parametrize(
        "source, path, params",
        [
            ("/", "/", {}),
            ("/a/<x>", "/a/b", {"x": "b"}),
            ("/a/<int:x>", "/a/12", {"x": 12}),
            ("/a/<int:x>", "/a/-3", {"x": -3}),
            ("/f/<path:p>", "/f/a/b/c.txt", {"p": "a/b/c.txt"}),
            ("/v<int:major>.<int:minor>", "/v1.2", {"major": 1, "minor": 2}),
        ],
    )
    def test_matches(self, source, path, params):
        assert Pattern(source).match(path) == params

    @pytest.mark.parametrize(
        "source, path",
        [
            ("/a", "/a/"),
            ("/a/<x>", "/a/b/c"),
            ("/a/<int:x>", "/a/1x"),
            ("/a.b", "/aXb"),
            ("/a/<int:x>", "/a/1\n"),
        ],
    )
    def test_no_match(self, source, path):
        assert Pattern(source).match(path) is None

    def test_uuid(self):
        value = uuid.uuid4()
        assert Pattern("/x/<uuid:k>").match("/x/%s" % value) == {"k": value}

    def test_converter_may_refuse(self):
        class Even(Converter):
            regex = r"\d+"

            def parse(self, text):
                if int(text) % 2:
                    raise ValueError(text)
                return int(text)

        pattern = Pattern("/<even:n>", {"even": Even()})
        assert pattern.match("/4") == {"n": 4}
        assert pattern.match("/5") is None


class TestCompile:
    @pytest.mark.parametrize("source", ["x", "/<nope:x>", "/<x>/<x>", "/<x", "/<1x>"])
    def test_errors(self, source):
        with pytest.raises(PatternError):
            Pattern(source)


class TestBuild:
    def test_quotes_slashes(self):
        assert Pattern("/t/<tag>").build({"tag": "a/b c"}) == "/t/a%2Fb%20c"

    def test_path_keeps_slashes(self):
        assert Pattern("/f/<path:p>").build({"p": "a/b c"}) == "/f/a/b%20c"

    def test_missing(self):
        with pytest.raises(BuildError, match="missing value"):
            Pattern("/<x>").build({})

    def test_bad_value(self):
        with pytest.raises(BuildError, match="bad value for 'x'"):
            Pattern("/<int:x>").build({"x": "seven"})

    def test_empty_string(self):
        with pytest.raises(BuildError):
            Pattern("/<x>/y").build({"x": ""})

    def test_zero(self):
        assert Pattern("/<int:x>").build({"x": 0}) == "/0"
