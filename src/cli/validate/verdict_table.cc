// Part of verdict.h: the verdicts as a table for a person.
#include <fmt/format.h>

#include <algorithm>

#include "cli/validate/numbered_texts.h"
#include "cli/validate/verdict.h"
#include "report/text/text_table.h"

namespace headroom {

std::string VerdictTable(const std::vector<JudgedExpectation>& verdicts) {
  TextTable table("lllrrrr", {"verdict", "kind", "metric", "expected", "allowed", "simulated", "source"});
  NumberedTexts sources;
  std::vector<std::string> known;
  std::string problems;
  for (const JudgedExpectation& v : verdicts) {
    table.AddRow({VerdictWord(v), kFigureKinds[static_cast<size_t>(v.kind)], v.metric, v.value, v.allowed,
                  v.simulated, fmt::format("[{}]", sources.Number(v.source))});
    if (v.KnownMiss()) known.push_back(v.metric + " misses: " + v.misses);
    if (!v.problem.empty()) problems += fmt::format("{}:{}: {}\n", v.file, v.line, v.problem);
  }
  std::string out = table.ToString();
  for (size_t i = 0; i < sources.texts().size(); ++i)
    out += fmt::format("[{}] {}\n", i + 1, sources.texts()[i]);
  for (const std::string& line : known) out += line + '\n';
  return out + problems;
}

}  // namespace headroom
