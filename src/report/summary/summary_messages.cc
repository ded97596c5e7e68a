// Part of summary_sections.h: messages, by workload.
#include <algorithm>
#include <map>

#include "report/distribution.h"
#include "report/statistics.h"
#include "report/summary/summary_sections.h"
#include "run/recording/ended_records.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// Totals of one workload's messages.
class WorkloadTally {
 public:
  explicit WorkloadTally(size_t exact)
      : completion_us_(exact, kPerUs), delivery_us_(exact, kPerUs), slowdown_(exact, kPerUnit) {}

  void Add(const MessageRecord& m, const Scenario& scenario, Time end) {
    // Counts messages that end in the span, regardless of their start: in a closed loop as many messages
    // begin as end.
    steady_ += m.Finished() && m.completed > scenario.warmup && m.completed <= scenario.duration;
    const bool lost = m.Finished() && m.delivered == kNever;
    Pair& pair = pairs_[{m.src, m.dst}];
    if (m.start < scenario.warmup) {
      ++warmup_offered_;
      warmup_unfinished_ += !m.Finished();
      warmup_lost_ += lost;
      if (!m.Finished() || m.completed > scenario.warmup) pair.open_at_warmup.Add(m, lost, end);
      return;
    }
    const Time took = (m.Finished() ? m.completed : end) - m.start;
    ++offered_;
    lost_ += lost;
    bytes_ += m.size.v;
    first_start_ = std::min(first_start_, m.start);
    completion_us_.Add({InMicroseconds(took), !m.Finished()});
    const bool delivered = m.delivered != kNever;
    if (!lost) delivery_us_.Add({InMicroseconds((delivered ? m.delivered : end) - m.start), !delivered});
    if (m.ideal > Time(0)) {
      slowdown_.Add({static_cast<double>(took.v) / static_cast<double>(m.ideal.v), !m.Finished()});
    }
    pair.counted.Add(m, lost, end);
    if (!m.Finished()) return;
    ++finished_;
    last_end_ = std::max(last_end_, m.completed);
    if (lost) return;
    delivered_bytes_ += m.size.v;
    last_end_ = std::max(last_end_, m.delivered);
  }

  ordered_json Describe(const Scenario& scenario) {
    ordered_json out;
    out["offered"] = offered_;
    out["finished"] = finished_;
    out["unfinished"] = offered_ - finished_;
    out["lost"] = lost_;
    out["bytes"] = bytes_;
    const Time span = last_end_ - first_start_;
    out["goodput_gbps"] =
        finished_ > 0 && span > Time(0)
            ? ordered_json(static_cast<double>(delivered_bytes_) * 8e3 / static_cast<double>(span.v))
            : ordered_json();
    // Messages per second, in millions: the usual rating of NICs.
    const Time steady = scenario.duration - scenario.warmup;
    out["mops"] = steady > Time(0)
                      ? ordered_json(static_cast<double>(steady_) * 1e6 / static_cast<double>(steady.v))
                      : ordered_json();
    const std::optional<double> jain = Fairness();
    out["jain"] = jain ? ordered_json(*jain) : ordered_json();
    out["warmup_offered"] = warmup_offered_;
    out["warmup_unfinished"] = warmup_unfinished_;
    out["warmup_lost"] = warmup_lost_;
    out["completion_us"] = completion_us_.Describe();
    out["delivery_us"] = delivery_us_.Describe();
    out["slowdown"] = slowdown_.Describe();
    return out;
  }

 private:
  /// Delivered bytes, and the time that messages took.
  struct Share {
    double delivered_bytes = 0, took_us = 0;
    void Add(const MessageRecord& m, bool lost, Time end) {
      took_us += InMicroseconds((m.Finished() ? m.completed : end) - m.start);
      if (m.Finished() && !lost) delivered_bytes += static_cast<double>(m.size.v);
    }
    double Rate() const { return took_us > 0 ? delivered_bytes / took_us : 0; }
  };
  struct Pair {
    Share counted;         ///< messages that start after the warm-up
    Share open_at_warmup;  ///< messages that start in the warm-up and had not finished at its end
  };

  /// A pair in a closed loop that is starved since the warm-up starts nothing after it. Such a pair offers
  /// traffic all the time and belongs to the index.
  std::optional<double> Fairness() const {
    std::vector<double> shares;
    for (const auto& [ends, pair] : pairs_) {
      if (pair.counted.took_us > 0) {
        shares.push_back(pair.counted.Rate());
      } else if (pair.open_at_warmup.took_us > 0) {
        shares.push_back(pair.open_at_warmup.Rate());
      }
    }
    return JainIndex(shares);
  }

  uint64_t steady_ = 0;  ///< number completed between the end of the warm-up and the end of the arrivals
  uint64_t offered_ = 0, finished_ = 0, warmup_offered_ = 0, warmup_unfinished_ = 0;
  uint64_t lost_ = 0, warmup_lost_ = 0;  ///< completed at the sender, not delivered
  int64_t bytes_ = 0, delivered_bytes_ = 0;
  Time first_start_ = kNever, last_end_;  ///< last_end_: the last completion or delivery
  /// The units in which buckets count: picoseconds, and 2^-32 of a slowdown.
  static constexpr double kPerUs = 1e6, kPerUnit = 0x1p32;
  Distribution completion_us_, delivery_us_, slowdown_;
  std::map<std::pair<NodeId, NodeId>, Pair> pairs_;
};

}  // namespace

ordered_json SummariseMessages(const Scenario& scenario, const RunRecord& record, size_t exact) {
  std::vector<WorkloadTally> tallies(scenario.workloads.size(), WorkloadTally(exact));
  ForEachMessage(
      record, [&](const MessageView& m) { tallies[m.record.workload].Add(m.record, scenario, record.end); });
  auto out = ordered_json::object();
  for (size_t w = 0; w < tallies.size(); ++w) {
    if (OffersOperations(scenario.workloads[w])) continue;
    out[scenario.workloads[w].name] = tallies[w].Describe(scenario);
  }
  return out;
}

}  // namespace headroom
