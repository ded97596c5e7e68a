// events.csv
#include <tuple>

#include "report/csv/result_file.h"

namespace headroom {

static const Table<EventRecord> kEvents{
    "events",
    "a time line: first marks and drops, faults, watchdogs, failed queue pairs, deadlocks",
    Sorted(&RunRecord::events_log,
           [](auto& e) { return std::tie(e.time, e.node, e.port, e.priority, e.kind); }),
    {{"time_ns", kinds::kNs, "time of the event", &EventRecord::time},
     {"event", kinds::kText, "kind of event, such as first_drop", [](auto& e) { return CsvField(e.kind); }},
     {"node", kinds::kName.MayBeEmpty().Since(2), "node", kNodeOf},
     {"port", kinds::kName.MayBeEmpty().Since(2), "port; empty for an event without one",
      [](auto& run, auto& e) {
        return e.port == EventRecord::kNone ? std::string_view()
                                            : run.Port(e.node, static_cast<uint32_t>(e.port));
      }},
     {"priority", kinds::kIndex.MayBeEmpty().Since(2), "priority; empty for an event without one",
      [](auto& e) { return e.priority == EventRecord::kNone ? std::nullopt : std::optional(e.priority); }},
     {"detail", kinds::kText.MayBeEmpty().Since(2), "more about the event",
      [](auto& e) { return CsvField(e.detail); }}}};

}  // namespace headroom
