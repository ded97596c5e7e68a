#include "sonic/edit/changes.h"

#include <gtest/gtest.h>

namespace headroom::sonic_changes_test {
namespace {

using nlohmann::ordered_json;

const ordered_json kConfig = ordered_json::parse(R"({
  "PORT": {"Ethernet0": {"speed": "100000"}},
  "BUFFER_POOL": {"ingress_lossless_pool": {"size": "1000", "xoff": "100"}},
  "BUFFER_PROFILE": {"pg/lossless": {"pool": "ingress_lossless_pool", "xoff": "96928", "dynamic_th": "-3"}},
  "WRED_PROFILE": {"AZURE_LOSSLESS": {
    "green_min_threshold": "1048576", "green_max_threshold": "2097152 ", "ecn": "ecn_all"}}
})");

const SonicChange kMin{"WRED_PROFILE", "AZURE_LOSSLESS", "green_min_threshold", "1048576", "250000"};
const SonicChange kMax{"WRED_PROFILE", "AZURE_LOSSLESS", "green_max_threshold", "2097152 ", "500000"};
const SonicChange kProbability{"WRED_PROFILE", "AZURE_LOSSLESS", "green_drop_probability", std::nullopt,
                               "10"};
const SonicChange kAlpha{"BUFFER_PROFILE", "pg/lossless", "dynamic_th", "-3", "-1"};

SonicChange With(SonicChange change, const std::string& after) {
  change.after = after;
  return change;
}

template <class F>
std::string Refusal(F f) {
  try {
    f();
  } catch (const SonicRefusal& e) {
    return e.what();
  }
  return "taken";
}
std::string CheckRefusal(const std::vector<SonicChange>& changes) {
  return Refusal([&] { CheckSonicChanges(kConfig, changes); });
}

TEST(SonicChanges, APatchReplacesAndAddsAndAppliesToTheConfiguration) {
  const ordered_json patch = SonicPatch({kMin, kProbability, kAlpha});
  EXPECT_EQ(patch.dump(),
            R"([{"op":"replace","path":"/WRED_PROFILE/AZURE_LOSSLESS/green_min_threshold",)"
            R"("value":"250000"},)"
            R"({"op":"add","path":"/WRED_PROFILE/AZURE_LOSSLESS/green_drop_probability",)"
            R"("value":"10"},)"
            R"({"op":"replace","path":"/BUFFER_PROFILE/pg~1lossless/dynamic_th","value":"-1"}])");
  ordered_json wanted = kConfig;
  wanted["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_min_threshold"] = "250000";
  wanted["WRED_PROFILE"]["AZURE_LOSSLESS"]["green_drop_probability"] = "10";
  wanted["BUFFER_PROFILE"]["pg/lossless"]["dynamic_th"] = "-1";
  EXPECT_EQ(kConfig.patch(patch), wanted);
  EXPECT_EQ(ordered_json::parse(SonicText(kConfig.dump(2), {kMin, kProbability, kAlpha})), wanted);
}

TEST(SonicChanges, AFragmentHasTheWholeRow) {
  EXPECT_EQ(SonicFragment(kConfig, {kMin, kProbability}).dump(),
            R"({"WRED_PROFILE":{"AZURE_LOSSLESS":{"green_min_threshold":"250000",)"
            R"("green_max_threshold":"2097152 ","ecn":"ecn_all","green_drop_probability":"10"}}})");
}

TEST(SonicChanges, CommandsOfOneProfileAreOneLine) {
  EXPECT_EQ(SonicCommands({kMin, kAlpha, kMax, kProbability}),
            (std::vector<std::string>{"sudo ecnconfig -p AZURE_LOSSLESS -gmin 250000 -gmax 500000 -gdrop 10",
                                      "sudo mmuconfig -p 'pg/lossless' -a -1"}));
}

TEST(SonicChanges, ValuesThatSonicWouldNotLoadAreRefused) {
  EXPECT_EQ(CheckRefusal({kMin, kMax, kProbability, kAlpha}), "taken");
  EXPECT_EQ(CheckRefusal({With(kMax, "2147483647")}), "taken");
  EXPECT_EQ(CheckRefusal({With(kMax, "2147483648")}),
            "WRED_PROFILE|AZURE_LOSSLESS, field green_max_threshold: 2147483648 is out of SONiC's range; "
            "allowed: 0 to 2147483647");
  EXPECT_EQ(
      CheckRefusal({With(kMin, "2097153")}),
      "WRED_PROFILE|AZURE_LOSSLESS, field green_min_threshold: the green minimum 2097153 would be above "
      "the maximum 2097152");
  EXPECT_EQ(CheckRefusal({With(kMin, "2097153"), With(kMax, "2097153")}), "taken");
  EXPECT_EQ(
      CheckRefusal({With(kProbability, "101")}),
      "WRED_PROFILE|AZURE_LOSSLESS, field green_drop_probability: 101 is out of SONiC's range; allowed: 0 "
      "to 100");
  EXPECT_EQ(CheckRefusal({With(kProbability, "0.5")}),
            "WRED_PROFILE|AZURE_LOSSLESS, field green_drop_probability: 0.5 is not a whole number; SONiC "
            "allows only these: give a whole per cent, or step: 1% for this parameter of a study");
  EXPECT_EQ(CheckRefusal({With(kAlpha, "8")}),
            "BUFFER_PROFILE|pg/lossless, field dynamic_th: 8 is out of SONiC's range; allowed: -8 to 7");
}

TEST(SonicChanges, EachFormTakesWhatItsToolTakes) {
  const SonicChange size{"BUFFER_POOL", "ingress_lossless_pool", "size", "1000", "900"};
  const SonicChange xoff{"BUFFER_PROFILE", "pg/lossless", "xoff", "96928", "100000"};
  const SonicChange xon{"BUFFER_PROFILE", "pg/lossless", "xon", "1248", "2496"};
  SonicChange new_alpha = kAlpha;
  new_alpha.before.reset();
  EXPECT_EQ(
      Refusal([&] { SonicPatch({size}); }),
      "BUFFER_POOL|ingress_lossless_pool, field size: config apply-patch rejects changes of BUFFER_POOL; "
      "write the whole configuration (--to sonic-config) for config reload");
  EXPECT_EQ(Refusal([&] { SonicPatch({xoff}); }), "taken");
  EXPECT_EQ(Refusal([&] { SonicPatch({xon}); }),
            "BUFFER_PROFILE|pg/lossless, field xon: config apply-patch replaces only dynamic_th and xoff of "
            "BUFFER_PROFILE; write the whole configuration (--to sonic-config) for config reload");
  EXPECT_EQ(
      Refusal([&] { SonicPatch({new_alpha}); }),
      "BUFFER_PROFILE|pg/lossless, field dynamic_th: config apply-patch replaces the field but does not "
      "add it; write the whole configuration (--to sonic-config) for config reload");
  EXPECT_EQ(
      Refusal([&] { SonicCommands({xoff}); }),
      "BUFFER_PROFILE|pg/lossless, field xoff: no command sets it: mmuconfig sets dynamic_th and static_th "
      "of a profile, ecnconfig thresholds of a WRED profile; use --to sonic-patch or sonic-config");
  EXPECT_EQ(
      Refusal([&] { SonicCommands({new_alpha}); }),
      "BUFFER_PROFILE|pg/lossless, field dynamic_th: mmuconfig changes an existing threshold, but adds none");
}

TEST(SonicChanges, TheFlatLayoutBecomesNested) {
  EXPECT_EQ(NestedSonicTables(ordered_json::parse(
                R"({"PORT|Ethernet0": {"speed": "1"}, "QUEUE|Ethernet0|3": {}, "PORT": {"Ethernet4": {}}})")),
            ordered_json::parse(
                R"({"PORT": {"Ethernet0": {"speed": "1"}, "Ethernet4": {}}, "QUEUE": {"Ethernet0|3": {}}})"));
}

}  // namespace
}  // namespace headroom::sonic_changes_test
