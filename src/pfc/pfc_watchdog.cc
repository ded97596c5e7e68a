#include "pfc/pfc_watchdog.h"

#include <ns3/trace-source-accessor.h>

namespace headroom {

NS_OBJECT_ENSURE_REGISTERED(PfcWatchdog);

namespace {

WatchdogCounters::Packets Less(const WatchdogCounters::Packets& a, const WatchdogCounters::Packets& b) {
  return {a.tx_ok - b.tx_ok, a.tx_drop - b.tx_drop, a.rx_ok - b.rx_ok, a.rx_drop - b.rx_drop};
}

void Add(WatchdogCounters::Packets& to, const WatchdogCounters::Packets& more) {
  to.tx_ok += more.tx_ok;
  to.tx_drop += more.tx_drop;
  to.rx_ok += more.rx_ok;
  to.rx_drop += more.rx_drop;
}

}  // namespace

ns3::TypeId PfcWatchdog::GetTypeId() {
  static ns3::TypeId tid =
      ns3::TypeId("headroom::PfcWatchdog")
          .SetParent<ns3::Object>()
          .SetGroupName("Headroom")
          .AddConstructor<PfcWatchdog>()
          .AddAttribute("Detection", "A pause that lasts longer than this is a storm.", ns3::TypeId::ATTR_GET,
                        ns3::TimeValue(ns3::TimeStep(0)), ns3::MakeTimeAccessor(&PfcWatchdog::GetDetection),
                        ns3::MakeTimeChecker())
          .AddAttribute("Poll", "Time between two polls.", ns3::TypeId::ATTR_GET,
                        ns3::TimeValue(ns3::TimeStep(0)), ns3::MakeTimeAccessor(&PfcWatchdog::GetPoll),
                        ns3::MakeTimeChecker())
          .AddTraceSource("Storm",
                          "A storm was detected at a queue (port, priority, true), or the "
                          "queue is restored (false).",
                          ns3::MakeTraceSourceAccessor(&PfcWatchdog::storm_trace_),
                          "headroom::PfcWatchdog::StormTrace");
  return tid;
}

void PfcWatchdog::Setup(const WatchdogParameters& parameters, const std::vector<WatchedPort>& ports,
                        ClosedQueues* closed, EntityId entity) {
  parameters_ = parameters;
  closed_ = closed;
  entity_ = entity;
  for (const WatchedPort& port : ports) {
    for (uint8_t p = 0; p < kPriorities; ++p) {
      if (((port.priorities >> p) & 1) != 0) queues_.push_back({port, p, {}, {}, false, {}});
    }
  }
  if (!queues_.empty()) SchedulePoll(Time{});
}

void PfcWatchdog::SchedulePoll(Time at) {
  EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::sample, entity_), this, 0);
}

WatchdogReading PfcWatchdog::Read(const Queue& q) const {
  const Port& port = *q.at.port;
  const int p = q.priority;
  WatchdogReading r;
  r.pfc_frames = port.statistics().pfc_frames_received(p);
  r.on_to_off = q.at.receiver->ended(p);
  r.paused = q.at.receiver->asked(p);
  r.occupancy = q.at.waiting(q.queue());
  r.tx_packets = port.counters(q.queue()).tx_packets;
  r.pause_duration = q.at.receiver->duration(p);
  return r;
}

void PfcWatchdog::OnEvent(uint64_t) {
  if (parameters_.big_red_switch) {
    for (Queue& q : queues_) Begin(q);
    return;
  }
  if (suspended_) return SchedulePoll(EventQueue::Get().now() + parameters_.poll);
  for (Queue& q : queues_) {
    switch (q.machine.Poll(parameters_, Read(q))) {
      case WatchdogMachine::Event::storm:
        if (!q.stormed) Begin(q);
        break;
      case WatchdogMachine::Event::restore:
        End(q, "");
        break;
      case WatchdogMachine::Event::none:
        break;
    }
  }
  SchedulePoll(EventQueue::Get().now() + parameters_.poll);
}

WatchdogCounters::Packets PfcWatchdog::PacketsOf(const Queue& q) const {
  const Port& port = *q.at.port;
  const int p = q.priority;
  const uint64_t received = port.counters(p).rx_packets;  // counters are by priority
  const PriorityDrops d = port.statistics().drops(p);
  const auto dropped = [&d](DropReason reason) { return d.packets[static_cast<int>(reason)]; };
  WatchdogCounters::Packets now;
  now.tx_ok = port.counters(q.queue()).tx_packets - port.discarded(q.queue());
  now.tx_drop = closed_->dropped_out(port, q.queue()) + dropped(DropReason::egress_limit);
  now.rx_drop = closed_->dropped_in(port, q.group()) + dropped(DropReason::headroom_full) +
                dropped(DropReason::group_cap) + dropped(DropReason::ingress_limit) +
                dropped(DropReason::buffer_full);
  now.rx_ok = received - now.rx_drop;
  return now;
}

void PfcWatchdog::Begin(Queue& q) {
  q.stormed = true;
  q.base = PacketsOf(q);
  // BIG_RED_SWITCH was set manually: no storm was detected, and frames are dropped regardless of the action.
  const bool forced = parameters_.big_red_switch;
  q.counters.detected += !forced;
  changes_.push_back({EventQueue::Get().now(), q.at.port->index(), q.priority, true, forced,
                      forced ? "big red switch" : ""});
  storm_trace_(*q.at.port, q.priority, true);
  if (parameters_.action == WatchdogAction::alert && !forced) return;
  // The queue is closed first: waiting frames must not leave once the pause is ignored.
  if (parameters_.action == WatchdogAction::drop || forced) {
    q.at.sender->Mute(static_cast<uint8_t>(1u << q.priority));
    closed_->Close(*q.at.port, q.queue(), q.group());
  }
  q.at.receiver->Ignore(q.priority, true);
}

void PfcWatchdog::End(Queue& q, const char* why) {
  const WatchdogCounters::Packets during = Less(PacketsOf(q), q.base);
  q.stormed = false;
  q.counters.last = during;
  Add(q.counters.all, during);
  ++q.counters.restored;
  changes_.push_back({EventQueue::Get().now(), q.at.port->index(), q.priority, false, false, why});
  storm_trace_(*q.at.port, q.priority, false);
  q.at.receiver->Ignore(q.priority, false);
  if (parameters_.action != WatchdogAction::drop) return;
  closed_->Open(*q.at.port, q.queue(), q.group());
  q.at.sender->Unmute(static_cast<uint8_t>(1u << q.priority));
}

void PfcWatchdog::Reset(const Port& port) {
  if (parameters_.big_red_switch) return;
  for (Queue& q : queues_) {
    if (q.at.port != &port) continue;
    if (q.stormed) End(q, "link down");
    q.machine.Reset();
  }
}

void PfcWatchdog::SetSuspended(bool suspended) {
  suspended_ = suspended;
  for (Queue& q : queues_) {
    if (!q.stormed) q.machine.Reset();
  }
}

WatchdogCounters PfcWatchdog::counters(size_t queue) const {
  const Queue& q = queues_[queue];
  WatchdogCounters c = q.counters;
  c.stormed = q.stormed;
  if (q.stormed) {
    c.last = Less(PacketsOf(q), q.base);
    Add(c.all, c.last);
  }
  return c;
}

}  // namespace headroom
