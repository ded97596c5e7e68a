// Parts of a network, each with its own event queue. A process runs its parts one after another.
//
// A part runs for a window: the shortest time in which an event of one part can cause an event in another. So
// an event sent from part to part in a window takes effect in a later window, and the parts may run their
// windows one after another. Events of no node, such as samples, stay in the queue of the whole network. They
// run between windows, when every part has run all earlier events. Keys of events are unique and intrinsic,
// so the run is the same for any cut.
//
// Each part counts its remaining work (CountByPart). The run is over with the event in which the counts of
// all parts become 0 while nothing crosses. To find this event, each part stops when its own counts become 0.
// When all parts have stopped, they run on to the last of these events, and check again.
//
// Several processes, the ranks, may run one network (parts_ranks.cc). Each has all parts, and runs only its
// own. All ranks run the same windows and the same events of no node. In these events a rank acts on its own
// nodes only (Within::here). It may ask all ranks (Swap, OnAll), and then each rank must have the event.
// Between windows each rank sends the others, in one packet, the events for their parts, its state and
// further data (Freight).
//
// Phases: set-up cuts the network before the first node is made; Begin ends it; then RunBefore.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sim/event_queue.h"
#include "sim/exchange.h"
#include "sim/inbox.h"
#include "sim/window_work.h"

namespace headroom {

class Parts {
 public:
  /// The parts of this process. Unless Cut was called, the whole network is one part.
  static Parts& Get();

  // Set-up.
  /// This process is one of several ranks. `carrier`: for events that cross. Both outlive the run. REQUIRES:
  /// called before Cut.
  void JoinRanks(Exchange& exchange, EventCarrier& carrier);
  /// Sends this with the events. REQUIRES: all ranks add the same, in the same order.
  void Add(Freight& freight) { freight_.push_back(&freight); }
  /// `window`: see above. REQUIRES: StartSimulator was called; no entity, lane or event exists;
  /// there is a part for each rank.
  void Cut(int parts, Time window);
  /// Assigns an ns-3 node to a part. REQUIRES: called before the node's first event or lane.
  void Assign(uint32_t context, int part);
  /// From now on each part has its own value of `counter`, initially 0. While a part runs, `counter` has the
  /// value of that part. REQUIRES: `counter` is 0, and outlives the run.
  void CountByPart(uint64_t& counter);
  /// The same for the counter of frames, which cross from part to part. Frames that are crossing are counted
  /// separately. REQUIRES: called once.
  void CountCrossing(uint64_t& counter);
  /// From now on Work() counts what so many processes would gain. REQUIRES: the network is cut, into at least
  /// as many parts.
  void CountWork(int processes) { work_.emplace(static_cast<int>(queues_.size()), processes); }
  /// Gives each part the events of its nodes, Headroom's and ns-3's. Call it once, when all handlers are set.
  void Begin();

  // At any time.
  bool Several() const { return !queues_.empty(); }
  /// The part of the node with this context; kWhole if the node has no part, or if the network is not cut.
  int Of(uint32_t context) const { return context < part_of_.size() ? part_of_[context] : kWhole; }
  int rank() const { return exchange_ == nullptr ? 0 : exchange_->rank(); }
  int ranks() const { return exchange_ == nullptr ? 1 : exchange_->size(); }
  /// Whether this rank runs the part. Events of no node run on every rank.
  bool Here(int part) const { return exchange_ == nullptr || part == kWhole || RankOf(part) == rank(); }
  bool IsHere(uint32_t context) const { return Here(Of(context)); }
  /// The rank that runs the part. Neighbouring parts share a rank.
  int RankOf(int part) const {
    return static_cast<int>(static_cast<int64_t>(part) * ranks() / static_cast<int64_t>(queues_.size()));
  }
  /// Whether this rank reports the current event. All ranks run events of no node; the first one reports.
  bool Reports() const { return entered_ != kWhole || rank() == 0; }
  /// The ns-3 node of the current event; UINT32_MAX in events of no node, whatever they act on, and in
  /// set-up. The same for any cut.
  uint32_t Context() const;
  /// The same, but in events of no node and in set-up the node that they act on (Within), if any.
  uint32_t Acting() const {
    const uint32_t context = Context();
    return context == UINT32_MAX ? acting_ : context;
  }
  /// The sum of such a counter over all parts of this rank, including what is crossing to them.
  uint64_t Sum(const uint64_t& counter) const;
  /// Number of Headroom's events executed so far, over all parts of this rank. Events of no node count on the
  /// first rank only.
  uint64_t executed() const;
  /// The work so far; none without CountWork.
  std::optional<WindowWork::Totals> Work();
  static constexpr int kWhole = -1;  ///< in place of a part: events of no node, and set-up

  /// While an object lives, the part of its node is the current part. REQUIRES: that part was current before,
  /// or no part was.
  class Within {
   public:
    explicit Within(uint32_t context);
    ~Within();
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    /// Whether this rank runs that part; otherwise nothing may be done to the node.
    bool here() const { return here_; }

   private:
    int from_;
    uint32_t acting_before_;
    bool here_;
  };

  // In events.
  /// Sends an event to another part. With it, one frame of CountCrossing's counter crosses.
  void Send(int to, const TimedEvent& event);
  /// Call it when all counts of this part have become 0. Returns true if the counts of all other parts are 0,
  /// too: the run is over with this event. Otherwise the function of SetOnOver is called once it is over.
  bool IsOver();
  void SetOnOver(std::function<void()> f) { on_over_ = std::move(f); }
  /// With several ranks: soon after one rank asks, this function is called on each, between two windows.
  void AskAll() { asks_ = true; }
  void SetOnAsked(std::function<void()> f) { on_asked_ = std::move(f); }
  /// Sends each other rank a packet; the result has theirs, by rank. REQUIRES: this is an event of no node,
  /// or there is no event.
  std::vector<Packet> Swap(std::vector<Packet> out);
  /// Whether this is true on every rank. REQUIRES: the same.
  bool OnAll(bool own);
  /// The place of the current event in the order of a run in one part.
  struct Place {
    uint64_t window;   ///< number of earlier windows and of earlier events of no node
    TimedKey reached;  ///< the key that the part has reached in the window
    uint32_t step;     ///< in an event of no node: number of nodes that it has acted on
    bool operator<(const Place& o) const {
      if (window != o.window) return window < o.window;
      return reached < o.reached || (!(o.reached < reached) && step < o.step);
    }
  };
  /// REQUIRES: Several().
  Place Now() const { return {windows_, QueueOf(running_).reached(), running_ == kWhole ? steps_ : 0}; }

  // For the driver of the run (sim/simulator.h).
  /// Runs all events of parts before `end`, the next event of the whole, unless `stop` is set. `ns3_event`
  /// runs ns-3's event at the head of the current queue. Calls `pulse` after each window.
  void RunBefore(TimedKey end, const bool& stop, const std::function<void()>& ns3_event,
                 const std::function<void()>& pulse);
  /// Returns all ns-3 events of parts to the queue of the whole network, after the run.
  void TakeBackNs3Events();

 private:
  void Enter(int part);
  EventQueue& QueueOf(int part) const {
    return part == kWhole ? *whole_ : *queues_[static_cast<size_t>(part)];
  }
  /// The counts of a part while another part runs.
  std::vector<uint64_t>& CountsOf(int part) { return counts_[static_cast<size_t>(part + 1)]; }
  bool Idle(int part) const;
  bool AllIdle() const;
  void Deliver(TimedKey end);
  void Run(int part, TimedKey end, bool to_its_stop);
  bool RunToStop(TimedKey end);
  bool IsOverAt(TimedKey last);
  void RunAll(TimedKey end);
  void ArriveAt(TimedKey here);
  void CountWindow();

  // Several ranks (parts_ranks.cc).
  /// The state of one rank between two steps, or the joint state of all.
  struct State {
    TimedKey head = EventQueue::kNothing;   ///< of the next event of a part
    TimedKey last{0, 0};                    ///< of the last event that crosses, if any
    TimedKey stopped{0, 0};                 ///< the last key at which a part stopped
    TimedKey whole = EventQueue::kNothing;  ///< of the next event of no node, the same on all ranks
    uint64_t crossing = 0, late = 0;        ///< numbers of frames, as undelivered_ and the sum of late_
    bool idle = true;                       ///< all counts are 0
    bool worked = false;                    ///< a part had work in the window
    bool complete = true;                   ///< all parts have run to the end of the window
    bool may_be_over = false;               ///< an event of no node ended the last work of a part
    bool asks = false;
    void Join(const State& other);
  };
  State Own() const;
  State Meet(State own);
  State Meet() { return Meet(Own()); }
  void PackFor(int rank, State own, Packet& packet);
  void UnpackFrom(int rank, const Packet& packet, State& all);
  void RunRanksBefore(TimedKey end, const bool& stop, const std::function<void()>& pulse);
  bool RanksRunToStop(TimedKey end, State& all);
  bool RunOwnToStop(const std::vector<int>& busy, TimedKey end, State& all);
  bool AreRanksOverAt(TimedKey last);

  ns3::Ptr<EventQueue> whole_;
  std::vector<ns3::Ptr<EventQueue>> queues_;
  std::vector<int> part_of_;  ///< by context
  Time window_;
  std::vector<uint64_t*> counters_;
  size_t crossing_ = 0;                        ///< index in counters_ of CountCrossing's counter
  uint64_t undelivered_ = 0;                   ///< number of frames in inboxes
  std::vector<std::vector<uint64_t>> counts_;  ///< by 1 + part
  std::vector<Inbox> inboxes_;
  Inbox::Table sorting_;
  std::vector<LaneId> crossed_;   ///< indexed by part: the lane for events from its inbox
  TimedKey granted_{0, 0};        ///< no event from another part is before this key
  uint64_t windows_ = 0;          ///< number of finished windows
  int entered_ = kWhole;          ///< the part whose queue and counts are current
  int running_ = kWhole;          ///< the part whose event runs
  uint32_t acting_ = UINT32_MAX;  ///< the node of the innermost Within
  bool stops_ = false;            ///< a part runs until its counts are 0
  bool stopped_ = false;          ///< the counts of the running part have become 0
  std::vector<TimedKey> stopped_at_;
  std::vector<uint64_t> late_;  ///< by part: number of events that it sent after it had stopped
  std::function<void()> on_over_;
  std::optional<WindowWork> work_;
  uint64_t whole_counted_ = 0;  ///< events of no node that work_ has

  Exchange* exchange_ = nullptr;  ///< null: this is the only process
  EventCarrier* carrier_ = nullptr;
  std::vector<Freight*> freight_;
  std::vector<std::vector<TimedEvent>> outgoing_;  ///< by rank: events that cross to it
  std::vector<Packet> sent_, received_;            ///< by rank; kept, because they keep their memory
  uint32_t steps_ = 0;                             ///< Place::step
  bool may_be_over_ = false, asks_ = false, asked_ = false;
  std::function<void()> on_asked_;
  const std::function<void()>* ns3_event_ = nullptr;  ///< during RunBefore
};

/// For a log that all parts write: finds the order in which one part would have written the entries.
class LogOrder {
 public:
  /// An entry is added.
  void Note() {
    if (Parts::Get().Several()) places_.push_back(Parts::Get().Now());
  }
  /// The places of the entries in the log, in that order; empty: the log is in order.
  std::vector<uint32_t> Order() const;
  /// Adds the entries of another rank's log, behind the own ones.
  void Append(const LogOrder& other) {
    places_.insert(places_.end(), other.places_.begin(), other.places_.end());
  }
  template <class P>
  void Pack(P& pack) {
    pack(places_);
  }

 private:
  std::vector<Parts::Place> places_;
};

/// Puts the entries of a log in this order, in place; empty: they are in order.
template <class T>
void PutInOrder(std::vector<T>& log, std::vector<uint32_t> order) {
  for (uint32_t begin = 0; begin < order.size(); ++begin) {
    if (order[begin] == begin) continue;
    T first = std::move(log[begin]);
    uint32_t to = begin;
    for (uint32_t from = order[to]; from != begin; from = order[to]) {
      log[to] = std::move(log[from]);
      order[to] = to;
      to = from;
    }
    log[to] = std::move(first);
    order[to] = to;
  }
}

}  // namespace headroom
