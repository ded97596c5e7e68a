// A receiver's answers to requests for contexts, and how long it keeps a context for a silent sender.
#pragma once

#include <limits>

#include "nic/transport/recovery/context_requests.h"
#include "nic/transport/responder.h"

namespace headroom {

/// Answers a request with a context, or with a refusal's syndrome.
inline void AnswerAsk(const Responder& s, const Frame& ask, uint8_t syndrome, uint32_t context) {
  NicInterface& nic = s.nic();
  const FrameExtension& asked = *nic.pool().ExtensionOf(ask);
  const uint32_t number = asked.transfer;
  Frame* const grant = s.MakeControl(FrameKind::grant, asked.psn, false, syndrome);
  FrameExtension& e = nic.pool().Attach(*grant);
  e.transfer = number;
  e.context = context;
  e.index = 0;
  e.all = false;
  nic.SendNow(grant);
}

/// The time after which go-back-N would give up.
inline Time PatienceOf(const TransportParameters& p) {
  const int64_t times = int64_t{p.retry} + 1;
  return p.rto.v > std::numeric_limits<int64_t>::max() / 4 / times ? kNever / 4 : p.rto * times;
}

}  // namespace headroom
