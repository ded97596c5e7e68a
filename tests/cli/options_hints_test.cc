// Commands accept the word that they suggest for a misspelt one.
#include "support/program.h"

namespace headroom::options_hints_test {
namespace {

class CommandHints : public ProgramTest {
 protected:
  CommandHints() {
    std::ofstream("s.yaml")
        << "name: s\nduration: 20us\n"
           "topology: {type: star, hosts: 3, link: {rate: 100Gbps, length: 5m}}\n"
           "workloads: [{name: bulk, type: incast, size: 10KB, from: \"h[1-2]\", to: h0}]\n";
    std::ofstream("m.csv") << "src,dst,bytes,start_us\nh0,h1,4000,0\n";
  }

  /// `line` with a word in place of {}.
  static std::pair<int, std::string> With(std::string line, const std::string& word) {
    line.replace(line.find("{}"), 2, word);
    return Shell("headroom " + line);
  }

  static std::string HintOf(const std::string& said) {
    const std::string mark = "did you mean \"";
    const size_t at = said.find(mark);
    if (at == std::string::npos) return "";
    const size_t begin = at + mark.size();
    return said.substr(begin, said.find('"', begin) - begin);
  }
};

TEST_F(CommandHints, are_accepted) {
  ASSERT_EQ(Shell("headroom run s.yaml --out r").first, 0);
  const std::pair<const char*, const char*> misspelt[] = {
      {"{} s.yaml", "chek"},
      {"check {}", "s.yml"},
      {"check s.yaml {} seed=2", "--sett"},
      {"check s.yaml --set {}=5us", "duratoin"},
      {"check s.yaml --set workloads.{}.size=5KB", "bluk"},
      {"check s.yaml --set workloads.bulk.type={}", "incsat"},
      {"check s.yaml --set topology.link.rate={}", "25G"},
      {"check s.yaml --set topology.link.rate={}", "25Gb"},
      {"check s.yaml --set topology.link.rate={}", "25000000000"},
      {"check s.yaml --set workloads.bulk.at={}", "5"},
      {"keys {}", "duraton"},
      {"convert --from {} m.csv", "cvs"},
      {"convert --to {} s.yaml", "hpcc-topologi"},
      {"show r {}", "pfc conters"},
      {"show r pfc counters {}", "--nonzeo"},
      {"run s.yaml {} r2", "--uot"}};
  for (const auto& [line, word] : misspelt) {
    const auto [code, said] = With(line, word);
    EXPECT_EQ(code, 2) << line << ": " << said;
    const std::string hint = HintOf(said);
    ASSERT_NE(hint, "") << line << ", " << word << ": " << said;
    const auto [after, then] = With(line, hint);
    EXPECT_EQ(after, 0) << hint << ": " << then;
  }
}

}  // namespace
}  // namespace headroom::options_hints_test
