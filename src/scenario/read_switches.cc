#include "scenario/read_switches.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/keys/class_keys.h"
#include "scenario/keys/nic_keys.h"
#include "scenario/read_buffer.h"
#include "scenario/read_chassis.h"
#include "scenario/sonic_buffers.h"
#include "switch/buffer/profiles.h"

namespace headroom {

namespace {

constexpr const char* kDefaultBuffer = "azure-24mb";

/// {kmin, kmax, pmax}, perhaps per_rate; or `none`.
std::optional<EcnParameters> ReadCurve(const Node& node, Errors& errors) {
  if (node.IsScalar() && node.text == "none") return std::nullopt;
  EcnParameters ecn;
  MapReader map(node, errors);
  map.Need({"kmin", "kmax", "pmax"});
  constexpr Bytes kUnread(-1);
  ecn.kmin = ecn.kmax = kUnread;
  map.Field("kmin", ecn.kmin);
  map.Field("kmax", ecn.kmax);
  map.Fraction("pmax", ecn.pmax, false, 1);
  Rate rate;
  if (map.Field("per_rate", rate)) ecn.per_rate = rate;
  map.Finish();
  if (ecn.kmin != kUnread && ecn.kmax != kUnread && ecn.kmin > ecn.kmax) {
    const Position &kmin = node.Find("kmin")->where, &kmax = node.Find("kmax")->where;
    throw ScenarioError(kmin.Before(kmax) ? kmax : kmin,  // what was said last is what breaks it
                        fmt::format("kmin {} is above kmax {}", FormatSize(ecn.kmin), FormatSize(ecn.kmax)),
                        "lower kmin or raise kmax");
  }
  return ecn;
}

/// `given`: the priorities that the node speaks of.
void ReadEcn(const Node& node, const TrafficClasses& classes, SwitchParameters& parameters,
             std::array<bool, kPriorities>& given, Errors& errors) {
  if (node.IsScalar() && node.text == "none") {
    given.fill(true);
    return;
  }
  MapReader map(node, errors);
  for (const Entry& entry : node.entries) {
    errors.Guard([&] {
      const uint8_t priority = keys::ParseClass(entry.key, entry.where, classes);
      parameters.ecn[priority] = ReadCurve(entry.value, errors);
      given[priority] = true;
    });
  }
}

/// The key with another value, as it is typed: in the file, or after --set.
std::string Assignment(const Entry& curve, const std::string& value) {
  constexpr size_t kSet = std::string_view("--set ").size();
  const std::string tail = ".ecn." + curve.key + '.';
  const std::string& argument = curve.value.where.file->name;
  const size_t at = argument.find(tail);
  if (!curve.value.where.file->argument || at == std::string::npos || at > argument.find('='))
    return fmt::format("ecn: {{{}: {}}}", curve.key, value);
  return fmt::format("--set '{}={}'", argument.substr(kSet, at + tail.size() - 1 - kSet), value);
}

/// A curve as a line to copy: what the scenario gives, the rest from the configuration.
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

/// Curves of which an entry gives a part, at switches that have a configuration: a curve is not mixed of two
/// files, but the error names the file's values.
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
    const SonicSource source = ReadSonicSource(*buffer, own);
    if (own.Any()) return;
    const std::vector<EcnParameters> curves = sonic.CurvesOf(*buffer, source, member, classes[*priority]);
    std::string has;
    for (const EcnParameters& curve : curves)
      has += fmt::format("{}kmin {}, kmax {}, pmax {}%", has.empty() ? "" : "; at other ports ",
                         FormatSize(curve.kmin), FormatSize(curve.kmax), FormatNumber(curve.pmax * 100));
    const std::string all =
        curves.empty() ? "kmin, kmax and pmax" : Assignment(c, WholeCurve(c.value, curves.front()));
    errors.Add(ScenarioError(c.value.where,
                             fmt::format("a part of the curve of \"{}\"; {} has {}", c.key,
                                         source.config.filename().string(), has.empty() ? "none" : has),
                             "give all three: " + all));
  }
}

void ReadPfc(const Node& node, PfcParameters& pfc, Errors& errors) {
  MapReader map(node, errors);
  map.Field("enabled", pfc.enabled);
  map.Field("response", pfc.response, Time(0), Seconds(1));
  map.Integer("quanta", pfc.quanta, 1, 65535);
  map.Read("refresh", [&](const Node& value) {
    if (value.IsScalar() && value.text == "auto") return;
    const Time refresh = ParseTime(value);
    if (refresh.v == 0 || refresh > Seconds(1))
      throw ScenarioError(value.where, Quote(value.text) + " is out of range", "allowed: auto, or 1ps to 1s");
    pfc.refresh = refresh;
  });
  map.Read("watchdog", [&](const Node& value) {
    keys::Reading reading{.errors = errors};
    keys::Watchdogs().read(value, pfc.watchdogs, reading);
  });
  map.Finish();
}

const Node* WatchdogOf(const Node& entry) {
  const Node* pfc = entry.Find("pfc");
  return pfc ? pfc->Find("watchdog") : nullptr;
}

/// Every lossless class needs a profile for its priority groups.
void CheckLosslessGroups(const Position& where, const BufferParameters& buffer,
                         const TrafficClasses& classes) {
  if (!buffer.lossless_group.empty()) return;
  for (const TrafficClass& c : classes) {
    if (c.name.empty() || !c.lossless) continue;
    const bool covered =
        std::any_of(buffer.groups.begin(), buffer.groups.end(), [&](const BufferAssignment& a) {
          return a.first_priority <= c.priority && c.priority <= a.last_priority;
        });
    if (!covered)
      throw ScenarioError(where,
                          fmt::format("no row of BUFFER_PG covers priority {} of the lossless class \"{}\"",
                                      c.priority, c.name));
  }
}

SwitchParameters ReadSwitch(const Node& node, const TrafficClasses& classes, Errors& errors) {
  SwitchParameters parameters;
  MapReader map(node, errors);
  map.Find("match");
  map.Field("latency", parameters.latency, Time(0), Seconds(1));
  if (!map.Has("buffer")) parameters.buffer = FindBufferProfile(kDefaultBuffer).value();
  map.Read("buffer", [&](const Node& value) {
    if (value.Find("sonic")) {
      parameters.sonic = ReadSonicSource(value, errors);
      return;
    }
    parameters.buffer = ReadBuffer(value, errors);
    if (!errors.Any()) CheckLosslessGroups(value.where, parameters.buffer, classes);
  });
  std::array<bool, kPriorities> own_ecn{};
  map.Read("ecn", [&](const Node& value) { ReadEcn(value, classes, parameters, own_ecn, errors); });
  if (parameters.sonic) parameters.sonic->own_ecn = own_ecn;
  map.Read("pfc", [&](const Node& value) {
    ReadPfc(value, parameters.pfc, errors);
    if (parameters.sonic) parameters.sonic->own_watchdogs = value.Find("watchdog") != nullptr;
  });
  map.Read("chassis", [&](const Node& value) { parameters.chassis = ReadChassis(value, errors); });
  map.Finish();
  return parameters;
}

}  // namespace

std::vector<SwitchParameters> ReadSwitches(const Node* list, const Topology& topology,
                                           const TrafficClasses& classes, const Position& scenario,
                                           Findings& findings, Errors& errors) {
  std::vector<std::string> names;
  for (size_t n = topology.hosts; n < topology.nodes.size(); ++n) names.push_back(topology.nodes[n].name);
  if (!list) {
    Node empty;
    empty.kind = Node::Kind::map;
    empty.where = scenario;
    return std::vector<SwitchParameters>(names.size(), ReadSwitch(empty, classes, errors));
  }
  std::vector<SwitchParameters> switches(names.size());
  SonicBuffers sonic(topology, classes);
  for (const MatchedGroup& group : MatchEntries(*list, names, {"buffer", "ecn.*"}, errors)) {
    errors.Guard([&] {
      CheckWholeCurves(group.merged, group.members.front(), sonic, classes, errors);
      const SwitchParameters parameters = ReadSwitch(group.merged, classes, errors);
      for (const size_t member : group.members) {
        switches[member] = parameters;
        if (parameters.sonic && !errors.Any())
          sonic.Apply(*group.merged.Find("buffer"), WatchdogOf(group.merged), member, switches[member]);
      }
    });
  }
  findings = sonic.TakeFindings();
  return switches;
}

}  // namespace headroom
