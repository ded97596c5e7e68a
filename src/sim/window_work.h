// The work of a run in parts, window by window: what several processes would gain from it.
//
// Work is counted in events, so two runs report the same. In a window, each process would run its own parts,
// and would wait for the slowest process. Events of no node would run in every process.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom {

class WindowWork {
 public:
  struct Totals {
    uint64_t windows = 0;   ///< windows in which an event ran
    uint64_t events = 0;    ///< all events
    uint64_t slowest = 0;   ///< the sum over windows of the events of the slowest process
    uint64_t crossing = 0;  ///< frames that go from process to process
    bool operator==(const Totals&) const = default;
  };

  /// Processes get consecutive parts. REQUIRES: 0 < processes <= parts.
  WindowWork(int parts, int processes)
      : parts_(static_cast<size_t>(parts)), now_(static_cast<size_t>(processes)) {}

  size_t ProcessOf(int part) const { return static_cast<size_t>(part) * now_.size() / parts_; }
  void Add(int part, uint64_t events) { now_[ProcessOf(part)] += events; }
  /// Events of no node.
  void AddEverywhere(uint64_t events) {
    totals_.events += events;
    totals_.slowest += events;
  }
  void Cross(int from, int to) { totals_.crossing += ProcessOf(from) != ProcessOf(to); }
  void EndWindow() {
    const uint64_t slowest = *std::max_element(now_.begin(), now_.end());
    totals_.windows += slowest > 0;
    totals_.slowest += slowest;
    for (uint64_t& events : now_) {
      totals_.events += events;
      events = 0;
    }
  }
  const Totals& totals() const { return totals_; }
  int processes() const { return static_cast<int>(now_.size()); }

 private:
  size_t parts_;
  std::vector<uint64_t> now_;  ///< events of the current window, indexed by process
  Totals totals_;
};

}  // namespace headroom
