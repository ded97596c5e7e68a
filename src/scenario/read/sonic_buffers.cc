#include "scenario/read/sonic_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "files/whole_text.h"
#include "scenario/names.h"
#include "scenario/sonic/sonic_fields.h"
#include "scenario/yaml/nearest.h"
#include "scenario/yaml/pattern.h"
#include "sonic/chip/dynamic_model.h"
#include "sonic/chip/sonic_switch_parts.h"
#include "sonic/tables/check_pfc.h"
#include "sonic/tables/read.h"
#include "switch/buffer/queues_of_class.h"

namespace headroom {

namespace {

std::string TextOf(const std::filesystem::path& path, const Position& where) {
  if (auto text = WholeText(path)) return std::move(*text);
  throw ScenarioError(where, "cannot read " + Quote(path.string(), 400));
}

/// A SonicSyntaxError becomes an error at its place in that file.
template <class F>
auto Reading(const std::filesystem::path& path, const Position& where, F&& read) {
  try {
    return read(TextOf(path, where), path.filename().string());
  } catch (const SonicSyntaxError& e) {
    Position place;
    place.file = std::make_shared<SourceFile>(
        SourceFile{path.string(), path.parent_path(), where.file ? where.file->order : 0});
    place.line = e.line();
    place.column = e.column();
    throw ScenarioError(place, e.reason());
  }
}

bool HasVirtualQueues(const std::string& asic) { return asic == "jericho2" || asic == "q3d"; }

/// The curve of a class if it is the same at every port; none if curves differ or do not mark.
std::optional<EcnParameters> CurveEverywhere(const TrafficClass& c, const std::vector<PortQos>& ports) {
  std::optional<EcnParameters> curve;
  bool first = true;
  for (const PortQos& out : ports) {
    for (const uint8_t queue : QueuesOf(c, ports, out)) {
      if (!first && out.ecn[queue] != curve) return std::nullopt;
      curve = out.ecn[queue];
      first = false;
    }
  }
  return curve;
}

/// Gives a scenario's watchdog on `ports` the priorities of these ports: one watchdog for all if they are
/// alike.
std::vector<WatchdogParameters> WithPriorities(const WatchdogParameters& watchdog,
                                               const SonicSwitchModel& model,
                                               const std::vector<ChipPort>& ports) {
  std::vector<WatchdogParameters> by_port;
  for (size_t i = 0; i < ports.size(); ++i) {
    if (!Matches(watchdog.ports, ports[i].name) || model.watched[i] == 0) continue;
    by_port.push_back(watchdog);
    by_port.back().ports = Exactly(ports[i].name);
    by_port.back().priorities = model.watched[i];
  }
  const bool alike = std::ranges::all_of(
      by_port, [&](const WatchdogParameters& w) { return w.priorities == by_port.front().priorities; });
  if (!alike) return by_port;
  WatchdogParameters one = watchdog;
  if (!by_port.empty()) one.priorities = by_port.front().priorities;
  return {one};
}

/// Fills in the values that a scenario's watchdogs leave open. REQUIRES: the watchdogs were read from `node`.
void FillWatchdogs(const Node& node, const SonicSwitchModel& model, const std::vector<ChipPort>& ports,
                   PfcParameters& pfc) {
  if (node.IsScalar()) return;  // `none`
  const std::vector<WatchdogParameters> own = std::move(pfc.watchdogs);
  pfc.watchdogs.clear();
  for (size_t i = 0; i < own.size(); ++i) {
    const Node& entry = node.IsList() ? node.items[i] : node;
    WatchdogParameters watchdog = own[i];
    if (!entry.Find("vendor")) watchdog.vendor = model.watchdog_vendor;
    if (watchdog.vendor == WatchdogVendor::cisco && watchdog.action == WatchdogAction::forward)
      throw ScenarioError(entry.where, "a cisco switch has no action \"forward\"", "allowed: drop, alert");
    const std::vector<WatchdogParameters> whole = entry.Find("priority")
                                                      ? std::vector<WatchdogParameters>{watchdog}
                                                      : WithPriorities(watchdog, model, ports);
    pfc.watchdogs.insert(pfc.watchdogs.end(), whole.begin(), whole.end());
  }
}

/// Edits of the file's tables as settings of this switch, or of all entries of `switches`.
std::vector<Remedy> ByTables(const std::vector<Remedy>& edits, const std::string& name) {
  constexpr size_t kMost = 6;
  std::vector<Remedy> remedies;
  for (const Remedy& edit : edits) {
    if (edit.size() > kMost) continue;
    for (const std::string& of : {name, std::string("*")}) {
      Remedy& remedy = remedies.emplace_back();
      for (const std::string& field : edit)
        remedy.push_back(fmt::format("switches.{}.buffer.tables.{}", of, field));
    }
  }
  return remedies;
}

}  // namespace

SonicBuffers::SonicBuffers(const Topology& topology, const TrafficClasses& classes)
    : topology_(topology), classes_(classes), ports_(topology.nodes.size() - topology.hosts) {
  for (const TopologyLink& link : topology.links)
    for (const LinkEnd* end : {&link.a, &link.b})
      if (end->node >= topology.hosts)
        ports_[end->node - topology.hosts].push_back({end->port, link.spec.rate, link.spec.delay});
}

void SonicBuffers::Judge(const Position& where, const Findings& findings, const std::string& of_switch,
                         size_t switch_index) {
  for (const Finding& finding : findings) {
    if (finding.severity == Finding::Severity::error)
      throw ScenarioError(where, of_switch + finding.where + ": " + finding.what, finding.allowed);
    findings_.push_back(finding);
    findings_.back().where = of_switch + finding.where;
    findings_.back().remedies =
        ByTables(finding.remedies, topology_.nodes[topology_.hosts + switch_index].name);
  }
}

const SonicBuffers::Loaded& SonicBuffers::Load(const Position& where, const SonicSource& source,
                                               size_t switch_index) {
  const auto known = std::ranges::find_if(files_, [&](const Loaded& file) {
    return file.config == source.config && file.lookup == source.lookup && file.fields == source.tables;
  });
  if (known != files_.end()) return *known;
  std::optional<PgProfileLookup> lookup;
  if (!source.lookup.empty()) lookup = Reading(source.lookup, where, ReadPgProfileLookup);
  const PgProfileLookup* table = lookup ? &*lookup : nullptr;
  SonicFile file = Reading(source.config, where, [&](const std::string& text, const std::string& name) {
    return ReadSonicConfig(WithSonicFields(text, name, source.tables, where), name, table);
  });
  Judge(where, file.findings, "", switch_index);
  if (file.config.device.dynamic()) Judge(where, ComputeDynamicModel(file.config), "", switch_index);
  // PFC without headroom is an error of the switch; a run is refused if it concerns a class of the scenario.
  const Findings pfc = CheckPfcGroups(file.config);
  findings_.insert(findings_.end(), pfc.begin(), pfc.end());
  return files_.emplace_back(Loaded{source.config, source.lookup, source.tables, std::move(file.config)});
}

const SonicSwitchModel& SonicBuffers::Model(const Position& where, const SonicSource& source,
                                            size_t switch_index) {
  const Loaded& file = Load(where, source, switch_index);
  const std::vector<ChipPort>& ports = ports_[switch_index];
  const auto known = std::ranges::find_if(worked_, [&](const Worked& w) {
    return w.file == &file && w.options.asic == source.asic && w.options.naming == source.ports &&
           w.ports == ports;
  });
  if (known != worked_.end()) return known->model;
  const SonicSwitchOptions options{source.asic, source.ports};
  SonicSwitchModel model = SonicSwitch(file.tables, ports, classes_, options);
  Judge(where, model.findings, topology_.nodes[topology_.hosts + switch_index].name + ": ", switch_index);
  return worked_.emplace_back(Worked{&file, options, ports, std::move(model)}).model;
}

void SonicBuffers::SayChassis(size_t switch_index, const SonicSwitchModel& model,
                              const SwitchParameters& parameters) {
  if (parameters.chassis || !HasVirtualQueues(model.buffer.asic)) return;
  Finding finding;
  finding.where = topology_.nodes[topology_.hosts + switch_index].name;
  finding.what = fmt::format(
      "the switch's ASIC, {}, queues frames at the ingress of line cards, but without "
      "`chassis` Headroom simulates one shared buffer",
      model.buffer.asic);
  finding.remedies = {Remedy{fmt::format("switches.{}.chassis={{}}", finding.where)}};
  findings_.push_back(finding);
}

const SonicSwitchModel& SonicBuffers::ModelOf(const Node& buffer, const SonicSource& source,
                                              size_t switch_index) {
  try {
    return Model(buffer.where, source, switch_index);
  } catch (const ScenarioError&) {
    std::vector<Position> places{buffer.where};
    if (const Node* tables = buffer.Find("tables")) ReadSonicFields(*tables, &places);
    SonicSource part = source;
    for (size_t n = 0; n < places.size(); ++n) {
      part.tables.assign(source.tables.begin(), source.tables.begin() + static_cast<ptrdiff_t>(n));
      SonicBuffers(topology_, classes_).Model(places[n], part, switch_index);
    }
    throw;
  }
}

std::vector<EcnParameters> SonicBuffers::CurvesOf(const Node& buffer, const SonicSource& source,
                                                  size_t switch_index, const TrafficClass& c) {
  const std::vector<PortQos>& ports = ModelOf(buffer, source, switch_index).qos;
  std::vector<EcnParameters> curves;
  for (const PortQos& out : ports) {
    for (const uint8_t queue : QueuesOf(c, ports, out))
      if (out.ecn[queue] && std::ranges::count(curves, *out.ecn[queue]) == 0)
        curves.push_back(*out.ecn[queue]);
  }
  return curves;
}

void SonicBuffers::Apply(const Node& buffer, const Node* watchdog, size_t switch_index,
                         SwitchParameters& parameters) {
  const SonicSource& source = *parameters.sonic;
  const SonicSwitchModel& model = ModelOf(buffer, source, switch_index);
  SayChassis(switch_index, model, parameters);
  parameters.buffer = model.buffer;
  parameters.qos = model.qos;
  if (!source.own_watchdogs) parameters.pfc.watchdogs = model.watchdogs;
  if (watchdog) FillWatchdogs(*watchdog, model, ports_[switch_index], parameters.pfc);
  for (const TrafficClass& c : classes_) {
    if (c.name.empty()) continue;
    if (source.own_ecn[c.priority]) {
      for (PortQos& out : parameters.qos)
        for (const uint8_t queue : QueuesOf(c, model.qos, out)) out.ecn[queue] = parameters.ecn[c.priority];
    } else {
      parameters.ecn[c.priority] = CurveEverywhere(c, model.qos);
    }
  }
}

}  // namespace headroom
