// How packets are counted. PSNs are 64-bit counts here, of which a frame carries the low 32 bits; on the wire
// they are their low 24 bits.
#pragma once

#include <cstdint>

namespace headroom {

/// Packets of a message.
constexpr uint64_t PacketsOf(int64_t bytes, int64_t mtu) {
  return bytes == 0 ? 1 : static_cast<uint64_t>(bytes / mtu + (bytes % mtu != 0));
}

/// Packets that a reliable requester has on their way, or lost, at most: so that PSNs of 24 bits tell old
/// from new (InfiniBand Architecture Specification 9.7.2.1).
inline constexpr uint64_t kPsnWindow = uint64_t{1} << 23;
/// The window of a requester without ACKs.
inline constexpr uint64_t kNoWindow = UINT64_MAX;

/// The PSN that a frame carries the low bits of, by one that it is less than 2^31 away from.
constexpr uint64_t WholePsn(uint32_t low, uint64_t near) {
  return near + static_cast<uint64_t>(int64_t{static_cast<int32_t>(low - static_cast<uint32_t>(near))});
}

}  // namespace headroom
