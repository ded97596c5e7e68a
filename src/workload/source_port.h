// The UDP source port of a queue pair, which separates its path from others between the same hosts.
#pragma once

#include <cstdint>
#include <string>

namespace headroom {

/// For the `number`-th queue pair (of one per message: message) of a workload from host to host. From the
/// dynamic range that NICs use for RoCEv2 entropy, and from names alone: a change elsewhere in the network
/// leaves it.
uint16_t SourcePort(const std::string& workload, const std::string& src, const std::string& dst,
                    uint32_t number);

}  // namespace headroom
