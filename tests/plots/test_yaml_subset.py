"""The YAML subset: what resolved.yaml may look like, and what is refused with its line."""

import unittest

import synthetic_results  # noqa: F401 - makes the package importable

from headroom.yaml_subset import YamlError, parse_yaml


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

    def test_refused_with_the_line(self):
        for text, line in (
            ("a: 1\nb: &anchor 2\n", 2),
            ("a: |\n  text\n", 1),
            ("a: [1, 2\n", 1),
            ("a: 1\n  b: 2\n", 2),
            ("a: {b 1}\n", 1),
            ("a: 1\njust words\n", 2),
        ):
            with self.assertRaises(YamlError, msg=text) as raised:
                parse_yaml(text)
            self.assertIn(f"line {line}:", str(raised.exception))
