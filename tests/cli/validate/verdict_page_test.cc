// Expected figures of the shipped scenarios, and the page with them: docs/validation.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/validate/verdict.h"
#include "scenario/read/load.h"
#include "scenario/yaml/document.h"

namespace headroom::verdict_page_test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = HEADROOM_SOURCE_DIR;

std::string TextOf(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The shipped scenarios that have expectations, in the order of the page.
const std::vector<fs::path>& Expecting() {
  static const std::vector<fs::path> files = [] {
    std::vector<fs::path> expecting;
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "scenarios"))
      if (TextOf(entry.path()).find("\nexpect:\n") != std::string::npos) expecting.push_back(entry.path());
    std::ranges::sort(expecting);
    return expecting;
  }();
  return files;
}

const std::vector<ScenarioFile>& Loaded() {
  static const std::vector<ScenarioFile> loaded = [] {
    std::vector<ScenarioFile> all;
    for (const fs::path& file : Expecting()) all.push_back(LoadScenarioFile(file));
    return all;
  }();
  return loaded;
}

TEST(ShippedExpectations, SayWhatTheirFigureIs) {
  size_t expectations = 0;
  for (const fs::path& file : Expecting()) {
    const Node document = ReadDocument(file, {});
    for (const Node& item : document.Find("expect")->items) {
      ++expectations;
      EXPECT_TRUE(item.Find("kind")) << item.where.ToString() << ": no kind";
    }
  }
  EXPECT_GT(expectations, 200u);
}

TEST(ShippedExpectations, SayWhatIsPrinted) {
  for (const ScenarioFile& file : Loaded()) {
    for (const Expectation& e : file.experiment.expect) {
      const bool printed = e.kind == FigureKind::published || e.kind == FigureKind::calibrated;
      EXPECT_TRUE(!printed || !e.value.empty()) << e.file << ':' << e.line << ": no published value";
    }
  }
}

TEST(ShippedExpectations, SayWhereTheirBoundsComeFrom) {
  for (const ScenarioFile& file : Loaded()) {
    for (const Expectation& e : file.experiment.expect) {
      const bool exact = e.min == e.max || (!e.min && e.max == 0.0);
      EXPECT_TRUE(exact || !e.range.empty()) << e.file << ':' << e.line << ": no range";
    }
  }
}

/// The cells of a row that need runs, taken from the page itself.
struct Row {
  bool passed;
  std::string simulated;
};

std::vector<Row> RowsOf(const std::string& page) {
  std::vector<Row> rows;
  std::istringstream lines(page.substr(std::min(page.find("\n## "), page.size())));
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    for (size_t at = 0, end; (end = line.find(" | ", at)) != std::string::npos; at = end + 3)
      cells.push_back(line.substr(at, end - at));
    if (cells.size() != 4 || cells[0] == "| kind" || cells[0] == "| ---") continue;
    const bool passed = !cells[3].ends_with(", FAIL");
    rows.push_back({passed, cells[3].substr(0, passed ? cells[3].find(", miss (") : cells[3].size() - 6)});
  }
  return rows;
}

TEST(ValidationPage, IsWhatTheScenariosSay) {
  const std::string page = TextOf(kRoot / "docs/validation.md");
  const std::vector<Row> rows = RowsOf(page);
  std::vector<JudgedScenario> judged;
  size_t row = 0;
  for (const ScenarioFile& file : Loaded()) {
    judged.push_back({file.scenario.name, Judge(file.experiment, {})});
    for (JudgedExpectation& v : judged.back().verdicts) {
      ASSERT_LT(row, rows.size()) << "the page has fewer figures than the scenarios";
      v.passed = rows[row].passed;
      v.simulated = rows[row++].simulated;
    }
  }
  EXPECT_EQ(row, rows.size());
  EXPECT_EQ(page, VerdictPage(judged)) << "docs/expectations.md says how to write the page anew";
}

TEST(ValidationPage, HasNoFailure) {
  for (const Row& row : RowsOf(TextOf(kRoot / "docs/validation.md"))) EXPECT_TRUE(row.passed);
}

}  // namespace
}  // namespace headroom::verdict_page_test
