"""What lies where somebody stands, or in their environment, does not run: the commands may be started as root."""

import os
import subprocess
import unittest
from pathlib import Path

from command import KMAX, KMIN, SEARCH, StudyTest

# Modules that the commands import, early and late, of the system and of their own.
PLANTED = (
    "json argparse runpy re sqlite3 subprocess yaml numpy pandas matplotlib optuna headroom "
    "sitecustomize usercustomize"
).split()


class Isolation(StudyTest):
    def plant(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in PLANTED:
            (folder / f"{name}.py").write_text(f"open({str(self.traces)!r}, 'a').write({name!r} + '\\n')\nraise SystemExit(9)\n")

    def test_no_code_of_the_working_directory_or_the_environment_runs(self):
        self.traces = self.folder / "ran"
        program = os.environ["HEADROOM_PROGRAM"]
        here, path, user = self.folder / "here", self.folder / "path", self.folder / "user"
        self.write("find.yaml", SEARCH)
        subprocess.run([program, "run", self.scenario, "--out", "r"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        self.plant(here)
        self.plant(path)
        self.plant(user / "lib/python3.11/site-packages")
        # No code, and yet in the way: matplotlib would read it, and warn or fail.
        (here / "matplotlibrc").write_bytes(b"\xff nonsense\n")
        (self.folder / "startup.py").write_text((path / "json.py").read_text())
        environment = {
            **os.environ,
            "PYTHONPATH": str(path),
            "PYTHONUSERBASE": str(user),
            "PYTHONSTARTUP": str(self.folder / "startup.py"),
            "PYTHONINSPECT": "1",
            "MATPLOTLIBRC": str(here / "matplotlibrc"),
            "MPLBACKEND": "nonsense",
        }
        for words in (
            ("plot", "../r"),
            ("trace", "../r"),
            ("sweep", self.scenario, "--set", f"{KMAX}=[20KB,40KB]", "--out", "s"),
            ("plot", "s"),
            ("tune", "../find.yaml", "--out", "t"),
            ("fluid", self.scenario, "--out", "f"),
        ):
            with self.subTest(words[0]):
                done = subprocess.run(
                    [program, *map(str, words)], cwd=here, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
                )
                ran = self.traces.read_text() if self.traces.exists() else ""
                self.traces.unlink(missing_ok=True)
                self.assertEqual(ran, "")
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_the_analysis_folder_stays_as_it_is(self):
        folder = Path(os.environ["HEADROOM_PROGRAM"]).resolve().parents[2] / "analysis"
        before = {p for p in folder.rglob("*.pyc")}
        self.assertEqual(self.sweep("--set", f"{KMIN}=[5KB]")[0], 0)
        self.assertEqual({p for p in folder.rglob("*.pyc")}, before)


if __name__ == "__main__":
    unittest.main()
