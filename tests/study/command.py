"""Shared by the tests of studies: a folder for each test, a scenario of milliseconds, and the command."""

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ANALYSIS = Path(__file__).resolve().parents[2] / "python"
sys.path.insert(0, str(ANALYSIS))
if "HEADROOM_PROGRAM" not in os.environ:
    os.environ["HEADROOM_PROGRAM"] = str(ANALYSIS.parent / "build/release/headroom")

# Two hosts write to a third for some microseconds; marking is likely, so seeds and thresholds matter.
TINY = """\
name: tiny
duration: 100us
topology: {type: star, hosts: 4, link: {rate: 100Gbps, length: 5m}}
switches:
  - match: "*"
    ecn: {storage: {kmin: 10KB, kmax: 40KB, pmax: 10%}}
workloads:
  - {name: burst, type: incast, size: 60KB, from: "*", to: h3, at: 1us}
  - {name: random, type: poisson, sizes: AliStorage2019, load: 20%}
"""
WIDE = TINY.replace("5m", "50m")  # links that may be cut, for ranks
HAS_RANKS = Path(os.environ["HEADROOM_PROGRAM"]).with_name("headroom_mpi.so").exists()
KMIN, KMAX, PMAX = (f"switches.0.ecn.storage.{key}" for key in ("kmin", "kmax", "pmax"))

# A search of TINY that takes seconds.
SEARCH = f"""\
name: find
scenario: tiny.yaml
parameters: {{kmin: {{key: {KMIN}, min: 5KB, max: 30KB}}}}
objectives: [{{metric: messages.burst.completion_us.p99}}]
budget: 12
seeds: 2
search: random
short: 100%
"""


class StudyTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.scenario = self.write("tiny.yaml", TINY)
        self.out = self.folder / "study"

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def start(self, command, *words, **keywords):
        """The command as its own process, with pipes for stdout and stderr."""
        return subprocess.Popen(
            [os.environ["HEADROOM_PROGRAM"], command, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            **keywords,
        )

    def call(self, command, *words):
        """(exit code, stdout, stderr without the progress lines, which appear on slow machines)"""
        process = self.start(command, *words)
        out, err = process.communicate()
        return process.returncode, out, re.sub(r"^headroom: .* runs done, .*\n", "", err, flags=re.M)

    def sweep(self, *words):
        return self.call("sweep", self.scenario, "--out", self.out, *words)

    def change(self, sql):
        connection = sqlite3.connect(self.out / "study.sqlite")
        connection.execute(sql)
        connection.commit()
        connection.close()

    def query(self, sql, study=None):
        connection = sqlite3.connect((study or self.out) / "study.sqlite", timeout=60)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()
