#include "nic/transport/recovery/selective_repeat.h"

#include <algorithm>
#include <utility>

#include "nic/transport/recovery/early_ack.h"
#include "nic/transport/syndrome.h"

namespace headroom {

std::optional<RequesterRecovery::Repeat> SelectiveRepeat::Next(Requester& r) {
  const auto next = Choose(r);
  if (next && !recovers_) {
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
      responses_.in().PassTo(oldest->psn + oldest->packets);
      return oldest;
    }
  }
  if (const auto request = MissingRequest(r)) {
    requests_.PassTo(request->psn + 1);
    if (r.controlled) r.nic().OnLoss(r, Loss::refused);
    return request;
  }
  const auto responses = MissingResponses(r);
  if (responses) responses_.in().PassTo(responses->psn + responses->packets);
  return responses;
}

bool SelectiveRepeat::HasNext(const Requester& r) {
  if (not_before_ > r.nic().now()) return false;
  return (oldest_ && Oldest(r)) || MissingRequest(r) || MissingResponses(r);
}

/// For a READ: all missing responses before the next one that has arrived.
std::optional<RequesterRecovery::Repeat> SelectiveRepeat::Oldest(const Requester& r) const {
  uint32_t index = 0;
  const SendRequest* const request = r.una_psn < r.next_psn ? r.Find(r.una_psn, &index) : nullptr;
  if (request == nullptr) return std::nullopt;
  if (!request->IsRead()) return Repeat{r.una_psn, 1};
  const uint64_t end = responses_.EndOfHole(r.una_psn, request->first_psn + request->packets);
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
    // A READ request is one packet, with the first of its PSNs.
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
  const uint64_t lost_below = responses_.in().LostBelow(r.nic().now());
  for (uint64_t psn = responses_.in().repeated_to(); psn < lost_below; responses_.in().PassTo(psn)) {
    uint32_t index = 0;
    const SendRequest* const request = r.Find(psn, &index);
    if (request == nullptr) return std::nullopt;
    const uint64_t end = request->first_psn + request->packets;
    if (!request->IsRead()) {
      psn = end;
    } else if (responses_.in().Has(psn)) {
      ++psn;
    } else {
      return Repeat{psn, responses_.EndOfHole(psn, std::min(end, lost_below)) - psn};
    }
  }
  return std::nullopt;
}

void SelectiveRepeat::OnNak(Requester& r, const Frame& nak) {
  const FrameExtension* const e = r.nic().pool().ExtensionOf(nak);
  if (e == nullptr || e->arrived < r.executed_to() || e->arrived >= r.high_psn) return;
  if (requests_.Has(e->arrived)) return;
  requests_.Arrived(e->arrived, r.nic().now());
  Await(r, requests_);
}

/// A packet may count as lost later, without another arrival.
void SelectiveRepeat::Await(Requester& r, Holes& holes) {
  const Time now = r.nic().now(), delay = r.nic().constants().transport.recovery_delay;
  if (delay > Time{} && not_before_ <= now && HasNext(r)) {
    not_before_ = now + delay;
    r.WakeAt(not_before_);
  }
  if (const auto at = holes.NextChange(now)) r.WakeAt(*at);
}

/// If an ACK stops within the packets that were in flight at the start of the recovery, this packet is lost,
/// too. If packets may overtake each other, only a timeout reveals the loss. A READ's responses arrive one by
/// one, so for them nothing reveals it.
void SelectiveRepeat::OnAcknowledged(Requester& r) {
  if (recovers_ && r.una_psn > recover_psn_) recovers_ = timed_out_ = false;
  const bool in_order = p_.nack_after == 1 && !p_.nack_after_time;
  const bool repeated = std::max(requests_.repeated_to(), responses_.in().repeated_to()) > r.una_psn;
  if (recovers_ && !repeated && (in_order || timed_out_)) {
    uint32_t index = 0;
    const SendRequest* const request = r.Find(r.una_psn, &index);
    oldest_ = request != nullptr && !request->IsRead();
    if (oldest_ && !timed_out_ && r.controlled) r.nic().OnLoss(r, Loss::refused);
  }
  requests_.Done(r.executed_to());
  responses_.Done(r.una_psn);
}

void SelectiveRepeat::OnReadResponse(Requester& r, const Frame& frame) {
  if (!responses_.Take(r, frame)) return;
  Await(r, responses_.in());
  r.Resume();
}

void SelectiveRepeat::Forget() {
  requests_.Clear();
  responses_.Clear();
  oldest_ = recovers_ = timed_out_ = false;
  not_before_ = Time{};
}

void OutOfOrder::OnRequest(Responder& s, Frame& frame, uint64_t psn) {
  if (psn < s.expected_psn) return s.OnDuplicate(frame);
  if (psn > s.expected_psn) {
    if (!held_.contains(psn)) {
      const bool placed = IsBulk(frame.message) || IsReadRequest(frame.opcode) || s.owner().Place(frame);
      if (!placed) return;  // the packet will be sent again
      held_.emplace(psn, HeldFrame(s.nic().pool(), frame));
    }
    return Name(s, psn);
  }
  using Taken = Responder::Taken;
  Taken taken = s.Take(frame, false);
  if (held_.empty()) [[likely]] {
    if (taken == Taken::acknowledges) s.AcknowledgeIf(frame.data.last);
    return;
  }
  bool acknowledges = taken == Taken::acknowledges;
  while (taken != Taken::refused) {
    const std::optional<Taken> next = TakeHeld(held_, s);
    if (!next) break;
    taken = *next;
    acknowledges |= taken == Taken::acknowledges;
  }
  if (acknowledges && taken != Taken::refused) s.Acknowledge();
}

/// The ACK may overtake responses to READs, and reveals nothing about them.
void OutOfOrder::Name(const Responder& s, uint64_t arrived) const {
  if (names_ == Names::in_an_ack) return AcknowledgeEarly(s, arrived);
  NicInterface& nic = s.nic();
  if (names_ == Names::nowhere)
    return nic.SendNow(s.MakeControl(FrameKind::ack, s.expected_psn - 1, false, kAckOpcode));
  ++nic.count().naks;
  Frame* const nak = s.MakeControl(FrameKind::nak, s.expected_psn, false, kSequenceError);
  nic.pool().Attach(*nak).arrived = arrived;
  nic.SendNow(nak);
}

}  // namespace headroom
