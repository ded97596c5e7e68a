// Counters of a port, by priority. Bytes are frames with FCS; counts run from the start of the run.
#pragma once

#include <array>
#include <cstdint>

#include "sim/units.h"

namespace headroom {

/// The reasons why frames are dropped or lost. DropReasonName gives the names in summary.json and ports.csv.
enum class DropReason : uint8_t {
  headroom_full,  ///< the headroom pool is full
  group_cap,      ///< the group has reached its own xoff
  egress_limit,   ///< the egress queue has reached its threshold
  watchdog,
  link_loss,
  corrupt,
  no_route,
  ttl,
  ingress_limit,  ///< a lossy group has reached its threshold
  buffer_full,    ///< the memory is full
  on_chip_full,   ///< a line card's chip is full: its deep memory does not keep up
  restart         ///< the node is restarting
};
inline constexpr int kDropReasons = 12;
constexpr const char* DropReasonName(DropReason r) {
  constexpr const char* names[kDropReasons] = {"headroom_full", "group_cap",   "egress_limit", "watchdog",
                                               "link_loss",     "corrupt",     "no_route",     "ttl",
                                               "ingress_limit", "buffer_full", "on_chip_full", "restart"};
  return names[static_cast<int>(r)];
}

/// Why a frame is dropped.
struct DropCause {
  DropReason reason{};
  int queue = -1;  ///< number of the queue (egress_limit, or it was closed) or of the priority group
                   ///< (ingress_limit, group_cap, headroom_full) that the frame was in, or did not fit into;
                   ///< else −1
  int64_t limit = -1,
          fill = -1;  ///< bytes that fit into what was full, and bytes in it; −1: nothing was full
};

/// Counters of one priority at one port, as a reader gets them.
struct PriorityCounters {
  uint64_t tx_bytes = 0, tx_packets = 0;
  uint64_t rx_bytes = 0, rx_packets = 0;
  uint64_t marked_packets = 0;
  uint64_t data_tx_packets = 0;  ///< those of tx_packets that have payload
};

/// The rarer counters.
struct PriorityDrops {
  std::array<uint64_t, kDropReasons> packets{};
  std::array<uint64_t, kDropReasons> bytes{};
};

}  // namespace headroom
