// Of summary_sections.h: where the time of messages went, at the median and in the tail.
#include <algorithm>
#include <map>
#include <tuple>

#include "report/csv/port_directory.h"
#include "report/summary/summary_sections.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// A percentile, and how far around it messages are taken, in hundredths of a per cent of all.
struct Band {
  const char* name;
  size_t at, around;
};
constexpr Band kBands[] = {{"p50", 5000, 500}, {"p99", 9900, 50}, {"p999", 9990, 5}};

using Messages = std::vector<const MessageRecord*>;

/// `sorted` by completion time. REQUIRES: not empty.
Messages Around(const Messages& sorted, const Band& band) {
  const auto rank = [n = sorted.size()](size_t share) { return (n * share + 9999) / 10000; };
  const size_t first = std::max<size_t>(1, rank(band.at - band.around)), last = rank(band.at + band.around);
  return {sorted.begin() + static_cast<ptrdiff_t>(first - 1), sorted.begin() + static_cast<ptrdiff_t>(last)};
}

class Splits {
 public:
  Splits(const Scenario& scenario, const RunRecord& record)
      : scenario_(scenario), record_(record), ports_(scenario.topology) {}

  ordered_json MeanParts(const Messages& of) const {
    std::array<double, kMessageParts> sum{};
    for (const MessageRecord* m : of) {
      for (size_t i = 0; i < kMessageParts; ++i) sum[i] += InMicroseconds(record_.PartsOf(*m).of[i]);
    }
    ordered_json out;
    for (size_t i = 0; i < kMessageParts; ++i)
      out[MessagePartName(static_cast<MessagePart>(i))] = sum[i] / static_cast<double>(of.size());
    return out;
  }

  /// By queue, those that hold most first.
  ordered_json MeanWaits(const Messages& of) const {
    struct Sum {
      double queued = 0, paused = 0, ack_queued = 0, ack_paused = 0;
      double All() const { return queued + paused + ack_queued + ack_paused; }
    };
    std::map<std::tuple<NodeId, uint16_t, uint8_t>, Sum> sums;
    for (const MessageRecord* m : of) {
      const MessageParts& parts = record_.PartsOf(*m);
      for (uint32_t i = 0; i < parts.waits; ++i) {
        const WaitRecord& w = record_.message_waits[parts.first_wait + i];
        Sum& sum = sums[{w.node, w.port, w.queue}];
        (w.back ? sum.ack_queued : sum.queued) += InMicroseconds(w.queued);
        (w.back ? sum.ack_paused : sum.paused) += InMicroseconds(w.paused);
      }
    }
    std::vector<std::pair<std::tuple<NodeId, uint16_t, uint8_t>, Sum>> by_size(sums.begin(), sums.end());
    std::stable_sort(by_size.begin(), by_size.end(),
                     [](const auto& a, const auto& b) { return a.second.All() > b.second.All(); });
    constexpr size_t kMost = 10;
    if (by_size.size() > kMost) by_size.resize(kMost);
    auto out = ordered_json::object();
    const auto n = static_cast<double>(of.size());
    for (const auto& [place, sum] : by_size) {
      const auto& [node, index, queue] = place;
      const PortDirectory::Port& port = ports_.At(node, index);
      const std::string name =
          scenario_.topology.nodes[node].name + ':' + port.name + ':' + std::to_string(queue);
      out[name] = {{"towards", scenario_.topology.nodes[port.peer].name},
                   {"queued", sum.queued / n},
                   {"paused", sum.paused / n},
                   {"ack_queued", sum.ack_queued / n},
                   {"ack_paused", sum.ack_paused / n}};
    }
    return out;
  }

 private:
  const Scenario& scenario_;
  const RunRecord& record_;
  PortDirectory ports_;
};

}  // namespace

void AddParts(const Scenario& scenario, const RunRecord& record, ordered_json& workloads) {
  if (record.message_parts.empty()) return;
  std::vector<Messages> of(scenario.workloads.size());
  for (const MessageRecord& m : record.messages) {
    if (m.Finished() && m.start >= scenario.warmup) of[m.workload].push_back(&m);
  }
  const Splits splits(scenario, record);
  for (size_t w = 0; w < of.size(); ++w) {
    if (of[w].empty()) continue;
    std::stable_sort(of[w].begin(), of[w].end(), [](const MessageRecord* a, const MessageRecord* b) {
      return a->completed - a->start < b->completed - b->start;
    });
    ordered_json& out = workloads[scenario.workloads[w].name];
    for (const Band& band : kBands) {
      const Messages around = Around(of[w], band);
      out["parts_us"][band.name] = splits.MeanParts(around);
      out["waits_us"][band.name] = splits.MeanWaits(around);
    }
  }
}

}  // namespace headroom
