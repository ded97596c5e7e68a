#include "report/summary/summary.h"

#include <algorithm>

#include "report/summary/summary_sections.h"
#include "report/version.h"
#include "scenario/paths/rank_gain.h"

namespace headroom {

using nlohmann::ordered_json;

/// An estimate of the run in several processes, from first to last event. Each window takes as long as the
/// process with the most events, and ends with an exchange of frames.
static ordered_json SummariseEstimate(const WindowWork::Totals& work, const RunCost& cost) {
  const double exchanges = static_cast<double>(work.windows) * (cost.estimate_ranks - 1);
  const double exchange_s =
      kExchangeSeconds * exchanges + kExchangeFrameSeconds * static_cast<double>(work.crossing);
  const double share =
      static_cast<double>(work.slowest) / static_cast<double>(std::max<uint64_t>(1, work.events));
  const double seconds = cost.events_cpu_s * share + exchange_s;
  ordered_json out;
  out["ranks"] = cost.estimate_ranks;
  out["windows"] = work.windows;
  out["frames_between_ranks"] = work.crossing;
  out["slowest_share"] = share;
  out["exchange_s"] = exchange_s;
  out["one_process_s"] = cost.events_cpu_s;
  out["estimated_s"] = seconds;
  out["estimated_gain"] = seconds > 0 ? ordered_json(cost.events_cpu_s / seconds) : ordered_json();
  return out;
}

static ordered_json SummariseRun(const RunRecord& record, const RunCost& cost) {
  ordered_json out;
  out["wall_s"] = cost.wall_s;
  out["cpu_s"] = cost.cpu_s;
  out["peak_rss_mb"] = cost.peak_rss_mb;
  out["events"] = record.events;
  out["packet_hops"] = record.packet_hops;
  out["data_packet_hops"] = record.data_packet_hops;
  out["packet_hops_per_cpu_s"] =
      cost.cpu_s > 0 ? ordered_json(static_cast<double>(record.packet_hops) / cost.cpu_s) : ordered_json();
  out["ranks"] = cost.ranks;
  if (record.work) out["estimate"] = SummariseEstimate(*record.work, cost);
  return out;
}

static ordered_json SummariseEcn(const RunRecord& record) {
  ordered_json out;
  out["marked_packets"] = record.marked_packets;
  const auto packets = static_cast<double>(record.data_packets_delivered);
  out["marked_fraction"] =
      packets > 0 ? ordered_json(static_cast<double>(record.marked_packets) / packets) : ordered_json();
  return out;
}

static ordered_json SummariseConservation(const Conservation& c) {
  ordered_json out;
  out["sent_bytes"] = c.sent;
  out["delivered_bytes"] = c.delivered;
  out["dropped_bytes"] = c.dropped;
  out["in_flight_bytes"] = c.in_flight;
  out["ok"] = c.Ok();
  return out;
}

static ordered_json SummariseHistories(const HistoryJudgement& j) {
  return {{"operations", j.operations}, {"blocks", j.blocks},
          {"appends", j.appends},       {"keys", j.keys},
          {"left_out", j.left_out},     {"blocks_in_part", j.in_part},
          {"violations", j.violations}, {"ok", j.Ok()}};
}

/// Whether some percentiles below have an error.
static bool InBuckets(const ordered_json& below) {
  if (!below.is_object()) return false;
  if (below.contains("error")) return below["error"] != 0.0;
  return std::ranges::any_of(below, InBuckets);
}

ordered_json Summarise(const Scenario& scenario, const RunRecord& record, const RunCost& cost, size_t exact) {
  if (!record.ended) exact = SIZE_MAX;
  ordered_json out;
  out["scenario"] = scenario.name;
  out["seed"] = scenario.seed;
  out["status"] = RunStatusName(record.status);
  out["sim_time_us"] = InMicroseconds(record.end);
  out["version"] = kVersion;
  out["run"] = SummariseRun(record, cost);
  out["messages"] = SummariseMessages(scenario, record, exact);
  AddParts(scenario, record, exact, out["messages"]);
  if (!scenario.services.empty()) {
    out["operations"] = SummariseOperations(scenario, record);
    AddOperationParts(scenario, record, exact, out["operations"]);
    out["services"] = SummariseServices(scenario, record);
  }
  if (!scenario.services.empty() || !record.cores.empty()) out["cores"] = SummariseCores(scenario, record);
  if (ordered_json full = SummariseFull(scenario, record); !full.empty()) out["full"] = std::move(full);
  if (record.ended) {
    const bool buckets =
        InBuckets(out["messages"]) || (out.contains("operations") && InBuckets(out["operations"]));
    out["percentiles"] = buckets ? "log_buckets" : "exact";
  }
  out["pfc"] = SummarisePfc(scenario, record);
  if (scenario.observe.causes) SummariseRoots(scenario, record, out["pfc"]);
  out["ecn"] = SummariseEcn(record);
  out["cnp"] = {{"sent", record.cnp_sent}, {"handled", record.cnp_handled}, {"ignored", record.cnp_ignored}};
  out["drops"] = SummariseDrops(scenario, record);
  out["buffer"] = SummariseBuffers(scenario, record);
  if (ordered_json rails = SummariseRails(scenario, record); !rails.empty()) out["rails"] = std::move(rails);
  if (scenario.warmup > Time(0)) out["warmup"] = SummariseWarmup(scenario, record);
  out["transport"] = {{"retransmitted_packets", record.retransmitted_packets},
                      {"naks", record.naks},
                      {"timeouts", record.timeouts}};
  AddFailedQueuePairs(scenario, record, out);
  using Type = RecoveryParameters::Type;
  const bool recovers =
      !scenario.nics.empty() && scenario.nics.front().transport.recovery.type != Type::go_back_n;
  if (recovers) out["recovery"] = SummariseRecovery(scenario, record);
  if (scenario.observe.estats) out["estats"] = SummariseEstats(scenario, record);
  out["conservation"] = SummariseConservation(record.conservation);
  if (record.histories) out["histories"] = SummariseHistories(*record.histories);
  return out;
}

}  // namespace headroom
