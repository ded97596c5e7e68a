// Parts of a network, each with an event queue of its own, run in turn in one process.
//
// A part runs for a window: the shortest time in which an event of one part can cause an event in another. So
// what crosses from part to part in a window takes effect in a later one, and the parts may run their windows
// one after another. Events of no node, such as samples, stay in the queue of the whole. They run between
// windows, when every part has run all that is before them. Keys of events are unique and intrinsic, so the
// run is the same for any cut.
//
// Work that is left is counted by part (CountByPart). The run is over with the event in which the counts of
// all parts become 0, and nothing crosses. To find it, a part stops where its own counts become 0. If all
// parts have stopped, they run on to the last of these events, and look again.
//
// Phases: set-up cuts the network before the first node is made; Begin ends it; then RunBefore.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sim/event_queue.h"
#include "sim/inbox.h"

namespace headroom {

class Parts {
 public:
  /// Those of this process: one part, which is the whole, unless Cut was called.
  static Parts& Get();

  // Set-up.
  /// `window`: see above. REQUIRES: StartSimulator was called; no entity, lane or event exists.
  void Cut(int parts, Time window);
  /// This ns-3 node belongs to that part. REQUIRES: before its first event or lane.
  void Assign(uint32_t context, int part);
  /// From now on each part has its own value of `counter`, 0 at first: the counter has that of the part that
  /// runs. REQUIRES: it is 0, and outlives the run.
  void CountByPart(uint64_t& counter);
  /// The same for what crosses from part to part. It is counted apart while it is under way. REQUIRES: once.
  void CountCrossing(uint64_t& counter);
  /// Gives each part the events of its nodes. Once, when all handlers are set.
  void Begin();

  // At any time.
  bool Several() const { return !queues_.empty(); }
  /// Of the node with that context; kWhole where it has none, and without a cut.
  int Of(uint32_t context) const { return context < part_of_.size() ? part_of_[context] : kWhole; }
  /// Of such a counter, over all parts and what is under way.
  uint64_t Sum(const uint64_t& counter) const;
  /// Own events executed so far, of all parts.
  uint64_t executed() const;
  static constexpr int kWhole = -1;  ///< in place of a part: events of no node, and set-up

  /// Until it ends, what happens belongs to the part of a node. REQUIRES: it belonged to that part already,
  /// or to none.
  class Within {
   public:
    explicit Within(uint32_t context);
    ~Within();
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    int from_;
  };

  // In events.
  /// An event for another part, which takes one of the count of CountCrossing with it.
  void Send(int to, const TimedEvent& event);
  /// All counts of this part have become 0. True: those of all others are 0 too, and the run is over with
  /// this event. Else OnOver is called once it turns out to be.
  bool IsOver();
  void SetOnOver(std::function<void()> f) { on_over_ = std::move(f); }
  /// The place of what happens now in the order in which one part would run it.
  struct Place {
    uint64_t window;   ///< how many windows, and events of no node, were before
    TimedKey reached;  ///< by the part within the window
    bool operator<(const Place& o) const {
      return window != o.window ? window < o.window : reached < o.reached;
    }
  };
  /// REQUIRES: Several().
  Place Now() const { return {windows_, QueueOf(running_).reached()}; }

  // For the driver of the run (sim/simulator.h).
  /// Runs all events of parts before this one of the whole, unless `stop` is set. Calls `pulse` after each
  /// window.
  void RunBefore(TimedKey end, const bool& stop, const std::function<void()>& pulse);

 private:
  void Enter(int part);
  EventQueue& QueueOf(int part) const {
    return part == kWhole ? *whole_ : *queues_[static_cast<size_t>(part)];
  }
  /// Where the counts of a part are kept while it is not its turn.
  std::vector<uint64_t>& CountsOf(int part) { return counts_[static_cast<size_t>(part + 1)]; }
  bool Idle(int part) const;
  bool AllIdle() const;
  void Deliver(TimedKey end);
  void Run(int part, TimedKey end, bool to_its_stop);
  bool RunToStop(TimedKey end);
  bool IsOverAt(TimedKey last);
  void RunAll(TimedKey end);
  void ArriveAt(TimedKey here);

  ns3::Ptr<EventQueue> whole_;
  std::vector<ns3::Ptr<EventQueue>> queues_;
  std::vector<int> part_of_;  ///< by context
  Time window_;
  std::vector<uint64_t*> counters_;
  size_t crossing_ = 0;                        ///< which of them is CountCrossing's
  uint64_t undelivered_ = 0;                   ///< so many are in inboxes
  std::vector<std::vector<uint64_t>> counts_;  ///< by 1 + part
  std::vector<Inbox> inboxes_;
  Inbox::Table sorting_;
  std::vector<LaneId> crossed_;  ///< of each queue: the lane of what was in its inbox
  TimedKey granted_{0, 0};       ///< what comes from another part is not before this
  uint64_t windows_ = 0;         ///< so many are over
  int entered_ = kWhole;         ///< whose queue and counts are the current ones
  int running_ = kWhole;         ///< whose event runs
  bool stops_ = false;           ///< a part runs until its counts are 0
  bool stopped_ = false;         ///< they are
  std::vector<TimedKey> stopped_at_;
  std::vector<uint64_t> late_;  ///< by part: sent in the event in which it stopped, after that
  std::function<void()> on_over_;
};

/// The order of the entries of a log that all parts write: that in which one part would have written them.
class LogOrder {
 public:
  /// An entry is added.
  void Note() {
    if (Parts::Get().Several()) places_.push_back(Parts::Get().Now());
  }
  /// The entries' places in the log, in their order; empty: as they are.
  std::vector<uint32_t> Order() const;

 private:
  std::vector<Parts::Place> places_;
};

/// The entries of a log in this order.
template <class T>
void PutInOrder(std::vector<T>& log, const std::vector<uint32_t>& order) {
  if (order.empty()) return;
  std::vector<T> ordered;
  ordered.reserve(log.size());
  for (const uint32_t i : order) ordered.push_back(std::move(log[i]));
  log = std::move(ordered);
}

}  // namespace headroom
