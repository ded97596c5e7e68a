// Part of summary_sections.h: the parts of messages' and operations' time, at the median and in the tail.
#include <algorithm>
#include <map>
#include <tuple>

#include "report/csv/port_directory.h"
#include "report/csv/written_parts.h"
#include "report/summary/summary_sections.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// A percentile, and the width of the band around it, in hundredths of a per cent of all.
struct Band {
  const char* name;
  size_t at, around;
};
constexpr Band kBands[] = {{"p50", 5000, 500}, {"p99", 9900, 50}, {"p999", 9990, 5}};

/// The parts of the time of a message or an operation.
struct Split {
  Time took;
  std::span<const Time> parts;
  std::span<const WaitRecord> waits;
};
using Splits = std::vector<Split>;

/// `sorted`: sorted by time. REQUIRES: `sorted` is not empty.
std::span<const Split> Around(const Splits& sorted, const Band& band) {
  const auto rank = [n = sorted.size()](size_t share) { return (n * share + 9999) / 10000; };
  const size_t first = std::max<size_t>(1, rank(band.at - band.around)), last = rank(band.at + band.around);
  return std::span(sorted).subspan(first - 1, last - first + 1);
}

/// `name`: names a part by its number; null: the part is not written.
template <typename Name>
ordered_json MeanParts(std::span<const Split> of, Name name) {
  std::vector<double> sum(of[0].parts.size());
  for (const Split& split : of) {
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += InMicroseconds(split.parts[i]);
  }
  ordered_json out;
  for (size_t i = 0; i < sum.size(); ++i) {
    if (const char* const part = name(i)) out[part] = sum[i] / static_cast<double>(of.size());
  }
  return out;
}

class Waits {
 public:
  explicit Waits(const Scenario& scenario) : scenario_(scenario), ports_(scenario.topology) {}

  /// By queue, the queues with the longest waits first.
  ordered_json Mean(std::span<const Split> of) const {
    struct Sum {
      double queued = 0, paused = 0, ack_queued = 0, ack_paused = 0;
      double All() const { return queued + paused + ack_queued + ack_paused; }
    };
    std::map<std::tuple<NodeId, uint16_t, uint8_t>, Sum> sums;
    for (const Split& split : of) {
      for (const WaitRecord& w : split.waits) {
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
  PortDirectory ports_;
};

void Sort(Splits& splits) { std::ranges::stable_sort(splits, {}, &Split::took); }

}  // namespace

void AddParts(const Scenario& scenario, const RunRecord& record, ordered_json& workloads) {
  if (record.message_parts.empty()) return;
  std::vector<Splits> of(scenario.workloads.size());
  for (const MessageRecord& m : record.messages) {
    if (m.Finished() && m.start >= scenario.warmup)
      of[m.workload].push_back({m.completed - m.start, record.PartsOf(m).of, record.WaitsOf(m)});
  }
  const Waits waits(scenario);
  const WrittenParts written(scenario);
  const auto name = [&written](size_t i) {
    const auto part = static_cast<MessagePart>(i);
    return written.Has(part) ? MessagePartName(part) : nullptr;
  };
  for (size_t w = 0; w < of.size(); ++w) {
    if (of[w].empty()) continue;
    Sort(of[w]);
    ordered_json& out = workloads[scenario.workloads[w].name];
    for (const Band& band : kBands) {
      const std::span<const Split> around = Around(of[w], band);
      out["parts_us"][band.name] = MeanParts(around, name);
      out["waits_us"][band.name] = waits.Mean(around);
    }
  }
}

void AddOperationParts(const Scenario& scenario, const RunRecord& record, ordered_json& workloads) {
  std::map<std::pair<uint32_t, std::string>, Splits> of;
  for (const OperationRecord& o : record.operations) {
    if (!o.Finished() || o.ramp) continue;
    const Split split{o.completed - o.start, o.parts, record.WaitsOf(o)};
    of[{o.workload, "all"}].push_back(split);
    of[{o.workload, OperationKindName(o.kind)}].push_back(split);
  }
  const Waits waits(scenario);
  const WrittenParts written(scenario);
  const auto name = [&written](size_t i) {
    const auto part = static_cast<OperationPart>(i);
    return written.Has(part) ? OperationPartName(part) : nullptr;
  };
  for (auto& [key, splits] : of) {
    Sort(splits);
    ordered_json& out = workloads[scenario.workloads[key.first].name][key.second];
    for (const Band& band : kBands) {
      const std::span<const Split> around = Around(splits, band);
      out["parts_at_us"][band.name] = MeanParts(around, name);
      out["waits_at_us"][band.name] = waits.Mean(around);
    }
  }
}

}  // namespace headroom
