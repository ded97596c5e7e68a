#include "protocol/process.h"

#include <cmath>

namespace headroom {

Time CoreCosts::Of(int64_t messages, int64_t bytes) const {
  if (clock_hz <= 0) return Time(0);
  const double cycles =
      cycles_per_message * static_cast<double>(messages) + cycles_per_byte * static_cast<double>(bytes);
  return Time(std::llround(cycles / clock_hz * 1e12));
}

Process::Process(Verbs& verbs, uint32_t context, const CoreCosts& costs, Trail* trail)
    : verbs_(verbs), costs_(costs), trail_(trail), entity_(EventQueue::Get().AddEntity(context)) {
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

/// Works on what there is until something takes time.
void Process::Wake() {
  if (working_ || inside_) return;
  inside_ = true;
  while (TakeNext()) {
    begun_ = EventQueue::Get().now();
    const Time cost = turn_ != nullptr ? costs_.Of(1, turn_->BytesOfTurn())
                                       : costs_.Of(1, endpoints_[wc_.wr_id >> 32]->BytesOf(wc_));
    if (cost == Time(0)) {
      Finish();
      continue;
    }
    working_ = true;
    busy_ = busy_ + cost;
    EventQueue& events = EventQueue::Get();
    events.PushTarget(events.now() + cost, TimedEvent::Order(EventClass::workload, entity_, 0), this, 0);
    break;
  }
  inside_ = false;
  if (!working_) cq_->RequestNotify();
}

/// Completions go before turns: they give back what turns need.
bool Process::TakeNext() {
  turn_ = nullptr;
  drained_ = false;
  if (!polled_.empty()) {
    wc_ = polled_.front();
    polled_.pop_front();
    return true;
  }
  if (cq_->Poll(wc_)) return true;
  if (turns_.Empty()) return false;
  turn_ = turns_.Front();
  turns_.PopFront();
  return true;
}

void Process::Finish() {
  const uint64_t before = step();
  if (Endpoint* const turn = turn_) {
    turn_ = nullptr;
    turn->asked_ = false;
    if (trail_ != nullptr)
      trail_->SetCurrent(trail_->Add(turn->asked_by_, OperationPart::core_queue, turn->asked_at_, begun_));
    turn->OnTurn();
  } else if (!drained_) {
    Complete(Wc(wc_), begun_);
  }
  if (trail_ != nullptr) trail_->SetCurrent(before);
}

void Process::Complete(const Wc& wc, Time begun) {
  if (trail_ != nullptr)
    trail_->SetCurrent(trail_->Add(wc.cause, OperationPart::network, wc.times.completed, begun));
  endpoints_[wc.wr_id >> 32]->OnCompletion(wc);
}

void Process::OnEvent(uint64_t) {
  working_ = false;
  inside_ = true;  // what is asked for meanwhile waits for its turn
  Finish();
  inside_ = false;
  Wake();
}

void Process::Drain(Endpoint& endpoint) {
  const uint64_t before = step();
  const auto of = [&](const Wc& wc) { return endpoints_[wc.wr_id >> 32] == &endpoint; };
  if (working_ && turn_ == nullptr && !drained_ && of(wc_)) {
    drained_ = true;
    Complete(Wc(wc_), begun_);
  }
  for (Wc wc; cq_->Poll(wc);) polled_.push_back(wc);
  std::deque<Wc> own;
  std::erase_if(polled_, [&](const Wc& wc) {
    if (of(wc)) own.push_back(wc);
    return of(wc);
  });
  for (const Wc& wc : own) Complete(wc, EventQueue::Get().now());
  if (trail_ != nullptr) trail_->SetCurrent(before);
}

}  // namespace headroom
