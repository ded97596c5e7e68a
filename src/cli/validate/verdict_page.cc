// The verdicts on all expectations, for people: counts by kind, and the page docs/validation.md.
#include <fmt/format.h>

#include <array>

#include "cli/validate/numbered_texts.h"
#include "cli/validate/verdict.h"
#include "report/text/text_table.h"

namespace headroom {

namespace {

constexpr const char* kPageHead =
    R"(# Validation

This page compares Headroom with published figures and with another simulator. It lists every expectation of the shipped
scenarios, as `headroom validate --markdown` writes them. [Expectations](expectations.md) explains the kinds and how this
page is made. A number after a kind is the note with the source; one after a bound is the note with its reason. Bounds have
the unit of the simulated value. Figures hold unless a miss stands beside them. [Notes on validation](validation-notes.md)
explains the choices where sources leave something open. The published figures of the scenarios `hpcc-s…` are the output of
another simulator, which anybody can run.

)";

constexpr std::array<const char*, 4> kMeaning = {
    "the source prints it, or its public simulator does", "follows from rules that the source prints",
    "printed, and a parameter of the model was derived from it", "no source prints it: our bound"};

struct KindCount {
  int figures = 0, hold = 0, known = 0, fail = 0;
};

std::array<KindCount, 4> CountKinds(const std::vector<JudgedScenario>& judged) {
  std::array<KindCount, 4> counts;
  for (const JudgedScenario& scenario : judged) {
    for (const JudgedExpectation& v : scenario.verdicts) {
      KindCount& count = counts[static_cast<size_t>(v.kind)];
      ++count.figures;
      ++(v.KnownMiss() ? count.known : v.passed ? count.hold : count.fail);
    }
  }
  return counts;
}

/// A cell must not end its column, so its separators are escaped.
std::string Cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

/// a to z, then aa, ab and so on: letters, because numbers in brackets belong to the notes.
std::string CauseLetters(size_t number) {
  std::string letters;
  for (; number > 0; number = (number - 1) / 26)
    letters.insert(letters.begin(), static_cast<char>('a' + (number - 1) % 26));
  return letters;
}

std::string MarkdownCounts(const std::vector<JudgedScenario>& judged) {
  std::string out =
      "| kind | meaning | figures | hold | known misses | fail |\n| --- | --- | ---: | ---: | ---: | ---: "
      "|\n";
  const std::array<KindCount, 4> counts = CountKinds(judged);
  for (size_t kind = 0; kind < counts.size(); ++kind) {
    const KindCount& c = counts[kind];
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", kFigureKinds[kind], kMeaning[kind], c.figures,
                       c.hold, c.known, c.fail);
  }
  return out;
}

/// The bounds, without the unit, which stands beside the simulated value.
std::string BoundsCell(const JudgedExpectation& v) {
  const size_t blank = v.simulated.rfind(' ');
  const std::string unit = blank == std::string::npos ? "" : v.simulated.substr(blank);
  const bool same = !unit.empty() && v.allowed.ends_with(unit);
  return Cell(same ? v.allowed.substr(0, v.allowed.size() - unit.size()) : v.allowed);
}

std::string MarkdownScenario(const JudgedScenario& scenario) {
  std::string out = fmt::format(
      "\n## {}\n\n| kind | metric | expected | simulated | allowed |\n"
      "| --- | --- | --- | --- | --- |\n",
      scenario.name);
  // A source may refer to the previous one ("the same: ..."), so all sources precede the reasons of ranges.
  NumberedTexts notes, causes;
  for (const JudgedExpectation& v : scenario.verdicts) notes.Number(v.source);
  for (const JudgedExpectation& v : scenario.verdicts) {
    std::string simulated = Cell(v.simulated), allowed = BoundsCell(v);
    if (v.KnownMiss())
      simulated += fmt::format(", miss ({})", CauseLetters(causes.Number(v.misses)));
    else if (!v.passed)
      simulated += ", FAIL";
    if (!v.range.empty()) allowed += fmt::format(" ({})", notes.Number(v.range));
    out += fmt::format("| {} ({}) | {} | {} | {} | {} |\n", kFigureKinds[static_cast<size_t>(v.kind)],
                       notes.Number(v.source), Cell(v.metric), Cell(v.value), simulated, allowed);
  }
  out += '\n';
  for (size_t i = 0; i < notes.texts().size(); ++i) out += fmt::format("{}. {}\n", i + 1, notes.texts()[i]);
  for (size_t i = 0; i < causes.texts().size(); ++i)
    out += fmt::format("\n({}) {}\n", CauseLetters(i + 1), causes.texts()[i]);
  return out;
}

}  // namespace

const char* VerdictWord(const JudgedExpectation& v) {
  return v.KnownMiss() ? "miss" : v.passed ? "ok" : "FAIL";
}

std::string VerdictCounts(const std::vector<JudgedScenario>& judged) {
  TextTable table("lrrrr", {"kind", "figures", "hold", "known misses", "fail"});
  KindCount all;
  const std::array<KindCount, 4> counts = CountKinds(judged);
  for (size_t kind = 0; kind < counts.size(); ++kind) {
    const KindCount& c = counts[kind];
    table.AddRow({kFigureKinds[kind], std::to_string(c.figures), std::to_string(c.hold),
                  std::to_string(c.known), std::to_string(c.fail)});
    all.figures += c.figures;
    all.hold += c.hold;
    all.known += c.known;
  }
  std::string out = table.ToString() + fmt::format("{} of {} expectations hold", all.hold, all.figures);
  if (all.known > 0) out += fmt::format(", {} {} known to miss", all.known, all.known == 1 ? "is" : "are");
  return out + '\n';
}

std::string VerdictPage(const std::vector<JudgedScenario>& judged) {
  std::string out = kPageHead + MarkdownCounts(judged);
  for (const JudgedScenario& scenario : judged) out += MarkdownScenario(scenario);
  return out;
}

}  // namespace headroom
