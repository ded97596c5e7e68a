#include "cli/check/check_json.h"

#include <algorithm>

#include "cli/check/columns.h"
#include "cli/check/remedies.h"
#include "cli/check/sections.h"
#include "cli/fluid/fluid_json.h"
#include "scenario/write/digest.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

/// The metrics that the terms of a ratio or an order name, each once.
std::vector<std::string> MetricsOf(const std::vector<MetricAt>& terms) {
  std::vector<std::string> metrics;
  for (const MetricAt& term : terms)
    if (std::ranges::find(metrics, term.metric) == metrics.end()) metrics.push_back(term.metric);
  return metrics;
}

/// An expectation as a study stores it (python/headroom/expected.py).
Json ExpectationJson(const Expectation& e) {
  Json json{{"kind", kFigureKinds[static_cast<size_t>(e.kind)]},
            {"figure", e.value},
            {"source", e.source},
            {"misses", e.misses}};
  if (const auto* ratio = std::get_if<RatioExpectation>(&e.what)) {
    json.update({{"form", "ratio"}, {"metrics", MetricsOf({ratio->numerator, ratio->denominator})}});
  } else if (const auto* order = std::get_if<OrderExpectation>(&e.what)) {
    json.update({{"form", "order"}, {"metrics", MetricsOf(order->terms)}});
  } else {
    const auto& metric = std::get<MetricExpectation>(e.what);
    json.update({{"form", "metric"}, {"metrics", metric.metrics}, {"at", Json::object()}, {"unit", e.unit}});
    for (const auto& [key, value] : metric.at) json["at"][key] = value;
    json["min"] = e.min ? Json(*e.min) : Json();
    json["max"] = e.max ? Json(*e.max) : Json();
  }
  return json;
}

}  // namespace

const char* SeverityName(Finding::Severity severity) {
  switch (severity) {
    case Finding::Severity::error:
      return "error";
    case Finding::Severity::warning:
      return "warning";
    case Finding::Severity::note:
      break;
  }
  return "note";
}

nlohmann::ordered_json FindingsAsJson(const Findings& findings) {
  return JsonList(findings, [](const Finding& f) {
    const Remedy remedy = f.remedies.empty() ? Remedy{} : f.remedies.front();
    Json finding{{"severity", SeverityName(f.severity)},
                 {"where", f.where},
                 {"what", f.what},
                 {"change", RemedyText(remedy)},
                 {"remedy", remedy}};
    // A finding in a configuration file names its exact place.
    if (!f.table.empty()) finding.update({{"table", f.table}, {"key", f.key}, {"field", f.field}});
    return finding;
  });
}

nlohmann::ordered_json CheckAsJson(const ScenarioFile& file, const CheckReport& report) {
  const Scenario& s = file.scenario;
  Json json{{"scenario", s.name},
            {"file", s.file},
            {"seed", s.seed},
            {"duration_us", InMicroseconds(s.duration)},
            {"deadline_us", InMicroseconds(s.deadline)},
            {"digest", DigestOf(file)},
            {"vary", Json::object()},
            {"vary_names", Json::object()},
            {"seeds", file.experiment.seeds},
            {"runs", Points(file.experiment).size() * static_cast<size_t>(file.experiment.seeds)}};
  for (const Variation& v : file.experiment.vary) {
    json["vary"][v.path] = v.values;
    json["vary_names"][v.path] = v.names;  // the anchors of these values, or empty
  }
  json["expect"] = JsonList(file.experiment.expect, ExpectationJson);
  json["findings"] = FindingsAsJson(report.findings);
  json["topology"] = TopologyJson(report.topology);
  json["switches"] = JsonList(report.switches, [&](const SwitchClass& c) {
    return Json{{"name", c.name},
                {"switches", c.switches},
                {"as", s.topology.nodes[c.example].name},
                {"profile", c.parameters->buffer.profile},
                {"buffer_bytes", c.parameters->buffer.size.v},
                {"pfc", c.parameters->pfc.enabled}};
  });
  json["nics"] = JsonList(report.nics, NicJson);
  json["nic_headroom"] = NicHeadroomJson(report.nic_headroom);
  json["headroom"] = HeadroomJson(report.headroom);
  json["headroom_pools"] = HeadroomPoolsJson(report.headroom);
  json["configurations"] = JsonList(report.configurations, ConfigurationJson);
  json["memory"] = MemoryJson(report.memory);
  json["egress"] = EgressJson(report.memory);
  json["thresholds"] = ThresholdsJson(report.thresholds);
  json["watchdogs"] = WatchdogsJson(report.watchdogs);
  json["deadlock"] = DeadlockJson(report.deadlock);
  json["services"] = ServicesJson(report.services);
  json["key_services"] = KeyServicesJson(report.services);
  json["failovers"] = FailoversJson(report.services);
  json["traffic"] = TrafficJson(report.traffic);
  json["flows"] = FlowsJson(report.flows);
  json["fluid"] = JsonList(report.fluid.bottlenecks, FluidAsJson);
  json["paths"] = JsonList(report.paths, PathJson);
  json["estimate"] = {
      {"packet_hops", report.traffic.packet_hops},
      {"cpu_s", report.traffic.run_seconds},
      {"memory_bytes", report.traffic.memory.expected},
      {"memory_worst_bytes", report.traffic.memory.worst},
      {"memory_parts", JsonList(report.traffic.memory_parts, [](const MemoryPart& part) {
         return Json{{"what", part.what}, {"bytes", part.bytes.expected}, {"worst_bytes", part.bytes.worst}};
       })}};
  return json;
}

}  // namespace headroom
