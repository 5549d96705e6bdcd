import json

import pytest

from anchorcheck import Config, ConfigError
from anchorcheck.cli import main


@pytest.fixture
def ini(tmp_path):
    def make(text):
        (tmp_path / "anchorcheck.ini").write_text(text, encoding="utf-8")
        return tmp_path
    return make


class TestConfig:
    def test_defaults(self, tmp_path):
        assert Config.load(tmp_path) == Config()

    def test_file(self, ini):
        config = Config.load(ini(
            "[anchorcheck]\nextensions = .md\nexclude =\n  a/*\n  b, c\ncheck_anchors = no\n"
            "ignore_links = */%20*\n[severity]\nanchor = warning\n"
        ))
        assert config.extensions == [".md"]
        assert config.exclude == ["a/*", "b", "c"]
        assert config.ignore_links == ["*/%20*"]
        assert config.check_anchors is False
        assert (config.level("anchor"), config.level("missing")) == ("warning", "error")

    @pytest.mark.parametrize("text", ["[severity]\nx = fatal\n", "[anchorcheck]\ncheck_anchors = perhaps\n", "nonsense\n"])
    def test_bad(self, ini, text):
        with pytest.raises(ConfigError):
            Config.load(ini(text))

    def test_options_make_a_copy(self):
        config = Config(exclude=["a"])
        more = config.with_options(exclude=["b"])
        assert more.exclude == ["a", "b"]
        assert config.exclude == ["a"]

    def test_options_keep_the_setting(self):
        assert Config(check_anchors=False).with_options().check_anchors is False
        assert Config().with_options(check_anchors=False).check_anchors is False

    def test_excluded(self):
        config = Config(exclude=["build", "*/tmp", "x.md"])
        assert config.is_excluded("build/a.md")
        assert config.is_excluded("docs/tmp/a.md")
        assert not config.is_excluded("docs/build.md")
        assert not config.is_excluded("docs/x.md")


class TestCli:
    def test_text(self, write, capsys):
        root = write(index="[x](no.md)\n")
        assert main([str(root)]) == 1
        assert capsys.readouterr().out == "index.md\n    1  error: no file no.md\n1 error, 0 warnings\n"

    def test_clean(self, write, capsys):
        assert main([str(write(index="hello"))]) == 0
        assert capsys.readouterr().out == "0 errors, 0 warnings\n"

    def test_json(self, write, capsys):
        main([str(write(index="[x](é.md)")), "--format", "json"])
        out = capsys.readouterr().out
        assert json.loads(out)[0]["kind"] == "missing"
        assert "é.md" in out

    def test_github(self, write, capsys):
        main([str(write(index="[x](50%.md)")), "--format", "github"])
        assert capsys.readouterr().out == "::error file=index.md,line=1::no file 50%25.md\n"

    def test_options(self, write):
        root = str(write(index="[x](#no)\n[y](gen.html)", old__a="[x](no.md)"))
        assert main([root]) == 1
        assert main([root, "--no-anchors", "--ignore", "gen*", "--exclude", "old"]) == 0

    def test_external(self, write, capsys):
        assert main([str(write(index="<https://b.org> <https://a.org>")), "--external"]) == 0
        assert capsys.readouterr().out == "https://a.org\nhttps://b.org\n"

    def test_bad_folder(self, tmp_path, capsys):
        assert main([str(tmp_path / "none")]) == 2
        assert "is not a folder" in capsys.readouterr().err
