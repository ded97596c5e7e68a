#include "protocol/connections/transfers.h"

#include <algorithm>

#include "protocol/connections/connection_ports.h"
#include "protocol/little_endian.h"

namespace headroom {

void PayloadMark::Put(uint8_t* to) const {
  to = PutNumber(to, static_cast<uint32_t>(kind));
  to = PutNumber(PutNumber(to, connection), number);
  PutNumber(PutNumber(to, vqpn), bytes);
}

PayloadMark PayloadMark::At(const uint8_t* from) {
  PayloadMark mark;
  uint32_t kind = 0;
  from = GetNumber(from, kind);
  mark.kind = static_cast<Kind>(kind);
  from = GetNumber(GetNumber(from, mark.connection), mark.number);
  GetNumber(GetNumber(from, mark.vqpn), mark.bytes);
  return mark;
}

void PayloadMemory::Make(Verbs& verbs, uint64_t count, uint32_t each) {
  each_ = std::max(each, PayloadMark::kBytes);
  marks_.resize(count * PayloadMark::kBytes);
  region_ = verbs.RegMr(0, count * each_, kLocalWrite | kRemoteWrite | kRemoteRead, marks_,
                        {each_, PayloadMark::kBytes});
}

Transfers::Transfers(const ConnectionParameters& p, const ServiceGround& ground)
    : ground_(ground), first_(ground.hosts.size()), memories_(ground.hosts.size()) {
  std::vector<uint64_t> places(ground.hosts.size());
  for (const NodeId client : p.clients) {
    first_[client] = static_cast<uint32_t>(connections_.size());
    for (const ConnectionPlace& at : PlacesOf(p, client)) {
      Connection& c = connections_.emplace_back();
      c.client = client;
      c.thread = at.thread;
      c.server = at.server;
      for (const Side side : {Side::client, Side::server}) {
        uint64_t& place = places[side == Side::client ? c.client : c.server];
        c.places[static_cast<size_t>(side)] = place;
        place += ground.load.open;
      }
      for (uint32_t slot = ground.load.open; slot-- > 0;) c.slots.push_back(slot);
    }
  }
  for (NodeId host = 0; host < places.size(); ++host) {
    if (places[host] > 0)
      memories_[host].Make(*ground.hosts[host].verbs, places[host],
                           static_cast<uint32_t>(ground.load.largest.v));
  }
  record.connections = connections_.size();
}

void Transfers::Aim(const Transfer& t, Side side, SendWr& wr) {
  const Connection& c = connections_[t.connection];
  PayloadMemory& memory = MemoryOf(c, side);
  wr.remote_addr = memory.Address(c.places[static_cast<size_t>(side)] + t.slot);
  wr.rkey = memory.key();
}

Transfer& Transfers::Begin(const OperationRequest& request) {
  if (request.operation >= open_.size()) open_.resize(request.operation + 1);
  Transfer& t = open_[request.operation];
  t = {};
  t.operation = request.operation;
  t.connection = ConnectionOf(request.client, static_cast<uint32_t>(request.target));
  t.bytes = request.bytes;
  t.kind = request.kind;
  t.asked = EventQueue::Get().now();
  t.step = trail() == nullptr ? 0 : trail()->current();
  ground_.operations[request.operation].participants.Add(connections_[t.connection].server);
  return t;
}

bool Transfers::TakeSlot(Transfer& transfer) {
  Connection& c = connections_[transfer.connection];
  if (c.slots.empty()) {
    c.waiting.PushBack(transfer.operation);
    return false;
  }
  transfer.slot = c.slots.back();
  c.slots.pop_back();
  return true;
}

uint64_t Transfers::Post(Transfer& t) {
  const Time now = t.posted = EventQueue::Get().now();
  const Time begun = now - std::min(t.worked, now - t.asked);
  if (trail() != nullptr) t.step = trail()->Add(t.step, OperationPart::core_queue, begun, begun);
  t.worked = Time(0);
  return t.step;
}

void Transfers::Stamp(Transfer& t, Side from) {
  Connection& c = connections_[t.connection];
  PayloadMark mark;
  mark.connection = t.connection;
  mark.number = t.number = t.kind == OperationKind::send ? c.sent++ : c.stamped++;
  mark.Put(Mark(t, from));
}

bool Transfers::HasMark(const Transfer& t, Side to) {
  const PayloadMark mark = PayloadMark::At(Mark(t, to));
  const bool right = mark.connection == t.connection && mark.number == t.number;
  record.misdelivered += !right;
  return right;
}

bool Transfers::TakeDelivered(uint32_t connection, const PayloadMark& mark) {
  ++record.delivered;
  const bool right = mark.connection == connection && mark.number == connections_[connection].expected++;
  record.misdelivered += !right;
  return right;
}

uint32_t Transfers::End(uint32_t operation, bool right) {
  const Transfer t = open_[operation];
  Connection& c = connections_[t.connection];
  c.slots.push_back(t.slot);
  uint32_t next = kNone;
  if (!c.waiting.Empty()) {
    next = c.waiting.Front();
    c.waiting.PopFront();
    TakeSlot(open_[next]);
  }
  const Time now = EventQueue::Get().now();
  if (t.posted >= t.asked) ground_.operations[operation].times.posted = t.posted;
  if (t.completed >= t.posted) ground_.operations[operation].times.completed = t.completed;
  const bool failed = c.failed;
  const bool posted = t.completed >= t.posted;
  const Time arrived = posted ? t.completed : now - std::min(t.worked, now - t.asked);
  const Time worked = std::min(t.worked, now - arrived);
  const Trail::CurrentStep step(trail(), [&](Trail& trail) {
    return posted ? trail.Add(t.step, {t.message, false}, arrived, now - worked)
                  : trail.Add(t.step, OperationPart::core_queue, arrived, arrived);
  });
  ground_.operations.Complete(operation, failed  ? OperationStatus::failed
                                         : right ? OperationStatus::ok
                                                 : OperationStatus::corrupt);
  return next;
}

void Transfers::Register(int64_t bytes) {
  registered_ += bytes;
  record.payload_bytes = std::max(record.payload_bytes, registered_);
}

}  // namespace headroom
