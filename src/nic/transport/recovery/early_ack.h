// An ACK that also reports a packet received out of order.
#pragma once

#include "nic/transport/responder.h"

namespace headroom {

inline void AcknowledgeEarly(const Responder& s, uint64_t arrived) {
  NicInterface& nic = s.nic();
  Frame* const ack = s.MakeControl(FrameKind::ack, s.expected_psn - 1, false, kAckOpcode);
  const auto more = static_cast<uint16_t>(nic.constants().frames.selective);
  ack->bytes = static_cast<uint16_t>(ack->bytes + more);
  ack->charge = ack->bytes;
  nic.count().sent_bytes += more;
  nic.pool().Attach(*ack).arrived = arrived;
  nic.SendNow(ack);
}

}  // namespace headroom
