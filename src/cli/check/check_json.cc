#include "cli/check/check_json.h"

#include <algorithm>

#include "cli/check/remedies.h"
#include "cli/fluid/fluid_json.h"
#include "scenario/write/digest.h"

namespace headroom {
namespace {

using Json = nlohmann::ordered_json;

Json ListOf(const auto& items, auto as_json) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(as_json(item));
  return list;
}

Json LinkJson(const LinkSpec& link) {
  return {{"rate_bps", link.rate.v}, {"one_way_us", InMicroseconds(link.delay + link.phy)}};
}

Json TopologyJson(const TopologyCheck& t) {
  Json json;
  for (const TierCount& tier : t.tiers) json["nodes"][tier.tier] = tier.nodes;
  json["links"] = ListOf(t.links, [](const LinkClass& c) {
    return Json{{"lower", c.lower},
                {"upper", c.upper},
                {"link", LinkJson(c.spec)},
                {"links", c.links},
                {"as", c.example}};
  });
  json["distances"] = ListOf(t.distances, [](const Distance& d) {
    return Json{{"scope", ScopeName(d.scope)},
                {"hops", {d.least_hops, d.most_hops}},
                {"base_rtt_us", {InMicroseconds(d.least_rtt), InMicroseconds(d.most_rtt)}},
                {"bdp_bytes", {d.least_bdp.v, d.most_bdp.v}},
                {"as", {d.from, d.to}}};
  });
  return json;
}

Json HeadroomJson(const HeadroomCheck& h) {
  return {{"at", h.at},
          {"from", h.from},
          {"link", LinkJson(h.link)},
          {"ports", h.ports},
          {"as", h.example},
          {"classes", h.classes},
          {"need_bytes",
           {{"over_the_limit", h.need.over_limit.v},
            {"cable", h.need.cable.v},
            {"frame_in_the_way", h.need.pause_waits.v},
            {"pause_frame", h.need.pause_frame.v},
            {"response", h.need.response.v},
            {"frame_begun", h.need.frame_begun.v},
            {"cells", h.need.rounding.v},
            {"total", h.need.Total().v}}},
          {"by_formula_bytes",
           {{"least", h.others.least.v},
            {"ieee_802_1q", h.others.ieee ? Json(h.others.ieee->v) : Json()},
            {"ieee_802_1q_at_least", h.others.ieee_at_least},
            {"sonic", h.others.sonic ? Json(h.others.sonic->v) : Json()}}},
          {"xoff_bytes", h.configured.v},
          {"basis", h.basis},
          {"has_row", h.has_row},
          {"pfc", h.pauses}};
}

Json PoolJson(const HeadroomPoolCheck& p) {
  return {{"at", p.at},
          {"switches", p.switches},
          {"pool", p.pool},
          {"size_bytes", p.size.v},
          {"groups", p.groups},
          {"sum_xoff_bytes", p.sum_xoff.v},
          {"sum_need_bytes", p.sum_need.v},
          {"groups_at_full_xoff", p.at_full_xoff},
          {"groups_at_need", p.at_need}};
}

Json ConfigurationJson(const ConfigurationCheck& c) {
  Json pools = Json::array();
  for (const ConfiguredPool& p : c.pools) {
    pools.push_back({{"pool", p.pool},
                     {"headroom_bytes", p.size.v},
                     {"groups", p.groups},
                     {"sum_xoff_bytes", p.sum_xoff.v}});
  }
  return {{"at", c.at}, {"switches", c.switches}, {"ports", c.ports}, {"linked", c.linked}, {"pools", pools}};
}

Json MemoryJson(const MemoryCheck& m) {
  return {{"at", m.at},
          {"switches", m.switches},
          {"memory_bytes", m.memory.v},
          {"ingress_pools_bytes", m.ingress_pools.v},
          {"shared_headroom_bytes", m.shared_headroom.v},
          {"own_headroom_bytes", m.own_headroom.v},
          {"reserved_ingress_bytes", m.reserved_ingress.v},
          {"egress_pools_bytes", m.egress_pools.v},
          {"reserved_egress_bytes", m.reserved_egress.v}};
}

Json EgressJson(const EgressCheck& e) {
  return {{"at", e.at},
          {"class", e.traffic_class},
          {"groups", e.groups},
          {"before_xoff_bytes", e.before_xoff.v},
          {"headroom_bytes", e.headroom.v},
          {"queue_limit_bytes", e.limit.v},
          {"groups_beyond_limit", e.too_many ? Json(*e.too_many) : Json()}};
}

Json WatchdogJson(const WatchdogCheck& w) {
  return {{"at", w.at},
          {"to", w.to},
          {"as", w.example},
          {"detection_us", InMicroseconds(w.detection)},
          {"longest_pause_us", InMicroseconds(w.longest_pause)},
          {"held_bytes", w.held.v},
          {"rate_bps", w.rate.v}};
}

/// The rate per second of operations that take `each`; null means no limit.
Json PerSecond(Time each) { return each.v == 0 ? Json() : Json(1e12 / static_cast<double>(each.v)); }

Json NicHeadroomJson(const NicHeadroomCheck& nic) {
  return {{"hosts", nic.hosts},
          {"as", nic.example},
          {"from", nic.from},
          {"rate_bps", nic.link.rate.v},
          {"one_way_us", InMicroseconds(nic.link.delay + nic.link.phy)},
          {"size_bytes", nic.size.v},
          {"xoff_bytes", nic.xoff.v},
          {"need_bytes", nic.need.Total().v}};
}

Json NicJson(const NicCheck& nic) {
  Json json{{"resources", nic.set},
            {"hosts", nic.hosts},
            {"as", nic.example},
            {"rate_bps", nic.rate.v},
            {"not_as_the_set", Json::object()}};
  for (const NicCheck::Difference& d : nic.differences) json["not_as_the_set"][d.key] = {d.value, d.of_set};
  json["packets_per_second"] = ListOf(nic.paths, [](const NicPath& path) {
    return Json{{"way", PathName(path.does)},
                {"line", PerSecond(path.line)},
                {"pipeline", PerSecond(path.pipeline)},
                {"pipeline_all_missing", path.miss.v == 0 ? Json() : PerSecond(path.pipeline + path.miss)},
                {"engine", PerSecond(path.engine)},
                {"pcie", PerSecond(path.pcie)},
                {"limit", LimitName(path.LimitedBy())},
                {"full_from_bytes", path.full_from ? Json(path.full_from->v) : Json()}};
  });
  return json;
}

Json ThresholdJson(const ThresholdCheck& t) {
  Json json{{"at", t.at},
            {"rate_bps", t.rate.v},
            {"class", t.traffic_class},
            {"groups", t.groups},
            {"shared_bytes", t.shared.v}};
  for (size_t i = 0; i < t.xoff_at.size(); ++i) {
    const std::string k = std::to_string(ThresholdCheck::kGroups[i]);
    json["xoff_bytes"][k] = t.xoff_at[i] ? Json(t.xoff_at[i]->v) : Json();
  }
  json["ecn"] = t.ecn ? Json{{"kmin_bytes", t.ecn->kmin.v},
                             {"kmax_bytes", t.ecn->kmax.v},
                             {"pmax", t.ecn->pmax},
                             {"kmin_us", InMicroseconds(SerializationTime(t.ecn->kmin, t.rate))},
                             {"kmax_us", InMicroseconds(SerializationTime(t.ecn->kmax, t.rate))}}
                      : Json();
  json["pfc_before_ecn_from_groups"] = t.pfc_before_ecn ? Json(*t.pfc_before_ecn) : Json();
  return json;
}

Json ServiceJson(const ServiceCheck& s) {
  return {{"name", s.name},
          {"protocol", s.protocol},
          {"class", s.traffic_class},
          {"compute", s.compute},
          {"extent_nodes", s.extent_nodes},
          {"connections", s.connections()},
          {"node_receives", s.receives},
          {"node_receive_bytes", s.receive_bytes.v}};
}

Json KeyServiceJson(const KeyServiceCheck& s) {
  return {{"service", s.name},
          {"type", s.system},
          {"class", s.traffic_class},
          {"servers", s.servers},
          {"processes", s.processes},
          {"clients", s.clients},
          {"client_processes", s.client_processes},
          {"cache_bytes", s.cache.v}};
}

Json FailoverJson(const FailoverCheck& f) {
  const bool detects = f.least_detect != kNever;
  return {
      {"service", f.service},
      {"connections", f.connections},
      {"at_a_time", f.at_a_time},
      {"every_us", InMicroseconds(f.every)},
      {"main", f.main},
      {"standby", f.standby},
      {"schedule", ListOf(f.moves,
                          [](const FailoverCheck::Move& m) {
                            return Json{{"at_us", InMicroseconds(m.at)},
                                        {"share", m.share},
                                        {"connections", m.connections},
                                        {"first_told_us", InMicroseconds(m.first)},
                                        {"all_told_us", InMicroseconds(m.told)},
                                        {"cut_off", m.cut_off}};
                          })},
      {"detect_us", detects ? Json{InMicroseconds(f.least_detect), InMicroseconds(f.most_detect)} : Json()},
      {"first_to_last_told_us", InMicroseconds(f.all_told)},
      {"back_us", InMicroseconds(f.least_back)}};
}

Json DeadlockJson(const DeadlockCheck& d) {
  Json later = ListOf(d.later, [](const DeadlockCheck::Later& at) {
    return Json{{"at_us", InMicroseconds(at.at)}, {"down", at.down}, {"cycle", at.cycle}};
  });
  return {{"possible", !d.cycle.empty() || !d.later.empty()},
          {"cycle", d.cycle},
          {"later", std::move(later)},
          {"changes", d.changes},
          {"all_changes", d.all_changes}};
}

Json TrafficJson(const TrafficCheck& t) {
  Json json;
  json["workloads"] = ListOf(t.workloads, [](const WorkloadCheck& w) {
    return Json{{"name", w.name},
                {"type", w.type},
                {"class", w.traffic_class},
                {"messages", w.messages},
                {"mean_bytes", w.each.payload},
                {"mean_packets", w.each.packets},
                {"mean_hops", w.hops},
                {"packet_hops", w.packet_hops},
                {"offered_bps", w.offered_bps ? Json(*w.offered_bps) : Json()}};
  });
  json["loads"] = ListOf(t.loads, [](const LinkLoad& l) {
    return Json{{"from", l.from},        {"to", l.to},
                {"rate_bps", l.rate.v},  {"links", l.links},
                {"mean_load", l.Mean()}, {"most_load", l.Most()},
                {"fullest", l.fullest}};
  });
  json["bursts"] = ListOf(t.bursts, [](const Burst& b) {
    return Json{{"workload", b.workload},
                {"fan_in", b.fan_in},
                {"targets", b.targets},
                {"bytes", b.bytes.v},
                {"target_rate_bps", b.rate.v},
                {"drain_us", InMicroseconds(b.drain)},
                {"every_us", b.every.v > 0 ? Json(InMicroseconds(b.every)) : Json()}};
  });
  return json;
}

Json FlowsJson(const FlowsCheck& f) {
  return {{"workload", f.workload},
          {"flows", f.flows},
          {"goodput_bps", {{"least", f.least_bps}, {"median", f.median_bps}, {"most", f.most_bps}}},
          {"split_flows", f.split},
          {"most_on_a_link", f.most_on_a_link},
          {"fullest", f.fullest},
          {"slowest_us", f.slowest_seconds > 0 ? Json(f.slowest_seconds * 1e6) : Json()}};
}

Json PathJson(const PathCheck& p) {
  return {{"used_by", p.used_by},
          {"source_port", p.source_port},
          {"base_rtt_us", InMicroseconds(p.rtt)},
          {"ways", p.paths},
          {"hops", ListOf(p.steps, [](const PathStep& s) {
             return Json{{"from", s.from},
                         {"from_port", s.from_port},
                         {"to", s.to},
                         {"to_port", s.to_port},
                         {"rate_bps", s.rate.v},
                         {"latency_us", InMicroseconds(s.latency)},
                         {"one_way_us", InMicroseconds(s.delay)},
                         {"choice", s.choice},
                         {"choices", s.choices},
                         {"arrival_us", InMicroseconds(s.arrival)}};
           })}};
}

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
  return ListOf(findings, [](const Finding& f) {
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
  json["expect"] = ListOf(file.experiment.expect, ExpectationJson);
  json["findings"] = FindingsAsJson(report.findings);
  json["topology"] = TopologyJson(report.topology);
  json["switches"] = ListOf(report.switches, [&](const SwitchClass& c) {
    return Json{{"name", c.name},
                {"switches", c.switches},
                {"as", s.topology.nodes[c.example].name},
                {"profile", c.parameters->buffer.profile},
                {"buffer_bytes", c.parameters->buffer.size.v},
                {"pfc", c.parameters->pfc.enabled}};
  });
  json["nics"] = ListOf(report.nics, NicJson);
  json["nic_headroom"] = ListOf(report.nic_headroom, NicHeadroomJson);
  json["headroom"] = ListOf(report.headroom.links, HeadroomJson);
  json["headroom_pools"] = ListOf(report.headroom.pools, PoolJson);
  json["configurations"] = ListOf(report.configurations, ConfigurationJson);
  json["memory"] = ListOf(report.memory.memory, MemoryJson);
  json["egress"] = ListOf(report.memory.egress, EgressJson);
  json["thresholds"] = ListOf(report.thresholds, ThresholdJson);
  json["watchdogs"] = ListOf(report.watchdogs, WatchdogJson);
  json["deadlock"] = DeadlockJson(report.deadlock);
  json["services"] = ListOf(report.services.services, ServiceJson);
  json["key_services"] = ListOf(report.services.keys, KeyServiceJson);
  json["failovers"] = ListOf(report.services.failovers, FailoverJson);
  json["traffic"] = TrafficJson(report.traffic);
  json["flows"] = ListOf(report.flows.workloads, FlowsJson);
  json["fluid"] = ListOf(report.fluid.bottlenecks, FluidAsJson);
  json["paths"] = ListOf(report.paths, PathJson);
  json["estimate"] = {
      {"packet_hops", report.traffic.packet_hops},
      {"cpu_s", report.traffic.run_seconds},
      {"memory_bytes", report.traffic.memory.expected},
      {"memory_worst_bytes", report.traffic.memory.worst},
      {"memory_parts", ListOf(report.traffic.memory_parts, [](const MemoryPart& part) {
         return Json{{"what", part.what}, {"bytes", part.bytes.expected}, {"worst_bytes", part.bytes.worst}};
       })}};
  return json;
}

}  // namespace headroom
