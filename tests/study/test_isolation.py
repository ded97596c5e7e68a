"""Code in the working directory or the environment does not run, because the commands may be started as root."""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from command import KMAX, KMIN, SEARCH, StudyTest

# Modules that the commands import, early and late, from the system and their own.
PLANTED = (
    "json argparse runpy re sqlite3 subprocess yaml numpy pandas matplotlib optuna headroom "
    "sitecustomize usercustomize"
).split()


class Isolation(StudyTest):
    def plant(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name in PLANTED:
            (folder / f"{name}.py").write_text(f"open({str(self.traces)!r}, 'a').write({name!r} + '\\n')\nraise SystemExit(9)\n")

    def test_no_code_and_no_program_of_the_working_directory_or_the_environment_runs(self):
        self.traces = self.folder / "ran"
        program = os.environ["HEADROOM_PROGRAM"]
        working, path, user = self.folder / "here", self.folder / "path", self.folder / "user"
        self.write("find.yaml", SEARCH)
        subprocess.run([program, "run", self.scenario, "--out", "r"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        self.plant_programs(working)
        self.plant(working)
        self.plant(path)
        self.plant(user / "lib/python3.11/site-packages")
        # This file is not code, but matters: matplotlib would read it, and warn or fail.
        (working / "matplotlibrc").write_bytes(b"\xff nonsense\n")
        (self.folder / "startup.py").write_text((path / "json.py").read_text())
        environment = {
            **os.environ,
            "HOME": str(self.folder / "home"),  # matplotlib searches fonts again, because its cache is missing
            "PYTHONPATH": str(path),
            "PYTHONUSERBASE": str(user),
            "PYTHONSTARTUP": str(self.folder / "startup.py"),
            "PYTHONINSPECT": "1",
            "MATPLOTLIBRC": str(working / "matplotlibrc"),
            "MPLBACKEND": "nonsense",
        }
        paths = (".:/usr/bin:/bin", ":/usr/bin:/bin", "../here:/usr/bin:/bin:")
        for number, words in enumerate((
            ("plot", "../r"),
            ("trace", "../r"),
            ("explain", "../r"),
            ("run", self.scenario, "--out", "../q"),
            ("sweep", self.scenario, "--set", f"{KMAX}=[20KB]", "--out", "../b", "--launcher", "slurm"),
            ("sweep", self.scenario, "--set", f"{KMAX}=[20KB,40KB]", "--out", "s"),
            ("plot", "s"),
            ("tune", "../find.yaml", "--out", "t"),
            ("fluid", self.scenario, "--out", "f"),
        )):
            environment["PATH"] = paths[number % len(paths)]
            with self.subTest(words[0]):
                done = subprocess.run(
                    [program, *map(str, words)], cwd=working, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
                )
                ran = self.traces.read_text() if self.traces.exists() else ""
                self.traces.unlink(missing_ok=True)
                self.assertEqual(ran, "")
                if "slurm" not in words:  # which may be missing on this machine
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def plant_programs(self, folder):
        """A program with each name that the system has a program for, and some more. Each writes its name to `traces`."""
        folder.mkdir(exist_ok=True)
        hostile = self.write("hostile", f'#!/bin/bash\necho "${{0##*/}}" >>{self.traces}\nexit 9\n')
        hostile.chmod(0o755)
        system = [name for place in ("/usr/bin", "/usr/sbin") for name in os.listdir(place)]
        for name in {*system, "headroom", "python3", "fc-list", "uname", "sbatch", "squeue", "xdg-open", "git", "cc"}:
            (folder / name).symlink_to(hostile)

    def test_scripts_run_no_program_of_the_working_directory(self):
        """A copy of this tree's scripts, and a program that prints its arguments."""
        self.traces = self.folder / "ran"
        working, tree, source = self.folder / "here", self.folder / "tree", Path(__file__).resolve().parents[2]
        self.plant_programs(working)
        for name in ("src", "analysis", "cmake", "build/release", "setup"):
            (tree / name).mkdir(parents=True)
        for name in ("headroom", "test", "packaging/deb", "setup/path.sh", "setup/setup.sh", "setup/packages.txt"):
            (tree / name).parent.mkdir(exist_ok=True)
            shutil.copy(source / name, tree / name)
        for name in ("CMakeLists.txt", "CMakePresets.json", "build/release/.headroom-built"):
            (tree / name).touch()
        deb = tree / "packaging/deb"  # the script runs up to the build
        deb.write_text(deb.read_text().partition("take_lock\n")[0])
        binary = tree / "build/release/headroom"
        binary.write_text('#!/bin/bash\necho "$PATH: $*"\n')
        binary.chmod(0o755)
        for path, kept in ((".:/usr/bin:/bin", "/usr/bin:/bin"), ("/usr/bin::/bin", "/usr/bin:/bin"), (".", "/usr/local/bin:/usr/bin:/bin")):
            environment = {**os.environ, "PATH": path}
            for words in (("headroom", "run", "x"), ("test", "nonsense"), ("packaging/deb", "")):
                done = subprocess.run([tree / words[0], *words[1:]], cwd=working, env=environment, capture_output=True, text=True)
                self.assertFalse(self.traces.exists(), words)
                if words[0] == "headroom":
                    self.assertEqual(done.stdout, f"{kept}: run x\n", done.stderr)
                else:
                    self.assertEqual(done.returncode, {"test": 2, "packaging/deb": 0}[words[0]], done.stderr)

    def system_without(self, package):
        """A tree with its scripts, in a system that lacks the package, and whose apt-get leaves a trace."""
        ran, tree, source = self.folder / "ran", self.folder / "tree", Path(__file__).resolve().parents[2]
        for name in ("src", "analysis", "cmake", "build/release", "setup", "bin"):
            (tree / name).mkdir(parents=True)
        for name in ("headroom", "setup/path.sh", "setup/setup.sh", "setup/packages.txt"):
            shutil.copy(source / name, tree / name)
        (tree / "build/release/headroom").symlink_to(os.environ["HEADROOM_PROGRAM"])
        for name in ("CMakeLists.txt", "CMakePresets.json", "build/release/.headroom-built"):
            (tree / name).touch()
        installed = f'for p; do case $p in -*|*{package}) ;; *) echo "installed $p" ;; esac; done'
        apt = f'case "$*" in *--assume-no*) echo "Need to get 12.3 MB of archives." ;; *) echo apt-get >>{ran} ;; esac; exit 1'
        for name, text in (("dpkg-query", installed), ("apt-get", apt), ("sudo", f"echo sudo >>{ran}; exit 1")):
            (tree / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
            (tree / "bin" / name).chmod(0o755)
        return ran, tree, {**os.environ, "PATH": f"{tree / 'bin'}:/usr/bin:/bin"}

    def test_a_command_says_what_it_needs_before_it_installs(self):
        ran, tree, environment = self.system_without("python3-pandas")
        for command, needs in (("plot nothing", True), ("explain nothing", True), ("plot --help", False), ("check nothing", False)):
            done = subprocess.run([tree / "headroom", *command.split()], cwd=self.folder, env=environment, capture_output=True, text=True)
            said = f"headroom: {command.split()[0]} needs packages that are not installed (12.3 MB to download): python3-pandas\n"
            self.assertEqual(done.stderr.startswith(said), needs, done.stderr)
            self.assertEqual(ran.exists(), needs)
            ran.unlink(missing_ok=True)

    def test_nothing_is_installed_for_a_study_that_cannot_be_read(self):
        ran, tree, environment = self.system_without("python3-optuna")
        self.write("find.yaml", SEARCH.replace("budget: 12", "budget: 1"))
        for words, code, wanted in (
            (("tune", "find.yaml"), 2, "find.yaml:5:9: 1 is too little"),
            (("tune", "nothing.yaml"), 2, "nothing.yaml"),
            (("tune", "--help"), 0, "usage: headroom tune"),
        ):
            done = subprocess.run([tree / "headroom", *words], cwd=self.folder, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(wanted, done.stdout + done.stderr)
            self.assertFalse(ran.exists())

    def test_the_python_folder_stays_as_it_is(self):
        folder = Path(os.environ["HEADROOM_PROGRAM"]).resolve().parents[2] / "python"
        before = {p for p in folder.rglob("*.pyc")}
        self.assertEqual(self.sweep("--set", f"{KMIN}=[5KB]")[0], 0)
        self.assertEqual({p for p in folder.rglob("*.pyc")}, before)


if __name__ == "__main__":
    unittest.main()
