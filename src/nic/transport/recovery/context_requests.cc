#include "nic/transport/recovery/context_requests.h"

#include <algorithm>
#include <utility>

#include "nic/transport/message_times.h"
#include "nic/transport/syndrome.h"

namespace headroom {

void ContextRequests::Ask() {
  if (r_.phase != Requester::Phase::runs) return;
  uint32_t index = 0;
  if (!asked_.empty() && asked_.back().state == Asked::State::refused) {
    Asked& last = asked_.back();
    if (last.retry_at > r_.nic().now()) return;
    last.state = Asked::State::asked;
    if (const SendRequest* request = r_.Find(last.first_psn, &index)) SendAsk(last, *request, index);
  }
  while (asked_.size() < static_cast<size_t>(p_.ahead)) {
    const SendRequest* const request = r_.Find(asked_to_, &index);
    if (request == nullptr || !r_.Posted(index)) return;
    for (uint32_t i = index; i > 0 && r_.requests[i - 1].IsStep(); --i) {
      if (!r_.requests[i - 1].done) return;
    }
    uint32_t read = 0;
    if (request->fence && r_.FirstRead(&read) != nullptr && read < index) return;
    if (request->IsRead() && !holds_(request->first_psn)) return;
    asked_to_ = request->first_psn + request->packets;
    if (request->IsRead()) continue;
    Asked& asked = asked_.emplace_back();
    asked.number = next_number_++;
    asked.first_psn = request->first_psn;
    asked.end_psn = asked_to_;
    SendAsk(asked, *request, index);
  }
}

void ContextRequests::SendAsk(Asked& asked, const SendRequest& request, uint32_t index) {
  NicInterface& nic = r_.nic();
  Frame* const f = r_.DataFrame();
  f->kind = FrameKind::ask;
  f->psn = static_cast<uint32_t>(asked.first_psn);
  f->message = request.message;
  f->opcode = OpcodeOf(Transport::rc, request.operation, true, true);
  f->bytes = static_cast<uint16_t>(nic.constants().frames.Ask().v);
  f->charge = f->bytes;
  nic.count().sent_bytes += f->bytes;
  FrameExtension& e = nic.pool().Attach(*f);
  e.psn = asked.first_psn;
  e.length = static_cast<uint64_t>(request.bytes);
  e.transfer = asked.number;
  e.context = asked.context;
  e.index = 0;
  e.all = false;
  if (!IsBulk(request.message)) r_.owner().DressAsk(e, index);
  // The queue pair may have its turn, in which the port waits for a frame. So an event queues this frame
  // immediately afterwards.
  nic.Arm(NicTimer::control, reinterpret_cast<uint64_t>(f), nic.now());
  r_.AwaitAnswer();
  // A counter's queue pair has no timeout of its own.
  const bool counts = p_.type == RecoveryParameters::Type::counter;
  asked.due = nic.now() + (counts ? p_.timer : r_.rto);
  if (counts) r_.WakeAt(asked.due);
}

uint32_t ContextRequests::TakeForRead(ContextUser& user, const SendRequest& read) {
  NicInterface& nic = r_.nic();
  if (reading_retry_ > nic.now()) return ContextTable::kNone;
  MessageTimes* const times = read.message == kNoMessage ? nullptr : nic.times();
  const auto note = [&](MessagePart part) {
    if (times != nullptr) times->OnContext(nic.host(), r_.number(), read.message, nic.now(), part, false);
  };
  const uint32_t context = nic.contexts()->Take(user);
  if (context == ContextTable::kNone) {
    if (!std::exchange(reading_refused_, true)) note(MessagePart::nic);
    reading_retry_ = nic.now() + p_.retry_delay;
    r_.WakeAt(reading_retry_);
  } else if (std::exchange(reading_refused_, false)) {
    note(MessagePart::context);
  }
  return context;
}

bool ContextRequests::OnGrant(const Frame& grant) {
  const FrameExtension& e = *r_.nic().pool().ExtensionOf(grant);
  const auto asked =
      std::ranges::find_if(asked_, [&](const Asked& a) { return SameMessageId(a.number, e.transfer); });
  if (asked == asked_.end()) return false;
  r_.Alive();
  if (grant.syndrome != kGranted) {
    if (asked->state == Asked::State::asked) Refused(*asked, grant.syndrome);
    return true;
  }
  if (e.context != ContextTable::kNone) asked->context = e.context;
  if (asked->state == Asked::State::granted) return true;
  Note(*asked, asked->waited);
  asked->state = Asked::State::granted;
  r_.Resume();
  Ask();
  return true;
}

/// Later messages were refused with it, without an answer.
void ContextRequests::Refused(Asked& asked, uint8_t syndrome) {
  while (&asked_.back() != &asked) asked_.pop_back();
  asked_to_ = asked.end_psn;
  next_number_ = asked.number + 1;
  Note(asked, asked.waited);
  const bool rnr = syndrome != kNoContext;
  asked.waited = rnr ? MessagePart::recovery : MessagePart::context;
  asked.state = Asked::State::refused;
  asked.retry_at = r_.nic().now() + (rnr ? RnrTimer(syndrome & 0x1F) : p_.retry_delay);
  r_.WakeAt(asked.retry_at);
  // Only its oldest message can make it fail.
  if (rnr && asked.first_psn == r_.una_psn) r_.MayRetryRnr();
}

/// An answer arrived. While its message is the first, it waits for nothing else.
void ContextRequests::Note(const Asked& asked, std::optional<MessagePart> waited) const {
  NicInterface& nic = r_.nic();
  if (nic.times() == nullptr || r_.next_psn != asked.first_psn) return;
  uint32_t index = 0;
  const SendRequest* const request = r_.Find(asked.first_psn, &index);
  if (request == nullptr || request->message == kNoMessage) return;
  nic.times()->OnContext(nic.host(), r_.number(), request->message, nic.now(), waited, asked.again);
}

bool ContextRequests::Awaits() const {
  return std::ranges::any_of(asked_, [](const Asked& a) { return a.state == Asked::State::asked; });
}

void ContextRequests::AskAgain(Asked& asked) {
  uint32_t index = 0;
  const SendRequest* const request = r_.Find(asked.first_psn, &index);
  if (request == nullptr) return;
  asked.again = true;
  SendAsk(asked, *request, index);
}

void ContextRequests::OnExecuted() {
  while (!asked_.empty() && asked_.front().end_psn <= r_.executed_to()) asked_.pop_front();
  Ask();
}

ContextRequests::Asked* ContextRequests::Find(uint64_t first_psn) {
  const auto found = std::ranges::find_if(asked_, [&](const Asked& a) { return a.first_psn == first_psn; });
  return found == asked_.end() ? nullptr : &*found;
}

void ContextRequests::Forget() {
  asked_.clear();
  asked_to_ = r_.end_psn;
  next_number_ = 0;
  reading_refused_ = false;
  reading_retry_ = Time{};
}

}  // namespace headroom
