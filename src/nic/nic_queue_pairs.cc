// Part of Nic: creates, connects and restarts queue pairs, and posts bulk messages to them.
#include <algorithm>
#include <memory>
#include <utility>

#include "net/topology/routing.h"
#include "nic/nic.h"
#include "nic/transport/balancing/make_balancing.h"
#include "nic/transport/recovery/make_recovery.h"

namespace headroom {

Requester& Nic::NewRequester(MessageOwner& owner, uint8_t priority, Transport transport) {
  Requester& r = requesters_.emplace_back(*this, owner, requester_count());
  r.priority = r.round = priority;
  r.transport = transport;
  if (auto recovery = transport == Transport::rc ? MakeRecovery(r, buffers_) : nullptr) {
    r.SetRecovery(std::move(recovery));
    r.rto = constants_->transport.recovery.Timeout(r.rto);
  }
  StartRate(r);
  return r;
}

Responder& Nic::NewResponder(MessageOwner& owner, uint8_t priority, Transport transport) {
  Responder& s = responders_.emplace_back(*this, owner, static_cast<uint32_t>(responders_.size()));
  s.priority = priority;
  s.transport = transport;
  if (auto recovery = transport == Transport::rc ? MakeRecovery(s) : nullptr)
    s.SetRecovery(std::move(recovery));
  return s;
}

uint32_t Nic::AddRequester(NodeId peer, uint8_t priority, uint16_t source_port, uint8_t tag) {
  Requester& r = NewRequester(bulk_, priority);
  r.tag = tag;
  r.peer_qp = r.number();
  r.named_by_sender = true;
  Direct(r, peer, source_port);
  r.phase = Requester::Phase::runs;
  return r.number();
}

uint32_t Nic::AddQueuePair(NodeId peer, uint8_t priority, uint16_t source_port, uint8_t tag) {
  Requester& r = requesters_[AddRequester(peer, priority, source_port, tag)];
  Responder& s = NewResponder(bulk_, priority);
  s.tag = tag;
  s.peer = peer;
  s.peer_qp = r.number();
  s.named_by_sender = true;
  BeginBulk(s, source_port);
  r.SetResponder(s);
  s.SetRequester(r);
  return r.number();
}

VerbsNic::Pair Nic::AddPair(MessageOwner& owner, Transport transport, uint8_t priority) {
  // Both halves have the same number: if one-way bulk has made more halves of one kind, the other kind is
  // filled up.
  const auto number = static_cast<uint32_t>(std::max(requesters_.size(), responders_.size()));
  for (uint32_t i = requester_count(); i < number; ++i) requesters_.emplace_back(*this, bulk_, i);
  for (auto i = static_cast<uint32_t>(responders_.size()); i < number; ++i)
    responders_.emplace_back(*this, bulk_, i);
  Requester& r = NewRequester(owner, priority, transport);
  Responder& s = NewResponder(owner, priority, transport);
  r.SetResponder(s);
  s.SetRequester(r);
  if (transport != Transport::rc) r.window = kNoWindow;
  if (transport == Transport::ud) r.round = RoundOf(r);
  return {&r, &s};
}

void Nic::Direct(Requester& r, NodeId peer, uint16_t source_port) {
  r.peer = peer;
  r.source_port = source_port;
  r.flow_hash = FlowHash(host_, peer, source_port);
  if (bond_ != nullptr && r.state == Requester::State::ready) {
    ChoosePorts();  // it leaves the round of its former port
  } else {
    r.round = RoundOf(r);
  }
  if (paths_ != nullptr) {
    if (paths_->window && r.transport == Transport::rc) r.window = paths_->window(peer, source_port);
    if (paths_->first_window) r.MarkFirstWindow(paths_->first_window(peer, source_port));
  }
  if (r.transport != Transport::rc) return;
  BeginControl(r);
  if (peer != host_)
    r.SetBalancing(MakeBalancing(constants_->transport.balancing, name_ + "/" + std::to_string(r.number())));
}

void Nic::BeginAnew(Requester& r) {
  StartRate(r);
  if (r.controlled) BeginControl(r);
  ++r.generation;
}

void Nic::Post(uint32_t requester, uint32_t message, int64_t bytes, Operation operation) {
  Requester& r = requesters_[requester];
  if (r.phase == Requester::Phase::stopped) return sink_->OnFailed(message, now(), WcStatus::wr_flush_err);
  SendRequest request;
  request.message = message;
  request.operation = operation;
  request.bytes = bytes;
  request.packets = PacketsOf(bytes, constants_->mtu);
  r.Post(request);
}

void Nic::Renew(uint32_t requester, uint16_t source_port) {
  Requester& r = requesters_[requester];
  BeginBulk(r, source_port);
  if (Responder* s = r.responder()) BeginBulk(*s, source_port);
}

/// The queue pair starts at its first rate, on this path.
void Nic::BeginBulk(Requester& r, uint16_t source_port) {
  Direct(r, r.peer, source_port);
  BeginAnew(r);
  r.phase = Requester::Phase::runs;
}

/// The frames of the queue pair take this path, on which no mark has been seen yet.
void Nic::BeginBulk(Responder& s, uint16_t source_port) {
  s.receives = true;
  s.source_port = source_port;
  s.flow_hash = FlowHash(host_, s.peer, source_port);
  s.np = {};
}

}  // namespace headroom
