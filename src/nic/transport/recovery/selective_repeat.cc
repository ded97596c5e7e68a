#include "nic/transport/recovery/selective_repeat.h"

#include <algorithm>
#include <utility>

#include "nic/transport/syndrome.h"

namespace headroom {

std::optional<RequesterRecovery::Repeat> SelectiveRepeat::Next(Requester& r) {
  const auto next = Choose(r);
  if (next) {
    recovers_ = true;
    recover_psn_ = r.next_psn - 1;
  }
  return next;
}

std::optional<RequesterRecovery::Repeat> SelectiveRepeat::Choose(Requester& r) {
  if (not_before_ > r.nic().now()) return std::nullopt;
  if (std::exchange(oldest_, false)) {
    if (const auto oldest = Oldest(r)) {
      requests_.PassTo(oldest->psn + 1);
      responses_.PassTo(oldest->psn + oldest->packets);
      return oldest;
    }
  }
  if (const auto request = MissingRequest(r)) {
    requests_.PassTo(request->psn + 1);
    return request;
  }
  const auto responses = MissingResponses(r);
  if (responses) responses_.PassTo(responses->psn + responses->packets);
  return responses;
}

bool SelectiveRepeat::HasNext(const Requester& r) {
  if (not_before_ > r.nic().now()) return false;
  return (oldest_ && Oldest(r)) || MissingRequest(r) || MissingResponses(r);
}

/// Of a READ all that is missing up to the next response that is here.
std::optional<RequesterRecovery::Repeat> SelectiveRepeat::Oldest(const Requester& r) const {
  uint32_t index = 0;
  const SendRequest* const request = r.una_psn < r.next_psn ? r.Find(r.una_psn, &index) : nullptr;
  if (request == nullptr) return std::nullopt;
  if (!request->IsRead()) return Repeat{r.una_psn, 1};
  const uint64_t end = EndOfHole(r.una_psn, request->first_psn + request->packets);
  return Repeat{r.una_psn, end - r.una_psn};
}

std::optional<RequesterRecovery::Repeat> SelectiveRepeat::MissingRequest(const Requester& r) {
  const uint64_t lost_below = requests_.LostBelow(r.nic().now());
  requests_.PassTo(r.executed_to());
  for (uint64_t psn = requests_.repeated_to(); psn < lost_below; requests_.PassTo(psn)) {
    uint32_t index = 0;
    const SendRequest* const request = r.Find(psn, &index);
    if (request == nullptr) return std::nullopt;
    const bool missing = !requests_.Has(psn);
    // A READ is one packet, which has the first of its PSNs.
    if (request->IsRead()) {
      if (missing && psn == request->first_psn) return Repeat{psn, request->packets};
      psn = request->first_psn + request->packets;
      continue;
    }
    if (missing) return Repeat{psn, 1};
    ++psn;
  }
  return std::nullopt;
}

std::optional<RequesterRecovery::Repeat> SelectiveRepeat::MissingResponses(const Requester& r) {
  const uint64_t lost_below = responses_.LostBelow(r.nic().now());
  for (uint64_t psn = responses_.repeated_to(); psn < lost_below; responses_.PassTo(psn)) {
    uint32_t index = 0;
    const SendRequest* const request = r.Find(psn, &index);
    if (request == nullptr) return std::nullopt;
    const uint64_t end = request->first_psn + request->packets;
    if (!request->IsRead()) {
      psn = end;
    } else if (responses_.Has(psn)) {
      ++psn;
    } else {
      return Repeat{psn, EndOfHole(psn, std::min(end, lost_below)) - psn};
    }
  }
  return std::nullopt;
}

uint64_t SelectiveRepeat::EndOfHole(uint64_t psn, uint64_t end) const {
  while (psn < end && !responses_.Has(psn)) ++psn;
  return psn;
}

void SelectiveRepeat::OnNak(Requester& r, const Frame& nak) {
  const FrameExtension* const e = r.nic().pool().ExtensionOf(nak);
  if (e == nullptr || e->arrived < r.executed_to() || e->arrived >= r.high_psn) return;
  if (requests_.Has(e->arrived)) return;
  requests_.Arrived(e->arrived, r.nic().now());
  Await(r, requests_);
}

/// Something may count as lost later, without anything else coming.
void SelectiveRepeat::Await(Requester& r, Holes& holes) {
  const Time now = r.nic().now(), delay = r.nic().constants().transport.recovery_delay;
  if (delay > Time{} && not_before_ <= now && HasNext(r)) {
    not_before_ = now + delay;
    r.WakeAt(not_before_);
  }
  if (const auto at = holes.NextChange(now)) r.WakeAt(*at);
}

/// What is missing now, and was sent before the last repetition, is lost: that came behind it. Where packets
/// may overtake each other, only a timeout says so.
void SelectiveRepeat::OnAcknowledged(const Requester& r) {
  if (recovers_ && r.una_psn > recover_psn_) recovers_ = timed_out_ = false;
  const bool in_order = p_.nack_after == 1 && !p_.nack_after_time;
  const bool repeated = std::max(requests_.repeated_to(), responses_.repeated_to()) > r.una_psn;
  if (recovers_ && !repeated && (in_order || timed_out_)) oldest_ = true;
  requests_.Done(r.executed_to());
  responses_.Done(r.una_psn);
}

void SelectiveRepeat::OnReadResponse(Requester& r, const Frame& frame) {
  const uint64_t psn = WholePsn(frame.psn, r.una_psn);
  if (psn < r.una_psn || psn >= r.high_psn || responses_.Has(psn)) return;
  uint32_t index = 0;
  const SendRequest* const request = r.Find(psn, &index);
  if (request == nullptr || !request->IsRead()) return;
  const uint64_t first = request->first_psn, end = first + request->packets;
  if (!IsBulk(request->message)) {
    const auto mtu = static_cast<uint64_t>(r.nic().constants().mtu);
    r.owner().TakeResponse(frame, index, mtu * (psn - first));
  }
  responses_.Arrived(psn, r.nic().now());
  r.OnAnswer(end);  // the READ has been executed, and all before it
  TakeInTurn(r);
  Await(r, responses_);
  r.Resume();
}

/// READs end in order.
void SelectiveRepeat::TakeInTurn(Requester& r) {
  MessageSink& sink = r.nic().sink();
  uint32_t index = 0;
  for (;;) {
    const SendRequest* const read = r.FirstRead(&index);
    if (read == nullptr || r.una_psn < read->first_psn || !responses_.Has(r.una_psn)) return;
    const uint64_t end = read->first_psn + read->packets;
    const uint32_t message = read->message;
    uint64_t to = r.una_psn;
    while (to < end && responses_.Has(to)) {
      ++to;
      if (IsBulk(message) && sink.HearsPackets()) sink.OnPacket(message, to == end);
    }
    if (IsBulk(message) && to == end) sink.OnDelivered(message, r.nic().Landed());
    r.Acknowledge(to);
    r.AcknowledgeExecuted();
  }
}

void SelectiveRepeat::Forget() {
  requests_.Clear();
  responses_.Clear();
  oldest_ = recovers_ = timed_out_ = false;
  not_before_ = Time{};
}

void OutOfOrder::OnRequest(Responder& s, const Frame& frame, uint64_t psn) {
  if (psn < s.expected_psn) return s.OnDuplicate(frame);
  if (psn > s.expected_psn) {
    if (!held_.contains(psn)) {
      const bool placed = IsBulk(frame.message) || IsReadRequest(frame.opcode) || s.owner().Place(frame);
      if (!placed) return;  // it will be sent again
      Hold(s, frame, psn);
    }
    return Refuse(s, psn);
  }
  using Taken = Responder::Taken;
  Taken taken = s.Take(frame, false);
  if (held_.empty()) [[likely]] {
    if (taken == Taken::acknowledges) s.AcknowledgeIf(frame.last);
    return;
  }
  bool acknowledges = taken == Taken::acknowledges;
  while (taken != Taken::refused && !held_.empty() && held_.begin()->first == s.expected_psn) {
    auto next = held_.extract(held_.begin());
    taken = TakeHeld(s, next.mapped());
    acknowledges |= taken == Taken::acknowledges;
  }
  if (acknowledges && taken != Taken::refused) s.Acknowledge();
}

void OutOfOrder::Hold(const Responder& s, const Frame& frame, uint64_t psn) {
  Held& held = held_[psn];
  held.frame = frame;
  held.frame.next = nullptr;
  held.frame.extension = ExtensionId::none;
  if (const FrameExtension* e = s.nic().pool().ExtensionOf(frame)) {
    held.extension = *e;
    held.extension->payload.clear();
    held.extension->itinerary = nullptr;
  }
}

Responder::Taken OutOfOrder::TakeHeld(Responder& s, Held& held) {
  FramePool& pool = s.nic().pool();
  Frame* const frame = pool.Take();
  *frame = held.frame;
  frame->bytes = 0;  // it has been counted
  if (held.extension) pool.Attach(*frame) = std::move(*held.extension);
  const Responder::Taken taken = s.Take(*frame, true);
  pool.Give(frame);
  return taken;
}

/// It may overtake responses to READs, which it says nothing of.
void OutOfOrder::Refuse(const Responder& s, uint64_t arrived) {
  NicInterface& nic = s.nic();
  ++nic.count().naks;
  Frame* const nak = s.MakeControl(FrameKind::nak, s.expected_psn, false, kSequenceError);
  nic.pool().Attach(*nak).arrived = arrived;
  nic.SendNow(nak);
}

}  // namespace headroom
