// pfc.csv
#include <tuple>

#include "report/csv/result_file.h"
#include "run/recording/ended_records.h"

namespace headroom {

static void ForEachPauseRow(const ResultRun& run, const std::function<void(const PauseRecord&)>& use) {
  if (run.record.ended) return run.record.ended->ForEachPause(use);
  Sorted(&RunRecord::pauses,
         [](auto& p) { return std::tuple(p.start, p.node, p.port, p.priority, p.direction); })(run, use);
}

static const Table<PauseRecord> kPfc{
    "pfc",
    "a line for each pause at each end of the link",
    ForEachPauseRow,
    {{"time_ns", kinds::kNs, "start of the pause", &PauseRecord::start},
     {"node", kinds::kName, "node that pauses or is paused", kNodeOf},
     {"port", kinds::kName, "port of that node", kPortOf},
     {"peer_node", kinds::kName, "node at the other end",
      [](auto& run, auto& p) { return run.Node(run.ports.At(p.node, p.port).peer); }},
     {"peer_port", kinds::kName, "port at the other end",
      [](auto& run, auto& p) -> std::string_view { return run.ports.At(p.node, p.port).peer_port; }},
     {"priority", kinds::kIndex, "paused priority", &PauseRecord::priority},
     {"direction", kinds::kName.OneOf({"rx", "tx"}), "tx: the node pauses its peer; rx: the node is paused",
      [](auto& p) { return p.direction == PauseRecord::Direction::tx ? "tx" : "rx"; }},
     {"duration_ns", kinds::kNs.MayBeEmpty(), "length of the pause; empty if it outlived the run",
      [](auto& p) { return p.end == kNever ? kNever : p.end - p.start; }},
     {"refreshes", kinds::kCount.Since(2), "frames that prolonged the pause", &PauseRecord::refreshes},
     {"group_bytes", kinds::kBytes.MayBeEmpty().Since(2),
      "tx: bytes in the priority group when the pause began", [](auto& p) {
        return p.direction == PauseRecord::Direction::tx ? std::optional(p.group_bytes) : std::nullopt;
      }}}};

}  // namespace headroom
