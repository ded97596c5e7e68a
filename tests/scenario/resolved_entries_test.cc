// Mixtures of entries of switches, NICs and hosts: the resolved text repeats the combined values of several
// entries for one node.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "scenario/write/write.h"
#include "support/same_scenario.h"
#include "support/test_folder.h"

namespace headroom::resolved_entries_test {
namespace {

namespace fs = std::filesystem;

const fs::path kConfigurations = fs::path(HEADROOM_SOURCE_DIR) / "tests/sonic/data";

/// Entries for two racks of two hosts, for which the folder's configurations are made.
class RandomEntries {
 public:
  explicit RandomEntries(uint64_t seed) : random_(seed) {}

  std::string Text() {
    std::string text =
        "name: entries\n"
        "duration: 50us\n"
        "topology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 2,\n"
        "           host_link: {rate: 40Gbps, length: 5m}, fabric_link: {rate: 100Gbps, length: 40m}}\n"
        "priorities:\n"
        "  storage: {priority: 3, dscp: 3, lossless: true}\n"
        "  second: {priority: 4, dscp: 4, lossless: true}\n"
        "  cnp: {priority: 6, dscp: 48, lossless: false}\n";
    text +=
        "switches:\n" + Entries({"\"*\"", "\"leaf*\"", "\"spine*\"", "leaf0", "\"*1\"", "[leaf1, spine0]"},
                                [&](const std::string& match) { return Switch(match); });
    text += "nics:\n" + Entries({"\"*\"", "\"h[0-2]\"", "h3", "[h0, h3]", "\"h*\""},
                                [&](const std::string&) { return Nic(); });
    text += "hosts:\n" + Entries({"\"*\"", "\"h[13]\"", "h0"}, [&](const std::string&) { return Host(); });
    return text +
           "workloads:\n"
           "  - {name: burst, type: incast, size: 100KB, from: \"*\", fan_in: 3, to: h0, at: 1us, "
           "priority: storage}\n"
           "  - {name: other, type: stream, from: h1, to: h2, message: 64KiB, in_flight: 2, enabled: " +
           Pick({"true", "false"}) + ", priority: second}\n";
  }

 private:
  bool Maybe() { return random_() % 2 == 0; }
  std::string Pick(const std::vector<std::string>& choices) { return choices[random_() % choices.size()]; }
  /// One of the values for the key, or nothing.
  std::string Key(const std::string& key, const std::vector<std::string>& values) {
    return Maybe() ? ", " + key + ": " + Pick(values) : "";
  }

  template <class F>
  std::string Entries(std::vector<std::string> matches, F&& keys) {
    std::shuffle(matches.begin(), matches.end(), random_);
    matches.resize(1 + random_() % matches.size());
    std::string text;
    for (const std::string& match : matches) text += "  - {match: " + match + keys(match) + "}\n";
    return text;
  }

  std::string Switch(const std::string& match) {
    std::vector<std::string> buffers{
        "{profile: azure-24mb}",
        "{profile: azure-24mb, alpha: 1/4}",
        "{profile: azure-24mb, size: 20MB}",
        "{profile: azure-deep, slices: 2}",
        "{profile: azure-24mb, tables: {BUFFER_PROFILE: {ingress_lossless: {xoff: 120000}}}}",
        "{profile: hpcc, size: 12MB}"};
    if (match.find("leaf") == 0 || match == "\"leaf*\"") {
      buffers = {"{sonic: rack.config_db.json}", "{sonic: rack.config_db.json, ports: order, asic: th2}",
                 "{sonic: rack.config_db.json, tables: {WRED_PROFILE: {AZURE_LOSSLESS: "
                 "{green_max_threshold: 3000000}}}}"};
    }
    if (match == "\"spine*\"") buffers = {"{sonic: spine.config_db.json}"};
    return Key("latency", {"1us", "300ns"}) + Key("buffer", buffers) +
           Key("ecn", {"none", "{storage: none}", "{second: none, cnp: {kmin: 5KB, kmax: 9KB, pmax: 3%}}",
                       "{storage: {kmin: 10KB, kmax: 90KB, pmax: 5%}}",
                       "{second: {kmin: 1KB, kmax: 2KB, pmax: 1, per_rate: 100Gbps}, storage: none}"}) +
           Key("pfc", {"{watchdog: none}", "{watchdog: {detection: 200ms, restoration: never}}",
                       "{watchdog: [{ports: p0, detection: 300ms}, {ports: \"p[1-3]\", detection: 400ms, "
                       "priority: [3, 4], action: forward}]}",
                       "{response: 10ns, quanta: 100}", "{enabled: false, refresh: 3us}",
                       "{refresh: auto, watchdog: {detection: 1ms, poll: 1ms, limits: false, vendor: "
                       "mellanox}}"}) +
           Key("chassis", {"{}", "{credit: 2KB, line_cards: 2}"});
  }

  std::string Nic() {
    const bool rare = random_() % 8 == 0;  // a key that few others are compatible with
    return Key("generation", {"gen1", "gen2", "gen3", "gen2-interop", "dcqcn-paper"}) +
           Key("congestion_control", {"none", "dcqcn"}) +
           Key("transport", {"{rto: 3ms}", "{ack_every: 4, ack_priority: cnp}", "{recovery_delay: 5us}"}) +
           Key("dcqcn", {"{rp: {g: 1/64, max_rate: 20Gbps}}", "{np: {coalescing: per_packet}}",
                         rare ? "{rp: {machine: hpcc}}" : "{rp: {machine: vendor, reduce_window: 4us}}",
                         "{limiter: {granularity: burst, burst: 32KiB}}", "{rp: {byte_counter: 150KB}}"}) +
           Key("resources",
               {"ideal", "gen2", "{set: gen2, rx_buffer: none}",
                "{rx_buffer: {size: 256KB, xoff: 128KB, xon: 64KB}}", "{pcie: {latency: 100ns}}"}) +
           Key("clock", {"{}"}) + Key("registration_latency", {"1us"}) +
           Key("bugs", {"{hidden_fence: true}",
                        rare ? "{congestion_leaking: true}" : "{congestion_leaking: false}"}) +
           Key("pfc", {"{watchdog: none}", "{watchdog: {detection: 200ms}}"});
  }

  std::string Host() {
    return ", clock: " + Pick({"2.5GHz", "3GHz"}) + Key("cores", {"2", "8"}) +
           Key("rdma", {"{cycles_per_message: 100}"}) + Key("tcp", {"{cycles_per_byte_sent: 0.5}"}) +
           Key("operation", {"{cycles_per_request: 3000}"});
  }

  std::mt19937_64 random_;
};

TEST(ResolvedEntries, say_what_entries_say_together) {
  const TestFolder folder;
  int loaded = 0;
  for (uint64_t seed = 1; seed <= 150 && !::testing::Test::HasFailure(); ++seed) {
    const std::string text = RandomEntries(seed).Text();
    SCOPED_TRACE("seed " + std::to_string(seed) + '\n' + text);
    std::optional<ScenarioFile> file;
    try {
      file.emplace(LoadScenarioFileText(text, "entries.yaml", kConfigurations));
    } catch (const ScenarioError&) {
      continue;  // keys that cannot be combined; other tests check their errors
    }
    ++loaded;
    const Resolved once = WriteResolved(*file);
    for (const ReferencedFile& f : once.files)
      fs::copy_file(f.from, folder / f.name, fs::copy_options::overwrite_existing);
    const ScenarioFile again = LoadScenarioFileText(once.yaml, "resolved.yaml", folder.path());
    ExpectSameScenario(file->scenario, again.scenario);
    EXPECT_EQ(once.yaml, WriteResolved(again).yaml);
  }
  EXPECT_GE(loaded, 100);
}

// An entry must not extend to nodes for which another has fewer keys: t0 marks by its file, "*" has no
// marking.
TEST(ResolvedEntries, list_names_where_an_entry_would_add_to_another) {
  const auto resolved = [](const std::string& of_leaf) {
    return WriteResolved(LoadScenarioFileText(
                             "duration: 1us\n"
                             "topology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 2,\n"
                             "           host_link: {rate: 40Gbps, length: 5m}, fabric_link: {rate: 100Gbps, "
                             "length: 40m}}\n"
                             "switches: [{match: \"*\", latency: 1us}, {match: leaf0, " +
                                 of_leaf +
                                 "}]\n"
                                 "workloads: [{name: w, type: permutation, size: 7B}]\n",
                             "x.yaml", kConfigurations))
        .yaml;
  };
  const std::string by_file = resolved("buffer: {sonic: rack.config_db.json}");
  EXPECT_NE(by_file.find("  - match: [leaf1, spine0, spine1]\n"), std::string::npos) << by_file;
  const std::string by_profile = resolved("buffer: {profile: azure-deep}");
  EXPECT_NE(by_profile.find("  - match: \"*\"\n"), std::string::npos) << by_profile;
}

}  // namespace
}  // namespace headroom::resolved_entries_test
