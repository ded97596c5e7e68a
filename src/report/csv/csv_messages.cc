// messages.csv
#include "report/csv/part_columns.h"
#include "report/csv/result_file.h"
#include "report/csv/scope_name.h"
#include "workload/operation.h"

namespace headroom {

namespace {

/// A message, with its parts if times were split.
struct MessageRow {
  const MessageRecord& m;
  const MessageParts* parts;
};

/// Selects one message in `one_in`, of any workload and source: as if drawn at random, but the same in every
/// run. Source: the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
bool Kept(const MessageRecord& m, uint32_t one_in) {
  uint64_t x = (uint64_t{m.src} << 32 | m.number) + (uint64_t{m.workload} + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return one_in > 0 && (x ^ x >> 31) % one_in == 0;
}

void ForEachMessageRow(const ResultRun& run, const std::function<void(const MessageRow&)>& use) {
  const RunRecord& record = run.record;
  const auto use_kept = [&, one_in = run.scenario.observe.messages.one_in](const MessageRow& row) {
    if (Kept(row.m, one_in)) use(row);
  };
  if (record.ended)
    return record.ended->ForEachMessage([&](const MessageView& v) { use_kept({v.record, v.parts}); });
  const bool parts = HasParts(record, run.scenario);
  for (const MessageRecord* m : InOrder(record.messages, [](const auto& m) { return RowKeyOf(m); }))
    use_kept({*m, parts ? &record.PartsOf(*m) : nullptr});
}

std::optional<double> SlowdownOf(const MessageRecord& m) {
  if (!m.Finished() || m.ideal <= Time(0)) return {};
  return static_cast<double>((m.completed - m.start).v) / static_cast<double>(m.ideal.v);
}

std::vector<ColumnOf<MessageRow>> MessageColumns() {
  const auto name = [](NodeId MessageRecord::*end) {
    return [end](const ResultRun& run, const MessageRow& row) { return run.Node(row.m.*end); };
  };
  const auto of = [](auto MessageRecord::*member) {
    return [member](const MessageRow& row) { return row.m.*member; };
  };
  const Kind name2 = kinds::kName.Since(2);
  std::vector<ColumnOf<MessageRow>> columns = {
      {"id", name2, "workload/source/number, the number counted by source",
       [](auto& run, auto& r) {
         return RowName{run.Workload(r.m.workload), run.Node(r.m.src), r.m.number};
       }},
      {"workload", kinds::kName, "workload", [](auto& run, auto& r) { return run.Workload(r.m.workload); }},
      {"src", name2, "host that sends the data", name(&MessageRecord::src)},
      {"dst", name2, "host that receives the data", name(&MessageRecord::dst)},
      {"scope", name2.OneOf({"rack", "cluster", "datacenter", "region"}),
       "smallest scope that contains both ends",
       [](auto& run, auto& r) {
         const auto& nodes = run.scenario.topology.nodes;
         return ScopeName(nodes[r.m.src].place, nodes[r.m.dst].place);
       }},
      {"priority", kinds::kIndex.Since(2), "priority", of(&MessageRecord::priority)},
      {"verb", name2, "verb of its work request",
       [](auto& run, auto& r) { return VerbName(run.scenario.workloads[r.m.workload].verb); }},
      {"bytes", kinds::kBytes, "size", of(&MessageRecord::size)},
      {"start_ns", kinds::kNs, "time of posting", of(&MessageRecord::start)},
      {"delivered_ns", kinds::kNs.MayBeEmpty().Since(2), "arrival of its last byte",
       of(&MessageRecord::delivered)},
      {"completed_ns", kinds::kNs.MayBeEmpty(), "completion at the sender; empty if unfinished",
       of(&MessageRecord::completed)},
      {"ideal_ns", kinds::kNs, "time that it takes alone; 0 if unknown", of(&MessageRecord::ideal)},
      {"slowdown", kinds::kNumber.MayBeEmpty(), "time from start to completion, divided by ideal_ns",
       [](auto& r) { return SlowdownOf(r.m); }},
      {"finished", kinds::kFlag, "1 if it completed", [](auto& r) { return r.m.Finished(); }},
      {"marked_packets", kinds::kPackets.Since(2), "packets that arrived with a mark",
       of(&MessageRecord::marked_packets)},
      {"retransmitted_packets", kinds::kPackets.Since(2), "packets sent again",
       of(&MessageRecord::retransmitted_packets)}};
  // An unfinished message has no parts, because its end is unknown.
  for (int i = 0; i < kMessageParts; ++i) {
    const auto part = static_cast<MessagePart>(i);
    columns.emplace_back(fmt::format("{}_ns", MessagePartName(part)),
                         kinds::kNs.MayBeEmpty().Part().When(ConditionOf(part)),
                         HelpOfPart(MessagePartName(part)),
                         [part](const MessageRow& r) { return r.m.Finished() ? (*r.parts)[part] : kNever; });
  }
  columns.emplace_back("limited_since_ns",
                       kinds::kNs.MayBeEmpty().Since(2).When(ConditionOf(MessagePart::other)),
                       "last rate cut before the limiter first delayed the message; empty if it never did",
                       [](const MessageRow& r) { return r.m.Finished() ? r.parts->limited_since : kNever; });
  return columns;
}

/// In the order of (start, workload in the scenario, source in the topology, number).
const Table<MessageRow> kMessages{"messages",
                                  "a line for each message, or for a sample of them (observe.messages)",
                                  ForEachMessageRow, MessageColumns()};

}  // namespace

}  // namespace headroom
