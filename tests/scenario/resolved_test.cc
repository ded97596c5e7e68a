// Every default written out: loading the text gives an equal scenario.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "scenario/write/write.h"
#include "scenario/yaml/document.h"
#include "support/same_scenario.h"

namespace headroom::resolved_test {
namespace {

namespace fs = std::filesystem;

const fs::path kGood = fs::path(HEADROOM_SOURCE_DIR) / "tests/scenario/good";

/// A folder that is removed again.
class ResolvedScenario : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::path(::testing::TempDir()) /
                 ("headroom-resolved-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                  "-" + ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  void ExpectFixedPoint(const ScenarioFile& file) {
    const Resolved once = WriteResolved(file);
    for (const ReferencedFile& f : once.files)
      fs::copy_file(f.from, directory_ / f.name, fs::copy_options::overwrite_existing);
    const ScenarioFile again = LoadScenarioFileText(once.yaml, "resolved.yaml", directory_);
    ExpectSameScenario(file.scenario, again.scenario);
    const Resolved twice = WriteResolved(again);
    EXPECT_EQ(once.yaml, twice.yaml);
    EXPECT_EQ(once.files.size(), twice.files.size());
  }

  fs::path directory_;
};

TEST_F(ResolvedScenario, of_each_good_one_is_a_fixed_point) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(kGood)) {
    if (entry.path().extension() != ".yaml") continue;
    SCOPED_TRACE(entry.path());
    ExpectFixedPoint(LoadScenarioFile(entry.path()));
    ++count;
  }
  EXPECT_GE(count, 8);
}

TEST_F(ResolvedScenario, of_each_shipped_one_is_a_fixed_point) {
  int count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(HEADROOM_SOURCE_DIR) / "scenarios")) {
    if (entry.path().extension() != ".yaml") continue;
    const Node document = ReadDocument(entry.path(), {});
    if (!document.Find("topology") || !document.Find("workloads")) continue;  // a study, or a part of others
    SCOPED_TRACE(entry.path());
    ExpectFixedPoint(LoadScenarioFile(entry.path()));
    ++count;
  }
  EXPECT_GE(count, 100);
}

/// Writes scenarios of all kinds from a random stream.
class RandomScenario {
 public:
  explicit RandomScenario(uint64_t seed) : random_(seed) {}

  std::string Text() {
    std::string text = "duration: " + Number(1, 5000) + "us\nseed: " + Number(1, 99) + "\n";
    if (Maybe()) text += "mtu: " + Pick({"1024", "4096", "1500B"}) + "\n";
    if (Maybe()) text += "frames: " + Pick({"hpcc", "rocev2", "{header: 48B, gap: 0B}"}) + "\n";
    if (Maybe()) text += "warmup: 1ns\n";
    text += "topology: " + Topology() + "\n";
    if (Maybe()) text += "switches:\n" + Entries([&] { return Switch(); });
    if (Maybe()) text += "nics:\n" + Entries([&] { return Nic(); });
    text += "workloads:\n";
    for (int i = 0; i < 3; ++i) text += "  - {name: w" + std::to_string(i) + ", " + WorkloadOf() + "}\n";
    if (Maybe())
      text += "observe: {rates: {every: " + Number(1, 99) +
              "us, match: \"*\"}, groups: {every: 1ms}, cnps: {}, drops: {match: \"*\"}, messages: 1/7}\n";
    return text;
  }

 private:
  bool Maybe() { return random_() % 2 == 0; }
  std::string Number(int least, int most) {
    return std::to_string(least + static_cast<int>(random_() % static_cast<uint64_t>(most - least + 1)));
  }
  std::string Pick(const std::vector<std::string>& choices) { return choices[random_() % choices.size()]; }

  std::string Link() {
    std::string link = "{rate: " + Pick({"100Gbps", "40Gbps", "12.5Gbps", "400Gbps"}) + ", ";
    link +=
        Maybe() ? "length: " + Number(0, 400) + Pick({"m", "km", "cm"}) : "delay: " + Number(0, 999) + "ns";
    if (Maybe()) link += ", phy: " + Number(0, 999) + "ps";
    if (Maybe()) link += ", loss: " + Pick({"1/1000", "0.1%", "0.3"});
    return link + "}";
  }
  std::string Topology() {
    switch (random_() % 6) {
      case 0:
        return "{type: star, hosts: " + Number(3, 20) + ", link: " + Link() + "}";
      case 1:
        return "{type: dumbbell, left: " + Number(2, 4) + ", right: " + Number(1, 4) + ", link: " + Link() +
               ", bottleneck: " + Link() + "}";
      case 2:
        return "{type: leaf_spine, leaves: " + Number(1, 4) + ", spines: " + Number(1, 4) +
               ", hosts_per_leaf: " + Number(3, 5) + ", host_link: " + Link() + ", fabric_link: " + Link() +
               "}";
      case 3:
        return "{type: fat_tree, k: 4, link: " + Link() + ", core_link: " + Link() + "}";
      case 4:
        return "{type: torus, dims: [" + Number(2, 3) + ", " + Number(2, 3) + "], link: " + Link() + "}";
      default:
        return "{type: region, datacenters: " + Number(1, 3) + ", clusters: 1, racks: " + Number(1, 2) +
               ", hosts: 3, hubs: " + Number(1, 3) + ", links: {host: " + Link() + ", t0_t1: " + Link() +
               ", t1_t2: " + Link() + ", t2_rh: " + Link() + "}}";
    }
  }
  template <class F>
  std::string Entries(F&& keys) {
    std::string text;
    for (const char* match : {"\"*\"", "\"*[0-4]\"", "[\"*1\", \"*[0-9]\"]"})
      if (Maybe()) text += std::string("  - {match: ") + match + keys() + "}\n";
    return text.empty() ? "  []\n" : text;
  }
  std::string Switch() {
    std::string text;
    if (Maybe()) text += ", latency: " + Number(0, 9999) + "ns";
    if (Maybe())
      text +=
          ", buffer: {profile: " + Pick({"azure-24mb", "azure-deep", "azure-deep-hub", "hpcc, size: 3MiB"}) +
          "}";
    if (Maybe())
      text += ", ecn: {storage: {kmin: 1KB, kmax: " + Number(1, 9) + "MB, pmax: " + Number(1, 100) + "%}}";
    if (Maybe()) text += ", ecn: none" + std::string(text.find("ecn:") == std::string::npos ? "" : "x");
    if (text.ends_with("nonex")) text.erase(text.rfind(", ecn"));
    if (Maybe()) text += ", pfc: {quanta: " + Number(1, 65535) + ", refresh: " + Pick({"auto", "3us"}) + "}";
    return text;
  }
  std::string Nic() {
    std::string text;
    if (Maybe())
      text += ", generation: " + Pick({"gen1", "gen2", "gen3", "gen2-interop", hpcc_ ? "hpcc-sim" : "gen2"});
    if (Maybe()) text += ", congestion_control: " + Pick({"dcqcn", "none"});
    if (Maybe()) text += ", transport: {rto: " + Number(1, 99) + "ms, ack_every: " + Number(1, 9) + "}";
    const std::string counter = hpcc_ ? "" : ", byte_counter: " + Number(0, 99) + "KB";
    if (Maybe()) text += ", dcqcn: {rp: {g: 1/" + Number(3, 300) + counter + "}}";
    return text;
  }
  std::string WorkloadOf() {
    const std::string qp = Pick({"", ", qp: per_message", ", qp: {per_pair: 3}"});
    const std::string from = Pick({"", ", from: \"*0\"", ", from: [\"*0\", \"*1\"]"});
    switch (random_() % 4) {
      case 0:
        return "type: poisson, sizes: " + Pick({"AliStorage2019", "3KB", "sizes.txt"}) +
               ", load: " + Number(1, 150) + "%" + from + qp;
      case 1:
        return "type: incast, to: \"*1\", from: \"*\", size: " + Number(1, 999) +
               "KiB, fan_in: " + Pick({"1", "2", "all"}) + ", repeat: {every: 10us, count: " + Number(1, 9) +
               "}" + qp;
      case 2:
        return "type: permutation, size: 7B" + qp;
      default:
        return "type: stream, from: \"*\", to: \"*1\", message: 64KiB, in_flight: " + Number(1, 16) + qp;
    }
  }

  std::mt19937_64 random_;
  /// The HPCC simulator's machine has no byte counter: a scenario has either.
  const bool hpcc_ = random_() % 2 == 0;
};

TEST_F(ResolvedScenario, of_random_ones_is_a_fixed_point) {
  int loaded = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const std::string text = RandomScenario(seed).Text();
    SCOPED_TRACE(text);
    try {
      const ScenarioFile file = LoadScenarioFileText(text, "random.yaml", kGood);
      ++loaded;
      ExpectFixedPoint(file);
    } catch (const ScenarioError& e) {
      // Some have patterns that match nothing. Their errors are tested elsewhere.
      EXPECT_NE(std::string(e.what()).find("match"), std::string::npos) << e.what();
    }
    if (HasFailure()) break;
  }
  EXPECT_GE(loaded, 150);
}

TEST_F(ResolvedScenario, has_what_was_set) {
  const ScenarioFile file = LoadScenarioFile(kGood / "contract.yaml", {"workloads.burst.fan_in=1", "seed=9"});
  const std::string text = WriteResolved(file).yaml;
  EXPECT_NE(text.find("seed: 9\n"), std::string::npos);
  EXPECT_NE(text.find("fan_in: 1\n"), std::string::npos);
  EXPECT_EQ(text.find("vary"), std::string::npos);
}

}  // namespace
}  // namespace headroom::resolved_test
