// Part of brpc_endpoint.h: the writer.
#include <algorithm>

#include "protocol/brpc/brpc_endpoint.h"

namespace headroom {

void BrpcEndpoint::Write(std::span<const uint8_t> bytes) {
  if (state_ == State::ended || bytes.empty()) return;
  if (state_ == State::tcp) return tcp_->Write(bytes);
  unsent_ += bytes.size();
  writes_.push_back({{bytes.begin(), bytes.end()}, 0, process_.step()});
  if (state_ == State::rdma && batch_ == 0) StartBatch();
}

void BrpcEndpoint::StartBatch() {
  batch_ = std::min(writes_.size(), kBatch);
  PostNext();
}

void BrpcEndpoint::PostNext() {
  if (flow_.Writable()) return process_.Do(CoreWork::rdma, p_.costs.post, [this] { PostData(); });
  ++counters_.waits;
  blocked_ = true;
  Waiting& next = writes_.front();
  next.since = process_.StepSince(next.since, waits_for_);
  waits_for_ = OperationPart::credits;
}

void BrpcEndpoint::PostData() {
  if (state_ != State::rdma) return;
  const uint64_t cause = process_.StepSince(writes_.front().since, waits_for_);
  waits_for_ = OperationPart::chunk;
  const size_t slot = posted_++ % static_cast<size_t>(flow_.capacity());
  bool last = false;
  const uint32_t length = Fill(sends_.At(slot, peer_block_), last);
  unsent_ -= length;
  if (!writes_.empty() && writes_.front().sent > 0) writes_.front().since = cause;
  const BrpcFlow::Data data = flow_.OnData(length, last);
  SendWr wr;
  wr.wr_id = data.completes;
  wr.imm_data = data.imm;
  wr.solicited = data.solicited;
  wr.signaled = data.completes > 0;
  wr.sge = {slot * peer_block_, length, sends_.region->lkey};
  wr.cause = cause;
  ++counters_.data;
  counters_.bytes += length;
  Post(wr);
  if (batch_ > 0) return PostNext();
  if (!writes_.empty()) StartBatch();
}

/// Fills a slot with up to a block of the batch's bytes. `last`: some bytes belong to its last write.
uint32_t BrpcEndpoint::Fill(uint8_t* slot, bool& last) {
  uint32_t length = 0;
  while (length < peer_block_ && batch_ > 0) {
    Waiting& from = writes_.front();
    const size_t n = std::min<size_t>(peer_block_ - length, from.bytes.size() - from.sent);
    std::copy_n(from.bytes.begin() + static_cast<ptrdiff_t>(from.sent), n, slot + length);
    length += static_cast<uint32_t>(n);
    from.sent += n;
    last = batch_ == 1;
    if (from.sent < from.bytes.size()) continue;
    writes_.pop_front();
    --batch_;
  }
  return length;
}

void BrpcEndpoint::PostAck(uint32_t imm) {
  process_.Do(CoreWork::rdma, p_.costs.post, [this, imm] {
    if (state_ != State::rdma) return;
    SendWr wr;
    wr.imm_data = imm;
    wr.solicited = wr.signaled = true;
    wr.cause = process_.step();
    ++counters_.acks;
    Post(wr);
  });
}

void BrpcEndpoint::Post(const SendWr& wr) {
  SendWr posted = wr;
  posted.opcode = WrOpcode::send_with_imm;
  counters_.solicited += wr.solicited;
  counters_.signaled += wr.signaled;
  if (on_post) on_post(posted);
  process_.verbs().PostSend(qp_, posted);
}

/// A batch that met a closed window also takes the writes since then.
void BrpcEndpoint::Resume() {
  if (!blocked_ || state_ != State::rdma) return;
  blocked_ = false;
  StartBatch();
}

}  // namespace headroom
