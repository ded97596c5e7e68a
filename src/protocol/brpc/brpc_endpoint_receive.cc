// Part of brpc_endpoint.h: completions and their effects.
#include "protocol/brpc/brpc_endpoint.h"

namespace headroom {

void BrpcEndpoint::OnCqEvent() {
  event_ = true;
  if (state_ == State::rdma && !polling_) StartPolling();
}

void BrpcEndpoint::StartPolling() {
  counters_.events += !p_.event_per_message;
  polling_ = true;
  event_ = of_sends_ = armed_ = false;
  Poll(p_.event_per_message ? Time(0) : p_.costs.turn);
}

void BrpcEndpoint::Poll(Time more) {
  process_.Do(
      CoreWork::rdma, [this, more] { return TakeCompletions(more); }, [this] { HandleCompletions(); });
}

/// The core takes up to kPolled completions. Returns their costs on the core, including those of the data
/// that they deliver.
CoreCost BrpcEndpoint::TakeCompletions(Time more) {
  polled_count_ = 0;
  if (state_ != State::rdma) return more;
  while (true) {
    CompletionQueue* const cq = of_sends_ ? send_cq_ : recv_cq_;
    polled_count_ = static_cast<size_t>(cq->Poll(polled_));
    if (polled_count_ > 0) {
      armed_ = false;
      break;
    }
    if (!of_sends_) {
      of_sends_ = true;
      continue;
    }
    if (armed_) break;
    send_cq_->RequestNotify();
    recv_cq_->RequestNotify(true);
    armed_ = true;
    of_sends_ = false;
  }
  Time copies;
  for (size_t i = 0; i < polled_count_; ++i) {
    const Wc& wc = polled_[i];
    if (wc.IsReceive() && wc.byte_len < kCopiedBelow) copies += p_.costs.OfCopy(wc.byte_len);
  }
  counters_.polls += polled_count_ > 0;
  counters_.completions += polled_count_;
  Time each = p_.costs.completion;
  if (p_.event_per_message) {
    each += p_.costs.turn;
    counters_.events += polled_count_;
  }
  return {more + each * static_cast<int64_t>(polled_count_) + copies, copies};
}

void BrpcEndpoint::HandleCompletions() {
  if (state_ != State::rdma) return;
  if (polled_count_ == 0) {
    polling_ = false;
    if (event_) StartPolling();
    return;
  }
  for (size_t i = 0; i < polled_count_ && state_ == State::rdma; ++i) {
    const Wc& wc = polled_[i];
    const Trail::CurrentStep step(process_.trail(), process_.StepOf(wc));
    if (wc.status != WcStatus::success) return Fail();
    wc.IsReceive() ? OnReceived(wc) : OnSendCompletion(wc);
  }
  if (state_ == State::rdma) Poll(Time(0));
}

void BrpcEndpoint::OnSendCompletion(const Wc& wc) {
  if (wc.wr_id == 0) {
    if (const uint32_t imm = flow_.OnAckSent(); imm > 0) PostAck(imm);
  } else if (flow_.OnSent(static_cast<uint32_t>(wc.wr_id))) {
    Resume();
  }
}

void BrpcEndpoint::OnReceived(const Wc& wc) {
  const size_t slot = wc.wr_id;
  const bool data = wc.byte_len > 0;
  if (data) {
    const uint8_t* const bytes = receives_.At(slot, p_.block);
    in_.insert(in_.end(), bytes, bytes + wc.byte_len);
    counters_.copied += wc.byte_len < kCopiedBelow;
  }
  if (wc.imm_data > 0 && flow_.OnImm(wc.imm_data)) Resume();
  PostReceive(slot);
  if (!data) return;
  if (const uint32_t imm = flow_.OnReposted(); imm > 0) PostAck(imm);
  user().OnReadable();
}

void BrpcEndpoint::PostReceive(size_t slot) {
  process_.verbs().PostRecv(qp_, {slot, {slot * p_.block, p_.block, receives_.region->lkey}});
}

}  // namespace headroom
