// The UDP source port of a queue pair, which separates its path from others between the same hosts.
#pragma once

#include <cstdint>
#include <string>

namespace headroom {

/// The port for the `number`-th queue pair (with one per message: message) of a workload from host to host.
/// It is in the dynamic range that NICs use for RoCEv2 entropy, and depends only on names: a change elsewhere
/// in the network does not change it.
uint16_t SourcePort(const std::string& workload, const std::string& src, const std::string& dst,
                    uint32_t number);

}  // namespace headroom
