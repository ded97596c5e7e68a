// The reliable queue pair of a session. Each incarnation has a new one with other PSNs, so late packets of an
// earlier incarnation are recognised.
#pragma once

#include <string>
#include <vector>

#include "protocol/connection_manager.h"
#include "sim/random.h"

namespace headroom {

class SessionQp {
 public:
  /// `tag`: tag of its frames (Frame::tag); `name`: name of its random numbers.
  SessionQp(Process& process, uint8_t priority, uint8_t tag, const QpCapabilities& cap,
            const std::string& name)
      : process_(process), priority_(priority), tag_(tag), cap_(cap), random_(name + "/psn") {}

  /// Null before the first incarnation.
  QueuePair* get() const { return qp_; }
  /// The numbers of all its queue pairs so far.
  const std::vector<uint32_t>& numbers() const { return numbers_; }
  bool Has(const Wc& wc) const { return wc.qp_num == Verbs::NumberOf(qp_); }

  /// Nothing more is sent or received on it. Received data still count: Process::Drain delivers them.
  void Fail();
  /// Makes the next queue pair, in state reset; the previous one gets no more completions. Returns its part
  /// of the offer.
  CmOffer Renew();
  /// Brings the queue pair to the state in which it sends and receives, with the other end's offer. REQUIRES:
  /// Renew was called once for each Join.
  void Join(NodeId peer, const CmOffer& offer);

 private:
  Process& process_;
  uint8_t priority_;
  uint8_t tag_;
  QpCapabilities cap_;
  RandomStream random_;
  QueuePair* qp_ = nullptr;
  std::vector<uint32_t> numbers_;
  uint32_t first_psn_ = 0;
};

}  // namespace headroom
