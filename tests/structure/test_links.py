"""Every link of a page to something in this tree has a target: a file, and a heading if it names one."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^()\s>]+)>?\)", re.S)


def pages():
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
                            capture_output=True, text=True)
    if listed.returncode == 0:
        return [ROOT / name for name in listed.stdout.split("\n") if name and (ROOT / name).exists()]
    return [path for path in ROOT.rglob("*.md") if "build" not in path.relative_to(ROOT).parts[0]]


def prose(text):
    """The page without code, in which brackets are not links and # is not a heading."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.M | re.S)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", lambda code: re.sub(r"[\[\]()]", "", code[0]), text)


def anchors(text):
    """The anchors that a forge gives headings: in small letters, without punctuation, numbered if there are several."""
    found, seen = set(), {}
    for heading in re.findall(r"^#{1,6} +(.+?) *#*$", prose(text), re.M):
        plain = re.sub(r"\]\([^)]*\)", "", heading)
        name = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if name in seen else name)
        seen[name] = seen.get(name, 0) + 1
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def broken(page, text):
    for link in LINK.findall(prose(text)):
        if re.match(r"[a-z+]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            yield f"{page.relative_to(ROOT)}: {link}: there is no such file"
        elif anchor and (target.suffix != ".md" or anchor not in anchors(target.read_text())):
            yield f"{page.relative_to(ROOT)}: {link}: there is no such heading"


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        self.assertGreater(len(pages()), 20)
        self.assertEqual([fault for page in pages() for fault in broken(page, page.read_text())], [])

    def test_headings_have_the_anchors_that_a_forge_gives_them(self):
        text = "# `run FILE...`: a *first* run\n## A\n```sh\n# no heading\n```\n## A\n### [PFC](x.md), and ECN\n"
        self.assertEqual(anchors(text), {"run-file-a-first-run", "a", "a-1", "pfc-and-ecn"})

    def test_a_link_that_leads_nowhere_is_told(self):
        for link, fault in {"nowhere.md": "file", "README.md#nowhere": "heading", "LICENSE#1": "heading"}.items():
            text = f"[a]({link}) `[b](code)` [c](https://d) [f](README.md#licence)"
            told = [f"ARCHITECTURE.md: {link}: there is no such {fault}"]
            self.assertEqual(list(broken(ROOT / "ARCHITECTURE.md", text)), told)


if __name__ == "__main__":
    unittest.main()
