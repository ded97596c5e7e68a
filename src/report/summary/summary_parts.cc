// Part of summary_sections.h: the parts of messages' and operations' time, at the median and in the tail.
#include <algorithm>
#include <map>
#include <tuple>

#include "report/bands.h"
#include "report/csv/port_directory.h"
#include "report/csv/written_parts.h"
#include "report/summary/summary_sections.h"
#include "run/recording/ended_records.h"

namespace headroom {

using nlohmann::ordered_json;

namespace {

/// The means of several messages or operations.
class Means {
 public:
  Means(const Scenario& scenario) : scenario_(scenario), ports_(scenario.topology) {}

  /// `name`: names a part by its number; null: the part is not written.
  template <typename Name>
  ordered_json Parts(const BandSums& sums, Name name) const {
    ordered_json out;
    for (size_t i = 0; i < sums.parts_us.size(); ++i) {
      if (const char* const part = name(i)) out[part] = sums.parts_us[i] / static_cast<double>(sums.count);
    }
    return out;
  }
  /// By queue, the queues with the longest waits first.
  ordered_json Waits(const BandSums& sums) const {
    std::vector<std::pair<WaitPlace, WaitSum>> by_size(sums.waits.begin(), sums.waits.end());
    std::stable_sort(by_size.begin(), by_size.end(),
                     [](const auto& a, const auto& b) { return a.second.All() > b.second.All(); });
    constexpr size_t kMost = 10;
    if (by_size.size() > kMost) by_size.resize(kMost);
    auto out = ordered_json::object();
    const auto n = static_cast<double>(sums.count);
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

}  // namespace

void AddParts(const Scenario& scenario, const RunRecord& record, size_t exact, ordered_json& workloads) {
  if (!HasParts(record, scenario)) return;
  std::vector<Bands> of(scenario.workloads.size(), Bands(exact));
  const auto visit = [&](auto use) {
    ForEachMessage(record, [&](const MessageView& v) {
      const MessageRecord& m = v.record;
      if (m.Finished() && m.start >= scenario.warmup)
        use(of[m.workload], Split{m.completed - m.start, RowKeyOf(m), v.parts->of, v.waits});
    });
  };
  visit([](Bands& bands, const Split& split) { bands.Count(split.took, split.row); });
  for (Bands& bands : of) bands.Choose();
  visit([](Bands& bands, const Split& split) { bands.Add(split); });
  const Means means(scenario);
  const WrittenParts written(scenario);
  const auto name = [&written](size_t i) {
    const auto part = static_cast<MessagePart>(i);
    return written.Has(part) ? MessagePartName(part) : nullptr;
  };
  for (size_t w = 0; w < of.size(); ++w) {
    if (of[w].empty()) continue;
    ordered_json& out = workloads[scenario.workloads[w].name];
    for (size_t band = 0; band < std::size(kBands); ++band) {
      const BandSums sums = of[w].Sums(band);
      out["parts_us"][kBands[band].name] = means.Parts(sums, name);
      out["waits_us"][kBands[band].name] = means.Waits(sums);
    }
  }
}

void AddOperationParts(const Scenario& scenario, const RunRecord& record, size_t exact,
                       ordered_json& workloads) {
  std::map<std::pair<uint32_t, std::string>, Bands> of;
  const auto visit = [&](auto use) {
    ForEachOperation(record, [&](const OperationView& v) {
      const OperationRecord& o = v.record;
      if (!o.Finished() || o.ramp) return;
      for (const char* const kind : {"all", OperationKindName(o.kind)})
        use(of.try_emplace({o.workload, kind}, exact).first->second,
            Split{o.completed - o.start, RowKeyOf(o), o.parts, v.waits});
    });
  };
  visit([](Bands& bands, const Split& split) { bands.Count(split.took, split.row); });
  for (auto& [key, bands] : of) bands.Choose();
  visit([](Bands& bands, const Split& split) { bands.Add(split); });
  const Means means(scenario);
  const WrittenParts written(scenario);
  const auto name = [&written](size_t i) {
    const auto part = static_cast<OperationPart>(i);
    return written.Has(part) ? OperationPartName(part) : nullptr;
  };
  for (auto& [key, bands] : of) {
    ordered_json& out = workloads[scenario.workloads[key.first].name][key.second];
    for (size_t band = 0; band < std::size(kBands); ++band) {
      const BandSums sums = bands.Sums(band);
      out["parts_at_us"][kBands[band].name] = means.Parts(sums, name);
      out["waits_at_us"][kBands[band].name] = means.Waits(sums);
    }
  }
}

}  // namespace headroom
