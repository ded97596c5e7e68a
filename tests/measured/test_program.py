"""The program hands measured files and fits over to Python, and keeps its own comparison of results."""

import subprocess
import unittest

from samples import PROGRAM, SAMPLES, WithLab, shown


def headroom(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class Program(WithLab):
    def test_a_measured_file_is_compared(self):
        path = self.write("t0.txt", shown(self.lab, "queue watermark unicast"))
        code, out, err = headroom("compare", self.lab, path)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("beside measured counters", out)
        self.assertIn("0 counters different", out)
        code, out, err = headroom("compare", self.lab, f"t0={path}", "--json", "--tolerance", "0")
        self.assertEqual((code, err, out[:1]), (0, "", "{"))

    def test_two_results_are_compared_as_before(self):
        code, out, err = headroom("compare", self.lab, self.lab)
        self.assertEqual((code, err), (0, ""))
        self.assertNotIn("beside measured", out)

    def test_damage_and_options_without_a_file(self):
        for words, wanted in (
            (("compare", self.lab, self.write("cut.json", '{"COUNTERS_PORT_NAME_MAP": {')), "cut.json:1:29: damaged JSON"),
            (("compare", self.lab, self.lab, "--map", "x"), "--map needs a measured file after the result"),
            (("compare", self.lab, "h0=nowhere.txt"), "nowhere.txt: there is no such file"),
            (("perf", "--rate", "100Gbps"), "--rate needs --fit FILE..."),
            (("perf", "--rate", "100Gbps", "--fit", SAMPLES / "fio.txt"), "no table of perftest"),
        ):
            code, out, err = headroom(*words)
            self.assertEqual((code, out), (2, ""), words)
            self.assertIn(wanted, err)


if __name__ == "__main__":
    unittest.main()
