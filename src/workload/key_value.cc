#include "workload/key_value.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom {

int64_t ThreadsOf(const KeyValueArrivals& arrivals, size_t client, int process) {
  if (arrivals.threads == 0) return arrivals.window;
  const auto processes = static_cast<int64_t>(arrivals.from.size()) * arrivals.processes;
  const int64_t turn = process * static_cast<int64_t>(arrivals.from.size()) + static_cast<int64_t>(client);
  return arrivals.threads / processes + (turn < arrivals.threads % processes ? 1 : 0);
}

KeyValueGenerator::KeyValueGenerator(const WorkloadParameters& workload, uint32_t index,
                                     const HostView& hosts, OperationOffers& offers)
    : arrivals_(std::get<KeyValueArrivals>(workload.arrivals)),
      index_(index),
      stop_(std::min(arrivals_.stop.value_or(hosts.duration), hosts.duration)),
      offers_(offers),
      entity_(EventQueue::Get().AddEntity(UINT32_MAX)),
      keys_(arrivals_),
      client_of_(hosts.contexts.size()) {
  for (const NodeId id : arrivals_.from) {
    Client& c = clients_.emplace_back();
    client_of_[id] = static_cast<uint32_t>(clients_.size());
    c.id = id;
    c.entity = EventQueue::Get().AddEntity(hosts.contexts[id]);
    const std::string name = hosts.topology->nodes[id].name + "/" + workload.name;
    c.gaps = RandomStream(name + "/gaps");
    c.kinds = RandomStream(name + "/kinds");
    c.keys = RandomStream(name + "/keys");
    if (arrivals_.target > 0) c.paces.resize(static_cast<size_t>(arrivals_.processes));
  }
}

void KeyValueGenerator::Start() {
  if (arrivals_.start >= stop_) return Exhaust();
  EventQueue::Get().PushTarget(stop_, TimedEvent::Order(EventClass::workload, entity_), this, kEnd);
}

void KeyValueGenerator::Schedule(Client& client, Time at, What what, uint32_t process) {
  if (at >= stop_) return;
  EventQueue::Get().PushTarget(at, TimedEvent::Order(EventClass::workload, client.entity, client.events++),
                               this, uint64_t{client.id} << 34 | uint64_t{process} << 2 | what);
}

void KeyValueGenerator::OnAttached(NodeId host) {
  if (client_of_[host] == 0) return;
  Client& client = clients_[client_of_[host] - 1];
  const Time at = std::max(arrivals_.start, EventQueue::Get().now());
  for (uint32_t p = 0; p < static_cast<uint32_t>(arrivals_.processes); ++p) Schedule(client, at, kBegin, p);
}

void KeyValueGenerator::ScheduleArrival(Client& client, uint32_t process) {
  const Time now = EventQueue::Get().now();
  const double gap = client.gaps.Exponential(1e12 / arrivals_.rate);
  if (gap < static_cast<double>((stop_ - now).v))
    Schedule(client, now + Time(std::llround(gap)), kNext, process);
}

void KeyValueGenerator::Exhaust() {
  if (!std::exchange(exhausted_, true)) offers_.OnExhausted();
}

void KeyValueGenerator::OnEvent(uint64_t arg) {
  if ((arg & 3) == kEnd) return Exhaust();
  Client& client = clients_[client_of_[arg >> 34] - 1];
  const auto process = static_cast<uint32_t>(arg >> 2);
  if ((arg & 3) == kBegin) return Begin(client, process);
  Offer(client, process);
  if (arrivals_.rate > 0) ScheduleArrival(client, process);
}

void KeyValueGenerator::Begin(Client& client, uint32_t process) {
  if (arrivals_.rate > 0) return ScheduleArrival(client, process);
  const auto place = static_cast<size_t>(&client - clients_.data());
  const int64_t threads = ThreadsOf(arrivals_, place, static_cast<int>(process));
  if (arrivals_.target > 0 && threads > 0) {
    const auto slots = static_cast<int64_t>(arrivals_.from.size()) * arrivals_.processes * arrivals_.window;
    const auto all = static_cast<double>(arrivals_.threads > 0 ? arrivals_.threads : slots);
    Pace& pace = client.paces[process];
    pace.gap = all / arrivals_.target / static_cast<double>(threads) * 1e12;
    // Else all processes would begin at once, and again at each tick.
    pace.from = EventQueue::Get().now() + Time(std::llround(pace.gap * client.gaps.Uniform()));
  }
  for (int64_t i = 0; i < threads; ++i) Next(client, process);
}

/// Of a closed loop.
void KeyValueGenerator::Next(Client& client, uint32_t process) {
  if (arrivals_.target == 0) return Offer(client, process);
  Pace& pace = client.paces[process];
  const double after = pace.gap * static_cast<double>(pace.begun++);
  if (after >= static_cast<double>((stop_ - std::min(stop_, pace.from)).v)) return;
  const Time due = pace.from + Time(std::llround(after));
  if (due <= EventQueue::Get().now()) return Offer(client, process);
  Schedule(client, due, kNext, process);
}

void KeyValueGenerator::OnEnded(const OperationRecord& ended) {
  if (ended.kind == OperationKind::insert) keys_.Acknowledge(ended.address);
  if (arrivals_.rate > 0 || EventQueue::Get().now() >= stop_) return;
  Next(clients_[client_of_[ended.client] - 1], ended.stream);
}

OperationKind KeyValueGenerator::Kind(Client& client) {
  const double puts = arrivals_.puts, inserts = puts + arrivals_.inserts;
  const double u = client.kinds.Uniform();
  if (u < puts) return OperationKind::put;
  if (u < inserts) return OperationKind::insert;
  return u < inserts + arrivals_.modifies ? OperationKind::read_modify_write : OperationKind::get;
}

void KeyValueGenerator::Offer(Client& client, uint32_t process) {
  if (arrivals_.operations > 0 && offered_ >= arrivals_.operations) return;
  ++offered_;
  OperationRequest request;
  request.client = client.id;
  request.kind = Kind(client);
  request.address = request.kind == OperationKind::insert ? keys_.Insert() : keys_.Draw(client.keys);
  request.bytes = static_cast<uint32_t>(arrivals_.value.v);
  request.stream = process;
  offers_.Offer(index_, request, false);
  if (offered_ == arrivals_.operations) Exhaust();
}

}  // namespace headroom
