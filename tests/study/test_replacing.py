"""A study does not begin in another program's folder, and keeps files that users add to its results."""

import os
import sqlite3
import subprocess
import unittest

from command import KMAX, SEARCH, StudyTest

from headroom import manifest


class Replacing(StudyTest):
    def test_a_folder_of_somebody_else_is_left_alone(self):
        find = self.write("find.yaml", SEARCH)
        commands = (("sweep", self.scenario, "--set", f"{KMAX}=[20KB]"), ("tune", find), ("explain", self.scenario, "--try", f"{KMAX}=20KB"))
        notes, database = self.folder / "notes", self.folder / "database"
        notes.mkdir()
        (notes / "thesis.tex").write_text("all of it")
        database.mkdir()
        mine = sqlite3.connect(database / "study.sqlite")
        mine.execute("create table runs (mine text)")
        mine.close()
        whole = (database / "study.sqlite").read_bytes()
        for words in commands:
            code, _, err = self.call(*words, "--out", notes)
            self.assertEqual(code, 2, err)
            self.assertIn("notes: holds thesis.tex and no study.sqlite, so it is not a study, and is not replaced; give another --out", err)
        code, _, err = self.call(*commands[0], "--out", database)
        self.assertEqual(code, 2, err)
        self.assertIn("study.sqlite: is another program's database, and is not replaced; give another --out", err)
        self.assertEqual([p.name for p in notes.iterdir()], ["thesis.tex"])
        self.assertEqual([p.name for p in database.iterdir()], ["study.sqlite"])
        self.assertEqual((database / "study.sqlite").read_bytes(), whole)

    def test_a_run_that_is_repeated_keeps_what_somebody_put_beside_its_result(self):
        self.assertEqual(self.sweep("--set", f"{KMAX}=[20KB]")[0], 0)
        (result,) = (self.out / "runs").iterdir()
        (result / "notes.txt").write_text("mine")
        self.change("update runs set status = 'pending'")
        self.assertEqual(self.sweep("--set", f"{KMAX}=[20KB]")[0], 0)
        self.assertEqual(self.query("select status from runs"), [("done",)])
        self.assertEqual((result / "notes.txt").read_text(), "mine")

    def test_both_languages_agree_on_what_a_file_is(self):
        subprocess.run([os.environ["HEADROOM_PROGRAM"], "run", self.scenario, "--out", self.out], check=True, stdout=subprocess.DEVNULL)
        lines = manifest._read(self.out)
        self.assertEqual({name for _, _, name in lines}, {p.name for p in self.out.iterdir()} - {".headroom"})
        for digest, command, name in lines:
            self.assertEqual((manifest.digest(self.out / name), "run"), (digest, command))


if __name__ == "__main__":
    unittest.main()
