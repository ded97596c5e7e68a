// Part of summary_sections.h: operations of services, the services and their cores.
#include <algorithm>

#include "protocol/connections/connection_record.h"
#include "protocol/keyvalue/key_value_record.h"
#include "protocol/storage/storage_parameters.h"
#include "protocol/storage_record.h"
#include "report/csv/written_parts.h"
#include "report/percentiles.h"
#include "report/summary/summary_sections.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

OperationTotals Together(OperationTotals sum, const OperationTotals& other) {
  sum.Join(other);
  return sum;
}

/// For more operations than are kept individually: quantiles of buckets, including unfinished operations.
ordered_json LatencyInBuckets(const OperationTotals& t) {
  LogBuckets all = t.latencies.buckets();
  Time youngest = kNever;
  for (const Time age : t.unfinished) {
    all.Add(age.v);
    youngest = std::min(youngest, age);
  }
  ordered_json out;
  auto censored = ordered_json::object();
  const auto put = [&](const char* name, double us, bool is_censored) {
    out[name] = us;
    if (is_censored) censored[name] = true;
  };
  put("mean", all.Mean() / 1e6, !t.unfinished.empty());
  for (const auto& [name, permille] :
       {std::pair("p50", 500), {"p90", 900}, {"p95", 950}, {"p99", 990}, {"p999", 999}}) {
    const Time at(all.Quantile(permille));
    put(name, InMicroseconds(at), youngest <= at);
  }
  put("max", InMicroseconds(Time(all.greatest())), !t.unfinished.empty());
  out["censored"] = std::move(censored);
  return out;
}

ordered_json LatencyOf(const OperationTotals& t) {
  if (!t.latencies.exact()) return LatencyInBuckets(t);
  std::vector<Observed> us;
  us.reserve(t.latencies.count() + t.unfinished.size());
  for (const Time latency : t.latencies.each()) us.push_back({InMicroseconds(latency), false});
  for (const Time age : t.unfinished) us.push_back({InMicroseconds(age), true});
  return DescribeDistribution(std::move(us));
}

ordered_json Describe(const OperationTotals& t, const WrittenParts& written, bool followed, bool keys,
                      bool bounded) {
  ordered_json out;
  out["offered"] = t.offered;
  out["finished"] = t.finished;
  out["failed"] = t.failed;
  out["corrupt"] = t.corrupt;
  out["unfinished"] = t.offered - t.finished;
  out["retries"] = t.retries;
  out["ramp_offered"] = t.ramp;
  out["bytes"] = t.bytes;
  // Converts `amount` times 10^-12.
  const auto a_second = [](uint64_t counted, double amount, Time span) {
    return counted > 0 && span > Time(0) ? ordered_json(amount / static_cast<double>(span.v))
                                         : ordered_json();
  };
  out["iops"] = a_second(t.steady, static_cast<double>(t.steady) * 1e12, t.span);
  if (keys) out["mops"] = a_second(t.steady, static_cast<double>(t.steady) * 1e6, t.span);
  out["gbps"] = a_second(t.steady, static_cast<double>(t.steady_bytes) * 8e3, t.span);
  out["goodput_gbps"] =
      a_second(t.finished - t.failed - t.corrupt, static_cast<double>(t.finished_bytes) * 8e3,
               t.last_completed - t.first_start);
  out["latency_us"] = LatencyOf(t);
  if (bounded) out["latency_us"]["error"] = t.latencies.exact() ? 0.0 : Latencies::kError;
  if (!followed) return out;
  for (size_t i = 0; i < kOperationParts; ++i) {
    const auto part = static_cast<OperationPart>(i);
    if (!written.Has(part)) continue;
    out["parts_us"][OperationPartName(part)] =
        t.finished > 0 ? ordered_json(t.parts_us[i] / static_cast<double>(t.finished)) : ordered_json();
  }
  return out;
}

ordered_json Describe(const StorageRecord::Failover& f) {
  const auto all = static_cast<double>(f.main_bytes + f.standby_bytes);
  const ordered_json share =
      all > 0 ? ordered_json(static_cast<double>(f.standby_bytes) / all) : ordered_json();
  return {{"moved_to_tcp", f.away}, {"moved_to_rdma", f.back},    {"asked_again", f.asked_again},
          {"late_answers", f.late}, {"rdma_bytes", f.main_bytes}, {"tcp_bytes", f.standby_bytes},
          {"tcp_share", share}};
}

/// Keyed by host and number.
ordered_json Describe(const std::vector<ServerProcessRecord>& processes, const Scenario& scenario) {
  ordered_json all = ordered_json::object();
  for (const ServerProcessRecord& p : processes) {
    ordered_json& process = all[scenario.topology.nodes[p.host].name + '/' + std::to_string(p.process)];
    const auto per_ps = [&](double amount) {
      return p.span > Time(0) ? ordered_json(amount / static_cast<double>(p.span.v)) : ordered_json();
    };
    process["requests"] = p.requests;
    process["mops"] = per_ps(static_cast<double>(p.counted) * 1e6);
    process["utilisation"] = per_ps(static_cast<double>(p.busy().v));
    process["noops"] = p.noops;
  }
  return all;
}

ordered_json Describe(const StreamsRecord& r) {
  return {{"connections", r.connections},
          {"set_up_us", r.set_up == kNever ? ordered_json() : ordered_json(InSeconds(r.set_up) * 1e6)},
          {"writes", r.writes},
          {"written_bytes", r.written_bytes},
          {"registrations", r.registrations},
          {"keepalives", r.keepalives}};
}

ordered_json Describe(const KeyValueRecord& r, const Scenario& scenario) {
  ordered_json one{{"hits", r.hits},       {"misses", r.misses},
                   {"wrong", r.wrong},     {"reads", r.reads},
                   {"retried", r.retried}, {"stale_answers", r.stale_answers},
                   {"torn", r.torn},       {"refused", r.refused},
                   {"evicted", r.evicted}, {"overwritten", r.overwritten}};
  if (r.streams) one["streams"] = Describe(*r.streams);
  if (!r.processes.empty()) one["processes"] = Describe(r.processes, scenario);
  if (!r.client_threads.empty()) one["client_threads"] = Describe(r.client_threads, scenario);
  uint64_t least = UINT64_MAX, most = 0;
  for (const ServerProcessRecord& p : r.processes) {
    least = std::min(least, p.counted);
    most = std::max(most, p.counted);
  }
  one["busiest_to_idlest"] = least > 0 && least <= most
                                 ? ordered_json(static_cast<double>(most) / static_cast<double>(least))
                                 : ordered_json();
  return one;
}

ordered_json Describe(const ConnectionRecord& r) {
  ordered_json one{{"virtual_connections", r.connections},
                   {"queue_pairs", r.queue_pairs},
                   {"sends", r.sends},
                   {"writes", r.writes},
                   {"reads", r.reads},
                   {"fetched_by_peers", r.fetched},
                   {"batches", r.batches},
                   {"copies", r.copies},
                   {"registrations", r.registrations},
                   {"delivered", r.delivered},
                   {"misdelivered", r.misdelivered},
                   {"lost_queue_pairs", r.lost}};
  one["memory_bytes"] = {{"queue_pairs", r.queue_bytes},
                         {"receives", r.receive_bytes},
                         {"connections", r.connection_bytes},
                         {"payloads", r.payload_bytes},
                         {"all", r.queue_bytes + r.receive_bytes + r.connection_bytes + r.payload_bytes}};
  one["cpu_cores"] = {{"daemon", r.daemon_cores},
                      {"daemon_busy", r.daemon_busy},
                      {"applications", r.application_cores},
                      {"applications_busy", r.application_busy},
                      {"lock_wait", r.lock_wait},
                      {"all", r.daemon_cores + r.application_cores}};
  return one;
}

/// `failover`: the service has a standby leg.
ordered_json Describe(const StorageRecord& r, bool failover) {
  ordered_json one;
  one["connections"] = r.connections;
  one["losses"] = r.losses;
  one["corrupt"] = r.corrupt;
  one["starved"] = r.starved;
  one["credit_messages"] = r.credit_messages;
  one["chunks"] = {{"small", r.chunks[0]}, {"medium", r.chunks[1]}, {"large", r.chunks[2]}};
  one["sends"] = r.sends;
  one["writes"] = r.writes;
  one["reads"] = r.reads;
  one["registrations"] = r.registrations;
  one["executed"] = r.executed;
  one["repeated"] = r.repeated;
  if (const auto& system = r.system) {
    one["appends"] = system->appends;
    one["appended_bytes"] = system->appended_bytes;
    one["filled_extents"] = system->filled;
    one["seals"] = system->seals;
    one["refused"] = system->refused;
    one["hedges"] = system->hedges;
    one["reconstructed"] = system->reconstructed;
    one["repeated_appends"] = system->repeated_appends;
    one["conflicts"] = system->conflicts;
    one["missing"] = system->missing;
    if (const auto& background = system->background) {
      one["collected_extents"] = background->collected;
      one["coded_extents"] = background->coded;
      one["gc_read_bytes"] = background->gc_read;
      one["gc_moved_bytes"] = background->gc_moved;
      one["reencode_read_bytes"] = background->reencode_read;
      one["reencode_written_bytes"] = background->reencode_written;
      one["background_failed"] = background->failed;
    }
  }
  if (const auto& tcp = r.tcp) {
    one["tcp"] = {{"connections", tcp->connections},
                  {"losses", tcp->losses},
                  {"bytes", tcp->bytes},
                  {"segments", tcp->segments},
                  {"retransmitted", tcp->retransmitted}};
  }
  one["peak_registered_bytes"] = r.most_registered.v;
  if (failover) one["failover"] = Describe(r.failover);
  return one;
}

ordered_json Describe(const ServiceRecord& r, const Scenario& scenario, size_t service) {
  if (const auto* storage = dynamic_cast<const StorageRecord*>(&r))
    return Describe(*storage, scenario.services[service].As<StorageParameters>().failover.has_value());
  if (const auto* keys = dynamic_cast<const KeyValueRecord*>(&r)) return Describe(*keys, scenario);
  if (const auto* connections = dynamic_cast<const ConnectionRecord*>(&r)) return Describe(*connections);
  auto one = ordered_json::object();
  for (const auto& [name, count] : r.counts)
    one[name] = std::visit([](auto value) { return ordered_json(value); }, count);
  return one;
}

}  // namespace

ordered_json SummariseOperations(const Scenario& scenario, const RunRecord& record) {
  auto out = ordered_json::object();
  const bool followed = scenario.observe.operations.one_in > 0;
  const bool bounded = !followed || record.ended;  // latencies beyond a number are in buckets
  const WrittenParts written(scenario);
  for (size_t w = 0; w < scenario.workloads.size(); ++w) {
    if (!OffersOperations(scenario.workloads[w])) continue;
    const auto& by_kind = record.operation_totals[w];
    const Arrivals& arrivals = *scenario.workloads[w].arrivals;
    const bool keys = arrivals.Asks()->of != ServiceOperation::Of::disk;
    ordered_json& one = out[scenario.workloads[w].name];
    OperationTotals all;
    for (const OperationKind kind : arrivals.Kinds()) {
      const OperationTotals& totals = by_kind[static_cast<size_t>(kind)];
      one[OperationKindName(kind)] = Describe(totals, written, followed, keys, bounded);
      all = Together(all, totals);
    }
    one["all"] = Describe(all, written, followed, keys, bounded);
  }
  return out;
}

ordered_json SummariseServices(const Scenario& scenario, const RunRecord& record) {
  auto out = ordered_json::object();
  for (size_t n = 0; n < record.services.size(); ++n)
    out[scenario.services[n]->name] = Describe(*record.services[n], scenario, n);
  return out;
}

ordered_json SummariseCores(const Scenario& scenario, const RunRecord& record) {
  auto out = ordered_json::object();
  for (const CoreRecord& c : record.cores) {
    ordered_json& host = out[scenario.topology.nodes[c.host].name];
    const auto share = [&](Time busy) {
      return c.span > Time(0) ? ordered_json(static_cast<double>(busy.v) / static_cast<double>(c.span.v))
                              : ordered_json();
    };
    if (c.workload >= 0) {
      const std::string& of = scenario.workloads[static_cast<size_t>(c.workload)].name;
      host["posting"][of + '/' + std::to_string(c.core)] = share(c.busy());
      continue;
    }
    host["utilisation"][std::to_string(c.core)] = share(c.busy());
    for (size_t work = 0; work < kCoreWorks; ++work)
      host[CoreWorkName(static_cast<CoreWork>(work))][std::to_string(c.core)] = share(c.busy_for[work]);
  }
  return out;
}

}  // namespace headroom
