#include "protocol/process.h"

#include <utility>

namespace headroom {

Process::Process(Verbs& verbs, uint32_t context, const CoreCosts& costs, Trail* trail, Time warmup,
                 const std::optional<EventLoop>& loop)
    : CoreThread(EventQueue::Get().AddEntity(context), warmup),
      verbs_(verbs),
      costs_(costs),
      loop_(loop),
      trail_(trail),
      asleep_(loop.has_value()) {
  constexpr uint32_t kCompletions = 1u << 20;
  cq_ = verbs.CreateCq(kCompletions);
  cq_->SetHandler([this] { Wake(); });
  cq_->RequestNotify();
}

uint64_t Process::Add(Endpoint& endpoint) {
  endpoints_.push_back(&endpoint);
  return uint64_t{endpoints_.size() - 1} << 32;
}

void Process::Ask(Endpoint& endpoint) {
  if (endpoint.asked_) return;
  endpoint.asked_ = true;
  if (trail_ != nullptr) {
    endpoint.asked_by_ = trail_->current();
    endpoint.asked_at_ = EventQueue::Get().now();
  }
  turns_.PushBack(&endpoint);
  Wake();
}

/// Works on waiting items until one takes time.
void Process::Next() {
  inside_ = true;
  while (state() == State::idle && TakeNext()) {
    begun_ = EventQueue::Get().now();
    const CoreCost next = CostOfNext();
    const Time cost = loop_ ? next.all + CostOfTurn() : next.all;
    copied_ = next.copied;
    cost == Time(0) ? Finish() : Begin(cost, kind_ == Kind::task ? task_.work : CoreWork::rdma);
  }
  inside_ = false;
  if (state() != State::idle) return;
  if (loop_) FallAsleep();
  cq_->RequestNotify();
}

void Process::FallAsleep() {
  asleep_ = true;
  if (loop_->polls > Time(0)) Occupy(loop_->polls, CoreWork::tcp);
}

void Process::WakeUp() {
  asleep_ = false;
  left_of_turn_ = completions_ = 0;
  if (Taken()) {  // it polls
    Release();
    return CoreThread::Wake();
  }
  if (loop_->wake == Time(0)) return CoreThread::Wake();
  woke_from_ = EventQueue::Get().now();
  woke_to_ = woke_from_ + loop_->wake;
  WakeAt(woke_to_);
}

Time Process::CostOfTurn() {
  if (of_turn_) return Time(0);
  const bool first = left_of_turn_ == 0;
  if (first) {
    completions_ = cq_->size() + polled_.size();
    left_of_turn_ = 1 + completions_ + turns_.Size() + new_.size();
  }
  --left_of_turn_;
  return first ? loop_->turn : Time(0);
}

/// Completions precede turns, because they return the resources that turns need. New requests are last.
bool Process::TakeNext() {
  drained_ = false;
  of_turn_ = TakeTask(going_on_) || (left_of_turn_ == 0 && TakeTask(at_end_));
  if (of_turn_ || TakeOfTurn()) return true;
  of_turn_ = TakeTask(at_end_);
  return of_turn_;
}

/// A turn of the loop takes only completions present at its start: others wait for the next one.
bool Process::TakeOfTurn() {
  const bool bounded = left_of_turn_ > 0 && completions_ == 0;
  if (!bounded && TakeCompletion()) return true;
  if (turns_.Empty()) return TakeTask(new_) || (bounded && TakeCompletion());
  turn_ = turns_.Front();
  turns_.PopFront();
  kind_ = Kind::turn;
  return turn_ != nullptr || TakeTask(tasks_);
}

bool Process::TakeCompletion() {
  kind_ = Kind::completion;
  if (completions_ > 0) --completions_;
  if (polled_.empty()) return cq_->Poll(wc_);
  wc_ = polled_.front();
  polled_.pop_front();
  return true;
}

bool Process::TakeTask(Deque<Task>& from) {
  if (from.empty()) return false;
  kind_ = Kind::task;
  task_ = std::move(from.front());
  from.pop_front();
  return true;
}

CoreCost Process::CostOfBytes(int64_t bytes) const {
  const Time all = costs_.OfRdma(1, bytes);
  return {all, all - costs_.OfRdma(1, 0)};
}

CoreCost Process::CostOfNext() {
  switch (kind_) {
    case Kind::completion:
      return CostOfBytes(endpoints_[wc_.wr_id >> 32]->BytesOf(wc_));
    case Kind::turn:
      return CostOfBytes(turn_->BytesOfTurn());
    case Kind::task:
      return task_.begin();
  }
  return Time(0);
}

void Process::Finish() {
  const uint64_t before = step();
  const auto waited = [this](uint64_t asked_by, Time asked_at) {
    if (trail_ != nullptr)
      trail_->SetCurrent(trail_->Add(asked_by, OperationPart::core_queue, asked_at, Done()));
  };
  if (kind_ == Kind::turn) {
    turn_->asked_ = false;
    waited(turn_->asked_by_, turn_->asked_at_);
    turn_->OnTurn();
  } else if (kind_ == Kind::task) {
    waited(task_.asked_by, task_.asked_at);
    const std::function<void()> done = std::move(task_.done);
    done();
  } else if (!drained_) {
    Complete(Wc(wc_), Done());
  }
  if (trail_ != nullptr) trail_->SetCurrent(before);
}

void Process::Complete(const Wc& wc, const WorkDone& done) {
  if (trail_ != nullptr) trail_->SetCurrent(trail_->Add(wc, done));
  endpoints_[wc.wr_id >> 32]->OnCompletion(wc);
}

void Process::Finished() {
  inside_ = true;  // requests made meanwhile wait for their turn
  Finish();
  inside_ = false;
}

void Process::Drain(Endpoint& endpoint) {
  const uint64_t before = step();
  const auto of = [&](const Wc& wc) { return endpoints_[wc.wr_id >> 32] == &endpoint; };
  if (state() == State::working && kind_ == Kind::completion && !drained_ && of(wc_)) {
    drained_ = true;
    Complete(Wc(wc_), Done());
  }
  for (Wc wc; cq_->Poll(wc);) polled_.push_back(wc);
  Deque<Wc> own;
  EraseIf(polled_, [&](const Wc& wc) {
    if (of(wc)) own.push_back(wc);
    return of(wc);
  });
  for (const Wc& wc : own) Complete(wc, EventQueue::Get().now());
  if (trail_ != nullptr) trail_->SetCurrent(before);
}

}  // namespace headroom
