#include "protocol/brpc/brpc_endpoint.h"

#include <algorithm>
#include <utility>

namespace headroom {

BrpcCounters& BrpcCounters::operator+=(const BrpcCounters& o) {
  handshake_bytes += o.handshake_bytes;
  data += o.data;
  bytes += o.bytes;
  acks += o.acks;
  solicited += o.solicited;
  signaled += o.signaled;
  events += o.events;
  polls += o.polls;
  completions += o.completions;
  copied += o.copied;
  waits += o.waits;
  failures += o.failures;
  return *this;
}

BrpcEndpoint::BrpcEndpoint(bool opener, std::unique_ptr<Stream> tcp, Process& process,
                           const BrpcEndParameters& parameters, uint16_t source_port)
    : opener_(opener), tcp_(std::move(tcp)), process_(process), p_(parameters), source_port_(source_port) {
  tcp_->SetUser(*this);
}

void BrpcEndpoint::Slots::Make(Verbs& verbs, size_t count, uint32_t block) {
  const size_t size = count * block;
  bytes = std::make_unique_for_overwrite<uint8_t[]>(size);
  region = verbs.RegMr(0, size, kLocalWrite, {bytes.get(), size});
}

size_t BrpcEndpoint::Read(std::span<uint8_t> bytes) {
  const size_t n = std::min(bytes.size(), in_.size() - taken_);
  std::copy_n(in_.begin() + static_cast<ptrdiff_t>(taken_), n, bytes.begin());
  taken_ += n;
  if (taken_ == in_.size()) {
    in_.clear();
    taken_ = 0;
  }
  return state_ == State::tcp && n < bytes.size() ? n + tcp_->Read(bytes.subspan(n)) : n;
}

void BrpcEndpoint::ForEachQueuePair(const UseQueuePair& use) const {
  if (qp_ != nullptr) use(process_.verbs().host(), Verbs::NumberOf(qp_));
}

void BrpcEndpoint::Close() {
  if (state_ == State::ended) return;
  End();
  tcp_->Close();
}

void BrpcEndpoint::Fail() {
  ++counters_.failures;
  End();
  tcp_->Close();
  user().OnEnded(true);
}

/// Open calls are lost.
void BrpcEndpoint::End() {
  state_ = State::ended;
  writes_.clear();
  in_.clear();
  unsent_ = 0;
  batch_ = taken_ = 0;
  if (qp_ == nullptr) return;
  QpAttr attr;
  attr.state = QpState::err;
  process_.verbs().ModifyQp(qp_, attr);
}

}  // namespace headroom
