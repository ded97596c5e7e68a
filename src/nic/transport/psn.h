// The counting of packets. PSNs are 64-bit counts here. A frame carries their low 32 bits, and the wire has
// the low 24 bits.
#pragma once

#include <cstdint>

namespace headroom {

/// The number of packets of a message.
constexpr uint64_t PacketsOf(int64_t bytes, int64_t mtu) {
  return bytes == 0 ? 1 : static_cast<uint64_t>(bytes / mtu + (bytes % mtu != 0));
}

/// The most packets that a reliable requester has in flight or lost. PSNs of 24 bits can then distinguish old
/// from new packets (InfiniBand Architecture Specification 9.7.2.1).
inline constexpr uint64_t kPsnWindow = uint64_t{1} << 23;
/// The window of a requester without ACKs.
inline constexpr uint64_t kNoWindow = UINT64_MAX;

/// The PSN whose low bits a frame carries; `near` is less than 2^31 away from it.
constexpr uint64_t WholePsn(uint32_t low, uint64_t near) {
  return near + static_cast<uint64_t>(int64_t{static_cast<int32_t>(low - static_cast<uint32_t>(near))});
}

}  // namespace headroom
