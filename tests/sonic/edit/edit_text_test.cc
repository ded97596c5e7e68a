#include "sonic/edit/edit_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace headroom::sonic_edit_text_test {
namespace {

namespace fs = std::filesystem;

std::string Set(const std::string& text, const std::string& field, const std::string& value) {
  return WithSonicField(text, "WRED_PROFILE", "AZURE_LOSSLESS", field, value);
}

TEST(SonicEditText, OnlyTheValueChanges) {
  const std::string before =
      "{\n\t\"A\\\"B\": [1, {\"}\": \"{\\\"\"}],  \"WRED_PROFILE\":{ \"OTHER\": {\"green_min_threshold\": "
      "\"7\"},\n"
      "    \"AZURE_LOSSLESS\" : {\"green_min_threshold\"  :\"1048576\" , \"x\": 1e3}}\r\n}";
  std::string after = before;
  after.replace(after.find("\"1048576\""), 9, "\"2000\"");
  EXPECT_EQ(Set(before, "green_min_threshold", "2000"), after);
}

TEST(SonicEditText, ANewFieldStandsInTheStyleOfTheLast) {
  EXPECT_EQ(Set("{\"WRED_PROFILE\": {\"AZURE_LOSSLESS\": {\n  \"ecn\": \"ecn_all\"\n}}}", "a", "1"),
            "{\"WRED_PROFILE\": {\"AZURE_LOSSLESS\": {\n  \"ecn\": \"ecn_all\",\n  \"a\": \"1\"\n}}}");
  EXPECT_EQ(Set("{\"WRED_PROFILE\":{\"AZURE_LOSSLESS\":{\"ecn\":\"ecn_all\"}}}", "a", "1"),
            "{\"WRED_PROFILE\":{\"AZURE_LOSSLESS\":{\"ecn\":\"ecn_all\",\"a\":\"1\"}}}");
  EXPECT_EQ(Set("{\"WRED_PROFILE\": {\"AZURE_LOSSLESS\": {}}}", "a", "1"),
            "{\"WRED_PROFILE\": {\"AZURE_LOSSLESS\": {\"a\": \"1\"}}}");
}

TEST(SonicEditText, FlatRowsAndRowsThatStandTwice) {
  EXPECT_EQ(Set("{\"PORT|x\": {}, \"WRED_PROFILE|AZURE_LOSSLESS\": {\"a\": \"0\"}}", "a", "1"),
            "{\"PORT|x\": {}, \"WRED_PROFILE|AZURE_LOSSLESS\": {\"a\": \"1\"}}");
  EXPECT_EQ(Set("{\"WRED_PROFILE|AZURE_LOSSLESS\": {\"a\": \"0\"}, \"WRED_PROFILE|AZURE_LOSSLESS\": {\"a\": "
                "\"5\"}}",
                "a", "1"),
            "{\"WRED_PROFILE|AZURE_LOSSLESS\": {\"a\": \"0\"}, \"WRED_PROFILE|AZURE_LOSSLESS\": {\"a\": "
            "\"1\"}}");
}

TEST(SonicEditText, ARowThatIsNotThereIsAnError) {
  EXPECT_THROW(Set("{}", "a", "1"), std::out_of_range);
  EXPECT_THROW(Set("{\"WRED_PROFILE\": {}}", "a", "1"), std::out_of_range);
  EXPECT_THROW(Set("[1]", "a", "1"), std::out_of_range);
}

/// Every value of every configuration can be changed and changed back. After the change only that field
/// differs.
TEST(SonicEditText, EveryConfigurationSurvivesAChangeAndItsReturn) {
  const fs::path folder = fs::path(HEADROOM_SOURCE_DIR) / "../shared/data/sonic/config_db";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "the data are not at hand";
  int configurations = 0, fields = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.path().string().ends_with(".config_db.json")) continue;
    ++configurations;
    std::ifstream in(entry.path(), std::ios::binary);
    std::ostringstream read;
    read << in.rdbuf();
    const std::string text = read.str();
    const auto whole = nlohmann::json::parse(text);
    for (const auto& [name, rows] : whole.items()) {
      const size_t bar = name.find('|');
      const bool flat = bar != std::string::npos;
      if (!name.starts_with("BUFFER_PROFILE") && !name.starts_with("WRED_PROFILE")) continue;
      const std::string table = name.substr(0, bar);
      const nlohmann::json keyed = flat ? nlohmann::json{{name.substr(bar + 1), rows}} : rows;
      for (const auto& [key, row] : keyed.items()) {
        for (const auto& [field, value] : row.items()) {
          const std::string changed = WithSonicField(text, table, key, field, "changed");
          auto wanted = whole;
          (flat ? wanted[name] : wanted[table][key])[field] = "changed";
          ASSERT_EQ(nlohmann::json::parse(changed), wanted) << entry.path() << ' ' << key << ' ' << field;
          ASSERT_EQ(WithSonicField(changed, table, key, field, value.get<std::string>()), text);
          ++fields;
        }
      }
    }
  }
  EXPECT_EQ(configurations, 18);
  EXPECT_GT(fields, 500);
}

}  // namespace
}  // namespace headroom::sonic_edit_text_test
