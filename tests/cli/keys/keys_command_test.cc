// Output of `headroom keys`, and its message for a pattern without matches.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "support/program.h"

namespace headroom::keys_command_test {
namespace {

std::pair<int, std::string> Keys(const std::string& arguments) { return Shell("headroom keys " + arguments); }

TEST(KeysCommand, says_of_each_key_what_it_is) {
  const auto [code, said] = Keys("alpha_timer");
  EXPECT_EQ(code, 0);
  EXPECT_EQ(said,
            "nics.*.dcqcn.rp.alpha_timer\n"
            "    time, 1ns to 10s; default 55us\n"
            "    K: time without a CNP until alpha decreases\n");
}

TEST(KeysCommand, takes_a_shell_pattern) {
  EXPECT_EQ(Keys("'workloads.*.fan_in'").second,
            "workloads.*.fan_in  (type incast)\n"
            "    whole number, all, or 1 to 1000000000; default all\n"
            "    senders per burst\n");
}

TEST(KeysCommand, prints_json_for_programs) {
  const auto [code, said] = Keys("mtu --json");
  EXPECT_EQ(code, 0);
  const auto keys = nlohmann::json::parse(said);
  ASSERT_EQ(keys.size(), 2u);  // one key of frames, and one of IP packets
  const auto& key = keys[keys[0]["path"] == "mtu" ? 0 : 1];
  EXPECT_EQ(key["path"], "mtu");
  EXPECT_EQ(key["default"], "1024");
  EXPECT_EQ(key["page"], "docs/models/links-and-ports.md");
}

TEST(KeysCommand, without_a_pattern_lists_all) {
  const auto all = nlohmann::json::parse(Keys("--json").second);
  EXPECT_GT(all.size(), 250u);
}

TEST(KeysCommand, names_the_nearest_of_a_key_that_is_not_there) {
  const auto [code, said] = Keys("alfa_timer");
  EXPECT_EQ(code, 2);
  EXPECT_EQ(
      said,
      "headroom: there is no key \"alfa_timer\"; did you mean \"alpha_timer\"? headroom keys lists all\n");
  EXPECT_EQ(Keys("xyzzy").second, "headroom: there is no key \"xyzzy\"; headroom keys lists all\n");
}

TEST(KeysCommand, refuses_what_does_not_go_together_and_pages_without_keys) {
  EXPECT_EQ(Keys("mtu --schema").first, 2);
  EXPECT_EQ(Keys("mtu seed").first, 2);
  const auto [code, said] = Keys("--markdown models/none.md");
  EXPECT_EQ(code, 2);
  EXPECT_EQ(said, "headroom: the page \"models/none.md\" has no table of keys\n");
}

}  // namespace
}  // namespace headroom::keys_command_test
