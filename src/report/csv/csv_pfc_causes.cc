// pfc_causes.csv
#include <cmath>
#include <tuple>

#include "report/csv/result_file.h"
#include "scenario/senders.h"

namespace headroom {

namespace {

struct CauseRow {
  const PauseRecord& pause;
  const PauseRoot& root;
  double share;
  bool HasPlace() const { return root.kind != PauseRoot::Kind::rest; }
};

void ForEachCause(const ResultRun& run, const std::function<void(const CauseRow&)>& use) {
  const std::vector<PauseRecord>& pauses = run.record.pauses;
  const auto key = [&](const PauseCause& c) {
    const PauseRecord& p = pauses[c.pause];
    return std::tuple(p.start, p.node, p.port, p.priority, c.pause);
  };
  // Rounds to millionths that sum to a million: each share gets the rounding error of the previous one.
  const PauseRecord* of = nullptr;
  double so_far = 0;
  for (const PauseCause* c : InOrder(run.record.pause_causes, key)) {
    const PauseRecord& p = pauses[c->pause];
    if (of != &p) so_far = 0;
    of = &p;
    const double before = std::round(so_far * 1e6);
    so_far += c->share;
    const double share = (std::round(so_far * 1e6) - before) / 1e6;
    if (share > 0) use({p, c->root, share});
  }
}

const Table<CauseRow> kPfcCauses{
    "pfc_causes",
    "a line for each pause that a node sent and each root of it, the largest share first",
    ForEachCause,
    {{"start_ns", kinds::kNs, "start of the pause, as in pfc.csv", [](auto& c) { return c.pause.start; }},
     {"node", kinds::kName, "node that pauses its peer",
      [](auto& run, auto& c) { return run.Node(c.pause.node); }},
     {"port", kinds::kName, "port of that node",
      [](auto& run, auto& c) { return run.Port(c.pause.node, c.pause.port); }},
     {"priority", kinds::kIndex, "paused priority", [](auto& c) { return c.pause.priority; }},
     {"duration_ns", kinds::kNs.MayBeEmpty(), "length of the pause; empty if it outlived the run",
      [](auto& c) { return c.pause.end == kNever ? kNever : c.pause.end - c.pause.start; }},
     {"root_node", kinds::kName.MayBeEmpty(), "node of the root; empty for the rest",
      [](auto& run, auto& c) { return c.HasPlace() ? run.Node(c.root.node) : std::string_view(); }},
     {"root_port", kinds::kName.MayBeEmpty(), "port of the root",
      [](auto& run, auto& c) {
        return c.HasPlace() ? run.Port(c.root.node, c.root.port) : std::string_view();
      }},
     {"root_queue", kinds::kIndex.MayBeEmpty(), "queue of the root, or the priority that it pauses",
      [](auto& c) { return c.HasPlace() ? std::optional(c.root.queue) : std::nullopt; }},
     {"workload", kinds::kName.MayBeEmpty(), "workload or service of the frames that wait at the root",
      [](auto& run, auto& c) { return c.HasPlace() ? SenderName(run.scenario, c.root.tag) : std::string(); }},
     {"share", kinds::kNumber, "share of the pause that this root causes; the shares of a pause sum to 1",
      &CauseRow::share},
     {"root_kind", kinds::kName.OneOf(6, PauseRootName), "kind of root; rest: all small roots together",
      [](auto& c) { return PauseRootName(c.root.kind); }}}};

}  // namespace

}  // namespace headroom
