// Part of brpc_endpoint.h: the transition from TCP to the queue pair, or to the fallback.
#include <utility>

#include "protocol/brpc/brpc_endpoint.h"

namespace headroom {

void BrpcEndpoint::OnOpen() {
  if (opener_ && (!p_.asks || !p_.device)) return Establish(State::tcp);
  state_ = State::hello_wait;
  if (!opener_) return;
  MakeQueuePair();
  Send(OwnHello().Bytes());
}

void BrpcEndpoint::OnReadable() {
  switch (state_) {
    case State::hello_wait:
      return opener_ ? OnServerHello() : OnClientBytes();
    case State::ack_wait:
      return OnAck();
    case State::tcp:
      return ReadTcp();
    case State::rdma:
      return Fail();  // no byte may arrive by TCP any more
    case State::connecting:
    case State::ended:
      return;
  }
}

void BrpcEndpoint::OnEnded(bool) {
  if (state_ == State::ended) return;
  ++counters_.failures;
  End();
  user().OnEnded(true);
}

/// Returns true once `bytes` bytes of the handshake's next message have arrived.
bool BrpcEndpoint::Gather(size_t bytes) {
  gathered_bytes_ += tcp_->Read(std::span(gathered_).subspan(gathered_bytes_, bytes - gathered_bytes_));
  return gathered_bytes_ == bytes;
}

/// A client without RDMA sends no hello: its first bytes are the stream itself.
void BrpcEndpoint::OnClientBytes() {
  if (gathered_bytes_ < BrpcHello::kMagicBytes) {
    if (!Gather(BrpcHello::kMagicBytes)) return;
    if (!BrpcHello::Begins(gathered_)) {
      in_.assign(gathered_.begin(), gathered_.begin() + BrpcHello::kMagicBytes);
      Establish(State::tcp);
      return ReadTcp();
    }
  }
  if (Gather(BrpcHello::kBytes)) OnClientHello();
}

void BrpcEndpoint::OnClientHello() {
  const BrpcHello peer = BrpcHello::From(gathered_);
  gathered_bytes_ = 0;
  if (p_.device && peer.HasRdma()) {
    MakeQueuePair();
    BringUp(peer);
  }
  state_ = State::ack_wait;
  Send(OwnHello().Bytes());
}

void BrpcEndpoint::OnServerHello() {
  if (!Gather(BrpcHello::kBytes)) return;
  if (!BrpcHello::Begins(gathered_)) return Fail();
  const BrpcHello peer = BrpcHello::From(gathered_);
  const bool rdma = peer.HasRdma();
  if (rdma) BringUp(peer);
  Send(BrpcHello::Ack(rdma));
  Establish(rdma ? State::rdma : State::tcp);
}

void BrpcEndpoint::OnAck() {
  if (!Gather(BrpcHello::kAckBytes)) return;
  const bool rdma = BrpcHello::Acknowledges(gathered_);
  if (rdma && (qp_ == nullptr || tcp_->unread() > 0)) return Fail();
  Establish(rdma ? State::rdma : State::tcp);
  if (tcp_->unread() > 0) ReadTcp();
}

/// A turn of the event loop, which is charged once for all bytes that arrive until it ends.
void BrpcEndpoint::ReadTcp() {
  if (std::exchange(event_, true)) return;
  ++counters_.events;
  process_.Do(CoreWork::tcp, p_.costs.turn, [this] {
    event_ = false;
    if (state_ == State::tcp) user().OnReadable();
  });
}

BrpcHello BrpcEndpoint::OwnHello() const {
  BrpcHello hello;
  if (qp_ == nullptr) {
    hello.version = hello.implementation = 0;
    return hello;
  }
  hello.block = p_.block;
  hello.queues = p_.queues;
  hello.host = process_.verbs().host();
  hello.qp = Verbs::NumberOf(qp_);
  return hello;
}

void BrpcEndpoint::MakeQueuePair() {
  Verbs& verbs = process_.verbs();
  const auto sq = static_cast<uint32_t>(p_.queues.sq), rq = static_cast<uint32_t>(p_.queues.rq);
  send_cq_ = verbs.CreateCq(2 * sq);
  recv_cq_ = verbs.CreateCq(2 * rq);
  for (CompletionQueue* cq : {send_cq_, recv_cq_}) {
    cq->SetHandler([this] { OnCqEvent(); });
    cq->RequestNotify(cq == recv_cq_);
  }
  QpInitAttr attr;
  attr.send_cq = send_cq_;
  attr.recv_cq = recv_cq_;
  attr.cap.max_send_wr = sq;
  attr.cap.max_recv_wr = rq;
  attr.priority = p_.priority;
  attr.tag = p_.tag;
  qp_ = verbs.CreateQp(attr);
}

/// The receive queue is filled before the queue pair may send, and before the peer is notified.
void BrpcEndpoint::BringUp(const BrpcHello& peer) {
  flow_ = BrpcFlow(p_.queues, peer.queues, p_.event_per_message);
  peer_block_ = peer.block;
  Verbs& verbs = process_.verbs();
  sends_.Make(verbs, static_cast<size_t>(flow_.capacity()), peer_block_);
  receives_.Make(verbs, static_cast<size_t>(p_.queues.rq), p_.block);
  QpAttr attr;
  attr.address = {peer.host, source_port_};
  attr.dest_qp_num = peer.qp;
  attr.min_rnr_timer = 0;
  attr.timeout = kTimeout;
  attr.retry_cnt = kRetries;
  attr.rnr_retry = 0;
  attr.state = QpState::init;
  verbs.ModifyQp(qp_, attr);
  for (size_t slot = 0; slot < static_cast<size_t>(p_.queues.rq); ++slot) PostReceive(slot);
  for (const QpState state : {QpState::rtr, QpState::rts}) {
    attr.state = state;
    verbs.ModifyQp(qp_, attr);
  }
}

void BrpcEndpoint::Send(std::span<const uint8_t> bytes) {
  counters_.handshake_bytes += bytes.size();
  tcp_->Write(bytes);
}

void BrpcEndpoint::Establish(State state) {
  state_ = state;
  if (state_ == State::tcp) {
    unsent_ = 0;
    for (const Waiting& w : writes_) tcp_->Write(w.bytes);
    writes_.clear();
  } else if (!writes_.empty()) {
    StartBatch();
  }
  user().OnOpen();
  if (event_ && state_ == State::rdma) StartPolling();
}

}  // namespace headroom
