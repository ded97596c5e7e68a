// Every remedy that `check` prints removes its finding and adds none, for shipped and random scenarios; and
// in runs the effect that the finding describes is gone.
#include "cli/check/remedies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli/check/check.h"
#include "run/run.h"
#include "scenario/yaml/error.h"
#include "support/in_child.h"
#include "support/random_scenario.h"
#include "support/short_runs.h"
#include "support/test_folder.h"

namespace headroom::remedies_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Sets = std::vector<std::string>;

#ifdef __SANITIZE_ADDRESS__
constexpr uint64_t kOneIn = 12;
#else
constexpr uint64_t kOneIn = 1;
#endif

Json FindingsOf(const fs::path& file, const Sets& sets) {
  std::ostringstream out;
  Check({file}, sets, {}, CheckForm::json, out);
  return Json::parse(out.str())["findings"];
}

/// One place and the words of a finding that are neither numbers nor units.
std::set<std::string> PlacesOf(const Json& finding) {
  std::string words;
  std::istringstream what(finding["what"].get<std::string>());
  for (std::string word; what >> word;)
    if (word.size() > 3 && std::ranges::none_of(word, [](unsigned char c) { return std::isdigit(c) != 0; }))
      words += ' ' + word;
  std::set<std::string> places;
  std::string where = finding["where"].get<std::string>() + "; ";
  for (size_t end; (end = where.find("; ")) != std::string::npos; where.erase(0, end + 2))
    places.insert(where.substr(0, end) + words);
  return places;
}

std::set<std::string> PlacesOf(const Json& findings, size_t) {
  std::set<std::string> all;
  for (const Json& finding : findings) all.merge(PlacesOf(finding));
  return all;
}

/// Returns the number of remedies.
size_t ExpectTrue(const fs::path& file) {
  const Json before = FindingsOf(file, {});
  const std::set<std::string> known = PlacesOf(before, 0);
  size_t remedies = 0;
  std::map<Sets, std::set<std::string>> changed;
  for (const Json& finding : before) {
    EXPECT_EQ(finding["change"], RemedyText(finding["remedy"].get<Remedy>()));
    if (finding["remedy"].empty()) continue;
    ++remedies;
    const auto [at, added] = changed.try_emplace(finding["remedy"].get<Sets>());
    if (added) at->second = PlacesOf(FindingsOf(file, at->first), 0);
    const std::set<std::string>& after = at->second;
    for (const std::string& gone : PlacesOf(finding)) EXPECT_FALSE(after.contains(gone)) << file << finding;
    for (const std::string& left : after) EXPECT_TRUE(known.contains(left)) << file << finding << left;
  }
  return remedies;
}

size_t InAChild(const fs::path& file) {
  return std::stoul(TextFromChild([&] { return std::to_string(ExpectTrue(file)); }));
}

TEST(Remedies, of_shipped_scenarios_are_true) {
  size_t remedies = 0, number = 0;
  for (const std::string& name : ShippedScenarios()) {
    if (number++ % kOneIn != 0) continue;
    const fs::path file = fs::path(HEADROOM_SOURCE_DIR) / name;
    const ScenarioFile loaded = LoadScenarioFile(file);
    const size_t points = Points(loaded.experiment).size();
    if (points > 4 || TrialsFor(loaded.scenario.topology.nodes.size(), points) < 12)
      continue;  // they take long
    remedies += InAChild(file);
  }
  EXPECT_GT(remedies, 50u / kOneIn);
}

TEST(Remedies, of_random_scenarios_are_true) {
  TestFolder folder;
  for (const auto& entry : fs::directory_iterator(RandomScenarioFolder()))
    fs::create_symlink(entry.path(), folder / entry.path().filename().string());
  size_t remedies = 0;
  for (uint64_t seed = 1; seed <= 40; seed += kOneIn)
    remedies += InAChild(folder.Write("random.yaml", RandomScenarioText(seed)));
  EXPECT_GT(remedies, 20u / kOneIn);
}

/// Inputs whose findings or remedies were wrong once, with the texts that were.
TEST(Remedies, of_reports_are_true) {
  const fs::path reports = fs::path(HEADROOM_SOURCE_DIR) / "../shared/data/reports-2";
  if (!fs::exists(reports)) GTEST_SKIP() << "there is no folder " << reports;
  const std::pair<const char*, const char*> all[] = {
      {"remote-depth", "would fill"},      {"xoff-beyond-memory", "xoff=37162183"},
      {"lookup-remedy", "buffer.tables"},  {"sliced-egress", "a queue holds at most"},
      {"th4-memory", "exceed the memory"}, {"default-dynamic-th", "out of range"}};
  for (const auto& [name, wrong] : all) {
    const fs::path file = reports / (std::string(name) + ".yaml");
    InAChild(file);
    InChild([&] { EXPECT_EQ(FindingsOf(file, {}).dump().find(wrong), std::string::npos) << name; });
  }
  for (const char* name : {"spectrum-6-dynamic.yaml", "spectrum-6-traditional.yaml"}) {
    try {
      LoadScenario(reports / name);
      ADD_FAILURE() << name;
    } catch (const ScenarioError& error) {
      EXPECT_NE(std::string(error.what()).find("describe the buffer in the scenario"), std::string::npos);
    }
  }
}

enum class Measure { drops, marks, unfinished, resent, last };

/// In a run of the scenario with these settings.
double Measured(Measure measure, const fs::path& file, const Sets& sets) {
  return std::stod(TextFromChild([&] {
    const Scenario s = LoadScenario(file, sets);
    const RunRecord r = headroom::Run(s, {});
    double drops = 0, marks = 0, unfinished = 0, resent = 0, last = 0;
    for (const PortRecord& port : r.ports) {
      for (const uint64_t n : port.priority[3].drops) drops += static_cast<double>(n);
      marks += static_cast<double>(port.priority[3].marked_packets);
    }
    for (const MessageRecord& m : r.messages) {
      unfinished += !m.Finished();
      resent += m.retransmitted_packets;
      if (m.Finished()) last = std::max(last, InSeconds(m.completed));
    }
    const double all[] = {drops, marks, unfinished, resent, last};
    return std::to_string(1e9 * all[static_cast<size_t>(measure)]);
  }));
}

struct Effect {
  const char* finding;  ///< a part of its text
  Measure measure;
  bool more;  ///< the remedy raises it
  const char* scenario;
};

const std::string kStar = "topology: {type: star, hosts: 9, link: {rate: 100Gbps, length: 5m}}\n";
constexpr const char* kEcn = "ecn: {storage: {kmin: 400KB, kmax: 1600KB, pmax: 5%}}";

const Effect kEffects[] = {
    {"lossless frames may be dropped", Measure::drops, false,
     "duration: 1ms\ntopology: {type: dumbbell, left: 3, right: 3, link: {rate: 100Gbps, length: 5m}, "
     "bottleneck: {rate: 100Gbps, length: 2km}}\nnics: [{match: '*', congestion_control: none}]\n"
     "switches: [{match: '*', buffer: {profile: azure-24mb, tables: {BUFFER_PROFILE: {ingress_lossless: "
     "{xoff: 50000}}}}, pfc: {enabled: true}}]\n"
     "workloads: [{name: w, type: incast, size: 4MB, from: ['l*', r1, r2], to: r0}]\n"},
    {"never marks frames", Measure::marks, true,
     "duration: 1ms\nSTARworkloads: [{name: w, type: incast, size: 1MB, to: h8}]\n"},
    {"PFC fires before ECN marks", Measure::marks, true,
     "duration: 1ms\nSTARswitches: [{match: '*', buffer: {profile: azure-24mb, alpha: 1/256}, "
     "ecn: {storage: {kmin: 1MB, kmax: 2MB, pmax: 5%}}}]\n"
     "workloads: [{name: w, type: incast, size: 1MB, to: h8}]\n"},
    {"but the deadline is", Measure::unfinished, false,
     "duration: 1ms\ndeadline: 1ms\nSTARswitches: [{match: '*', ECN}]\n"
     "workloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 20MB}]}]\n"},
    {"PFC is off", Measure::drops, false,
     "duration: 1ms\nSTARnics: [{match: '*', congestion_control: none}]\n"
     "switches: [{match: '*', pfc: {enabled: false}}]\n"
     "workloads: [{name: w, type: incast, size: 8MB, to: h8}]\n"},
    {"may take several paths", Measure::resent, false,
     "duration: 1ms\ntopology: {type: leaf_spine, leaves: 2, spines: 2, hosts_per_leaf: 3, host_link: {rate: "
     "100Gbps, length: 5m}, fabric_link: {rate: 100Gbps, length: 40m}}\n"
     "switches: [{match: '*', routing: spray, ECN}]\n"
     "workloads: [{name: w, type: permutation, size: 2MB}]\n"},
    {"packets are sent again without loss", Measure::resent, false,
     "duration: 1ms\nSTARswitches: [{match: '*', ECN}]\nnics: [{match: '*', transport: {rto: 1us}}]\n"
     "workloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 100KB}]}]\n"},
    {"sends at most", Measure::last, false,
     "duration: 1ms\nSTARswitches: [{match: '*', ECN}]\nnics: [{match: '*', transport: {window: 2KiB}}]\n"
     "workloads: [{name: w, type: list, messages: [{from: h0, to: h1, size: 1MB}]}]\n"}};

TEST(Remedies, have_the_effect_in_runs) {
  TestFolder folder;
  for (const Effect& effect : kEffects) {
    SCOPED_TRACE(effect.finding);
    std::string text = std::string("name: effect\n") + effect.scenario;
    for (const auto& [name, meant] : {std::pair<std::string, std::string>("STAR", kStar), {"ECN", kEcn}})
      if (const size_t at = text.find(name); at != std::string::npos) text.replace(at, name.size(), meant);
    const fs::path file = folder.Write("effect.yaml", text);
    const Json findings = Json::parse(TextFromChild([&] { return FindingsOf(file, {}).dump(); }));
    const auto found = std::ranges::find_if(findings, [&](const Json& f) {
      return f["what"].get<std::string>().find(effect.finding) != std::string::npos;
    });
    ASSERT_NE(found, findings.end()) << findings;
    ASSERT_FALSE((*found)["remedy"].empty()) << findings;
    const double before = Measured(effect.measure, file, {}),
                 after = Measured(effect.measure, file, (*found)["remedy"].get<Sets>());
    if (effect.measure == Measure::last) {
      EXPECT_LT(after, 0.9 * before);
    } else {
      EXPECT_EQ(effect.more ? before : after, 0) << *found;
      EXPECT_GT(effect.more ? after : before, 0) << *found;
    }
  }
}

Finding Candidate(const char* where, const char* what, std::vector<Remedy> remedies) {
  return {Finding::Severity::warning, where, what, std::move(remedies)};
}

TEST(Remedies, that_change_too_little_or_too_much_are_dropped) {
  const Finding slow = Candidate("a; b", "takes 1.5 ms", {{"x=1"}, {"x=2"}, {"x=3"}, {"x=4"}});
  const std::vector<std::pair<Remedy, Findings>> answers = {
      {{"x=1"}, {Candidate("b", "takes 900 ns", {})}},  // it is left at one place
      {{"x=2"}, {Candidate("c", "is lost", {})}},       // there is another
      {{"x=3"}, {Candidate("c", "is 4 % full", {})}},   // as before
      {{"x=4"}, {}}};
  Findings findings = {slow, Candidate("c", "is 3 % full", {})};
  const auto with = [&](const Remedy& remedy) {
    return std::ranges::find(answers, remedy, &std::pair<Remedy, Findings>::first)->second;
  };
  KeepProven(findings, with, 10);
  EXPECT_EQ(findings[0].remedies, std::vector<Remedy>({Remedy{"x=3"}}));
  findings = {slow};
  KeepProven(findings, with, 2);
  EXPECT_TRUE(findings[0].remedies.empty());
  findings = {slow};
  KeepProven(
      findings, [](const Remedy&) -> Findings { throw std::invalid_argument("refused"); }, 10);
  EXPECT_TRUE(findings[0].remedies.empty());
}

}  // namespace
}  // namespace headroom::remedies_test
