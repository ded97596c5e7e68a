#include "scenario/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenario/keys/class_keys.h"
#include "scenario/yaml/node.h"
#include "scenario/yaml/quantity.h"

namespace headroom {

namespace {

std::vector<std::string> Names(const Topology& topology, size_t begin, size_t end) {
  std::vector<std::string> names;
  for (size_t n = begin; n < end; ++n) names.push_back(topology.nodes[n].name);
  return names;
}

std::string WriteObservations(const Observations& observe) {
  std::string text;
  const auto add = [&](const char* key, const std::optional<Observation>& o, bool match) {
    if (!o) return;
    text += fmt::format("  {}: {{every: {}{}}}\n", key, FormatTime(o->every),
                        match ? ", match: " + WriteTexts(o->match) : "");
  };
  add("queues", observe.queues, true);
  add("groups", observe.groups, true);
  add("rates", observe.rates, true);
  add("goodput", observe.goodput, false);
  add("estats", observe.estats, true);
  if (observe.cnps) text += fmt::format("  cnps: {{match: {}}}\n", WriteTexts(*observe.cnps));
  if (observe.drops) text += fmt::format("  drops: {{match: {}}}\n", WriteTexts(*observe.drops));
  return text.empty() ? text : "observe:\n" + text;
}

std::string WriteFrames(const FrameFormat& f) {
  return fmt::format(
      "frames: {{header: {}B, reth: {}B, aeth: {}B, immdt: {}B, ieth: {}B, ack: {}B, cnp: {}B, pfc: {}B, "
      "gap: {}B, min: {}B}}\n",
      f.header, f.reth, f.aeth, f.immdt, f.ieth, f.ack, f.cnp, f.pfc, f.gap, f.min);
}

}  // namespace

std::string ReferencedFiles::Add(const std::filesystem::path& from) {
  const std::string prefix = "input-";
  const std::string base = from.filename().string();
  std::string name = base.starts_with(prefix) ? base : prefix + base;
  for (int n = 2;; ++n) {
    const auto taken =
        std::find_if(files_.begin(), files_.end(), [&](const auto& f) { return f.name == name; });
    if (taken == files_.end()) {
      files_.push_back({from, name});
      break;
    }
    if (taken->from == from) break;
    name = fmt::format("{}{}-{}", prefix, n, base);
  }
  return "./" + name;
}

Resolved WriteResolved(const ScenarioFile& file) {
  const Scenario& s = file.scenario;
  ReferencedFiles files;
  std::string text = "# Every default is written out; running this file gives the same results.\n";
  text += fmt::format("name: {}\nseed: {}\nduration: {}\ndeadline: {}\nwarmup: {}\nmtu: {}\n",
                      WriteTexts({s.name}), s.seed, FormatTime(s.duration), FormatTime(s.deadline),
                      FormatTime(s.warmup), s.mtu);
  text += WriteFrames(s.frames) + WriteTopology(file.source.topology, files) +
          "priorities:" + keys::Classes().write(s.classes, {}) + '\n';
  if (!s.switches.empty())
    text += "switches:\n" + WriteEntries(Names(s.topology, s.topology.hosts, s.topology.nodes.size()),
                                         file.source.switch_matches, [&](size_t i) {
                                           return WriteSwitch(s.switches[i], s.classes, files);
                                         });
  text += "nics:\n" + WriteEntries(Names(s.topology, 0, s.topology.hosts), file.source.nic_matches,
                                   [&](size_t i) { return WriteNic(s.nics[i]); });
  text += WriteWorkloads(file, files);
  if (!s.faults.empty()) text += "faults:\n";
  for (const Fault& fault : s.faults) text += WriteFault(fault, s.topology);
  text += WriteObservations(s.observe);
  return {text, files.files()};
}

}  // namespace headroom
