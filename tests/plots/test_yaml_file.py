"""Texts that resolved.yaml may contain, and texts that are refused with their place."""

import tempfile
import unittest
from pathlib import Path

import synthetic_results  # noqa: F401 - makes the package importable

from headroom.errors import InputError
from headroom.yaml_file import read_plain, read_yaml


def parse_yaml(text):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "resolved.yaml"
        path.write_bytes(text.encode())
        return read_plain(path)


class ParseYaml(unittest.TestCase):
    def test_block_and_flow_mean_the_same(self):
        expected = {
            "switches": [
                {"match": "t0:*", "ecn": {"storage": {"kmin": "1MB", "kmax": "2MB"}}},
                {"match": "x"},
            ]
        }
        for text in (
            'switches:\n  - match: "t0:*"\n    ecn:\n      storage:\n        kmin: 1MB\n        kmax: 2MB\n  - match: x\n',
            "switches:\n- match: 't0:*'\n  ecn: {storage: {kmin: 1MB, kmax: 2MB}}\n- {match: x}\n",
            'switches: [{match: "t0:*", ecn: {storage:\n    {kmin: 1MB,\n     kmax: 2MB}}}, {match: x}]\n',
            "{switches: [{match: 't0:*', ecn: {storage: {kmin: 1MB, kmax: 2MB}}}, {match: x}]}",
        ):
            self.assertEqual(parse_yaml(text), expected)

    def test_comments_quotes_and_empty_values(self):
        text = "# head\na: 'it''s # no comment'  # but this is\nb: \"tab\\t\"\nc:\nd: ~\ne: [ ]\nf: {}\ng: x#y\nh: Ada's\n"
        self.assertEqual(
            parse_yaml(text),
            {
                "a": "it's # no comment",
                "b": "tab\t",
                "c": None,
                "d": None,
                "e": [],
                "f": {},
                "g": "x#y",
                "h": "Ada's",
            },
        )

    def test_ports_keep_their_colon(self):
        self.assertEqual(parse_yaml("ends: [t0:p1, a]"), {"ends": ["t0:p1", "a"]})

    def test_items_of_items(self):
        self.assertEqual(parse_yaml("- - a\n  - b\n- c\n-\n  d: e\n"), [["a", "b"], "c", {"d": "e"}])

    def test_nothing(self):
        self.assertIsNone(parse_yaml("# only a comment\n"))

    def test_a_quoted_null_is_a_word(self):
        self.assertEqual(parse_yaml("a: null\nb: 'null'\nc: \"\"\n"), {"a": None, "b": "null", "c": ""})

    def test_refused_with_the_place(self):
        for text, place in (
            ("a: &anchor 2\nb: *anchor\n", "2:4: an alias"),
            ("a: [1, 2\n", "2:1: "),
            ("a: 1\n  b: 2\n", "2:4: "),
            ("a: 1\njust words\n", "3:1: "),
            ("a: 1\n? [b]\n: 2\n", "2:3: a key must be a single value"),
            ("a: 1\nb: \x00\n", "2:4: '\\x00' is not a character of YAML"),
        ):
            with self.assertRaises(InputError, msg=text) as raised:
                parse_yaml(text)
            self.assertIn(f"resolved.yaml:{place}", str(raised.exception))


class ReadYaml(unittest.TestCase):
    def test_tags_are_refused_with_their_place(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "study.yaml"
            for tag in ("!!str", "!!int", "!foo"):
                path.write_text(f"budget:\n  runs: {tag} 5\n", encoding="utf-8")
                with self.assertRaisesRegex(InputError, f'study.yaml:2:9: the YAML tag "{tag}" is not supported; leave it'):
                    read_yaml(path)
            path.write_text("budget: 'a'\nx: [\"b\", c]\n", encoding="utf-8")
            self.assertEqual(read_yaml(path).plain(), {"budget": "a", "x": ["b", "c"]})


if __name__ == "__main__":
    unittest.main()
