// Every default written out: loading the text gives an equal scenario.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "scenario/write/write.h"

namespace headroom::resolved_test {
namespace {

namespace fs = std::filesystem;

const fs::path kGood = fs::path(HEADROOM_SOURCE_DIR) / "tests/scenario/good";

void ExpectEqual(const Scenario& a, const Scenario& b) {
  EXPECT_EQ(a.duration, b.duration);
  EXPECT_EQ(a.deadline, b.deadline);
  EXPECT_EQ(a.warmup, b.warmup);
  EXPECT_EQ(a.frames, b.frames);
  ASSERT_EQ(a.topology.nodes.size(), b.topology.nodes.size());
  for (size_t i = 0; i < a.topology.nodes.size(); ++i)
    EXPECT_EQ(a.topology.nodes[i].name, b.topology.nodes[i].name);
  ASSERT_EQ(a.topology.links.size(), b.topology.links.size());
  for (size_t i = 0; i < a.topology.links.size(); ++i) {
    EXPECT_EQ(a.topology.links[i].spec, b.topology.links[i].spec);
    EXPECT_EQ(a.topology.links[i].a.port, b.topology.links[i].a.port);
  }
  ASSERT_EQ(a.switches.size(), b.switches.size());
  for (size_t i = 0; i < a.switches.size(); ++i) {
    EXPECT_EQ(a.switches[i].latency, b.switches[i].latency);
    EXPECT_EQ(a.switches[i].buffer, b.switches[i].buffer);
    EXPECT_EQ(a.switches[i].ecn, b.switches[i].ecn);
    EXPECT_EQ(a.switches[i].pfc, b.switches[i].pfc);
    EXPECT_EQ(a.switches[i].qos, b.switches[i].qos);
  }
  EXPECT_EQ(a.nics, b.nics);
  EXPECT_EQ(a.hosts, b.hosts);
  EXPECT_EQ(a.services, b.services);
  EXPECT_EQ(a.observe.messages.one_in, b.observe.messages.one_in);
  EXPECT_EQ(a.observe.operations.one_in, b.observe.operations.one_in);
  EXPECT_TRUE(a.faults == b.faults);
  ASSERT_EQ(a.workloads.size(), b.workloads.size());
  for (size_t i = 0; i < a.workloads.size(); ++i) {
    EXPECT_EQ(a.workloads[i].priority, b.workloads[i].priority);
    EXPECT_EQ(a.workloads[i].qp_per_message, b.workloads[i].qp_per_message);
    EXPECT_EQ(a.workloads[i].registers, b.workloads[i].registers);
    EXPECT_EQ(a.workloads[i].arrivals.index(), b.workloads[i].arrivals.index());
    if (const auto* poisson = std::get_if<PoissonArrivals>(&a.workloads[i].arrivals)) {
      const auto& other = std::get<PoissonArrivals>(b.workloads[i].arrivals);
      EXPECT_EQ(poisson->from, other.from);
      EXPECT_EQ(poisson->load, other.load);
      EXPECT_EQ(poisson->sizes ? poisson->sizes->points : std::vector<SizeDistribution::Point>(),
                other.sizes ? other.sizes->points : std::vector<SizeDistribution::Point>());
    }
    if (const auto* incast = std::get_if<IncastArrivals>(&a.workloads[i].arrivals)) {
      EXPECT_EQ(incast->from, std::get<IncastArrivals>(b.workloads[i].arrivals).from);
      EXPECT_EQ(incast->to, std::get<IncastArrivals>(b.workloads[i].arrivals).to);
    }
    if (const auto* io = std::get_if<IoArrivals>(&a.workloads[i].arrivals)) {
      EXPECT_EQ(*io, std::get<IoArrivals>(b.workloads[i].arrivals));
    }
    if (const auto* list = std::get_if<ListArrivals>(&a.workloads[i].arrivals)) {
      EXPECT_EQ(list->messages, std::get<ListArrivals>(b.workloads[i].arrivals).messages);
    }
  }
}

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
    ExpectEqual(file.scenario, again.scenario);
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
