// Selective repeat: the responder places packets on arrival and names each packet that arrived out of turn.
// The requester retransmits the packets missing between the named ones.
//
// Source: Mittal et al., Revisiting Network Support for RDMA, SIGCOMM 2018 (IRN), sections 3.1, 5 and A; the
// rules of its sender as in the authors' NetSys/irn-vivado-hls (receiveAck, timeout, txFree). Ours: READ
// responses are not acknowledged. Instead of receiving a NACK for each, the requester notices missing
// responses and requests them in a READ of its own.
#pragma once

#include "nic/transport/nic_interface.h"
#include "nic/transport/recovery.h"
#include "nic/transport/recovery/context_grants.h"
#include "nic/transport/recovery/held_frame.h"
#include "nic/transport/recovery/holes.h"
#include "nic/transport/recovery/read_responses.h"
#include "nic/transport/requester.h"
#include "nic/transport/responder.h"

namespace headroom {

class SelectiveRepeat final : public RequesterRecovery {
 public:
  explicit SelectiveRepeat(const RecoveryParameters& p) : p_(p), requests_(p), responses_(p) {}

  std::optional<Repeat> Next(Requester& r) override;
  bool HasNext(const Requester& r) override;
  void OnNak(Requester& r, const Frame& nak) override;
  void OnReadResponse(Requester& r, const Frame& frame) override;
  void RepeatOldest(Requester& r) override {
    oldest_ = timed_out_ = true;
    recovers_ = false;  // the recovery restarts with the repetition
    requests_.Restart(r.executed_to());
    responses_.in().Restart(r.una_psn);
  }
  void OnAcknowledged(Requester& r) override;
  Time MoreTime(uint64_t on_their_way) const override {
    const bool few = on_their_way <= static_cast<uint64_t>(p_.low_packets);
    return few ? Time{} : p_.rto_high - p_.rto_low;
  }
  void Forget() override;

 private:
  std::optional<Repeat> Choose(Requester& r);
  std::optional<Repeat> Oldest(const Requester& r) const;
  std::optional<Repeat> MissingRequest(const Requester& r);
  std::optional<Repeat> MissingResponses(const Requester& r);
  void Await(Requester& r, Holes& holes);

  const RecoveryParameters p_;
  Holes requests_;  ///< the packets that the responder has
  ReadResponses responses_;
  bool oldest_ = false;       ///< the oldest packet goes next, whatever its state
  bool recovers_ = false;     ///< true from a repetition until recover_psn_ is acknowledged
  bool timed_out_ = false;    ///< a timeout ended during the recovery
  uint64_t recover_psn_ = 0;  ///< the last new packet when the recovery began
  Time not_before_;           ///< end of recovery_delay
};

/// The responder's half: keeps packets that arrived before their turn, except their payload, which is in
/// place.
class OutOfOrder final : public ResponderRecovery {
 public:
  /// How the responder names a packet that arrived before its turn. `nowhere`: it sends its last ACK again.
  enum class Names : uint8_t { in_a_nak, in_an_ack, nowhere };
  explicit OutOfOrder(Names names) : names_(names) {}

  void OnRequest(Responder& s, Frame& frame, uint64_t psn) override;
  /// Grants a sender's set-up. It takes no state, so that a repeated request gets the same answer.
  void OnAsk(Responder& s, const Frame& ask) override {
    AnswerAsk(s, ask, kGranted, FrameExtension::kNoContext);
  }
  void Forget() override { held_.clear(); }

 private:
  void Name(const Responder& s, uint64_t arrived) const;

  const Names names_;
  HeldFrames held_;
};

}  // namespace headroom
