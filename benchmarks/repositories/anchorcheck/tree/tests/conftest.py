import pytest

from anchorcheck import Checker, Config, Site


@pytest.fixture
def write(tmp_path):
    def make(**files):
        for name, text in files.items():
            path = tmp_path / name.replace("__", "/")
            if "." not in path.name:
                path = path.with_name(path.name + ".md")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path
    return make


@pytest.fixture
def check(write):
    def run(config=None, **files):
        checker = Checker(Site.scan(write(**files), config or Config()))
        return [(p.path, p.line, p.kind) for p in checker.run()]
    return run
