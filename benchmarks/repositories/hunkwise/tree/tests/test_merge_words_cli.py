from hunkwise import merge3, word_diff
from hunkwise.cli import main

BASE = "a\nb\nc\nd\ne\n"


class TestMerge:
    def test_separate_changes(self):
        result = merge3(BASE, BASE.replace("b", "B"), BASE.replace("d\n", ""))
        assert result.clean
        assert result.text == "a\nB\nc\ne\n"

    def test_same_change_on_both_sides(self):
        both = BASE.replace("c", "C")
        result = merge3(BASE, both, both)
        assert (result.text, result.conflicts) == (both, 0)

    def test_conflict(self):
        result = merge3("x\n", "y\n", "z\n", labels=("HEAD", "topic"))
        assert result.conflicts == 1
        assert result.text == "<<<<<<< HEAD\ny\n=======\nz\n>>>>>>> topic\n"

    def test_conflict_without_final_newline(self):
        result = merge3("x", "y", "z")
        assert result.text == "<<<<<<< ours\ny\n=======\nz\n>>>>>>> theirs\n"

    def test_append_on_one_side(self):
        assert merge3(BASE, BASE, BASE + "f\n").text == BASE + "f\n"


class TestWords:
    def test_replace(self):
        assert word_diff("a red fox", "a blue fox") == "a [-red-]{+blue+} fox"

    def test_punctuation_is_its_own_token(self):
        assert word_diff("done.", "done!") == "done[-.-]{+!+}"

    def test_markers(self):
        assert word_diff("x", "", markers=("<del>", "</del>", "<", ">")) == "<del>x</del>"


class TestCli:
    def test_diff_exit_status(self, two_files, capsys):
        old, new = map(str, two_files)
        assert main(["diff", old, new]) == 1
        assert "-two\n+2\n" in capsys.readouterr().out
        assert main(["diff", old, old]) == 0

    def test_apply(self, two_files, tmp_path, capsys):
        old, new = two_files
        main(["diff", str(old), str(new)])
        patch = tmp_path / "p.diff"
        patch.write_text(capsys.readouterr().out)
        assert main(["apply", str(old), str(patch)]) == 0
        assert old.read_text() == new.read_text()
        assert main(["apply", "-R", str(old), str(patch)]) == 0
        assert "two" in old.read_text()

    def test_failure_is_reported(self, two_files, tmp_path, capsys):
        patch = tmp_path / "p.diff"
        patch.write_text("--- a\n+++ b\n@@ -1 +1 @@\n-nope\n+x\n")
        assert main(["apply", str(two_files[0]), str(patch)]) == 2
        assert "1 hunk(s) failed" in capsys.readouterr().err

    def test_stat(self, tmp_path, capsys):
        patch = tmp_path / "p.diff"
        patch.write_text("--- a/f.c\n+++ b/f.c\n@@ -1 +1,2 @@\n-a\n+x\n+y\n")
        assert main(["stat", str(patch)]) == 0
        assert capsys.readouterr().out == "f.c | +2 -1\n"
