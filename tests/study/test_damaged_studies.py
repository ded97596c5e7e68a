"""Studies whose files a user, or a disk, has changed: they are refused with the file's name, without a traceback."""

import os
import shutil
import unittest

from command import KMIN, SEARCH, StudyTest

CHANGES = (
    "update runs set summary = '{' where id = 1",
    "update runs set summary = '[]' where id = 1",
    "update runs set summary = x'ff00' where id = 1",
    """update runs set summary = '{"messages": NaN}' where id = 2""",
    """update runs set summary = '{"pfc": {"paused_us": 1e999}}' where id = 2""",
    "update runs set settings = '{' where id = 1",
    "update runs set settings = '[]' where id = 1",
    "update runs set settings = x'fffe' where id = 1",
    "update runs set seed = 'x' where id = 1",
    "update runs set path = x'ff' where id = 1",
    "update study set value = '{' where key = 'labels'",
    "update study set value = '[]' where key = 'labels'",
    "update study set value = x'ff' where key = 'labels'",
    "alter table runs rename column seed to sead",
)


class Damaged(StudyTest):
    def test_databases(self):
        words = ("sweep", self.scenario, "--set", f"{KMIN}=[5KB,10KB]", "--out", self.out)
        self.assertEqual(self.call(*words)[0], 0)
        whole = self.folder / "whole.sqlite"
        shutil.copy(self.out / "study.sqlite", whole)
        size = whole.stat().st_size
        for number, change in enumerate((*CHANGES, b"", b"hello\n" * 1000, size // 2, size - 4096)):
            path = self.out / "study.sqlite"
            shutil.copy(whole, path)
            if isinstance(change, str):
                self.change(change)
            elif isinstance(change, int):
                os.truncate(path, change)
            else:
                path.write_bytes(change)
            for command in (words, ("plot", self.out)) if number % 4 == 0 else (words,):
                with self.subTest(change=str(change)[:60], command=command[0]):
                    code, out, err = self.call(*command)
                    if change == b"" and command[0] == "sweep":
                        self.assertEqual(code, 0)  # an empty file is an empty database: all runs are made
                        continue
                    self.assertEqual((code, out), (2, ""), err)
                    self.assertEqual(len(err.splitlines()), 1, err)
                    self.assertIn(str(path), err)

    def test_an_answer_that_tune_did_not_give(self):
        study = self.write("find.yaml", SEARCH)
        tune = ("tune", study, "--out", self.out)
        self.assertEqual(self.call(*tune)[0], 0)
        path = self.out / "study.json"
        whole = path.read_text()
        for text in ("", whole[:-30], "[]", "3", whole.replace('"mean": 1', '"mean": 2', 1), whole.replace("settings", "x")):
            self.assertNotEqual(text, whole)
            path.write_text(text)
            code, out, err = self.call("plot", self.out)
            self.assertEqual((code, out), (2, ""), err)
            self.assertRegex(err, f"^headroom plot: {path}: .*; start the same `tune` again with --force\n$")
        code, out, err = self.call(*tune)
        self.assertEqual((code, out), (2, ""))
        self.assertIn("study.json: was changed since `headroom tune` wrote it; give --force to replace it", err)
        self.assertEqual(self.call(*tune, "--force")[0], 0)
        self.assertEqual(path.read_text(), whole)
        self.assertEqual(self.call("plot", self.out)[0], 0)


if __name__ == "__main__":
    unittest.main()
