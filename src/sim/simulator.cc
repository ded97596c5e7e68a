#include "sim/simulator.h"

#include <ns3/event-impl.h>
#include <ns3/global-value.h>
#include <ns3/nstime.h>
#include <ns3/rng-seed-manager.h>
#include <ns3/simulator.h>
#include <ns3/string.h>

#include <algorithm>
#include <stdexcept>

#include "sim/parts.h"

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(FastSimulator);

std::function<void()> FastSimulator::pulse_;
uint64_t FastSimulator::pulse_every_ = kPulseEvents;

void StartSimulator(uint64_t run, Driver driver) {
  static bool started = false;
  if (started) throw std::logic_error("the simulator was started already; one run per process");
  started = true;
  ns3::Time::SetResolution(ns3::Time::PS);
  ns3::GlobalValue::Bind("SchedulerType", ns3::TypeIdValue(EventQueue::GetTypeId()));
  const char* impl = driver == Driver::fast ? "headroom::FastSimulator" : "ns3::DefaultSimulatorImpl";
  FastSimulator::GetTypeId();
  ns3::GlobalValue::Bind("SimulatorImplementationType", ns3::StringValue(impl));
  // Two RngSeeds give correlated streams, whereas two runs do not. So the seed of a scenario sets the run.
  ns3::RngSeedManager::SetSeed(1);
  ns3::RngSeedManager::SetRun(run);
  ns3::Simulator::Now();  // makes the implementation and its queue
}

ns3::TypeId FastSimulator::GetTypeId() {
  static ns3::TypeId tid = ns3::TypeId("headroom::FastSimulator")
                               .SetParent<ns3::SimulatorImpl>()
                               .SetGroupName("Headroom")
                               .AddConstructor<FastSimulator>();
  return tid;
}

FastSimulator::FastSimulator() : uid_(ns3::EventId::VALID), context_(ns3::Simulator::NO_CONTEXT) {}

EventQueue& FastSimulator::Queue() const { return Parts::Get().Several() ? EventQueue::Get() : *queue_; }

void FastSimulator::DoDispose() {
  while (queue_ && !queue_->IsEmpty()) {
    // Headroom's events own nothing; only ns-3's hold a reference.
    const ns3::Scheduler::Event next = queue_->RemoveNext();
    next.impl->Unref();
  }
  queue_ = nullptr;
  SimulatorImpl::DoDispose();
}

void FastSimulator::Destroy() {
  while (!at_destroy_.empty()) {
    const ns3::EventId id = at_destroy_.front();
    at_destroy_.erase(at_destroy_.begin());
    if (!id.PeekEventImpl()->IsCancelled()) id.PeekEventImpl()->Invoke();
  }
}

void FastSimulator::SetScheduler(ns3::ObjectFactory factory) {
  const ns3::Ptr<EventQueue> queue = factory.Create<ns3::Scheduler>()->GetObject<EventQueue>();
  if (!queue) throw std::logic_error("headroom::FastSimulator runs only on headroom::EventQueue");
  while (queue_ && !queue_->IsEmpty()) queue->Insert(queue_->RemoveNext());
  queue_ = queue;
}

ns3::EventId FastSimulator::ScheduleAt(uint64_t ts, uint32_t context, ns3::EventImpl* event) {
  const ns3::Scheduler::Event ev{event, {ts, uid_++, context}};
  Queue().Insert(ev);
  return ns3::EventId(event, ev.key.m_ts, ev.key.m_context, ev.key.m_uid);
}

ns3::EventId FastSimulator::Schedule(const ns3::Time& delay, ns3::EventImpl* event) {
  return ScheduleAt(static_cast<uint64_t>(Queue().now().v + delay.GetTimeStep()), GetContext(), event);
}

void FastSimulator::ScheduleWithContext(uint32_t context, const ns3::Time& delay, ns3::EventImpl* event) {
  ScheduleAt(static_cast<uint64_t>(Queue().now().v + delay.GetTimeStep()), context, event);
}

ns3::EventId FastSimulator::ScheduleNow(ns3::EventImpl* event) {
  return ScheduleAt(static_cast<uint64_t>(Queue().now().v), GetContext(), event);
}

ns3::EventId FastSimulator::ScheduleDestroy(ns3::EventImpl* event) {
  const ns3::EventId id(ns3::Ptr<ns3::EventImpl>(event, false), static_cast<uint64_t>(Queue().now().v),
                        0xffffffff, ns3::EventId::DESTROY);
  at_destroy_.push_back(id);
  return id;
}

void FastSimulator::Stop(const ns3::Time& delay) {
  ns3::Simulator::Schedule(delay, static_cast<void (*)()>(&ns3::Simulator::Stop));
}

void FastSimulator::Remove(const ns3::EventId& id) {
  if (id.GetUid() == ns3::EventId::DESTROY) {
    std::erase(at_destroy_, id);
    return;
  }
  if (IsExpired(id)) return;
  Queue().Remove({id.PeekEventImpl(), {id.GetTs(), id.GetUid(), id.GetContext()}});
  id.PeekEventImpl()->Cancel();
  id.PeekEventImpl()->Unref();
}

void FastSimulator::Cancel(const ns3::EventId& id) {
  if (!IsExpired(id)) id.PeekEventImpl()->Cancel();
}

bool FastSimulator::IsExpired(const ns3::EventId& id) const {
  if (id.PeekEventImpl() == nullptr || id.PeekEventImpl()->IsCancelled()) return true;
  if (id.GetUid() == ns3::EventId::DESTROY) {
    for (const ns3::EventId& waiting : at_destroy_) {
      if (waiting == id) return false;
    }
    return true;
  }
  return Queue().IsPast(id.GetTs(), id.GetUid());
}

void FastSimulator::Run() {
  stop_ = false;
  next_pulse_ = GetEventCount() + pulse_every_;
  if (Parts::Get().Several()) return RunParts();
  while (!stop_ && !queue_->IsEmpty()) {
    const uint64_t own_before = queue_->executed();
    in_ns3_event_ = false;
    queue_->RunOwn(stop_, next_pulse_ - std::min(next_pulse_, GetEventCount()));
    in_ns3_event_ = true;
    if (queue_->executed() != own_before) context_ = queue_->context();
    PulseWhereDue();
    while (!stop_ && queue_->NextIsNs3()) RunNs3Event();
  }
}

/// Runs events of the whole network one by one, each after all earlier events of the parts.
void FastSimulator::RunParts() {
  const auto ns3_event = [this] {
    RunNs3Event();
    in_ns3_event_ = false;
  };
  while (!stop_ && !queue_->IsEmpty()) {
    in_ns3_event_ = false;
    Parts::Get().RunBefore(queue_->Head(), stop_, ns3_event, [this] { PulseWhereDue(); });
    if (stop_) break;
    if (queue_->NextIsNs3()) {
      RunNs3Event();
    } else {
      queue_->RunOwn(stop_, 1);
    }
  }
  in_ns3_event_ = true;
  Parts::Get().TakeBackNs3Events();
}

void FastSimulator::RunNs3Event() {
  const ns3::Scheduler::Event next = Queue().RemoveNext();
  in_ns3_event_ = true;
  context_ = next.key.m_context;
  ++ns3_events_run_;
  next.impl->Invoke();
  next.impl->Unref();
}

void FastSimulator::PulseWhereDue() {
  if (GetEventCount() < next_pulse_) return;
  next_pulse_ = GetEventCount() + pulse_every_;
  if (pulse_) pulse_();
}

bool FastSimulator::IsFinished() const { return stop_ || queue_->IsEmpty(); }

ns3::Time FastSimulator::Now() const {
  return ns3::TimeStep(queue_ ? static_cast<uint64_t>(Queue().now().v) : 0);
}

ns3::Time FastSimulator::GetDelayLeft(const ns3::EventId& id) const {
  return IsExpired(id) ? ns3::TimeStep(0)
                       : ns3::TimeStep(id.GetTs() - static_cast<uint64_t>(Queue().now().v));
}

ns3::Time FastSimulator::GetMaximumSimulationTime() const { return ns3::TimeStep(INT64_MAX); }

uint64_t FastSimulator::GetEventCount() const {
  return ns3_events_run_ + (queue_ ? Parts::Get().executed() : 0);
}

}  // namespace headroom
