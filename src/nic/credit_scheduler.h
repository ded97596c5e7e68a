// A receiver's credits: each permits one packet. They leave at a share of the line rate, in round-robin order
// over the hosts that have requested credits, and for each host over its queue pairs.
//
// All numbers count from the start of a queue pair. So the next credit makes up for a lost one, and a
// repeated request does no harm. If the last credits are lost, their queue pair repeats its request and
// states how many credits it has received.
#pragma once

#include <cstdint>
#include <vector>

#include "nic/transport/nic_interface.h"
#include "sim/ring.h"

namespace headroom {

class CreditScheduler {
 public:
  CreditScheduler(NicInterface& nic, const Port& port, double share)
      : nic_(nic), port_(port), share_(share) {}

  /// A queue pair requests credits.
  void OnAsk(const Responder& s, const Frame& ask, const FrameExtension& e);
  /// Delays the next credit by the time that other arriving bytes take on the line.
  void Defer(Bytes on_wire);
  /// The event of NicTimer::credit.
  void OnTimer();
  /// Forgets all requests.
  void Clear();

 private:
  /// The credits that a queue pair has requested and received.
  struct Sender {
    const Responder* responder = nullptr;
    uint64_t asked = 0, given = 0;
    uint16_t generation = 0;
    uint8_t priority = 0;
    bool waits = false;  ///< it is in its host's round
  };

  Time TimeOf(Bytes on_wire) const;
  void Give(Sender& sender);
  void Wake();

  NicInterface& nic_;
  const Port& port_;
  double share_;
  std::vector<Sender> senders_;        ///< indexed by responder
  std::vector<Ring<uint32_t>> hosts_;  ///< for each host, the queue pairs that wait
  Ring<NodeId> round_;                 ///< hosts with waiting queue pairs
  Time next_;                          ///< earliest time of the next credit
  Time event_ = kNever;                ///< time of the pending event
};

}  // namespace headroom
