// Of csv_tables.h: message_waits.csv.
#include <algorithm>

#include "report/csv/csv_tables.h"
#include "report/csv/port_directory.h"

namespace headroom {

void WriteMessageWaitsCsv(TextFile& file, const Scenario& scenario, const RunRecord& record) {
  file.Write("id,way,node,port,queue,since_ns,queued_ns,paused_ns\n");
  if (record.message_parts.empty()) return;
  constexpr size_t kSlowest = 50;
  const PortDirectory ports(scenario.topology);
  const auto& nodes = scenario.topology.nodes;
  std::vector<std::vector<const MessageRecord*>> of(scenario.workloads.size());
  for (const MessageRecord& m : record.messages) {
    if (m.Finished()) of[m.workload].push_back(&m);
  }
  for (size_t w = 0; w < of.size(); ++w) {
    std::stable_sort(of[w].begin(), of[w].end(), [](const MessageRecord* a, const MessageRecord* b) {
      return a->completed - a->start > b->completed - b->start;
    });
    if (of[w].size() > kSlowest) of[w].resize(kSlowest);
    for (const MessageRecord* m : of[w]) {
      const MessageParts& parts = record.message_parts[static_cast<size_t>(m - record.messages.data())];
      for (uint32_t i = 0; i < parts.waits; ++i) {
        const WaitRecord& wait = record.message_waits[parts.first_wait + i];
        file.Print("{}/{}/{},{},{},{},{},{},{},{}\n", scenario.workloads[w].name, nodes[m->src].name,
                   m->number, wait.back ? "ack" : "data", nodes[wait.node].name,
                   ports.At(wait.node, wait.port).name, wait.queue, ExactNanoseconds{wait.since},
                   ExactNanoseconds{wait.queued}, ExactNanoseconds{wait.paused});
      }
    }
  }
}

}  // namespace headroom
