// A program's thread on one core of a host: it handles its connections' completions and requests one at a
// time, in order, and each takes core time.
//
// Begun requests come first. A new request, from its own host or another, is taken up when no begun request
// is ready for the core. Otherwise, under overload, new requests would keep the core from ever finishing a
// request. Source: Mogul and Ramakrishnan, Eliminating receive livelock in an interrupt-driven kernel, ACM
// TOCS 1997, which completes arrived work before it takes more; this form of the rule is ours.
//
// A sleeping thread (EventLoop) runs some time after an arrival, and spends time on each turn of its loop. A
// turn takes the items present when it begins. Requests made at its end precede the next turn.
//
// The cost of a piece of work is cycles for the message and for each byte that the core touches. Its effect
// comes at the end of that time. Without costs the effect is immediate, in the order of the completions. Work
// outside RDMA, for TCP or for the operations themselves, is requested with its cost and has its turn like
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

/// The maximum number of a connection's requests that a core has begun and not yet sent. Also the maximum
/// number of a connection's unsent answers with which the core takes up more work. Work beyond this limit
/// would not leave any sooner, and would delay work that could. Ours.
inline constexpr size_t kBegunAhead = 16;

/// The user of a process: a connection, or a listener for connections.
class Endpoint {
 public:
  virtual ~Endpoint() = default;
  /// A completion of one of its work requests or RECVs, whose cost has been paid.
  virtual void OnCompletion(const Wc& wc) = 0;
  /// The turn that it requested.
  virtual void OnTurn() = 0;
  /// The bytes that the core touches for this completion, and for the next turn.
  virtual int64_t BytesOf(const Wc& wc) const = 0;
  virtual int64_t BytesOfTurn() const = 0;

 private:
  friend class Process;
  bool asked_ = false;
  uint64_t asked_by_ = 0;  ///< the step that first requested a turn
  Time asked_at_;
};

/// Costs of a piece of work.
struct CoreCost {
  CoreCost(Time time, Time for_copies = Time(0)) : all(time), copied(for_copies) {}  // NOLINT: most have none
  Time all;
  Time copied;  ///< the part of `all` for copying data
};

/// A process is made before the run; all other calls are permitted before and during the run. No call fails:
/// requested work is done in its turn, or not at all if the run ends first.
class Process final : public CoreThread {
 public:
  /// `context`: the host's ns-3 node. `verbs` and `trail` must outlive this object; without a trail no steps
  /// are recorded. `use` excludes work before `warmup`. `loop`: how it sleeps; the time of operations then
  /// has the parts `copy` and `wake`. Without `loop` it polls, or its events cost nothing.
  Process(Verbs& verbs, uint32_t context, const CoreCosts& costs, Trail* trail = nullptr,
          Time warmup = Time(0), const std::optional<EventLoop>& loop = std::nullopt);

  Verbs& verbs() { return verbs_; }
  const CoreCosts& costs() const { return costs_; }
  /// Whether work takes time here; otherwise nothing ever waits for the core.
  bool Costs() const { return costs_.clock_hz > 0; }
  CompletionQueue* cq() { return cq_; }
  /// Returns the base of wr_id for the endpoint's work requests and RECVs; the low 32 bits hold its own
  /// number. The endpoint must outlive the run.
  uint64_t Add(Endpoint& endpoint);
  static uint32_t NumberIn(uint64_t wr_id) { return static_cast<uint32_t>(wr_id); }

  /// Calls OnTurn of this endpoint, behind the present work. It is called once, even if requested several
  /// times before.
  void Ask(Endpoint& endpoint);
  /// Calls `done` once the core has worked for `cost`, behind the present work.
  void Do(CoreWork work, CoreCost cost, std::function<void()> done) {
    Do(
        work, [cost] { return cost; }, std::move(done));
  }
  /// The same if the cost is known only when the core takes up the work: `begin` returns it.
  void Do(CoreWork work, std::function<CoreCost()> begin, std::function<void()> done) {
    tasks_.push_back(TaskOf(work, std::move(begin), std::move(done)));
    turns_.PushBack(nullptr);
    Wake();
  }
  /// The same, ahead of all other work: the thread continues its work in the same turn of its loop.
  void GoOn(CoreWork work, CoreCost cost, std::function<void()> done) {
    GoOn(
        work, [cost] { return cost; }, std::move(done));
  }
  void GoOn(CoreWork work, std::function<CoreCost()> begin, std::function<void()> done) {
    going_on_.push_back(TaskOf(work, std::move(begin), std::move(done)));
    Wake();
  }
  /// The same at the end of the loop's turn: servers write all answers of a turn there. REQUIRES: called
  /// within a piece of work.
  void DoAtEndOfTurn(CoreWork work, CoreCost cost, std::function<void()> done) {
    at_end_.push_back(TaskOf(
        work, [cost] { return cost; }, std::move(done)));
  }
  /// The same for a new request: it comes behind all begun work, whenever that arrives.
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

  /// Null if no steps are recorded.
  Trail* trail() const { return trail_; }
  /// The current step, for code that posts or waits: the step that caused its work. 0 if unknown.
  uint64_t step() const { return trail_ == nullptr ? 0 : trail_->current(); }
  /// The step for work that has waited since an earlier step.
  uint64_t StepSince(uint64_t since, OperationPart waited_for, Time longest = kNever) const {
    return trail_ == nullptr ? 0 : trail_->Since(since, waited_for, longest);
  }

  /// The step for the current work, caused by a message that arrived at `arrived`, although the core took it
  /// up later. It becomes Trail::CurrentStep.
  uint64_t StepOf(uint64_t cause, Time arrived) {
    return trail_ == nullptr ? 0 : trail_->Add(cause, OperationPart::network, arrived, Done());
  }
  /// The step for the current work, caused by a completion from a queue of the program.
  uint64_t StepOf(const Wc& wc) { return trail_ == nullptr ? 0 : trail_->Add(wc, Done()); }

  /// The time when the current work, or its cause, was taken up.
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
  /// The cost of the loop's turn, if the work just taken is the first in it.
  Time CostOfTurn();
  void Finish();
  void Complete(const Wc& wc, const WorkDone& done);
  /// How the current work was done.
  WorkDone Done() const { return loop_ ? WorkDone(begun_, copied_, woke_from_, woke_to_) : WorkDone(begun_); }

  /// The kind of the current work.
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
  Ring<Endpoint*> turns_;  ///< null: the entry stands for the next task
  Deque<Task> tasks_;
  Deque<Wc> polled_;  ///< polled but not begun
  Deque<Task> new_;   ///< tasks of new requests
  Deque<Task> going_on_, at_end_;
  // State of the current work.
  Kind kind_ = Kind::completion;
  Wc wc_;
  Endpoint* turn_ = nullptr;
  Task task_;
  bool drained_ = false;  ///< the completion has been given to its endpoint already
  bool of_turn_ = false;  ///< part of the current turn of the loop, but not its first work
  bool inside_ = false;   ///< inside a loop over work without cost
  Time begun_;            ///< start of the current work
  Time copied_;           ///< its time for copying, if it has a loop
  // State of the loop.
  bool asleep_ = false;       ///< the process has a loop, and it waits
  Time woke_from_, woke_to_;  ///< the last wake-up
  size_t left_of_turn_ = 0;   ///< remaining pieces of work of this turn
  size_t completions_ = 0;    ///< number of completions among those
};

}  // namespace headroom
