// Output of `headroom columns`, and its message for an unknown file.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/program.h"
#include "support/text_file.h"

namespace headroom::columns_command_test {
namespace {

std::pair<int, std::string> Columns(const std::string& arguments) {
  return Shell("headroom columns " + arguments);
}

TEST(ColumnsCommand, says_of_each_column_of_a_file_what_it_is) {
  const auto [code, said] = Columns("cnps.csv");
  EXPECT_EQ(code, 0);
  EXPECT_EQ(said,
            "## cnps.csv\n\na line for each congestion notification that reached an observed host:\n\n"
            "- `time_ns` (number, ns): arrival\n"
            "- `host` (name): host that received it\n"
            "- `qp` (index): its queue pair\n"
            "- `effect` (name): cut if it reduced the rate; one of cut, none\n");
  EXPECT_EQ(Columns("cnps").second, said);
  EXPECT_NE(Columns("").second.find(said), std::string::npos);
}

TEST(ColumnsCommand, prints_json_for_programs) {
  const auto files = nlohmann::json::parse(Columns("groups --json").second);
  ASSERT_EQ(files.size(), 1u);
  const auto& column = files["groups"]["columns"]["xoff_at_bytes"];
  EXPECT_EQ(column["type"], "integer");
  EXPECT_EQ(column["unit"], "B");
  EXPECT_EQ(column["empty"], true);
  EXPECT_EQ(column["since"], 2);
}

TEST(ColumnsCommand, is_the_source_of_the_page_and_of_what_python_reads) {
  const std::filesystem::path root(HEADROOM_SOURCE_DIR);
  EXPECT_TRUE(Columns("--json").second == ReadTextFile(root / "schema/columns.json"))
      << "headroom columns --json > schema/columns.json";
  EXPECT_TRUE(Columns("").second == ReadTextFile(root / "docs/columns.md"))
      << "headroom columns > docs/columns.md";
}

TEST(ColumnsCommand, names_the_nearest_of_a_file_that_is_not_there) {
  const auto [code, said] = Columns("pots.csv");
  EXPECT_EQ(code, 2);
  EXPECT_EQ(said,
            "headroom: results have no file \"pots.csv\"; did you mean \"ports\"? headroom columns lists "
            "all\n");
  EXPECT_EQ(Columns("xyzzyxyzzy").second,
            "headroom: results have no file \"xyzzyxyzzy.csv\"; headroom columns lists all\n");
  EXPECT_EQ(Columns("pfc ports").first, 2);
}

}  // namespace
}  // namespace headroom::columns_command_test
