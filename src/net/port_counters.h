// Counters of a port, by priority. Bytes are frames with FCS; counts run from the start of the run.
#pragma once

#include <array>
#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// Why frames die. The names in summary.json and ports.csv are DropReasonName's.
enum class DropReason : uint8_t {
  headroom_full,  ///< the pool of headroom is used up
  group_cap,      ///< the group's own xoff is
  egress_limit,   ///< the egress queue is at its threshold
  watchdog,
  link_loss,
  corrupt,
  no_route,
  ttl,
  ingress_limit,  ///< a lossy group is at its threshold
  buffer_full,    ///< the memory itself is
  on_chip_full,   ///< a line card's chip is: its deep memory does not keep up
  restart         ///< the node is restarting
};
inline constexpr int kDropReasons = 12;
constexpr const char* DropReasonName(DropReason r) {
  constexpr const char* names[kDropReasons] = {"headroom_full", "group_cap",   "egress_limit", "watchdog",
                                               "link_loss",     "corrupt",     "no_route",     "ttl",
                                               "ingress_limit", "buffer_full", "on_chip_full", "restart"};
  return names[static_cast<int>(r)];
}

/// Counters of one priority at one port, as they are read.
struct PriorityCounters {
  uint64_t tx_bytes = 0, tx_packets = 0;
  uint64_t rx_bytes = 0, rx_packets = 0;
  uint64_t marked_packets = 0;
  uint64_t data_tx_packets = 0;  ///< of tx_packets, those with payload
};

/// The rarer counters.
struct PriorityDrops {
  std::array<uint64_t, kDropReasons> packets{};
  std::array<uint64_t, kDropReasons> bytes{};
};

}  // namespace headroom
