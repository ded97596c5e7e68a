#include "protocol/smc/smc_stream.h"

#include <algorithm>
#include <utility>

#include "ip/ip_stack.h"

namespace headroom {

SmcStream::SmcStream(const StreamSite& site, SmcHost& host, NodeId peer, bool opener,
                     std::unique_ptr<Stream> tcp, const ApplicationCosts& costs,
                     const SmcParameters& parameters)
    : site_(site),
      host_(host),
      peer_(peer),
      opener_(opener),
      tcp_(std::move(tcp)),
      costs_(costs),
      parameters_(parameters),
      size_(static_cast<uint64_t>(parameters.buffer.v)),
      entity_(EventQueue::Get().AddEntity(site.ip->Node(site.host)->GetId())) {
  tcp_->SetUser(*this);
}

CoreCost SmcStream::CostOf(size_t bytes, int posts) const {
  const Time copy = costs_.OfCopy(static_cast<int64_t>(bytes));
  return {costs_.smc_r.call + copy + costs_.post * posts, copy};
}

void SmcStream::After(Time delay, Event event, uint64_t number) {
  EventQueue& events = EventQueue::Get();
  events.PushTarget(events.now() + delay, TimedEvent::Order(EventClass::workload, entity_, ++events_), this,
                    event + kEvents * number);
}

void SmcStream::OnEvent(uint64_t arg) {
  switch (static_cast<Event>(arg % kEvents)) {
    case kArrive:
      if (arriving_.empty()) return;  // the stream has ended
      arrived_.push_back(arriving_.front());
      arriving_.pop_front();
      ready_ = arrived_.back().end;
      return ReceiveNext();
    case kEnd:
      end_came_ = true;
      return ReceiveNext();
    case kSetUp:
      if (state_ == State::begins && then_) std::exchange(then_, nullptr)();
      return;
    case kTimeout:
      if (state_ == State::begins && arg / kEvents == expects_) Decline();
      return;
    case kEvents:
      return;
  }
}

/// Bytes in flight over TCP, or not given to TCP yet.
uint64_t SmcStream::unsent() const { return waiting_.size() + (state_ == State::plain ? tcp_->unsent() : 0); }

uint64_t SmcStream::unread() const {
  if (state_ != State::plain) return readable_;
  return declined_ ? 0 : clc_.size() + tcp_->unread();
}

void SmcStream::ForEachQueuePair(const UseQueuePair& use) const {
  if (group_ != nullptr) use(site_.host, group_->link->qp());
}

void SmcStream::Write(std::span<const uint8_t> bytes) {
  if (state_ == State::plain) return tcp_->Write(bytes);
  if ((state_ != State::begins && state_ != State::open) || bytes.empty()) return;
  if (waiting_.size() == 0 || (sending_ && waiting_.size() == piece_)) since_ = site_.process->step();
  waiting_.Append(bytes);
  SendNext();
}

/// Makes the core call send, if the send buffer has room.
void SmcStream::SendNext() {
  if (sending_ || waiting_.size() == 0 || (state_ != State::open && state_ != State::closing)) return;
  if (Free() == 0) return;  // OnCdcSent will follow
  sending_ = true;
  piece_ = 0;
  const Trail::CurrentStep step(site_.process->trail(),
                                site_.process->StepSince(since_, OperationPart::buffer));
  site_.process->Do(
      CoreWork::rdma, [this] { return BeginSend(); }, [this] { Sent(); });
}

CoreCost SmcStream::BeginSend() {
  if (state_ != State::open && state_ != State::closing) return Time(0);
  piece_ = std::min<uint64_t>(waiting_.size(), Free());
  const uint64_t now = Corked() ? 0 : std::min(prepared_ - sent_ + piece_, Room());
  const int writes = now == 0 ? 0 : sent_ % size_ + now > size_ ? 2 : 1;
  return CostOf(piece_, writes == 0 ? 0 : writes + 1);
}

void SmcStream::Sent() {
  sending_ = false;
  if (state_ != State::open && state_ != State::closing) return;
  if (prepared_ == sent_) ready_since_ = site_.process->step();
  for (size_t done = 0; done < piece_;) {
    const size_t at = prepared_ % size_, n = std::min(piece_ - done, size_ - at);
    std::ranges::copy(waiting_.Front(piece_).subspan(done, n),
                      send_buffer_.begin() + static_cast<ptrdiff_t>(at));
    prepared_ += n;
    done += n;
  }
  waiting_.Pop(piece_);
  piece_ = 0;
  if (!Corked()) Transmit(site_.process->step());
  SendNext();
}

/// Makes the core call recv, if data wait.
void SmcStream::ReceiveNext() {
  if (receiving_ || state_ != State::open) return;
  if (ready_ == received_) {
    if (end_came_ && arriving_.empty()) End(false);
    return;
  }
  receiving_ = true;
  site_.process->Do(
      CoreWork::rdma, [this] { return BeginReceive(); }, [this] { Received(); });
}

CoreCost SmcStream::BeginReceive() {
  if (state_ != State::open) return Time(0);
  const uint64_t bytes = ready_ - received_;
  received_ = ready_;
  return CostOf(bytes);
}

void SmcStream::Received() {
  receiving_ = false;
  if (state_ != State::open) return;
  readable_ = received_ - consumed_;
  while (arrived_.front().end < received_) arrived_.pop_front();
  const Arrival last = arrived_.front();
  const Trail::CurrentStep step(site_.process->trail(), site_.process->StepOf(last.step, last.ready));
  user().OnReadable();
  ReceiveNext();
}

size_t SmcStream::Read(std::span<uint8_t> bytes) {
  if (state_ == State::plain) {
    if (declined_) return 0;
    const size_t first = std::min(bytes.size(), clc_.size());
    std::ranges::copy(std::span(clc_).first(first), bytes.begin());
    clc_.erase(clc_.begin(), clc_.begin() + static_cast<ptrdiff_t>(first));
    return first + tcp_->Read(bytes.subspan(first));
  }
  const size_t size = std::min<uint64_t>(bytes.size(), readable_);
  for (size_t done = 0; done < size;) {
    const size_t at = consumed_ % size_, n = std::min(size - done, size_ - at);
    std::ranges::copy(std::span(rmb_).subspan(at, n), bytes.begin() + static_cast<ptrdiff_t>(done));
    consumed_ += n;
    done += n;
  }
  readable_ -= size;
  if (size > 0 && UpdateIsDue()) {
    cdc_due_ = true;
    Transmit(site_.process->step());
  }
  return size;
}

/// Notifies the user, at the end of a call, that the stream has ended.
void SmcStream::End(bool failed) {
  if (std::exchange(ending_, true)) return;
  site_.process->Do(CoreWork::rdma, CostOf(0), [this, failed] {
    if (state_ == State::closing || state_ == State::ended) return;
    readable_ = 0;
    waiting_.Clear();
    prepared_ = sent_;
    const bool can_say = state_ == State::open && LinkWorks() && !tcp_ended_ && tcp_->unread() == 0;
    state_ = State::closing;
    can_say ? SayClosed(smc::Cdc::kPeerClosed) : Finish();
    user().OnEnded(failed);
  });
}

void SmcStream::Close() {
  if (state_ == State::closing || state_ == State::ended) return;
  if (state_ != State::open) {
    state_ = State::ended;
    tcp_->Close();
    return LeaveGroup();
  }
  state_ = State::closing;
  const bool unread = peer_produced_ > consumed_;
  readable_ = 0;
  if (unread) {
    waiting_.Clear();
    prepared_ = sent_;
    SayClosed(smc::Cdc::kAbort);
  } else if (waiting_.size() == 0 && prepared_ == sent_) {
    SayClosed(smc::Cdc::kPeerClosed);
  }
}

/// Reports the close in a CDC message, behind all data.
void SmcStream::SayClosed(uint8_t flag) {
  if (state_flags_ != 0) return;
  state_flags_ = flag;
  cdc_due_ = true;
  Transmit(site_.process->step());
}

/// Both ends have reported their close.
void SmcStream::Finish() {
  if (std::exchange(finished_, true)) return;
  state_ = State::ended;
  tcp_->Close();
  if (LinkWorks() && group_->up)
    group_->link->Ask({smc::LlcType::delete_rkey, false, rmb_region_->rkey}, [] {});
  LeaveGroup();
}

}  // namespace headroom
