"""The language of pages, help, messages and comments: no sentence has more than 35 words, no word is on the list.

Pages are all of the tree. In a page
  - code blocks and comments are left out, and a code span, a link or a number counts as one word;
  - a paragraph, list item, heading or table cell is a unit, and a sentence ends within its unit;
  - the median of sentence lengths, at most 15 words, is that of paragraphs and list items: headings and cells are short;
  - cells count like other text, so the help of keys in the tables between `<!-- keys -->` is held to the list and 35 words.
Messages are the string literals of src, analysis and python: help of options and keys, errors, findings, reports. Literals that
only white space separates are one text. A placeholder {…} counts as one word. A semicolon ends a sentence there, as in
cells, since it divides the parts of an error and the items of a list; so does an example of a command. Literals without a
blank, lists of names, and those with signs of code (markup, schemas, SQL, scripts), are left out.
Comments are those of C++, Python (with docstrings), scripts, CMake and scenarios. They are read like pages, and
  - a number with its unit, and a whole sum, count as one word;
  - a line with a wide gap is a row of a table, and its cells are units; so are `cure:` and `mechanism:` of scenarios/causes;
  - a semicolon ends a sentence in a remark behind code and in a cell;
  - the median is that of a folder.
"""

import ast
import io
import pathlib
import re
import statistics
import tokenize
import unittest
from collections import defaultdict

ROOT = pathlib.Path(__file__).resolve().parents[2]
LONGEST = 35
MEDIAN = 15
# Words and phrases that make a reader go back.
LISTED = re.compile(
    r"\b(?:reckon\w*|befall\w*|befell|whereof|thereof|told of|is told|are told|by the way|of them that|nobody asks"
    r"|the former|the latter|stands? still"
    r"|what (?:[\w'-]+ ){1,5}does\b|whose (?:[\w'-]+ ){1,5}is)\b", re.IGNORECASE)
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|vs|et al|cf|Fig|Figs|Sec|Eq|No|approx|etc)\.(?= )")
NAMES = re.compile(r"(?=.*_)[a-z0-9_=|-]+(?: [a-z0-9_=|-]+){5,}")
CODE = re.compile(r"</?[a-z]+[ >]|[{};]\n|\"\$ref\"|\bSELECT\b|\bCREATE\b|\bINSERT\b|=>|\$\{")


def pages():
    return sorted(p for p in ROOT.rglob("*.md") if p.relative_to(ROOT).parts[0] not in ("build", "results"))


def plain(text):
    """One paragraph or cell without its markup."""
    text = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "code", text, flags=re.S)
    text = re.sub(r"!?\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", text, flags=re.S)
    return re.sub(r"[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}", "", text)


def units(page):
    """(kind, text) of each paragraph, list item, heading and cell."""
    page = re.sub(r"^( *)```.*?^\1```$", "\n", page, flags=re.M | re.S)
    page = re.sub(r"<!--.*?-->", "\n", page, flags=re.S)
    found, open_unit = [], []

    def close():
        if open_unit:
            found.append(("text", " ".join(open_unit)))
            open_unit.clear()

    for line in page.split("\n"):
        bare = line.strip()
        item = re.match(r"(?:[-*+]|\d+\.) +", bare)
        if not bare or item:
            close()
        if line.startswith("    ") and not open_unit and not item:
            continue  # an indented code block
        if bare.startswith("#"):
            close()
            found.append(("heading", bare.lstrip("# ")))
        elif bare.startswith("|"):
            close()
            cells = re.split(r"(?<!\\)\|", bare.strip("|"))
            found += [("cell", cell.strip()) for cell in cells if re.search(r"[A-Za-z]", cell)]
        elif bare:
            open_unit.append(bare[item.end():] if item else bare)
    close()
    return [(kind, plain(text)) for kind, text in found]


def sentences(text, end=".!?"):
    text = ABBREVIATION.sub(r"\1", text)
    return [s for s in re.split(rf"(?<=[{end}])\s+|(?<=[{end}][)\"”])\s+|\n\s*\n", text) if re.search(r"[A-Za-z]", s)]


def words(sentence):
    return len(re.findall(r"\S*[\w{}]\S*", sentence))


def faults(name, text, end=".!?"):
    for sentence in sentences(text, end):
        if words(sentence) > LONGEST:
            yield f"{name}: {words(sentence)} words: {sentence}"
        for listed in LISTED.finditer(sentence):
            yield f"{name}: \"{listed[0]}\": {sentence}"


def located(path, found):
    """The faults of a file, with the line at which each sentence begins if three of its words stand there in order."""
    text = path.read_text()
    for fault in found:
        name, _, rest = str(fault).partition(": ")
        some = re.findall(r"\w+", rest.partition(": ")[2])
        starts = (re.search(r"\W+".join(some[i:i + 3]), text) for i in range(max(1, len(some) - 2)))
        start = next((match.start() for match in starts if match), None)
        yield fault if start is None else f"{name}:{text[:start].count(chr(10)) + 1}: {rest}"


def median(page):
    return statistics.median([words(s) for kind, text in units(page) if kind == "text" for s in sentences(text)] or [0])


def page_faults(name, page):
    for kind, text in units(page):
        yield from faults(name, text, ".!?;" if kind == "cell" else ".!?")
    if median(page) > MEDIAN:
        yield f"{name}: the median of its sentences is {median(page):g} words, allowed: {MEDIAN}"


LITERAL = r'(?:"(?:[^"\\\n]|\\.)*"|R"\((?:.|\n)*?\)")'
COMMENT = re.compile(rf"{LITERAL}|'(?:[^'\\\n]|\\.)'|//[^\n]*", re.S)


def literals(source):
    """The texts in C++."""
    source = COMMENT.sub(lambda m: "" if m[0].startswith("//") else m[0], source)
    for run in re.findall(rf"{LITERAL}(?:\s*{LITERAL})*", source):
        parts = re.findall(LITERAL, run)
        yield "".join(p[3:-2] if p.startswith("R") else p[1:-1] for p in parts).replace("\\n", "\n").replace('\\"', '"')


def python_texts(source):
    tree = ast.parse(source)
    docs = {id(n.body[0].value) for n in ast.walk(tree) if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef))
            and n.body and isinstance(n.body[0], ast.Expr)}
    inside = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside.update(id(v) for v in node.values)
            yield "".join(v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not {id(node)} & (docs | inside):
            yield node.value


def message_faults(name, texts):
    for text in texts:
        if " " in text and not CODE.search(text) and not NAMES.fullmatch(text):
            yield from faults(name, re.sub(r"\{[^}]*\}", "{}", re.sub(r":\n|\n +(?=headroom )", ".\n", text)), ".!?;")


def cc_comments(source):
    """(text, whether it stands behind code) of the comments in C++."""
    source = COMMENT.sub(lambda m: m[0] if m[0].startswith("//") else '""', source)
    return marked_comments(source, r"//[/!]?<?")


def marked_comments(source, mark):
    block = []
    for line in [*source.split("\n"), ""]:
        before, found, comment = (re.split(rf"(?:^|(?<=\s))({mark})", line, maxsplit=1) + ["", ""])[:3]
        if found and not before.strip():
            block.append(comment.removeprefix(" "))
            continue
        if block:
            yield "\n".join(block), False
            block = []
        if found and before.strip():
            yield comment.strip(), True


def python_comments(source):
    block, last = [], 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            alone = token.line.strip().startswith("#")
            if block and not (alone and token.start[0] == last + 1):
                yield "\n".join(block), False
                block = []
            if alone:
                block.append(token.string.lstrip("#!").removeprefix(" "))
                last = token.start[0]
            else:
                yield token.string.lstrip("# "), True
    if block:
        yield "\n".join(block), False
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            yield ast.get_docstring(node), False


def comments(path):
    if path.suffix in (".cc", ".h"):
        return cc_comments(path.read_text())
    if path.suffix in (".yaml", ".cmake", ".sh") or path.name == "CMakeLists.txt":
        return marked_comments(path.read_text(), "#+")
    first, _, rest = path.read_text().partition("\n") if path.suffix in ("", ".py") else ("", "", "")
    if path.suffix == ".py" or first.startswith("#!") and "python" in first:
        return python_comments(f"{first}\n{rest}")
    return marked_comments(rest, "#+") if first.startswith("#!") else []


UNIT = r"(?:(?:[KMGTkm]i?)?(?:[Bb]|bit|bytes?|bits?|m|s|/s|b/s|B/s|B/ns)|[nuµmp]s|%|°|Gbps|Mbps|Mpps)(?![\w/])"
NUMBER = rf"[−(+-]*\d(?:[\d.,]*\d)?(?: \d{{3}}(?!\d))*\)*(?: ?{UNIT}\)*)?"
SUM = re.compile(rf"{NUMBER}(?:\s*[·×*/+−=<>≤≥→…^-]+\s*{NUMBER})*")


def comment_units(text, behind):
    """(text, what ends its sentences) of each paragraph, cell or remark."""
    lines = []
    for line in text.split("\n"):
        cells = re.split(r" {3,}|^(?:cure|mechanism): ", line.strip())
        if len(cells) > 1:
            yield from ((plain(cell), ".!?;") for cell in cells)
        lines.append("" if len(cells) > 1 else line)
    for _, unit in units("\n".join(lines)):
        yield unit, ".!?;" if behind else ".!?"


def comment_sentences(path):
    """(sentence, whether it is one of a paragraph)."""
    for text, behind in comments(path):
        for unit, end in comment_units(text, behind):
            for sentence in sentences(SUM.sub("1", unit), end):
                yield sentence, end == ".!?"


def read_files():
    for top in ("src", "analysis", "tests", "bench", "scenarios", "python", "examples", "cmake", "setup", "packaging"):
        for path in sorted((ROOT / top).rglob("*")):
            name = str(path.relative_to(ROOT))
            if path.is_file() and "__pycache__" not in name:
                yield path, name


class Language(unittest.TestCase):
    maxDiff = None
    LIMITS = "docs/development.md, section Limits of the code, has the limits"

    def test_of_pages(self):
        self.assertGreater(len(pages()), 40)
        found = [f for p in pages() for f in located(p, page_faults(p.relative_to(ROOT), p.read_text()))]
        self.assertEqual(found, [], self.LIMITS)

    def test_of_messages(self):
        found = []
        for top in ("src", "analysis", "python"):
            for path in sorted((ROOT / top).rglob("*")):
                if path.suffix in (".cc", ".h"):
                    found += located(path, message_faults(path.relative_to(ROOT), literals(path.read_text())))
                elif path.suffix == ".py":
                    found += located(path, message_faults(path.relative_to(ROOT), python_texts(path.read_text())))
        self.assertEqual(found, [], self.LIMITS)

    def test_of_comments(self):
        found, lengths = [], defaultdict(list)
        for path, name in read_files():
            for sentence, in_paragraph in comment_sentences(path):
                found += located(path, faults(name, sentence))
                if in_paragraph:
                    lengths[str(path.parent.relative_to(ROOT))].append(words(sentence))
        found += [f"{folder}: the median of its sentences is {statistics.median(all_of):g} words, allowed: {MEDIAN}"
                  for folder, all_of in lengths.items() if statistics.median(all_of) > MEDIAN]
        self.assertEqual(found, [], self.LIMITS)
        self.assertGreater(sum(map(len, lengths.values())), 5000)


class Script(unittest.TestCase):
    def test_a_sentence_of_36_words_is_found(self):
        for count, faulty in {35: 0, 36: 1}.items():
            text = " ".join(["word"] * count)
            sentence = text.replace("word", "`a code span`", 1) + "."
            for page in (f"Short.\n{sentence} Short.\n", f"- {sentence}\n", f"| a | {sentence} |\n"):
                self.assertEqual(len([f for f in page_faults("p", page) if "words:" in f]), faulty, page)
            self.assertEqual(len(list(message_faults("m", literals(f'f("{text[:40]}"\n  "{text[40:]}");')))), faulty)
            self.assertEqual(len(list(message_faults("m", python_texts(f"f('{text}')")))), faulty)

    def test_a_fault_has_its_line(self):
        path = ROOT / "docs/development.md"
        line = path.read_text().split("\n").index("## Limits of the code") + 1
        self.assertEqual(list(located(path, ["x: 36 words: Limits of the `code` are"])), [f"x:{line}: 36 words: Limits of the `code` are"])

    def test_a_listed_word_is_found(self):
        for turn in ("We reckon so.", "What befalls it.", "What a port does is this.", "Whose a frame is matters.",
                     "Queues\nby the way."):
            self.assertEqual(len(list(page_faults("p", turn))), 1, turn)
            self.assertEqual(len(list(message_faults("m", literals(f'throw E("{" ".join(turn.split())}");')))), 1, turn)

    def test_a_median_above_15_is_found(self):
        page = "\n\n".join([" ".join(["word"] * 16) + "."] * 3 + ["# Short", "| a | b |"])
        self.assertEqual(len(list(page_faults("p", page))), 1)

    def test_a_long_sentence_of_a_comment_is_found(self):
        for count, faulty in {35: 0, 36: 1}.items():
            text = " ".join(["word"] * count)
            for comment in (cc_comments(f"/// {text[:60]}\n/// {text[60:]}\nint a;  // {text}"), python_comments(f"# {text}\na = 1  # {text}"),
                            marked_comments(f"# {text}\na: 1  # {text}", "#+"), python_comments(f'def f():\n    """{text}"""\n1  # {text}')):
                found = [f for c in comment for u, end in comment_units(*c) for f in faults("c", SUM.sub("1", u), end)]
                self.assertEqual(len(found), 2 * faulty)

    def test_a_sum_is_one_word_and_a_table_has_cells(self):
        for text in ("2 · 100 ns · 12.5 B/ns = 2500 B", "38 705 · 208 / 84", "40 × (1 − 779/2048)", "at 25, 100"):
            self.assertEqual(words(SUM.sub("1", text)), 1 + text.count(",") + text.count("at"), text)
        self.assertEqual([u for u, _ in comment_units("A head.\n  row   cell, cell\nmore", False)], ["row", "cell, cell", "A head.", "more"])

    def test_code_is_left_out(self):
        for page in ("```\nwhereof\n```\n", "    $ whereof\n", "a `whereof` b", "<!-- whereof -->"):
            self.assertEqual(list(page_faults("p", page)), [])
        self.assertEqual(list(message_faults("m", literals('// whereof we speak\nf("a", 1, \'"\', "b c");'))), [])
        self.assertEqual(list(message_faults("m", python_texts('def f():\n    """is told"""\n'))), [])


if __name__ == "__main__":
    unittest.main()
