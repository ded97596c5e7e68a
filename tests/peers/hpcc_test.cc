// The HPCC simulator's own inputs, run by Headroom and compared with its outputs; and the equivalent shipped
// scenarios.
//
// Its topology and flow files are imported unchanged. Allowed deviations are those of the shipped scenarios.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "hpcc_reference.h"

namespace headroom::hpcc {

namespace {

/// Runs the program; its output goes to a file beside the results.
int Program(const std::string& arguments, const fs::path& folder) {
  const std::string log = " > '" + (folder / "log.txt").string() + "' 2>&1";
  return std::system(("'" HEADROOM_PROGRAM "' " + arguments + log).c_str());
}

std::string Text(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// A scenario of the case's inputs in `folder`, with copies of its topology and flows.
void WriteScenario(const fs::path& reference, const fs::path& folder, int seeds) {
  fs::copy_file(reference / "flow.txt", folder / "flow.txt", fs::copy_options::overwrite_existing);
  fs::copy_file(reference / "topology.txt", folder / "topology.txt", fs::copy_options::overwrite_existing);
  const auto config = ReadConfig(reference);
  const auto value = [&](const char* name, size_t word = 0) { return config.at(name).at(word); };
  // KMAX_MAP: a count, then rates with their thresholds; the first is 100 Gb/s.
  std::ofstream(folder / "case.yaml")
      << "name: case\n"
      << "include: \"" HEADROOM_SOURCE_DIR "/scenarios/peers/common/hpcc.yaml\"\n"
      << "seeds: " << seeds << "\n"
      << "topology: {type: hpcc, file: topology.txt}\n"
      << "workloads: [{name: flows, type: hpcc, file: flow.txt}]\n"
      << "switches:\n"
      << "  - match: '*'\n"
      << "    buffer: {profile: hpcc, size: " << value("BUFFER_SIZE") << "MiB}\n"
      << "    ecn: {storage: {kmin: " << value("KMIN_MAP", 2) << "KB, kmax: " << value("KMAX_MAP", 2)
      << "KB, pmax: " << value("PMAX_MAP", 2) << "}}\n"
      << "nics:\n"
      << "  - match: '*'\n"
      << "    congestion_control: " << (value("CC_MODE") == "1" ? "dcqcn" : "none") << "\n"
      << "    dcqcn:\n"
      << "      rp: {alpha_timer: " << value("ALPHA_RESUME_INTERVAL")
      << "us, reduce_window: " << value("RATE_DECREASE_INTERVAL")
      << "us, increase_timer: " << value("RP_TIMER") << "us, fast_recovery: " << value("FAST_RECOVERY_TIMES")
      << ",\n"
      << "           g: " << value("EWMA_GAIN")
      << ", clamp_target: " << (value("CLAMP_TARGET_RATE") == "1" ? "true" : "false") << "}\n";
}

/// One case, run from its inputs; the test is skipped where these are missing. The shipped scenarios below
/// check the same results.
class Peers : public testing::Test {
 protected:
  /// REQUIRES: the reference is present. Afterwards `summary` exists, or the test has failed.
  bool Run(const std::string& name, int seeds = 1) {
    reference = CaseFolder(name);
    folder = fs::path(testing::TempDir()) / ("headroom-peers-" + name);
    fs::remove_all(folder);
    fs::create_directories(folder);
    WriteScenario(reference, folder, seeds);
    const std::string out = (folder / "result").string();
    EXPECT_EQ(Program("run '" + (folder / "case.yaml").string() + "' --out '" + out + "'", folder), 0)
        << Text(folder / "log.txt");
    if (HasFailure()) return false;
    summary = nlohmann::json::parse(Text(folder / "result/summary.json"));
    return true;
  }

  void TearDown() override {
    if (!folder.empty() && !HasFailure()) fs::remove_all(folder);
  }

  /// Headroom's completion times in ns, by the sender's number.
  std::map<int, double> Completions() const {
    std::ifstream in(folder / "result/messages.csv");
    std::map<int, double> completions;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) {
      std::vector<std::string> cells;
      std::istringstream row(line);
      for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
      completions[std::stoi(cells.at(2).substr(1))] =
          std::stod(cells.at(10)) - std::stod(cells.at(8));  // src: nID
    }
    return completions;
  }

  double Number(const char* path) const {
    return summary.at(nlohmann::json::json_pointer(path)).get<double>();
  }

  /// Expects Headroom's value within `percent` of the simulator's.
  static void Near(const char* what, double ours, double theirs, double percent, double absolute = 0) {
    EXPECT_NEAR(ours, theirs, theirs * percent / 100 + absolute) << what;
  }

  void ComparePauses() const {
    const Pauses theirs = ReadPauses(reference);
    Near("first pause, µs", Number("/pfc/first_us"), theirs.first_ns / 1e3, 1);
    Near("paused time, µs", Number("/pfc/paused_us"), theirs.paused_ns / 1e3, 2);
    Near("pauses", Number("/pfc/pauses"), theirs.count, 5);
    EXPECT_EQ(Number("/drops/lossless"), 0);
  }

  /// Sixteen equal flows finish within a few packets of each other. Which of them finishes first depends on
  /// the order of simultaneous packets, which differs between the two: so the test compares first with first,
  /// and last with last.
  void CompareInOrder(double percent) const {
    const std::vector<double> theirs = Sorted(ReadCompletions(reference)), ours = Sorted(Completions());
    ASSERT_EQ(ours.size(), theirs.size());
    for (size_t i = 0; i < ours.size(); ++i) {
      Near(("flow that comes in as number " + std::to_string(i)).c_str(), ours[i], theirs[i], percent);
    }
    Near("last", ours.back(), theirs.back(), 0.1);
  }

  void CompareSeeds() const {
    const Seeds theirs = ReadSeeds(reference);
    Near("median, µs", Number("/messages/flows/completion_us/p50"), theirs.median_us, 2);
    Near("last, µs", Number("/messages/flows/completion_us/max"), theirs.last_us, 4);
    Near("pauses", Number("/pfc/pauses"), theirs.pauses, 15);
    EXPECT_EQ(Number("/drops/lossless"), 0);
  }

  fs::path reference, folder;
  nlohmann::json summary;

 private:
  static std::vector<double> Sorted(const std::map<int, double>& by_host) {
    std::vector<double> times;
    for (const auto& [host, time] : by_host) times.push_back(time);
    std::sort(times.begin(), times.end());
    return times;
  }
};

TEST_F(Peers, HpccS0FlowsAloneOneByOne) {
  if (!fs::is_directory(CaseFolder("S0-uncontended"))) GTEST_SKIP() << "the reference is not at hand";
  if (!Run("S0-uncontended")) return;
  const auto theirs = ReadCompletions(reference), ours = Completions();
  ASSERT_EQ(theirs.size(), 8u);
  ASSERT_EQ(ours.size(), 8u);
  for (const auto& [host, time] : theirs) {
    EXPECT_NEAR(ours.at(host), time, 0.5) << "flow of host " << host;
  }
}

TEST_F(Peers, HpccS4IncastUnderPfcAlone) {
  if (!fs::is_directory(CaseFolder("S4-incast16-nocc-pfc"))) GTEST_SKIP() << "the reference is not at hand";
  if (!Run("S4-incast16-nocc-pfc")) return;
  CompareInOrder(0.5);
  ComparePauses();
}

TEST_F(Peers, HpccS4bIncastUnderPfcAloneSmallBuffer) {
  if (!fs::is_directory(CaseFolder("S4b-incast16-nocc-pfc-buf2MB")))
    GTEST_SKIP() << "the reference is not at hand";
  if (!Run("S4b-incast16-nocc-pfc-buf2MB")) return;
  CompareInOrder(0.5);
  ComparePauses();
}

TEST_F(Peers, HpccS1IncastUnderDcqcn) {
  if (!fs::is_directory(CaseFolder("S1-incast16"))) GTEST_SKIP() << "the reference is not at hand";
  if (Run("S1-incast16", 20)) CompareSeeds();
}

TEST_F(Peers, HpccS1bIncastUnderDcqcnAndPfc) {
  if (!fs::is_directory(CaseFolder("S1b-incast16-buf2MB"))) GTEST_SKIP() << "the reference is not at hand";
  if (Run("S1b-incast16-buf2MB", 20)) CompareSeeds();
}

TEST_F(Peers, HpccS1pIncastUnderDcqcnWithThePapersTimers) {
  if (!fs::is_directory(CaseFolder("S1p-incast16-dcqcnpaper")))
    GTEST_SKIP() << "the reference is not at hand";
  if (Run("S1p-incast16-dcqcnpaper", 20)) CompareSeeds();
}

struct Draws {
  double mean = 0, deviation = 0;
};
Draws DrawsOf(const std::vector<double>& values) {
  Draws d;
  for (const double v : values) d.mean += v / static_cast<double>(values.size());
  for (const double v : values) d.deviation += (v - d.mean) * (v - d.mean);
  d.deviation = std::sqrt(d.deviation / static_cast<double>(values.size() - 1));
  return d;
}

/// The mean completion time over ten jittered starts: Headroom's with the shipped scenario, compared with the
/// simulator's.
TEST_F(Peers, OtherControlsAgreeWithinTwoCombinedDeviations) {
  if (!fs::is_directory(CaseFolder("S1-hpcc"))) GTEST_SKIP() << "the reference is not at hand";
  for (const std::string control : {"hpcc", "dctcp", "timely"}) {
    folder = fs::path(testing::TempDir()) / ("headroom-peers-" + control);
    fs::remove_all(folder);
    fs::create_directories(folder);
    const std::string out = (folder / "result").string();
    ASSERT_EQ(Program("run '" HEADROOM_SOURCE_DIR "/scenarios/peers/hpcc-s1-" + control + ".yaml' --out '" +
                          out + "'",
                      folder),
              0)
        << Text(folder / "log.txt");
    std::map<std::string, std::vector<double>> ours;
    for (const auto& entry : fs::directory_iterator(out)) {
      if (!fs::exists(entry.path() / "summary.json")) continue;
      const auto times = nlohmann::json::parse(Text(entry.path() / "summary.json"))
                             .at("/messages/incast/completion_us"_json_pointer);
      for (const char* statistic : {"mean", "p50"})
        ours[statistic].push_back(times.at(statistic).get<double>());
    }
    const auto theirs =
        nlohmann::json::parse(Text(CaseFolder("S1-" + control) / "result.json")).at("start_jitter");
    for (const auto& [statistic, values] : ours) {
      ASSERT_EQ(values.size(), 10u);
      const Draws d = DrawsOf(values);
      const auto& of = theirs.at("fct_" + statistic + "_us");
      EXPECT_NEAR(d.mean, of.at("mean").get<double>(), 2 * std::hypot(d.deviation, of.at("sd").get<double>()))
          << control << ", " << statistic;
    }
    fs::remove_all(folder);
  }
  folder.clear();
}

TEST_F(Peers, ShippedScenariosMeetWhatTheyExpect) {
  folder = fs::path(testing::TempDir()) / "headroom-peers-validate";
  fs::create_directories(folder);
  std::string files;
  for (const auto& entry : fs::directory_iterator(HEADROOM_SOURCE_DIR "/scenarios/peers")) {
    if (entry.path().extension() == ".yaml") files += " '" + entry.path().string() + "'";
  }
  EXPECT_EQ(Program("validate" + files + " --out '" + folder.string() + "'", folder), 0)
      << Text(folder / "log.txt");
}

}  // namespace

}  // namespace headroom::hpcc
