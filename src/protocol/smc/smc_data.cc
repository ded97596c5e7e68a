// Part of SmcStream: traffic over the link, in both directions.
#include <algorithm>
#include <utility>

#include "protocol/smc/smc_stream.h"

namespace headroom {

/// smc_should_autocork: a CDC message is in flight, and there is little to send.
bool SmcStream::Corked() const {
  const uint64_t most = std::min<uint64_t>(smc::kCorkAtMost, size_ / 2);
  return parameters_.autocork && !cdcs_.empty() && prepared_ - sent_ + piece_ <= most;
}

/// Sends as much as fits in the peer's RMB, or a CDC message that is due. `cause`: the step that causes it.
void SmcStream::Transmit(uint64_t cause) {
  if (state_ != State::open && state_ != State::closing) return;
  if (!LinkWorks()) return;
  const uint64_t bytes = std::min(prepared_ - sent_, Room());
  if (bytes == 0 && !cdc_due_) return;
  if (!group_->link->HasSlotFor(*this)) return;  // OnSlot will follow
  if (bytes > 0) {
    write_blocked_ = prepared_ - sent_ >= Room();
    PostData(bytes, cause);
  } else {
    ++counters_.updates;
  }
  PostCdc(cause);
  if (state_ == State::closing && waiting_.size() == 0 && prepared_ == sent_)
    SayClosed(smc::Cdc::kPeerClosed);
}

/// Posts one WRITE, or two if the rings wrap.
void SmcStream::PostData(uint64_t bytes, uint64_t cause) {
  for (uint64_t left = bytes; left > 0;) {
    const uint64_t at = sent_ % size_, n = std::min(left, size_ - at);
    group_->link->PostWrite({at, peer_rkey_, {at, static_cast<uint32_t>(n), send_region_->lkey}}, cause);
    ++counters_.writes;
    counters_.written += n;
    sent_ += n;
    left -= n;
  }
}

void SmcStream::PostCdc(uint64_t cause) {
  smc::Cdc cdc;
  cdc.sequence = ++sequence_;
  cdc.token = peer_token_;
  cdc.producer = sent_;
  cdc.consumer = confirmed_ = consumed_;
  cdc.producer_flags = write_blocked_ ? smc::Cdc::kWriteBlocked : 0;
  cdc.state_flags = state_flags_;
  cdc_due_ = false;
  cdcs_.push_back(sent_);
  ++counters_.cdcs;
  group_->link->PostCdc(*this, cdc.Bytes(size_), cause);
}

/// smc_tx_consumer_update.
bool SmcStream::UpdateIsDue() const {
  const uint64_t limit = std::max<uint64_t>(size_ / 10, smc::kUpdateAtLeast);
  if (consumed_ - confirmed_ <= limit) return false;
  const uint64_t known_free = size_ - (peer_produced_ - confirmed_);
  return peer_blocked_ || known_free <= size_ / 2;
}

void SmcStream::OnCdc(const smc::MessageBytes& bytes) {
  const smc::Cdc cdc = smc::Cdc::From(bytes, size_, peer_produced_, peer_consumed_);
  const bool data = cdc.producer > peer_produced_, room = cdc.consumer > peer_consumed_;
  peer_produced_ = cdc.producer;
  peer_consumed_ = cdc.consumer;
  peer_blocked_ = (cdc.producer_flags & smc::Cdc::kWriteBlocked) != 0;
  Process& kernel = host_.kernel();
  if (data && (state_ == State::open || state_ == State::begins)) {
    const Time ready = EventQueue::Get().now() + costs_.smc_r.delay;
    arriving_.push_back({cdc.producer, ready, kernel.step()});
    After(costs_.smc_r.delay, kArrive);
  }
  if (room && prepared_ > sent_) Transmit(kernel.StepSince(ready_since_, OperationPart::buffer));
  if ((cdc.state_flags & (smc::Cdc::kPeerClosed | smc::Cdc::kAbort)) == 0) return;
  peer_closed_ = true;
  if (state_ == State::closing) {  // the connection accepts no more data
    waiting_.Clear();
    prepared_ = sent_;
    SayClosed(smc::Cdc::kPeerClosed);
    if (cdcs_.empty() && !cdc_due_) Finish();
  } else if ((cdc.state_flags & smc::Cdc::kAbort) != 0) {
    End(true);
  } else {
    After(costs_.smc_r.delay, kEnd);
  }
}

void SmcStream::OnCdcSent() {
  if (cdcs_.empty()) return;  // its link was lost
  freed_ = cdcs_.front();
  cdcs_.pop_front();
  if (cdcs_.empty()) {
    if (state_flags_ != 0 && peer_closed_ && !cdc_due_) return Finish();
    if (prepared_ > sent_) Transmit(host_.kernel().StepSince(ready_since_, OperationPart::chunk));
  }
  SendNext();
}

void SmcStream::OnSlot() { Transmit(host_.kernel().StepSince(ready_since_, OperationPart::chunk)); }

void SmcStream::OnLinkLost() {
  cdcs_.clear();
  if (state_ == State::begins) return Decline();
  if (state_ == State::closing) return Finish();
  if (state_ != State::ended) End(true);
}

}  // namespace headroom
