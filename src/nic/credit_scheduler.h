// A receiver's credits: one lets one packet come. They go out at a share of the line's rate: in round-robin
// order over the hosts that have asked, and for each host over its queue pairs.
//
// All numbers count from when a queue pair began. So a credit that is lost is made up for by the next one,
// and a request that comes twice does no harm. Where the last credits are lost, their queue pair asks again
// and says how many it has.
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

  /// A queue pair asks for credits.
  void OnAsk(const Responder& s, const Frame& ask, const FrameExtension& e);
  /// Delays the next credit by the time that other arriving bytes take on the line.
  void Defer(Bytes on_wire);
  /// The event of NicTimer::credit.
  void OnTimer();
  /// Forgets all requests.
  void Clear();

 private:
  /// The credits that a queue pair has asked for and got.
  struct Sender {
    const Responder* responder = nullptr;
    uint64_t asked = 0, given = 0;
    uint16_t generation = 0;
    uint8_t priority = 0;
    bool waits = false;  ///< it stands in its host's round
  };

  Time TimeOf(Bytes on_wire) const;
  void Give(Sender& sender);
  void Wake();

  NicInterface& nic_;
  const Port& port_;
  double share_;
  std::vector<Sender> senders_;        ///< by responder
  std::vector<Ring<uint32_t>> hosts_;  ///< of each the queue pairs that wait
  Ring<NodeId> round_;                 ///< hosts that have some
  Time next_;                          ///< the next credit goes out then, not before
  Time event_ = kNever;                ///< the pending event
};

}  // namespace headroom
