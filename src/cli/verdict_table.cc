#include <fmt/format.h>

#include <algorithm>

#include "cli/verdict.h"
#include "report/text_table.h"

namespace headroom {

std::string VerdictTable(const std::vector<Verdict>& verdicts) {
  TextTable table("llrrrr", {"verdict", "metric", "published", "allowed", "simulated", "source"});
  std::vector<std::string> sources;
  std::string problems;
  for (const Verdict& v : verdicts) {
    const auto known = std::find(sources.begin(), sources.end(), v.source);
    const auto number = known - sources.begin() + 1;
    if (known == sources.end()) sources.push_back(v.source);
    table.AddRow({v.passed ? "ok" : "FAIL", v.metric, v.published, v.allowed, v.simulated,
                  fmt::format("[{}]", number)});
    if (!v.problem.empty()) problems += fmt::format("{}:{}: {}\n", v.file, v.line, v.problem);
  }
  std::string out = table.ToString();
  for (size_t i = 0; i < sources.size(); ++i) out += fmt::format("[{}] {}\n", i + 1, sources[i]);
  return out + problems;
}

}  // namespace headroom
