// Properties of every shipped scenario, checked on its shortened run (support/short_runs.h).
#include "support/short_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "report/csv/result_file.h"
#include "support/in_child.h"
#include "support/run_accounts.h"
#include "support/test_folder.h"
#include "support/text_file.h"

namespace headroom::short_runs_test {
namespace {

namespace fs = std::filesystem;

/// With sanitizers a run takes ten times as long.
#ifdef __SANITIZE_ADDRESS__
constexpr size_t kOneIn = 12;
#else
constexpr size_t kOneIn = 1;
#endif

/// The digests in tests/short/digests.txt: a line for each scenario, "PATH NUMBERS WORDS".
std::map<std::string, ResultDigest> Digests() {
  std::map<std::string, ResultDigest> digests;
  std::istringstream lines(ReadTextFile(fs::path(HEADROOM_SOURCE_DIR) / "tests/short/digests.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string path;
    ResultDigest digest;
    words >> path >> digest.numbers >> digest.words;
    digests[path] = digest;
  }
  return digests;
}

void ExpectAccountsOf(const ShortRun& run) { ExpectAccounts(run.file.scenario, run.record); }

/// Every CSV file is in the table of files, with the columns that are there.
void ExpectDescribedFiles(const ShortRun& run) {
  for (const auto& entry : fs::directory_iterator(run.result)) {
    const bool copied = entry.path().stem().string().starts_with("input-");  // a file that the scenario reads
    if (entry.path().extension() != ".csv" || copied) continue;
    const auto file = ResultFiles().find(entry.path().stem());
    ASSERT_NE(file, ResultFiles().end()) << entry.path();
    std::istringstream words(ReadTextFile(entry.path()));
    std::string header, expected;
    std::getline(words, header);
    const std::string commas = ',' + header + ',';
    for (const Column& column : file->second->Columns())
      if (!column.kind.when.holds || commas.find(',' + column.name + ',') != std::string::npos)
        expected += (expected.empty() ? "" : ",") + column.name;
    EXPECT_EQ(header, expected) << entry.path();
  }
}

/// Each property gets every run, in the process that made it.
constexpr void (*kProperties[])(const ShortRun&) = {ExpectAccountsOf, ExpectDescribedFiles};

class ShortRuns : public testing::TestWithParam<std::string> {
 protected:
  /// Runs the scenario, checks all properties, and returns the digest of its result.
  static std::string RunAndLook(const fs::path& scenario, const fs::path& result) {
    return TextFromChild([&] {
      const ScenarioFile file = LoadScenarioFile(scenario);
      const RunRecord record = RunShort(file, result);
      for (const auto property : kProperties) property({file, record, result});
      return TextOf(DigestOfResult(result));
    });
  }
  /// The digest of the result of its resolved.yaml.
  static std::string RunResolved(const fs::path& result, const fs::path& again) {
    return TextFromChild([&] {
      RunShort(LoadScenarioFile(result / "resolved.yaml"), again);
      return TextOf(DigestOfResult(again));
    });
  }
  static std::string TextOf(const ResultDigest& digest) { return digest.numbers + ' ' + digest.words; }
};

TEST_P(ShortRuns, HaveTheirPropertiesAndTheDigestThatIsKept) {
  const TestFolder folder;
  const std::string digest = RunAndLook(fs::path(HEADROOM_SOURCE_DIR) / GetParam(), folder / "result");
  EXPECT_EQ(RunResolved(folder / "result", folder / "again"), digest) << "resolved.yaml gives another result";
  // tests/short/digests sets a folder into which the digests are written.
  if (const char* kept = std::getenv("HEADROOM_DIGESTS")) {
    std::string name = GetParam();
    std::replace(name.begin(), name.end(), '/', '+');
    std::ofstream(fs::path(kept) / name) << GetParam() << ' ' << digest << '\n';
    return;
  }
  const auto digests = Digests();
  const auto kept = digests.find(GetParam());
  ASSERT_NE(kept, digests.end()) << "tests/short/digests --reason TEXT adds it";
  EXPECT_EQ(digest, TextOf(kept->second))
      << "the result of " << GetParam() << " is another one; tests/short/digests --reason TEXT keeps it";
}

TEST(ShortRuns, AreThoseOfTheDigestsThatAreKept) {
  std::vector<std::string> kept;
  for (const auto& [path, digest] : Digests()) kept.push_back(path);
  EXPECT_EQ(kept, ShippedScenarios());
}

std::string NameOf(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(std::string("scenarios/").size());
  name.erase(name.rfind(".yaml"));
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
std::vector<std::string> Chosen() {
  std::vector<std::string> chosen;
  const std::vector<std::string> all = ShippedScenarios();
  for (size_t i = 0; i < all.size(); i += kOneIn) chosen.push_back(all[i]);
  return chosen;
}
INSTANTIATE_TEST_SUITE_P(Shipped, ShortRuns, testing::ValuesIn(Chosen()), NameOf);

}  // namespace
}  // namespace headroom::short_runs_test
