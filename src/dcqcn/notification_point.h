// The notification point of a NIC: decides when a marked packet causes a CNP.
//
// Source: Zhu et al., SIGCOMM 2015, section 3.1 and figure 6; Bai et al., NSDI 2023 (per packet in later
// generations). The published rule has two legal readings. Here marks that arrive in the cool-down are
// dropped; no CNP is deferred to its end. The same holds for a NIC's own limit: a mark is forgotten if the
// NIC may not send a CNP yet, and the queue pair's next mark tries again.
#pragma once

#include <ns3/object.h>

#include "dcqcn/parameters.h"

namespace headroom {

/// The state of one queue pair at its receiver.
struct NpState {
  Time next_allowed;  ///< no CNP before this
};

class NotificationPoint final : public ns3::Object {
 public:
  static ns3::TypeId GetTypeId();
  void SetParameters(const NpParameters& parameters) { p_ = parameters; }
  const NpParameters& parameters() const { return p_; }

  /// A marked packet arrived; returns whether a CNP goes out for it.
  bool OnMarked(NpState& s, Time now) {
    using Coalescing = NpParameters::Coalescing;
    if (p_.coalescing == Coalescing::ack_flag || now < next_allowed_) return false;
    if (p_.coalescing == Coalescing::per_qp) {
      if (now < s.next_allowed) return false;
      s.next_allowed = now + p_.min_cnp_interval;
    }
    next_allowed_ = now + p_.nic_interval;
    return true;
  }

 private:
  NpParameters p_;
  Time next_allowed_;  ///< no CNP of any queue pair before this
};

}  // namespace headroom
