// A chassis of line cards, the structure of deep-buffered switches of T2 and region hub. Frames wait where
// they came in, in one virtual output queue for each queue of each egress port, until the egress port grants
// them credit.
//
// Source of the structure: Bai et al., NSDI 2023, section 2 and footnote 3 (off-chip memory somewhat slower
// than the chip); Broadcom's StrataDNX family (Jericho2, Jericho2c+, Qumran3D). Sizes of on-chip memory are
// public (16 to 32 MB for Jericho2 and 2c+); the other defaults are ours: no vendor publishes them.
#pragma once

#include "sim/units.h"

namespace headroom {

struct ChassisParameters {
  int line_cards = 1;                ///< the ports divide among them in contiguous blocks
  Bytes on_chip = Kilobytes(32000);  ///< packet memory on a line card's chip
  Bytes spill = Kilobytes(1000);     ///< a virtual output queue with as much on the chip goes on in the deep
                                     ///< memory, until that is empty
  double deep_bandwidth = 0.95;  ///< to a line card's deep memory, and as much from it: a share of the rates
                                 ///< of its ports together
  Bytes credit{4096};            ///< granted at once
  double credit_speedup = 0.05;  ///< credits are granted this much faster than the egress port sends
  /// On the way to a queue of an egress port or in it, at most; 0: what the port sends while a credit and the
  /// frame for it cross the fabric, and four credits.
  Bytes egress_queue;
  Time fabric_latency = Microseconds(1);  ///< one way: requests, credits and frames
  bool operator==(const ChassisParameters&) const = default;
};

}  // namespace headroom
