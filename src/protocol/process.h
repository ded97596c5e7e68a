// A program's thread on one core of a host: it takes completions and requests of its connections in turn, one
// at a time, and each takes the core's time.
//
// Begun requests come first. A new one, of its own host's or from another, is taken up when no begun one is
// ready for the core. Else, once more is asked for than the core has time for, new requests would keep it
// from ever ending one. Source: Mogul and Ramakrishnan, Eliminating receive livelock in an interrupt-driven
// kernel, ACM TOCS 1997, which processes what has come in to completion before it takes more; the rule in
// these words is ours.
//
// A thread that sleeps (EventLoop) runs some time after something has come, and spends time on each turn
// of its loop: a turn takes what there is when it begins. Requests made at its end come before the next
// one.
//
// What a piece of work costs is cycles for the message and for each byte that the core touches. Its effect
// comes at the end of that time. Without costs it comes at once, and order is as the completions are. Work
// that is not RDMA's, of TCP or the operations themselves, is requested with its cost, and has its turn like
// any other.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "nic/verbs/verbs.h"
#include "protocol/core_thread.h"
#include "protocol/trail.h"
#include "sim/deque.h"
#include "sim/ring.h"

namespace headroom {

/// So many requests of a connection a core begins before it has sent as many, and so many answers of one may
/// wait to be sent while it takes up more. What it did ahead beyond that would not go out any sooner, and
/// would take its time from what could. Ours.
inline constexpr size_t kBegunAhead = 16;

/// What a process works for: a connection, or whoever listens for them.
class Endpoint {
 public:
  virtual ~Endpoint() = default;
  /// A completion of a work request or RECV of its own, whose cost has been paid.
  virtual void OnCompletion(const Wc& wc) = 0;
  /// It asked for a turn.
  virtual void OnTurn() = 0;
  /// Bytes that the core touches for this completion, and for the next turn.
  virtual int64_t BytesOf(const Wc& wc) const = 0;
  virtual int64_t BytesOfTurn() const = 0;

 private:
  friend class Process;
  bool asked_ = false;
  uint64_t asked_by_ = 0;  ///< the step that first did
  Time asked_at_;
};

/// How a thread waits: it sleeps in epoll_wait(2), some only after they have polled for a time.
struct EventLoop {
  Time wake;   ///< from an event until the thread runs; the core is not busy
  Time turn;   ///< of each turn of the loop: epoll_wait, and arming its events
  Time polls;  ///< after its last work it polls this long; then it sees events at once, and the core is busy
  bool operator==(const EventLoop&) const = default;
};

/// Costs of a piece of work.
struct CoreCost {
  CoreCost(Time time, Time for_copies = Time(0)) : all(time), copied(for_copies) {}  // NOLINT: most have none
  Time all;
  Time copied;  ///< of `all`, to copy data
};

/// It is made before the run; all other calls are allowed during the run and before. No call fails: work that
/// has been asked for is done in its turn, or not at all where the run ends before.
class Process final : public CoreThread {
 public:
  /// `context`: the host's ns-3 node. `verbs` and `trail` outlive this; without a trail nothing is
  /// remembered. `use` leaves out what is before `warmup`. `loop`: how it sleeps; then the time of operations
  /// has `copy` and `wake` as parts. None: it polls, or its events cost nothing.
  Process(Verbs& verbs, uint32_t context, const CoreCosts& costs, Trail* trail = nullptr,
          Time warmup = Time(0), const std::optional<EventLoop>& loop = std::nullopt);

  Verbs& verbs() { return verbs_; }
  const CoreCosts& costs() const { return costs_; }
  /// Whether work takes time here; else nothing ever waits for the core.
  bool Costs() const { return costs_.clock_hz > 0; }
  CompletionQueue* cq() { return cq_; }
  /// For work requests and RECVs of this endpoint, which outlives the run: their wr_id is this and, in the
  /// low 32 bits, a number of its own.
  uint64_t Add(Endpoint& endpoint);
  static uint32_t NumberIn(uint64_t wr_id) { return static_cast<uint32_t>(wr_id); }

  /// OnTurn of this endpoint, behind the work that there is. Once, however often it asks before.
  void Ask(Endpoint& endpoint);
  /// `done` once the core has worked for so long, behind the work that there is.
  void Do(CoreWork work, CoreCost cost, std::function<void()> done) {
    Do(
        work, [cost] { return cost; }, std::move(done));
  }
  /// The same if its cost is known only when the core takes it up: `begin` returns it.
  void Do(CoreWork work, std::function<CoreCost()> begin, std::function<void()> done) {
    tasks_.push_back(TaskOf(work, std::move(begin), std::move(done)));
    turns_.PushBack(nullptr);
    Wake();
  }
  /// The same before anything else: the thread continues with its work, in the same turn of its loop.
  void GoOn(CoreWork work, CoreCost cost, std::function<void()> done) {
    GoOn(
        work, [cost] { return cost; }, std::move(done));
  }
  void GoOn(CoreWork work, std::function<CoreCost()> begin, std::function<void()> done) {
    going_on_.push_back(TaskOf(work, std::move(begin), std::move(done)));
    Wake();
  }
  /// The same at the end of the loop's turn, as servers write all answers of a turn. REQUIRES: it is within
  /// a piece of work.
  void DoAtEndOfTurn(CoreWork work, CoreCost cost, std::function<void()> done) {
    at_end_.push_back(TaskOf(
        work, [cost] { return cost; }, std::move(done)));
  }
  /// The same for a new request: behind all that has begun, whenever that comes.
  void DoNew(CoreWork work, CoreCost cost, std::function<void()> done) {
    DoNew(
        work, [cost] { return cost; }, std::move(done));
  }
  void DoNew(CoreWork work, std::function<CoreCost()> begin, std::function<void()> done) {
    if (!Costs()) return Do(work, std::move(begin), std::move(done));
    new_.emplace_back(TaskOf(work, std::move(begin), std::move(done)));
    Wake();
  }
  /// Gives the endpoint all its present completions without waiting for the core, as before a reset of a
  /// queue pair.
  void Drain(Endpoint& endpoint);

  /// Null: nothing is remembered.
  Trail* trail() const { return trail_; }
  /// What is being done, for whoever posts or waits: the step that led to it. 0: not known.
  uint64_t step() const { return trail_ == nullptr ? 0 : trail_->current(); }
  /// The same for what has been waiting since an earlier step.
  uint64_t StepSince(uint64_t since, OperationPart waited_for, Time longest = kNever) const {
    return trail_ == nullptr ? 0 : trail_->Since(since, waited_for, longest);
  }

  /// What is being done is what a message led to that has been here since `arrived`, though the core took it
  /// up later: the step to be Trail::CurrentStep from here on.
  uint64_t StepOf(uint64_t cause, Time arrived) {
    return trail_ == nullptr ? 0 : trail_->Add(cause, OperationPart::network, arrived, Done());
  }
  /// The same of a completion that came from a queue of the program's own.
  uint64_t StepOf(const Wc& wc) { return trail_ == nullptr ? 0 : trail_->Add(wc, Done()); }

  /// When the work under way, or its cause, was taken up.
  Time begun() const { return begun_; }

 private:
  struct Task;
  void Next() override;
  void Finished() override;
  void Wake() {
    if (!inside_) asleep_ ? WakeUp() : CoreThread::Wake();
  }
  void FallAsleep();
  void WakeUp();
  bool TakeNext();
  bool TakeTask(Deque<Task>& from);
  bool TakeOfTurn();
  bool TakeCompletion();
  CoreCost CostOfNext();
  CoreCost CostOfBytes(int64_t bytes) const;
  /// Of the loop's turn, if the work just taken is the first in it.
  Time CostOfTurn();
  void Finish();
  void Complete(const Wc& wc, const WorkDone& done);
  /// How what is under work was done.
  WorkDone Done() const { return loop_ ? WorkDone(begun_, copied_, woke_from_, woke_to_) : WorkDone(begun_); }

  /// What is under work.
  enum class Kind : uint8_t { completion, turn, task };
  struct Task {
    CoreWork work = CoreWork::operation;
    std::function<CoreCost()> begin;
    std::function<void()> done;
    uint64_t asked_by = 0;
    Time asked_at;
  };
  Task TaskOf(CoreWork work, std::function<CoreCost()> begin, std::function<void()> done) const {
    return {work, std::move(begin), std::move(done), step(), EventQueue::Get().now()};
  }

  Verbs& verbs_;
  CoreCosts costs_;
  std::optional<EventLoop> loop_;
  Trail* trail_;
  CompletionQueue* cq_;
  std::vector<Endpoint*> endpoints_;
  Ring<Endpoint*> turns_;  ///< null: of the next task
  Deque<Task> tasks_;
  Deque<Wc> polled_;  ///< but not under work yet
  Deque<Task> new_;   ///< of new requests
  Deque<Task> going_on_, at_end_;
  // Under work.
  Kind kind_ = Kind::completion;
  Wc wc_;
  Endpoint* turn_ = nullptr;
  Task task_;
  bool drained_ = false;  ///< the completion has been given to its endpoint already
  bool of_turn_ = false;  ///< of the current turn of the loop, beyond its start
  bool inside_ = false;   ///< of a loop over work without cost
  Time begun_;            ///< the work that is under way
  Time copied_;           ///< of it, if it has a loop
  // Of the loop.
  bool asleep_ = false;       ///< there is one, and it waits
  Time woke_from_, woke_to_;  ///< when it last woke up
  size_t left_of_turn_ = 0;   ///< pieces of work
  size_t completions_ = 0;    ///< among those
};

}  // namespace headroom
