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
    const auto shown = of[w].begin() + static_cast<ptrdiff_t>(std::min(kSlowest, of[w].size()));
    std::partial_sort(of[w].begin(), shown, of[w].end(), [](const MessageRecord* a, const MessageRecord* b) {
      const Time first = a->completed - a->start, second = b->completed - b->start;
      return first != second ? first > second : a < b;
    });
    of[w].erase(shown, of[w].end());
    for (const MessageRecord* m : of[w]) {
      const MessageParts& parts = record.PartsOf(*m);
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
