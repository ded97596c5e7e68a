"""The Debian package as installed: it is made of the current build and unpacked elsewhere."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["HEADROOM_BUILD"])
PURPOSES = [line.split()[:2] for line in (ROOT / "setup/packages.txt").read_text().splitlines() if line[:1].isalpha()]

# Runs "$@" where the source tree $0 is empty and nothing can be compiled.
ALONE = """
mount -t tmpfs none "$0" || exit 125
for tool in gcc g++ cmake ninja; do
  found=$(readlink -e "/usr/bin/$tool") && mount --bind /dev/null "$found"
done
exec "$@"
"""


def say(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", **more)
    if done.returncode != 0:
        raise AssertionError(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


class Deb(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="headroom-deb-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        say("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "made",
            "-D", "CPACK_COMPONENTS_ALL=program", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip")
        (cls.deb,) = cls.folder.glob("made/*.deb")
        cls.away = cls.folder / "away"
        say("dpkg-deb", "--extract", cls.deb, cls.away)
        cls.program = cls.away / "usr/bin/headroom"
        # The places of the tree's own folders, as a program in a build tree sees them.
        for name in ("python", "scenarios"):
            (cls.away / name).mkdir()
        cls.commands = re.findall(r"^  (\w+) ", say(cls.program, "--help"), re.M)
        cls.help = {name: say(cls.program, name, "--help") for name in cls.commands}

    def options(self, command):
        found = re.findall(r"^  (?:(-\w)(?: \[ |, ))?(--[\w-]+)", self.help[command].split("\noptions:\n")[1], re.M)
        return {flag for both in found for flag in both if flag}

    def share(self, path):
        return (self.away / "usr/share" / path).read_text()

    def field(self, name):
        return say("dpkg-deb", "--field", self.deb, name).strip()

    def test_its_fields_are_those_of_the_program_and_of_the_list_of_packages(self):
        self.assertEqual(say(self.program, "--version"), f"headroom {self.field('Version')}\n")
        needed = re.findall(r"[^ ,]+(?= \(|,|$)", self.field("Depends"))
        self.assertLessEqual({package for purpose, package in PURPOSES if purpose == "python"} | {"libns3.37"}, set(needed))
        self.assertFalse([package for package in needed if package.endswith("-dev")])
        self.assertEqual(
            {package for purpose, package in PURPOSES if purpose == "tune"}, set(self.field("Recommends").split(", ")))

    def test_it_holds_what_is_read_beside_the_program(self):
        for path in ("headroom/scenarios/quickstart.yaml", "headroom/schema/scenario.schema.json",
                     "doc/headroom/copyright", "doc/headroom/README.md", "doc/headroom/docs/plots.md"):
            self.assertTrue(self.share(path), path)
        self.assertIn("headroom (", gzip.open(self.away / "usr/share/doc/headroom/changelog.gz", "rt").read())

    def test_nothing_in_it_names_the_tree_that_it_was_made_in(self):
        found = subprocess.run(["grep", "-rlF", str(ROOT), self.away], capture_output=True, text=True)
        self.assertEqual((found.returncode, found.stdout), (1, ""))

    def test_it_runs_without_the_tree_and_without_a_compiler(self):
        hidden = ["unshare", "--map-root-user", "--mount", "sh", "-c", ALONE, ROOT]
        if subprocess.run([*hidden, "true"], capture_output=True).returncode == 0:
            for gone in (ROOT / "README.md", "/usr/bin/g++"):
                self.assertNotEqual(subprocess.run([*hidden, "test", "-s", gone]).returncode, 0, gone)
        else:  # no namespaces are available here: then nothing is found by name, and the test above covers the rest
            hidden = ["env", "PATH=/nonexistent"]
        work = self.folder / "work"
        work.mkdir()

        def headroom(*words):
            return say(*hidden, self.program, *words, cwd=work)

        quickstart = self.away / "usr/share/headroom/scenarios/quickstart.yaml"
        said = headroom("check", quickstart) + headroom("run", quickstart) + headroom("plot", "results/quickstart")
        self.assertIn("completion time", said)
        self.assertNotIn(str(ROOT), said)
        result = work / "results/quickstart"
        for file in ("summary.json", "messages.csv", "report.html", "plots/completion-time.svg"):
            self.assertGreater((result / file).stat().st_size, 0, file)
        modules = {**os.environ, "PYTHONPATH": str(self.away / "usr/lib/python3/dist-packages")}
        loads = "import headroom; print(len(headroom.load('results/quickstart').table('messages')))"
        self.assertEqual(say(*hidden, "/usr/bin/python3", "-Bc", loads, cwd=work, env=modules), "80\n")

    def test_the_manual_tells_of_every_command_and_option(self):
        page = self.away / "usr/share/man/man1/headroom.1.gz"
        done = subprocess.run(
            ["man", "--warnings", "--encoding=UTF-8", "--local-file", page], capture_output=True, text=True,
            env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "200", "MAN_KEEP_FORMATTING": ""})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        sections = dict(re.findall(r"^HEADROOM (\w+)\n(.*?)(?=^\w)", done.stdout, re.M | re.S))
        self.assertEqual([name.lower() for name in sections], self.commands)
        for name, text in sections.items():
            heads = re.findall(r"^ {7}(-.*)", text, re.M)
            told = {flag for head in heads for flag in re.findall(r"(?:^|(?<=, ))--?[\w-]+", head)}
            self.assertEqual(told, self.options(name.lower()), name)

    def bash_completes(self, *words):
        script = ('. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                  '$(complete -p headroom | sed "s/.* -F \\([^ ]*\\) .*/\\1/"); printf "%s\\n" "${COMPREPLY[@]}"')
        path = self.away / "usr/share/bash-completion/completions/headroom"
        return say("bash", "--norc", "-c", script, path, "headroom", *words, cwd=ROOT).split()

    def test_bash_completes_every_command_and_option(self):
        self.assertEqual(self.bash_completes(""), [*self.commands, "--help", "--version"])
        self.assertEqual(self.bash_completes("co"), ["columns", "compare", "convert"])
        for name in self.commands:
            self.assertEqual(set(self.bash_completes(name, "-")), self.options(name), name)

    def test_a_clone_completes_too(self):
        clone = self.folder / "clone"
        (clone / "build/release").mkdir(parents=True)
        (clone / "setup").mkdir()
        shutil.copy(ROOT / "setup/completion.sh", clone / "setup")
        (clone / "packaging").symlink_to(ROOT / "packaging")
        (clone / "build/release/headroom").symlink_to(BUILD / "headroom")
        script = '. "$0"; COMP_WORDS=(./headroom co); COMP_CWORD=1; _headroom; echo "${COMPREPLY[@]}"'
        for _ in range(2):  # the second shell finds the text that the first has made
            said = say("bash", "--norc", "-c", script, clone / "setup/completion.sh")
            self.assertEqual(said.split(), ["columns", "compare", "convert"])

    def test_bash_completes_what_commands_take(self):
        self.assertEqual(self.bash_completes("run", "scenarios/q"), ["scenarios/quickstart.yaml"])
        self.assertEqual(self.bash_completes("run", "READ"), [])
        self.assertEqual(self.bash_completes("plot", "scen"), ["scenarios"])
        self.assertEqual(self.bash_completes("run", "scenarios/quickstart.yaml", "--out", "scen"), ["scenarios"])
        self.assertEqual(self.bash_completes("run", "scenarios/quickstart.yaml", "--seed", ""), [])
        self.assertEqual(self.bash_completes("perf", "x.yaml", "-c", ""), ["RC", "UC", "UD"])
        for direction in ("--to", "--from"):
            forms = re.findall(rf"^  {direction} (\S+)  ", self.help["convert"], re.M)
            forms.remove("FORM")
            self.assertEqual(self.bash_completes("convert", direction, ""), forms)

    def test_bash_completes_tables_word_by_word(self):
        listed = self.help["show"].split("tables, ")[1].split("\n\n")[0]
        tables = [line.split() for line in re.findall(r"^  (.+?)  ", listed, re.M)]
        self.assertGreater(len(tables), 5)
        for table in tables:
            for typed in range(len(table)):
                self.assertIn(table[typed], self.bash_completes("show", "results/x", "--node", "s0", *table[:typed], ""))
            self.assertEqual(self.bash_completes("show", "results/x", *table, ""), [])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is missing")
    def test_zsh_completes_every_command_and_option(self):
        path = self.away / "usr/share/zsh/vendor-completions/_headroom"
        say("zsh", "-n", path)
        # zsh's own functions print the choices that they get: commands, then arguments.
        asked = """
          _arguments() { [[ $1 == -C ]] && { state=$2; return 1; }; print -rl -- "$@"; }
          _describe() { print -rl -- ${(P)4}; }
        """

        def offered(state, *words):
            script = asked.replace("$2", state) + 'words=("$@"); set --; . "$0"'
            return say("zsh", "-f", "-c", script, path, *words).split("\n")

        self.assertEqual([line.split(":")[0] for line in offered("command")][:-1], self.commands)
        for name in self.commands:
            specs = [re.match(r"\*(--?[\w-]+)\[", spec) for spec in offered("argument", name)]
            self.assertEqual({spec[1] for spec in specs if spec}, self.options(name), name)


if __name__ == "__main__":
    unittest.main()
