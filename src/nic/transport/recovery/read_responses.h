// READ responses that arrive in any order: records which have arrived. READs end in order.
#pragma once

#include "nic/transport/recovery/holes.h"
#include "nic/transport/requester.h"

namespace headroom {

class ReadResponses {
 public:
  explicit ReadResponses(const RecoveryParameters& p) : in_(p) {}

  /// Places the payload of a response. Returns false for a duplicate, or a response to no open READ.
  bool Take(Requester& r, const Frame& frame);
  Holes& in() { return in_; }
  /// The first arrived response from `psn` on, or `end`.
  uint64_t EndOfHole(uint64_t psn, uint64_t end) const {
    while (psn < end && !in_.Has(psn)) ++psn;
    return psn;
  }
  void Done(uint64_t psn) { in_.Done(psn); }
  void Clear() { in_.Clear(); }

 private:
  void TakeInTurn(Requester& r);

  Holes in_;
};

}  // namespace headroom
