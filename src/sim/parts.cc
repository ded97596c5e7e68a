#include "sim/parts.h"

#include <ns3/simulator.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace headroom {

Parts& Parts::Get() {
  static Parts& parts = *new Parts;  // its contents outlive ns-3's own statics
  return parts;
}

void Parts::Cut(int parts, Time window) {
  if (parts < ranks()) throw std::logic_error("there are fewer parts than ranks");
  whole_ = &EventQueue::Get();
  window_ = window;
  for (int p = 0; p < parts; ++p) {
    queues_.push_back(ns3::CreateObject<EventQueue>());
    queues_.back()->BecomePartOf(*whole_);
  }
  EventQueue::Enter(*whole_);
  counts_.resize(queues_.size() + 1);
  inboxes_.resize(queues_.size());
  stopped_at_.resize(queues_.size());
  late_.resize(queues_.size());
}

void Parts::Assign(uint32_t context, int part) {
  if (!Several()) return;
  if (context >= part_of_.size()) part_of_.resize(context + 1, kWhole);
  part_of_[context] = part;
}

void Parts::CountByPart(uint64_t& counter) {
  if (!Several()) return;
  counters_.push_back(&counter);
  for (auto& counts : counts_) counts.push_back(0);
}

void Parts::Begin() {
  if (!Several()) return;
  for (const auto& queue : queues_) {
    queue->BecomePartOf(*whole_);
    crossed_.push_back(queue->StreamFor(EventClass::arrival, 0));
  }
  for (const TimedEvent& e : whole_->TakeAll()) QueueOf(Of(whole_->ContextOf(e.Entity()))).Push(kNoLane, e);
  for (const ns3::Scheduler::Event& e : whole_->TakeAllOfNs3()) QueueOf(Of(e.key.m_context)).Insert(e);
}

void Parts::TakeBackNs3Events() {
  for (const auto& queue : queues_) {
    for (const ns3::Scheduler::Event& e : queue->TakeAllOfNs3()) whole_->Insert(e);
  }
}

void Parts::CountCrossing(uint64_t& counter) {
  crossing_ = counters_.size();
  CountByPart(counter);
}

uint64_t Parts::Sum(const uint64_t& counter) const {
  uint64_t sum = Here(entered_) ? counter : 0;
  for (size_t i = 0; i < counters_.size(); ++i) {
    if (counters_[i] != &counter) continue;
    if (i == crossing_) sum += undelivered_;
    for (size_t p = 0; p < counts_.size(); ++p) {
      const int part = static_cast<int>(p) - 1;
      if (part != entered_ && Here(part)) sum += counts_[p][i];
    }
  }
  return sum;
}

uint32_t Parts::Context() const {
  return Several() && running_ == kWhole ? UINT32_MAX : ns3::Simulator::GetContext();
}

uint64_t Parts::executed() const {
  if (!Several()) return EventQueue::Get().executed();
  uint64_t sum = rank() == 0 ? whole_->executed() : 0;
  for (const auto& queue : queues_) sum += queue->executed();
  return sum;
}

Parts::Within::Within(uint32_t context)
    : from_(Get().entered_), acting_before_(std::exchange(Get().acting_, context)), here_(true) {
  const int to = Get().Of(context);
  if (to == from_) return;
  ++Get().steps_;
  here_ = Get().Here(to);
  if (from_ != kWhole) throw std::logic_error("an event of one part of the network acts on another");
  Get().Enter(to);
}

Parts::Within::~Within() {
  Get().acting_ = acting_before_;
  if (Get().entered_ != from_) Get().Enter(from_);
}

void Parts::Enter(int part) {
  for (size_t i = 0; i < counters_.size(); ++i) {
    CountsOf(entered_)[i] = *counters_[i];
    *counters_[i] = CountsOf(part)[i];
  }
  entered_ = part;
  EventQueue::Enter(QueueOf(part));
}

void Parts::Send(int to, const TimedEvent& event) {
  --*counters_[crossing_];
  ++undelivered_;
  if (stopped_) ++late_[static_cast<size_t>(running_)];
  if (work_) work_->Cross(running_, to);
  if (!Here(to)) return outgoing_[static_cast<size_t>(RankOf(to))].push_back(event);
  inboxes_[static_cast<size_t>(to)].Push(event);
}

bool Parts::Idle(int part) const {
  for (size_t i = 0; i < counters_.size(); ++i) {
    if ((part == entered_ ? *counters_[i] : counts_[static_cast<size_t>(part + 1)][i]) != 0) return false;
  }
  return true;
}

bool Parts::AllIdle() const {
  for (int p = kWhole; p < static_cast<int>(queues_.size()); ++p) {
    if (Here(p) && !Idle(p)) return false;
  }
  return undelivered_ == 0;
}

bool Parts::IsOver() {
  if (!Several()) return true;
  if (running_ == kWhole && exchange_ == nullptr) return AllIdle();
  if (running_ == kWhole) may_be_over_ = true;
  stopped_ = stops_;
  return false;
}

/// Moves events that crossed between parts, and lie before `end`, into the queues. Events before a part's
/// last end are over, so the part's lane is empty.
void Parts::Deliver(TimedKey end) {
  for (size_t p = 0; p < queues_.size(); ++p) {
    if (inboxes_[p].first() < granted_)
      throw std::logic_error("an event comes to a part of the network too late");
    uint64_t taken = 0;
    inboxes_[p].TakeBefore(end, sorting_, [&](const TimedEvent& e) {
      queues_[p]->Push(crossed_[p], e);
      ++taken;
    });
    if (taken == 0) continue;
    undelivered_ -= taken;
    CountsOf(static_cast<int>(p))[crossing_] += taken;
  }
}

/// Runs a part up to `end`, or until the part's counts are 0.
void Parts::Run(int part, TimedKey end, bool to_its_stop) {
  EventQueue& queue = QueueOf(part);
  Enter(part);
  running_ = part;
  late_[static_cast<size_t>(part)] = 0;
  stops_ = to_its_stop;
  stopped_ = false;
  const uint64_t before = queue.executed();
  queue.SetEnd(end);
  for (;;) {
    queue.RunOwn(stopped_, UINT64_MAX);
    if (stopped_ || !queue.NextIsNs3()) break;
    (*ns3_event_)();
  }
  queue.SetEnd(EventQueue::kNothing);
  if (work_) work_->Add(part, queue.executed() - before);
  stopped_at_[static_cast<size_t>(part)] = stopped_ ? queue.reached() : end;
  stopped_ = stops_ = false;
  running_ = kWhole;
  Enter(kWhole);
}

void Parts::RunAll(TimedKey end) {
  for (int p = 0; p < static_cast<int>(queues_.size()); ++p) {
    if (Here(p)) Run(p, end, false);
  }
}

/// Returns true if the run is over within the window. Otherwise all parts have run to the window's end.
/// REQUIRES: no event is crossing between parts.
bool Parts::RunToStop(TimedKey end) {
  std::vector<int> busy;
  for (int p = 0; p < static_cast<int>(queues_.size()); ++p) {
    stopped_at_[static_cast<size_t>(p)] = {0, 0};
    if (!Idle(p)) busy.push_back(p);
  }
  while (!busy.empty()) {
    for (const int p : busy) Run(p, end, true);
    const TimedKey last = *std::max_element(stopped_at_.begin(), stopped_at_.end());
    if (!(last < end)) break;  // some part had work left when the window was over
    if (IsOverAt(last)) {
      whole_->AdvanceTo(Time(last.time));
      CountWindow();
      return true;
    }
    busy.clear();
    for (int p = 0; p < static_cast<int>(queues_.size()); ++p) {
      if (!Idle(p)) busy.push_back(p);
    }
  }
  RunAll(end);
  return false;
}

/// All parts have stopped, the last part at this event. The other parts run up to this event. Work that the
/// last part begins in the same event, after its stop, does not count.
bool Parts::IsOverAt(TimedKey last) {
  bool idle = true;
  uint64_t late = 0;
  for (int p = 0; p < static_cast<int>(queues_.size()); ++p) {
    TimedKey& at = stopped_at_[static_cast<size_t>(p)];
    if (at < last) {
      Run(p, last, false);
      idle &= Idle(p);
      at = last;
    } else {
      late += late_[static_cast<size_t>(p)];
    }
  }
  std::ranges::fill(late_, 0);
  return idle && undelivered_ == late;
}

void Parts::RunBefore(TimedKey end, const bool& stop, const std::function<void()>& ns3_event,
                      const std::function<void()>& pulse) {
  ns3_event_ = &ns3_event;
  if (exchange_ != nullptr) return RunRanksBefore(end, stop, pulse);
  while (!stop) {
    TimedKey first = EventQueue::kNothing;
    for (size_t p = 0; p < queues_.size(); ++p)
      first = std::min({first, queues_[p]->Head(), inboxes_[p].first()});
    if (!(first < end)) break;
    const TimedKey window{0, first.time + window_.v};
    const TimedKey to = std::min(window, end);
    Deliver(to);
    // The run is not over while an event without a node will begin work, or a crossing lasts longer.
    if (!Idle(kWhole) || undelivered_ > 0) {
      RunAll(to);
    } else if (RunToStop(to)) {
      return on_over_();
    }
    ArriveAt(to);
    pulse();
  }
  if (!stop) ArriveAt(end);
}

/// All parts have run up to `here`.
void Parts::ArriveAt(TimedKey here) {
  granted_ = here;
  ++windows_;
  CountWindow();
  steps_ = 0;
  whole_->AdvanceTo(Time(here.time));
  for (const auto& queue : queues_) queue->AdvanceTo(Time(here.time));
}

std::optional<WindowWork::Totals> Parts::Work() {
  if (!work_) return std::nullopt;
  CountWindow();
  return work_->totals();
}

void Parts::CountWindow() {
  if (!work_) return;
  work_->AddEverywhere(whole_->executed() - whole_counted_);
  whole_counted_ = whole_->executed();
  work_->EndWindow();
}

std::vector<uint32_t> LogOrder::Order() const {
  std::vector<uint32_t> order(places_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [this](uint32_t a, uint32_t b) { return places_[a] < places_[b]; });
  return order;
}

}  // namespace headroom
