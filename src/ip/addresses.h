// Addresses of hosts on the wire, which encode the host: number n has 10.0.0.0 + n + 1 and 02:00:00:00:00:00
// + n + 1.
#pragma once

#include <cstdint>

#include "net/identifiers.h"

namespace headroom {

inline constexpr uint32_t kHostNetwork = 0x0A000000, kHostMask = 0xFF000000;

constexpr uint32_t IpAddressOf(NodeId host) { return kHostNetwork + host + 1; }
/// REQUIRES: `address` is in the hosts' network. An address without a host gives a number beyond all hosts.
constexpr NodeId HostOfIpAddress(uint32_t address) { return address - kHostNetwork - 1; }
constexpr uint64_t MacAddressOf(NodeId host) { return 0x020000000000u + host + 1; }

}  // namespace headroom
