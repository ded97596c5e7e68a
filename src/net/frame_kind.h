// What a frame is.
#pragma once

#include <cstdint>

namespace headroom {

enum class FrameKind : uint8_t {
  data,
  ack,
  nak,
  cnp,
  pfc,
  foreign,  ///< carries a packet of ns-3, in its extension
  ask,      ///< asks the receiver of a message for a context, or for credits (CreditFlags)
  grant     ///< the answer to `ask`: a context, its refusal, or a credit
};
inline constexpr int kFrameKinds = 8;
constexpr const char* FrameKindName(FrameKind kind) {
  constexpr const char* names[kFrameKinds] = {"data", "ack", "nak", "cnp", "pfc", "ip", "ask", "grant"};
  return names[static_cast<int>(kind)];
}

}  // namespace headroom
