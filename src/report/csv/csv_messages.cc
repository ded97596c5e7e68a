// Part of csv_tables.h: messages.csv.
#include <tuple>

#include "report/csv/csv_tables.h"
#include "report/csv/in_order.h"
#include "report/csv/scope_name.h"
#include "report/csv/written_parts.h"
#include "run/ended_records.h"
#include "workload/operation.h"

namespace headroom {

/// Selects one message in `one_in`, of any workload and source: as if drawn at random, but the same in every
/// run. Source: the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
static bool Kept(const MessageRecord& m, uint32_t one_in) {
  uint64_t x = (uint64_t{m.src} << 32 | m.number) + (uint64_t{m.workload} + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return one_in > 0 && (x ^ x >> 31) % one_in == 0;
}

/// An unfinished message has no parts, because its end is unknown.
static void WriteParts(TextFile& file, const WrittenParts& written, const MessageRecord& m,
                       const MessageParts& parts) {
  for (int i = 0; i < kMessageParts; ++i) {
    const auto part = static_cast<MessagePart>(i);
    if (written.Has(part)) file.Print(",{}", ExactNanoseconds{m.Finished() ? parts[part] : kNever});
  }
  file.Print(",{}", ExactNanoseconds{m.Finished() ? parts.limited_since : kNever});
}

static void WriteHeader(TextFile& file, const WrittenParts* parts) {
  file.Write(
      "id,workload,src,dst,scope,priority,verb,bytes,start_ns,delivered_ns,completed_ns,ideal_ns,slowdown,"
      "finished,"
      "marked_packets,retransmitted_packets");
  for (int i = 0; parts != nullptr && i < kMessageParts; ++i) {
    const auto part = static_cast<MessagePart>(i);
    if (parts->Has(part)) file.Print(",{}_ns", MessagePartName(part));
  }
  if (parts != nullptr) file.Write(",limited_since_ns");
  file.Write("\n");
}

/// `parts`: null if times were not split.
static void WriteLine(TextFile& file, const Scenario& scenario, const MessageRecord& m,
                      const WrittenParts& written, const MessageParts* parts) {
  const auto& nodes = scenario.topology.nodes;
  const TopologyNode& src = nodes[m.src];
  const TopologyNode& dst = nodes[m.dst];
  const std::string& workload = scenario.workloads[m.workload].name;
  file.Print("{}/{}/{},{},{},{},{},{},{},{},{},{},{},{},", workload, src.name, m.number, workload, src.name,
             dst.name, ScopeName(src.place, dst.place), m.priority,
             VerbName(scenario.workloads[m.workload].verb), m.size.v, ExactNanoseconds{m.start},
             ExactNanoseconds{m.delivered}, ExactNanoseconds{m.completed}, ExactNanoseconds{m.ideal});
  if (m.Finished() && m.ideal > Time(0)) {
    file.Print("{:.6f}", static_cast<double>((m.completed - m.start).v) / static_cast<double>(m.ideal.v));
  }
  file.Print(",{:d},{},{}", m.Finished(), m.marked_packets, m.retransmitted_packets);
  if (parts != nullptr) WriteParts(file, written, m, *parts);
  file.Write("\n");
}

void WriteMessagesCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  const bool parts = HasParts(record, scenario);
  const WrittenParts written(scenario);
  WriteHeader(file, parts ? &written : nullptr);
  const uint32_t one_in = scenario.observe.messages.one_in;
  if (record.ended)
    return record.ended->ForEachMessage([&](const MessageView& m) {
      if (Kept(m.record, one_in)) WriteLine(file, scenario, m.record, written, m.parts);
    });
  for (const MessageRecord* m : InOrder(record.messages, [](const auto& m) { return RowKeyOf(m); })) {
    if (Kept(*m, one_in)) WriteLine(file, scenario, *m, written, parts ? &record.PartsOf(*m) : nullptr);
  }
}

}  // namespace headroom
