// Part of slot_exchange.h: processes of clients.
#include <algorithm>

#include "protocol/keyvalue/slot_exchange_parts.h"

namespace headroom {

namespace {

enum Event : uint64_t { kTimer, kRested };

bool Inlined(const SlotExchangeDirection& direction, uint32_t bytes) {
  return direction.method.inlined && Bytes(bytes) < direction.inline_below;
}

}  // namespace

void SlotExchange::Ask(uint32_t client, uint32_t server, uint32_t token) {
  uint32_t id = static_cast<uint32_t>(calls_.size());
  if (free_calls_.empty()) {
    calls_.emplace_back();
  } else {
    id = free_calls_.back();
    free_calls_.pop_back();
  }
  Call& call = calls_[id];
  call.client = client;
  call.server = server;
  call.token = token;
  call.open = true;
  call.sent = false;
  ++call.generation;
  call.times = {};
  call.step = trail() == nullptr ? 0 : trail()->current();
  clients_[client].waiting.PushBack(id);
  clients_[client].Wake();
}

uint64_t SlotExchange::SlotOfRequest(uint32_t process_of_host, uint32_t client, uint32_t w) const {
  return (uint64_t{process_of_host} * clients_.size() + client) * p_.window + w;
}

/// Posts waiting calls while the processor is free.
void SlotExchange::Work(Client& c) {
  while (!c.waiting.Empty()) {
    if (c.Taken()) return c.WakeWhenFree();
    const uint32_t id = c.waiting.Front();
    c.waiting.PopFront();
    Call& call = calls_[id];
    Client::ToServer& to = c.servers[call.server];
    if (!call.sent) {
      const auto w = static_cast<uint32_t>(to.next % p_.window);
      if (!IsFree(c, SlotOfClient(call.server, w), call.token)) {
        to.blocked.PushBack(id);
        continue;
      }
      call.w = w;
      ++to.next;
    }
    Post(c, id);
    Unblock(c, call.server);
  }
}

/// A RECV for the answer precedes the request. A repeated request needs one more, because both may be
/// answered.
void SlotExchange::Post(Client& c, uint32_t id) {
  Call& call = calls_[id];
  const bool again = call.sent;
  const Time now = EventQueue::Get().now();
  Client::ToServer& to = c.servers[call.server];
  const Server& server = servers_[call.server];
  const uint32_t slot = SlotOfClient(call.server, call.w);
  std::span<uint8_t> staged = c.requests[slot];
  const SlotExchangeDirection& direction = p_.request;
  if (!call.sent) {
    call.sent = true;
    call.times.sent = now;
    call.bytes = user_.Encode(call.token, staged);
    c.slots[slot].call = id;
    ++to.open;
  }
  if (trail() != nullptr) {
    const OperationPart waited_for = again ? OperationPart::timeout : OperationPart::core_queue;
    call.step = trail()->Add(call.step, waited_for, now, now);
  }
  call.times.qp = Verbs::NumberOf(to.requests->qp);
  to.spare += again;
  const bool needed = to.receives < std::min(to.open + to.spare, 2 * p_.window);
  if (to.answers != nullptr && needed && !c.free_answers.empty()) {
    const uint32_t buffer = c.free_answers.back();
    c.free_answers.pop_back();
    c.verbs->PostRecv(to.answers,
                      {uint64_t{call.server} << 32 | buffer, c.answers.Local(buffer, 0, c.answers.each)});
    ++to.receives;
  }
  SendWr wr;
  wr.cause = call.step;
  wr.opcode = direction.method.verb == Operation::write ? WrOpcode::rdma_write : WrOpcode::send_with_imm;
  wr.sge = c.requests.Local(slot, c.requests.each - call.bytes, call.bytes);
  wr.imm_data = call.w;
  if (direction.method.verb == Operation::write) {
    wr.remote_addr = (SlotOfRequest(server.local, call.client, call.w) + 1) * kRequestSlot - call.bytes;
    wr.rkey = region_keys_[server.place]->rkey;
  }
  if (direction.method.transport == Transport::ud) {
    wr.ah = {server.host, to.port};
    wr.remote_qpn = Verbs::NumberOf(server.datagrams->qp);
  }
  Send(*c.verbs, *to.requests, wr, direction);
  c.Occupy(p_.costs.post);
  WatchForTimeout(c, id);
}

/// If a queue is full of repetitions, a request to it is dropped and counts as lost.
void SlotExchange::Send(Verbs& verbs, SendQueue& queue, SendWr& wr, const SlotExchangeDirection& direction) {
  wr.inline_data = Inlined(direction, wr.sge.length);
  wr.signaled = (queue.posted + 1) % static_cast<uint64_t>(direction.method.signal_every) == 0;
  if (verbs.PostSend(queue.qp, wr) == 0) ++queue.posted;
}

void SlotExchange::PollClient(uint32_t number) {
  Client& c = clients_[number];
  for (Wc wc; c.cq->Poll(wc);) {
    if (!wc.IsReceive()) {  // otherwise it only freed its slots
      if (wc.status != WcStatus::success) GiveUpOn(number, wc.qp_num);
      continue;
    }
    const auto server = static_cast<uint32_t>(wc.wr_id >> 32), buffer = static_cast<uint32_t>(wc.wr_id);
    --c.servers[server].receives;
    c.free_answers.push_back(buffer);
    if (wc.status != WcStatus::success) continue;
    const uint32_t head = wc.grh ? Verbs::kGrhBytes : 0;
    TakeAnswer(number, server, wc.imm_data & ((1u << kSlotBits) - 1),
               c.answers.Read(buffer, head, wc.byte_len - head), wc.imm_data >> kSlotBits,
               {wc.cause, wc.message});
  }
  c.cq->RequestNotify();
  c.Wake();
}

/// A queue pair has failed: requests on it, sent or not, will have no answer.
void SlotExchange::GiveUpOn(uint32_t number, uint32_t qp) {
  constexpr Time kTakes =
      Microseconds(1);  // ours; without it an immediate retry would loop for ever at one instant
  Client& c = clients_[number];
  c.Occupy(kTakes);
  std::vector<std::pair<uint32_t, uint32_t>>
      lost;  // with their generations, because giving up may end others
  for (const Client::Slot& slot : c.slots) {
    if (slot.call == kNone) continue;
    const Call& call = calls_[slot.call];
    if (Verbs::NumberOf(c.servers[call.server].requests->qp) == qp)
      lost.emplace_back(slot.call, call.generation);
  }
  for (const auto& [id, generation] : lost) {
    if (calls_[id].open && calls_[id].generation == generation) GiveUp(c, id);
  }
}

void SlotExchange::TakeAnswer(uint32_t number, uint32_t server, uint32_t w, std::span<const uint8_t> answer,
                              uint32_t says, const Origin& origin) {
  Client& c = clients_[number];
  const uint32_t id = w < p_.window ? c.slots[SlotOfClient(server, w)].call : kNone;
  if (id == kNone) {
    ++stale_;
    return;
  }
  const Time now = EventQueue::Get().now();
  const Trail::CurrentStep step(trail(), [&](Trail& t) {
    return t.Add(origin.cause, {origin.message, true}, now, now);
  });
  EndCall(c, id, true, answer, says);
}

/// The call waited for the answer from its last transmission to the end. The client does not know whether the
/// server answered.
void SlotExchange::GiveUp(Client& c, uint32_t id) {
  const uint64_t cause = calls_[id].step;
  const Time now = EventQueue::Get().now();
  const Trail::CurrentStep step(trail(),
                                [&](Trail& t) { return t.Add(cause, OperationPart::network, now, now); });
  EndCall(c, id, false, {}, 0);
}

void SlotExchange::EndCall(Client& c, uint32_t id, bool answered, std::span<const uint8_t> answer,
                           uint32_t says) {
  Call& call = calls_[id];
  const uint32_t slot = SlotOfClient(call.server, call.w), token = call.token, server = call.server;
  times_ = call.times;
  // The NIC may fetch a payload only after the next request is already in its place.
  const std::optional<uint32_t> mark = Inlined(p_.request, call.bytes) ? user_.Mark(token) : std::nullopt;
  if (answered && !user_.OnAnswer(token, answer, says)) {
    ++stale_;
    return;
  }
  Call& ended = calls_[id];  // the user may have added calls
  const bool asked_again = ended.times.retries > 0 || !answered;
  const auto client = ended.client;
  ended.open = false;
  free_calls_.push_back(id);
  --c.servers[server].open;
  c.slots[slot].call = kNone;
  if (asked_again && p_.timeout.v > 0) {
    c.late.PushBack({slot, mark, ended.times.retries});
    EventQueue::Get().PushTarget(EventQueue::Get().now() + p_.timeout, c.NextOrder(), this,
                                 uint64_t{client} << 32 | kRested);
  }
  Unblock(c, server);
  if (!answered) user_.OnGivenUp(token);
}

/// Whether the slot is free for a request with this token.
bool SlotExchange::IsFree(const Client& c, uint32_t slot, uint32_t token) {
  if (c.slots[slot].call != kNone) return false;
  for (uint32_t i = 0; i < c.late.Size(); ++i) {
    const Client::Late& late = c.late[i];
    if (late.slot == slot && (!late.mark || late.mark == user_.Mark(token))) return false;
  }
  return true;
}

/// Ends the rest of the longest late request.
void SlotExchange::EndRest(Client& c) {
  const Client::Late late = c.late.Front();
  c.late.PopFront();
  const uint32_t server = late.slot / p_.window;
  c.servers[server].spare -= late.spare;
  Unblock(c, server);
}

/// If a request waits for the next slot and that slot is free, the request now waits for the processor.
void SlotExchange::Unblock(Client& c, uint32_t server) {
  Client::ToServer& to = c.servers[server];
  if (to.blocked.Empty()) return;
  const uint32_t slot = SlotOfClient(server, static_cast<uint32_t>(to.next % p_.window));
  if (!IsFree(c, slot, calls_[to.blocked.Front()].token)) return;
  c.waiting.PushBack(to.blocked.Front());
  to.blocked.PopFront();
}

void SlotExchange::WatchForTimeout(Client& c, uint32_t id) {
  if (p_.timeout.v == 0) return;
  const Time at = EventQueue::Get().now() + p_.timeout;
  c.deadlines.PushBack({id, calls_[id].generation, at});
  if (c.timing) return;
  c.timing = true;
  EventQueue::Get().PushTarget(at, c.NextOrder(), this, uint64_t{calls_[id].client} << 32 | kTimer);
}

/// `timing` stays set meanwhile, so there is at most one timer.
void SlotExchange::OnTimer(uint32_t number) {
  Client& c = clients_[number];
  const Time now = EventQueue::Get().now();
  while (!c.deadlines.Empty()) {
    const Client::Deadline d = c.deadlines.Front();
    Call& call = calls_[d.call];
    const bool over = !call.open || call.generation != d.generation;
    if (!over && d.at > now) break;
    c.deadlines.PopFront();
    if (over) continue;
    if (call.times.retries == static_cast<uint32_t>(p_.retries)) {
      GiveUp(c, d.call);
      continue;
    }
    ++call.times.retries;
    ++retried_;
    Post(c, d.call);
  }
  c.timing = !c.deadlines.Empty();
  if (c.timing) {
    EventQueue::Get().PushTarget(c.deadlines.Front().at, c.NextOrder(), this,
                                 uint64_t{number} << 32 | kTimer);
  }
  c.Wake();
}

void SlotExchange::OnEvent(uint64_t arg) {
  const auto number = static_cast<uint32_t>(arg >> 32);
  if ((arg & 1) == kTimer) return OnTimer(number);
  EndRest(clients_[number]);
  clients_[number].Wake();
}

}  // namespace headroom
