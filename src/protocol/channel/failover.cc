#include "protocol/channel/failover.h"

#include <algorithm>
#include <utility>

#include "sim/event_queue.h"

namespace headroom {

Failover::Failover(const FailoverParameters& parameters, OnChange on_change)
    : parameters_(parameters),
      on_change_(std::move(on_change)),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)) {}

void Failover::Start() {
  if (connections_.empty()) return;
  EventQueue& events = EventQueue::Get();
  events.PushTarget(events.now() + parameters_.every, TimedEvent::Order(EventClass::workload, entity_, 0),
                    this, 0);
}

void Failover::OnEvent(uint64_t) {
  left_ = parameters_.AtATime(connections_.size());
  LeaveBroken();
  LookAfterBroken();
  FollowSchedule();
  for (const Change& change : std::exchange(changes_, {})) on_change_(change);
  Start();
}

/// Returns null if the connection works, as far as can be seen.
const char* Failover::WhyBroken(const Connection& c) const {
  if (c.channel->lost(Path::main)) return "queue pair failed";
  if (parameters_.detect == kNever) return nullptr;
  const Time since = c.channel->waiting_since(Path::main);
  const bool late = since != kNever && since + parameters_.detect < EventQueue::Get().now();
  return late ? "no answer" : nullptr;
}

void Failover::LeaveBroken() {
  for (Connection& c : connections_) {
    if (left_ == 0) return;
    const bool draining = c.channel->active() == Path::standby;
    if (draining && c.channel->waiting(Path::main) == 0) continue;
    const char* const why = WhyBroken(c);
    if (why == nullptr) continue;
    c.broken = true;
    c.works_since = kNever;
    if (draining) {
      c.channel->StopDraining();
      continue;
    }
    Note(c, false, why);
    c.channel->Abandon();
  }
}

/// The connection's queue pair is connected again, and must stay connected for a while. If a schedule keeps
/// the connection on the standby at that time, the queue pair is closed again.
void Failover::LookAfterBroken() {
  const Time now = EventQueue::Get().now();
  for (size_t i = 0; i < connections_.size(); ++i) {
    Connection& c = connections_[i];
    if (c.channel->active() == Path::main) continue;
    if (!c.broken && c.works_since != kNever && Wanted(i)) {
      c.works_since = kNever;
      c.channel->StopTrying();
    }
    if (!c.broken) continue;
    c.channel->TryOther();
    if (!c.channel->joined(Path::main)) {
      c.works_since = kNever;
    } else if (c.works_since == kNever) {
      c.works_since = now;
    } else if (now - c.works_since >= parameters_.back) {
      c.broken = false;
    }
  }
}

/// Whether the standby should carry this connection: the first share × N of N connections.
bool Failover::Wanted(size_t place) const {
  const Time now = EventQueue::Get().now();
  double share = 0;
  for (const FailoverParameters::Step& step : parameters_.schedule) {
    if (step.at <= now) share = step.share;
  }
  return static_cast<double>(place) < share * static_cast<double>(connections_.size());
}

void Failover::FollowSchedule() {
  for (size_t i = 0; i < connections_.size() && left_ > 0; ++i) {
    Connection& c = connections_[i];
    const bool standby = c.channel->active() == Path::standby;
    if (c.broken || c.channel->moving() || standby == Wanted(i)) continue;
    if (standby && c.channel->lost(Path::main))
      continue;  // the connection failed again while it waited for its turn
    Note(c, standby, standby && c.works_since != kNever ? "works again" : "schedule");
    c.works_since = kNever;
    c.channel->Move();
  }
}

void Failover::Note(const Connection& c, bool back, const char* why) {
  --left_;
  const auto same = [&](const Change& change) {
    return change.host == c.host && change.back == back && change.why == why;
  };
  const auto at = std::ranges::find_if(changes_, same);
  if (at != changes_.end()) {
    ++at->connections;
  } else {
    changes_.push_back({EventQueue::Get().now(), c.host, back, why, 1});
  }
}

}  // namespace headroom
