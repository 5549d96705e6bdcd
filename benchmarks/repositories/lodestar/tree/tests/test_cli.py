import json

import pytest

from lodestar.cli import main

DATA = {
    "requires": {"app": "^1.0"},
    "packages": {
        "app": {"1.0.0": {"lib": ">=2,<3", "log": "*"}},
        "lib": {"2.4.1": {"log": "^1"}, "2.5.0": {"log": "^1"}},
        "log": {"1.0.0": {}},
    },
}


@pytest.fixture
def manifest(tmp_path):
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(DATA))
    return str(path)


@pytest.fixture
def lock(tmp_path):
    return str(tmp_path / "out.lock")


def test_resolve(manifest, capsys):
    assert main(["resolve", manifest]) == 0
    assert capsys.readouterr().out == "app  1.0.0\nlib  2.5.0\nlog  1.0.0\n"


def test_order(manifest, capsys):
    assert main(["order", manifest]) == 0
    assert capsys.readouterr().out.split() == ["log", "lib", "app"]


def test_tree(manifest, capsys):
    main(["tree", manifest])
    assert capsys.readouterr().out.splitlines() == [
        "(root)",
        "`-- app 1.0.0",
        "    |-- lib 2.5.0",
        "    |   `-- log 1.0.0",
        "    `-- log 1.0.0",
    ]


def test_tree_dot(manifest, capsys):
    main(["tree", "--dot", manifest])
    assert '"lib" -> "log";' in capsys.readouterr().out


def test_why(manifest, capsys):
    assert main(["why", manifest, "lib"]) == 0
    assert capsys.readouterr().out == "(root) -> app -> lib\n"


def test_why_unknown(manifest, capsys):
    assert main(["why", manifest, "zzz"]) == 2
    assert capsys.readouterr().err == "lodestar: no package 'zzz'\n"


def test_missing_manifest(tmp_path, capsys):
    assert main(["order", str(tmp_path / "nope.json")]) == 2
    assert "cannot read" in capsys.readouterr().err


def test_manifest_without_requires(tmp_path, capsys):
    path = tmp_path / "m.json"
    path.write_text("[]")
    assert main(["order", str(path)]) == 2
    assert "'requires' is missing" in capsys.readouterr().err


def test_lock_is_kept_until_upgrade(manifest, lock, capsys):
    main(["resolve", manifest, "--lock", lock])
    data = json.loads(open(lock).read())
    data["packages"]["lib"] = "2.4.1"
    open(lock, "w").write(json.dumps(data))
    main(["resolve", manifest, "--lock", lock])
    assert json.loads(open(lock).read())["packages"]["lib"] == "2.4.1"
    main(["resolve", manifest, "--lock", lock, "--upgrade", "lib"])
    assert json.loads(open(lock).read())["packages"]["lib"] == "2.5.0"


def test_check(manifest, lock, capsys):
    main(["resolve", manifest, "--lock", lock])
    capsys.readouterr()
    assert main(["check", manifest, lock]) == 0
    assert capsys.readouterr().out == ""


def test_check_finds_changes(manifest, lock, tmp_path, capsys):
    main(["resolve", manifest, "--lock", lock])
    other = tmp_path / "other.json"
    other.write_text(json.dumps(dict(DATA, requires={"app": "^1.0", "log": "^2"})))
    capsys.readouterr()
    assert main(["check", str(other), lock]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "requirements changed since the lock file was written",
        "(root) wants log ^2, not 1.0.0",
    ]


def test_check_without_lock(manifest, lock, capsys):
    assert main(["check", manifest, lock]) == 2
    assert "no lock file" in capsys.readouterr().err


def test_broken_lock(manifest, lock, capsys):
    open(lock, "w").write('{"fingerprint": ""}')
    assert main(["check", manifest, lock]) == 2
    assert "is not a lock file" in capsys.readouterr().err


def test_usage(capsys):
    with pytest.raises(SystemExit):
        main([])
