#include "scenario/read/read_switches.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/keys/network/class_keys.h"
#include "scenario/keys/switches/buffer_keys.h"
#include "scenario/keys/switches/switch_keys.h"
#include "scenario/read/sonic_buffers.h"
#include "switch/buffer/profiles.h"

namespace headroom {

namespace {

constexpr const char* kDefaultBuffer = "azure-24mb";

/// The key with another value, in the form in which the user wrote it: in the file, or after --set.
std::string Assignment(const Entry& curve, const std::string& value) {
  constexpr size_t kSet = std::string_view("--set ").size();
  const std::string tail = ".ecn." + curve.key + '.';
  const std::string& argument = curve.value.where.file->name;
  const size_t at = argument.find(tail);
  if (!curve.value.where.file->argument || at == std::string::npos || at > argument.find('='))
    return fmt::format("ecn: {{{}: {}}}", curve.key, value);
  return fmt::format("--set '{}={}'", argument.substr(kSet, at + tail.size() - 1 - kSet), value);
}

/// A curve as a line to copy: the scenario's values, and the rest from the configuration.
std::string WholeCurve(const Node& part, const EcnParameters& rest) {
  const auto value = [&](const char* key, const std::string& otherwise) {
    const Node* own = part.Find(key);
    return own ? ToFlow(*own) : otherwise;
  };
  const Node* per_rate = part.Find("per_rate");
  return fmt::format("{{kmin: {}, kmax: {}, pmax: {}{}}}", value("kmin", FormatSize(rest.kmin)),
                     value("kmax", FormatSize(rest.kmax)), value("pmax", FormatNumber(rest.pmax * 100) + "%"),
                     per_rate ? ", per_rate: " + ToFlow(*per_rate) : "");
}

/// Refuses an entry that gives only a part of a curve to a switch with a configuration: the values of a curve
/// must not come from two files. The error states the configuration's values.
void CheckWholeCurves(const Node& entry, size_t member, SonicBuffers& sonic, const TrafficClasses& classes,
                      Errors& errors) {
  const Node *buffer = entry.Find("buffer"), *ecn = entry.Find("ecn");
  if (!buffer || !buffer->Find("sonic") || !ecn) return;
  for (const Entry& c : ecn->entries) {
    const auto priority = keys::FindClass(classes, c.key);
    const auto known = [](const Entry& e) {
      return e.key == "kmin" || e.key == "kmax" || e.key == "pmax" || e.key == "per_rate";
    };
    const bool whole = c.value.Find("kmin") && c.value.Find("kmax") && c.value.Find("pmax");
    if (!priority || !c.value.IsMap() || whole || !std::ranges::all_of(c.value.entries, known)) continue;
    Errors own;
    SonicSource source;
    keys::Reading reading{.errors = own};
    keys::SonicSourceKeys().Read(*buffer, &source, reading);
    if (own.Any()) return;
    const std::vector<EcnParameters> curves = sonic.CurvesOf(*buffer, source, member, classes[*priority]);
    std::string has;
    for (const EcnParameters& curve : curves)
      has += fmt::format("{}kmin {}, kmax {}, pmax {}%", has.empty() ? "" : "; at other ports ",
                         FormatSize(curve.kmin), FormatSize(curve.kmax), FormatNumber(curve.pmax * 100));
    const std::string all =
        curves.empty() ? "give kmin, kmax and pmax" : Assignment(c, WholeCurve(c.value, curves.front()));
    errors.Add(ScenarioError(c.value.where,
                             fmt::format("the curve of \"{}\" is given only in part, and {} has {}", c.key,
                                         source.config.filename().string(), has.empty() ? "none" : has),
                             "give all three: " + all));
  }
}

const Node* WatchdogOf(const Node& entry) {
  const Node* pfc = entry.Find("pfc");
  return pfc ? pfc->Find("watchdog") : nullptr;
}

SwitchParameters ReadSwitch(const Node& node, keys::Reading& reading) {
  SwitchParameters parameters;
  if (!node.Find("buffer")) parameters.buffer = FindBufferProfile(kDefaultBuffer).value();
  keys::SwitchKeys().Read(node, &parameters, reading);
  return parameters;
}

}  // namespace

SharedList<SwitchParameters> ReadSwitches(const Node* list, const Topology& topology,
                                          const TrafficClasses& classes, const Position& scenario,
                                          Findings& findings, Errors& errors) {
  std::vector<std::string> names;
  for (size_t n = topology.hosts; n < topology.nodes.size(); ++n) names.push_back(topology.nodes[n].name);
  keys::Reading reading{.errors = errors, .classes = &classes};
  if (!list) {
    Node empty;
    empty.kind = Node::Kind::map;
    empty.where = scenario;
    SharedList<SwitchParameters> equal;
    equal.assign(names.size(), ReadSwitch(empty, reading));
    return equal;
  }
  SharedList<SwitchParameters> switches(names.size());
  SonicBuffers sonic(topology, classes);
  for (const MatchedGroup& group : MatchEntries(*list, names, kWholeOfSwitches, errors)) {
    errors.Guard([&] {
      CheckWholeCurves(group.merged, group.members.front(), sonic, classes, errors);
      const auto parameters = std::make_shared<SwitchParameters>(ReadSwitch(group.merged, reading));
      for (const size_t member : group.members) {
        switches.Put(member, parameters);
        if (parameters->sonic && !errors.Any())
          sonic.Apply(*group.merged.Find("buffer"), WatchdogOf(group.merged), member, switches[member]);
      }
    });
  }
  findings = sonic.TakeFindings();
  return switches;
}

}  // namespace headroom
