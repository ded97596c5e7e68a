#include "nic/transport/requester.h"

#include <algorithm>

#include "net/topology/routing.h"
#include "nic/transport/message_times.h"
#include "nic/transport/responder.h"

namespace headroom {

void Requester::Post(SendRequest request) {
  if (phase == Phase::stopped) return;
  const NicInterface::Constants& c = nic_->constants();
  const FrameFormat& frames = transport == Transport::rc ? c.frames : c.plain_frames;
  const int64_t middle = frames.Extended(request.operation, false, false);
  request.first_psn = end_psn;
  const bool only = request.packets == 1;  // a single packet has each header once
  request.first_extended = static_cast<uint16_t>(frames.Extended(request.operation, true, only));
  request.last_extended = only ? 0 : static_cast<uint16_t>(frames.Extended(request.operation, false, true));
  request.middle_bytes = static_cast<uint32_t>(frames.Packet(c.mtu, middle).v);
  Time earliest = nic_->now() + nic_->constants().tx_latency;
  if (NicResources* costs = nic_->costs()) {
    request.available = costs->Post(nic_->now(), transport, request.inlined, request.bytes);
    earliest = std::max(earliest, request.available);
  }
  end_psn += request.packets;
  posted_reads_ += request.operation == Operation::read_request;
  if (MessageTimes* times = request.message == kNoMessage ? nullptr : nic_->times()) {
    const bool registers = !requests.Empty() && requests.Back().registers;
    times->OnPosted(request, nic_->host(), peer, nic_->now(),
                    registers ? nic_->constants().registration_latency : Time{});
  }
  // If an earlier message waits for the NIC or for others, its own event wakes it.
  const bool first = cursor == requests.Size();
  requests.PushBack(request);
  if (controlled) [[unlikely]]
    nic_->OnBacklog(*this);
  if (state == State::idle && first) nic_->Activate(*this, earliest);
  if (recovers_) recovery_->OnPosted(*this);
}

bool Requester::HasMore() const {
  if (cursor < requests.Size() && phase != Phase::stopped) return true;
  if (recovers_ && phase != Phase::stopped && recovery_->HasNext(*this)) return true;
  return responder_ != nullptr && !responder_->answers.Empty() && !holds_answers;
}

/// Requests and answers alternate.
NextFrame Requester::Next() {
  if (responder_ != nullptr && !responder_->answers.Empty() && !answered_last_ && !holds_answers) {
    answered_last_ = true;
    return responder_->NextResponse();
  }
  answered_last_ = false;
  if (const NextFrame next = NextRequest(); next.frame != nullptr) {
    if (rto_deadline == kNever && transport == Transport::rc) {
      rto_deadline = nic_->now() + rto;
      ArmRetransmit();
    }
    return next;
  }
  const bool answers = responder_ != nullptr && !responder_->answers.Empty() && !holds_answers;
  return answers ? responder_->NextResponse() : NextFrame{};
}

Frame* Requester::DataFrame() const {
  Frame* f = nic_->pool().Take();
  f->kind = FrameKind::data;
  f->priority = priority;
  f->tag = tag;
  f->src = nic_->host();
  f->dst = peer;
  f->source_port = source_port;
  f->flow_hash = flow_hash;
  f->qp = peer_qp;
  f->named_by_sender = named_by_sender;
  f->generation = generation;
  if (balances_) [[unlikely]]
    Balance(*f);
  return f;
}

/// The frame's entropy changes its source port, by which switches choose its path.
void Requester::Balance(Frame& frame) const {
  frame.data.balanced = true;
  frame.source_port ^= balancing_->Next(nic_->now());
  frame.flow_hash = FlowHash(frame.src, frame.dst, frame.source_port);
}

inline NextFrame Requester::MakeData(const SendRequest& request, uint64_t psn) {
  const NicInterface::Constants& c = nic_->constants();
  const uint64_t offset = psn - request.first_psn;
  const bool first = offset == 0;
  const bool last = offset + 1 == request.packets;

  Frame* f = DataFrame();
  f->psn = static_cast<uint32_t>(psn);
  f->message = request.message;
  f->data.first = first;
  f->data.last = last;
  f->opcode = OpcodeOf(transport, request.operation, first, last);
  f->bytes = static_cast<uint16_t>(request.middle_bytes);
  if (first || last) {
    const int64_t payload = last ? request.bytes - c.mtu * static_cast<int64_t>(offset) : c.mtu;
    const uint32_t extended = (first ? request.first_extended : 0) + (last ? request.last_extended : 0);
    f->bytes = static_cast<uint32_t>(c.frames.Packet(payload, extended).v);
  }
  nic_->count().sent_bytes += f->bytes;

  const bool repeats = psn < high_psn;
  if (repeats) {
    CountRepeated(request);
  } else {
    high_psn = psn + 1;
  }
  return {f, repeats, request.inlined};
}

NextFrame Requester::NextRequest() {
  if (recovers_) [[unlikely]] {
    if (phase == Phase::stopped || hold_until_ > nic_->now()) return {};
    if (const auto repeat = recovery_->Next(*this)) return MakeRepeat(*repeat);
    if (!recovery_->MayGo(*this)) return {};
  }
  if (next_psn - una_psn >= window && !PassesShut()) [[unlikely]] {
    if (controlled) nic_->OnBacklog(*this);  // the control may open it
    if (next_psn - una_psn >= window) {
      if (!shut_) shut_at = limiter.eligible;
      shut_ = true;
      return {};
    }
  }
  while (cursor < requests.Size()) {
    if (phase == Phase::stopped || hold_until_ > nic_->now()) return {};
    SendRequest& request = requests[cursor];
    if (request.available > nic_->now()) {
      Await(request.available);
      return {};
    }
    if (request.IsStep()) {
      if (!request.done && !(MayStart(request) && RunStep(request))) return {};
      // Sometimes the request is not only complete but removed, with the requests before it.
      if (cursor < requests.Size() && &requests[cursor] == &request && request.done) ++cursor;
      if (window == 0) [[unlikely]]
        return NextRequest();
      continue;
    }
    if (next_psn == request.first_psn && !MayStart(request)) return {};
    if (request.IsRead()) return MakeReadRequest(request);
    const NextFrame next = MakeData(request, next_psn);
    ++next_psn;
    if (!IsBulk(request.message)) owner_->Dress(*this, *next.frame, request, cursor);
    Number(request, next_psn - 1, next);
    if (next.frame->data.last) ++cursor;
    return next;
  }
  return {};
}

/// If no packet may go, steps and READ requests still may.
bool Requester::PassesShut() const {
  return window == 0 && cursor < requests.Size() && (requests[cursor].IsStep() || requests[cursor].IsRead());
}

bool Requester::IsFresh() const {
  const uint32_t answers = responder_ == nullptr ? 0 : responder_->answers.Size();
  return requests.Size() + answers == 1 && cursor == 0 && high_psn == una_psn;
}

uint64_t Requester::Backlog() const {
  uint64_t packets = responder_ == nullptr ? 0 : responder_->PacketsToAnswer();
  if (posted_reads_ == 0) return packets + end_psn - next_psn;
  for (uint32_t i = cursor; i < requests.Size(); ++i) {
    const SendRequest& request = requests[i];
    if (!request.IsRead())
      packets += request.first_psn + request.packets - std::max(request.first_psn, next_psn);
  }
  return packets;
}

uint64_t Requester::ReadsBelow(uint64_t psn) const {
  uint64_t packets = 0;
  for (uint32_t i = 0, left = posted_reads_; left > 0 && i < requests.Size(); ++i) {
    const SendRequest& request = requests[i];
    if (!request.IsRead()) continue;
    --left;
    const uint64_t from = std::max(request.first_psn, una_psn);
    const uint64_t to = std::min(request.first_psn + request.packets, psn);
    if (to > from) packets += to - from;
  }
  return packets;
}

/// Whether the request at the cursor may begin, or begin again.
bool Requester::MayStart(const SendRequest& request) {
  const bool begun = !request.IsStep() && request.first_psn < high_psn;
  if (phase == Phase::drains && !begun) return false;
  if (request.fence && reads_ > 0) return false;
  if (request.IsRead() && reads_ >= max_reads) return false;
  // Some NICs start a registration only when all before it is complete (Bai et al., NSDI 2023).
  if (nic_->constants().hidden_fence && request.IsStep() && una_psn != request.first_psn) return false;
  if (request.IsStep()) return true;
  if (recovers_ && !begun && !recovery_->MayBegin(*this, request)) return false;
  return owner_->Begins(*this, request, cursor);
}

/// Returns false if the step continues until the queue pair resumes, or if the queue pair has failed because
/// of it.
bool Requester::RunStep(SendRequest& request) {
  if (!request.begun) {
    request.begun = true;
    const Time takes = owner_->StepTakes(*this, cursor);
    if (takes > Time{}) {
      hold_until_ = nic_->now() + takes;
      nic_->Arm(NicTimer::resume, number_, hold_until_);
      return false;
    }
  }
  if (!owner_->TakeStep(*this, cursor)) return false;
  request.done = true;
  if (cursor == 0) CompleteFront();
  return true;
}

/// The work request of the next packet is still on its way to the NIC.
void Requester::Await(Time available) {
  if (responder_ == nullptr) return nic_->StandAside(*this, available);
  if (resume_at_ != available) nic_->Arm(NicTimer::resume, number_, available);
  resume_at_ = available;
}

/// Sends packets of the request again; afterwards the requester continues as before.
NextFrame Requester::MakeRepeat(const RequesterRecovery::Repeat& repeat) {
  uint32_t index = 0;
  const SendRequest& request = *Find(repeat.psn, &index);
  if (request.IsRead()) return MakeReadRequest(request, index, repeat.psn, repeat.packets);
  const NextFrame next = MakeData(request, repeat.psn);
  if (!IsBulk(request.message)) owner_->Dress(*this, *next.frame, request, index);
  Number(request, repeat.psn, next);
  return next;
}

/// Requests the missing responses.
NextFrame Requester::MakeReadRequest(const SendRequest& request) {
  const NextFrame next =
      MakeReadRequest(request, cursor, next_psn, request.first_psn + request.packets - next_psn);
  next_psn = request.first_psn + request.packets;
  ++cursor;
  ++reads_;
  return next;
}

/// Requests this many of its packets.
NextFrame Requester::MakeReadRequest(const SendRequest& request, uint32_t index, uint64_t psn,
                                     uint64_t packets) {
  Frame* f = DataFrame();
  f->psn = static_cast<uint32_t>(psn);
  f->message = request.message;
  f->data.first = f->data.last = true;
  f->opcode = OpcodeOf(Transport::rc, Operation::read_request, true, true);
  f->bytes = static_cast<uint32_t>(nic_->constants().frames.ReadRequest().v);
  nic_->count().sent_bytes += f->bytes;

  const auto mtu = static_cast<uint64_t>(nic_->constants().mtu);
  const uint64_t offset = (psn - request.first_psn) * mtu;
  FrameExtension& e = nic_->pool().Attach(*f);
  e.length = std::min(static_cast<uint64_t>(request.bytes) - offset, packets * mtu);
  e.psn = psn;
  if (!IsBulk(request.message)) owner_->DressRead(e, index, offset);
  const bool repeats = psn < high_psn;
  if (recovers_ && packets < request.packets) {
    ++nic_->count().naks;  // it requests missing responses
  } else if (repeats) {
    CountRepeated(request);
  }
  high_psn = std::max(high_psn, psn + packets);
  Number(request, psn, {f, repeats});
  return {f, repeats};
}

/// A packet or a READ request of a recovery was made.
void Requester::Tell(const SendRequest& request, uint64_t psn, Frame& frame) {
  if (marks_first_window_ && !request.IsRead() && psn - request.first_psn < first_window_)
    frame.data.first_window = true;
  if (!recovers_) return;
  if (IsBulk(request.message) && !request.IsRead() && nic_->pool().captured())
    nic_->pool().Extend(frame).offset =
        (psn - request.first_psn) * static_cast<uint64_t>(nic_->constants().mtu);
  recovery_->OnMade(*this, request, psn, frame);
}

void Requester::CountRepeated(const SendRequest& request) {
  ++nic_->count().retransmitted_packets;
  if (IsBulk(request.message)) nic_->sink().OnRetransmittedPacket(request.message);
}

void Requester::ResumeAt(Time earliest) {
  if (state == State::idle && HasMore()) nic_->Activate(*this, earliest);
}

/// A pending event after the new deadline has no effect.
void Requester::ArmRetransmit() {
  if (rto_event_ <= rto_deadline) return;
  rto_event_ = rto_deadline;
  nic_->Arm(NicTimer::retransmit, number_, rto_event_);
}

void Requester::OnRetransmitTimer() {
  if (nic_->now() != rto_event_) return;  // another event has preceded it
  rto_event_ = kNever;
  if (rto_deadline == kNever) return;
  if (recovers_ && !recovery_->extended && rto_deadline <= nic_->now()) {
    recovery_->extended = true;
    rto_deadline += recovery_->MoreTime(next_psn - una_psn);
  }
  if (recovers_ && rto_deadline <= nic_->now() && !recovery_->Overdue()) rto_deadline = nic_->now() + rto;
  if (rto_deadline <= nic_->now()) {
    if (!MayTimeOut(recovers_ ? rto + recovery_->MoreTime(next_psn - una_psn) : rto)) return;
    // The timer restarts with the second try, which the limiter or a pause may delay for long.
    rto_deadline = kNever;
    recovering_ = false;  // a loss from here on is a new one
    if (recovers_) {
      recovery_->extended = false;
      recovery_->RepeatOldest(*this);
      ResumeAt(nic_->now());
    } else {
      GoBack(una_psn, nic_->now());
    }
  }
  if (rto_deadline != kNever) ArmRetransmit();
}

bool Requester::MayTimeOut(Time took) {
  ++nic_->count().timeouts;
  if (controlled) nic_->OnLoss(*this, Loss::timeout);
  if (balances_) balancing_->OnTimeout(nic_->now());
  const bool fails = GivesUp(took);
  if (fails) owner_->Failed(*this, WcStatus::retry_exc_err, "retries exhausted");
  return !fails;
}

/// Counts successive timeouts. A recovery has its own, shorter timeouts, but gives up at the same time as
/// go-back-N.
bool Requester::GivesUp(Time took) {
  const bool progress = una_psn != retried_;
  if (progress) retries_ = 0;
  retried_ = una_psn;
  if (recovers_) {
    if (progress) recovery_->spent = Time{};
    const bool gives_up = recovery_->spent >= nic_->constants().transport.rto * retry_limit;
    recovery_->spent += took;
    return gives_up;
  }
  return retries_++ >= retry_limit;
}

void Requester::Alive() {
  retried_ = UINT64_MAX;
  if (rto_deadline != kNever) rto_deadline = nic_->now() + rto;
}

void Requester::AwaitAnswer() {
  if (rto_deadline != kNever) return;
  rto_deadline = nic_->now() + rto;
  ArmRetransmit();
}

const SendRequest* Requester::Find(uint64_t psn, uint32_t* index) const {
  uint32_t low = 0, high = requests.Size();
  while (low < high) {
    const uint32_t middle = (low + high) / 2;
    const SendRequest& request = requests[middle];
    if (request.first_psn + request.packets <= psn) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == requests.Size() || psn < requests[low].first_psn) return nullptr;
  *index = low;
  return &requests[low];
}

void Requester::NoteStarted(const Frame& frame) {
  uint32_t index = 0;
  if (Find(WholePsn(frame.psn, una_psn), &index) != nullptr) owner_->Started(*this, frame, index);
}

void Requester::Stop() {
  phase = Phase::stopped;
  rto_deadline = kNever;
  if (recovers_) recovery_->OnStopped();
}

void Requester::Reset() {
  Forget(0);
  peer_qp = kNoPeer;
  retries_ = 0;
  rnr_retries_ = 0;
  recovering_ = answered_last_ = shut_ = false;
  hold_until_ = Time{};
  acknowledged_to_ = 0;
}

void Requester::Forget(uint64_t psn) {
  rto_deadline = kNever;
  requests.Clear();
  cursor = 0;
  next_psn = una_psn = high_psn = end_psn = psn;
  reads_ = 0;
  posted_reads_ = 0;
  if (!recovers_) return;
  retried_ = UINT64_MAX;
  recovery_->Forget();
}

}  // namespace headroom
