// Part of summary_sections.h: switches, ports, NICs, pauses, drops.
#include <algorithm>
#include <array>
#include <string>

#include "report/summary/summary_sections.h"
#include "run/recording/ended_records.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

struct PfcTally {
  uint64_t pauses = 0, pause_frames = 0, resume_frames = 0;
  Time paused;

  void Add(const PortPriorityCounters& c) {
    pauses += c.pauses_tx;
    pause_frames += c.pause_frames_tx;
    resume_frames += c.resume_frames_tx;
    paused += c.paused_tx;
  }
  ordered_json Describe() const {
    ordered_json out;
    out["pauses"] = pauses;
    out["pause_frames"] = pause_frames;
    out["resume_frames"] = resume_frames;
    out["paused_us"] = InMicroseconds(paused);
    return out;
  }
};

/// Tiers in the order in which the topology first names them.
std::vector<std::string> TiersOf(const Topology& topology) {
  std::vector<std::string> tiers;
  for (const TopologyNode& node : topology.nodes) {
    if (std::find(tiers.begin(), tiers.end(), node.tier) == tiers.end()) tiers.push_back(node.tier);
  }
  return tiers;
}

/// The time when a pause first took effect, in µs; null if none did after the warm-up.
ordered_json FirstPause(const Scenario& scenario, const RunRecord& record) {
  Time first = kNever;
  ForEachPause(record, [&](const PauseRecord& pause) {
    if (pause.direction == PauseRecord::Direction::rx && pause.start >= scenario.warmup) {
      first = std::min(first, pause.start);
    }
  });
  return first == kNever ? ordered_json() : ordered_json(InMicroseconds(first));
}

}  // namespace

ordered_json SummarisePfc(const Scenario& scenario, const RunRecord& record) {
  PfcTally all;
  const std::vector<std::string> tiers = TiersOf(scenario.topology);
  std::vector<PfcTally> by_tier(tiers.size());
  std::array<PfcTally, kPriorities> by_priority;
  for (const PortRecord& port : record.ports) {
    const std::string& name = scenario.topology.nodes[port.node].tier;
    PfcTally& tier = by_tier[std::find(tiers.begin(), tiers.end(), name) - tiers.begin()];
    for (int p = 0; p < kPriorities; ++p) {
      all.Add(port.priority[p]);
      tier.Add(port.priority[p]);
      by_priority[p].Add(port.priority[p]);
    }
  }
  ordered_json out = all.Describe();
  out["first_us"] = FirstPause(scenario, record);
  auto& tiers_out = out["by_tier"] = ordered_json::object();
  for (size_t t = 0; t < tiers.size(); ++t) tiers_out[tiers[t]] = by_tier[t].Describe();
  auto& priorities_out = out["by_priority"] = ordered_json::object();
  for (int p = 0; p < kPriorities; ++p) {
    if (scenario.classes[p].lossless || by_priority[p].pause_frames > 0) {
      priorities_out[std::to_string(p)] = by_priority[p].Describe();
    }
  }
  uint64_t storms = 0;
  for (const EventRecord& e : record.events_log) storms += e.kind == "watchdog_detected";
  out["watchdog_storms"] = storms;
  return out;
}

namespace {

struct DropTally {
  uint64_t lossless = 0, lossy = 0;
  std::array<uint64_t, kDropReasons> by_reason{};

  void Add(bool is_lossless, const std::array<uint64_t, kDropReasons>& drops) {
    for (size_t r = 0; r < kDropReasons; ++r) {
      // Corrupt frames are PFC frames, which do not count as traffic.
      if (static_cast<DropReason>(r) != DropReason::corrupt) (is_lossless ? lossless : lossy) += drops[r];
      by_reason[r] += drops[r];
    }
  }
  ordered_json Describe() const {
    ordered_json out;
    out["lossless"] = lossless;
    out["lossy"] = lossy;
    auto& reasons = out["by_reason"] = ordered_json::object();
    for (int r = 0; r < kDropReasons; ++r) reasons[DropReasonName(static_cast<DropReason>(r))] = by_reason[r];
    return out;
  }
};

}  // namespace

ordered_json SummariseDrops(const Scenario& scenario, const RunRecord& record) {
  DropTally all;
  for (const PortRecord& port : record.ports) {
    for (int p = 0; p < kPriorities; ++p) all.Add(scenario.classes[p].lossless, port.priority[p].drops);
  }
  return all.Describe();
}

ordered_json SummariseWarmup(const Scenario& scenario, const RunRecord& record) {
  const WarmupRecord& w = record.warmup;
  DropTally drops;
  for (int p = 0; p < kPriorities; ++p) drops.Add(scenario.classes[p].lossless, w.drops[p]);
  return {{"drops", drops.Describe()},
          {"pause_frames", w.pause_frames},
          {"marked_packets", w.marked_packets},
          {"cnp_sent", w.cnp_sent},
          {"retransmitted_packets", w.retransmitted_packets},
          {"naks", w.naks},
          {"timeouts", w.timeouts}};
}

void AddFailedQueuePairs(const Scenario& scenario, const RunRecord& record, ordered_json& summary) {
  constexpr uint64_t kMost = 100;
  uint64_t count = 0;
  ordered_json failed = ordered_json::object();
  for (const EventRecord& e : record.events_log) {
    if (e.kind != "qp_error" || ++count > kMost) continue;
    // The detail is "queue pair NUMBER: REASON".
    const std::string numbered = e.detail.substr(0, e.detail.find(':'));
    const std::string number = numbered.substr(numbered.rfind(' ') + 1);
    failed[scenario.topology.nodes[e.node].name + '/' + number] = InMicroseconds(e.time);
  }
  summary["transport"]["failed_queue_pairs"] = count;
  if (count > 0) summary["failed_queue_pairs"] = std::move(failed);
}

ordered_json SummariseBuffers(const Scenario& scenario, const RunRecord& record) {
  auto out = ordered_json::object();
  for (const SwitchRecord& s : record.switches) {
    ordered_json& one = out[scenario.topology.nodes[s.node].name];
    one["size_bytes"] = scenario.switches[s.node - scenario.topology.hosts].buffer.size.v;
    one["peak_bytes"] = s.peak.v;
    one["peak_headroom_bytes"] = s.peak_headroom.v;
    one["headroom_configured_bytes"] = s.headroom_configured.v;
    one["peak_ingress_pool_bytes"] = s.peak_ingress_pool.v;
    one["closest_to_xoff"] = s.closest_to_xoff;
    auto& pools = one["pools"] = ordered_json::object();
    for (const PoolRecord& p : s.pools) {
      ordered_json& pool = pools[p.name] = ordered_json::object();
      if (p.peak_ingress) pool["peak_ingress_bytes"] = p.peak_ingress->v;
      if (p.peak_headroom) pool["peak_headroom_bytes"] = p.peak_headroom->v;
      if (p.peak_egress) pool["peak_egress_bytes"] = p.peak_egress->v;
    }
  }
  return out;
}

}  // namespace headroom
