// The loops of perftest (ib_write_bw, ib_read_lat, …) between two hosts of a scenario's network, on verbs.
//
// Bandwidth: each queue pair keeps up to tx_depth work requests posted and asks for a completion of every
// cq_mod-th; one direction. Latency: one message at a time. A WRITE or SEND is answered by one of the same
// size as soon as the peer sees it. Its latency is half the round trip; a READ's is the whole. Programs take
// no time of their own.
//
// Source: linux-rdma/perftest, its defaults and what its columns mean. Departures: no sample is left out
// (there the two longest are), percentiles are nearest rank.
#pragma once

#include <string>
#include <vector>

#include "nic/verbs/verbs.h"
#include "sim/units.h"

namespace headroom {

enum class PerfVerb { write, read, send };

struct PerfTest {
  PerfVerb verb = PerfVerb::write;
  bool latency = false;
  NodeId from = 0, to = 1;
  QpType connection = QpType::rc;
  uint32_t size = 65536;     ///< payload bytes of a message
  int iterations = 1000;     ///< of each queue pair
  int queue_pairs = 1;       ///< of a latency test 1
  int tx_depth = 128;        ///< of bandwidth
  int cq_mod = 1;            ///< of bandwidth; at most tx_depth
  int rx_depth = 512;        ///< RECVs that wait, of SEND
  uint32_t inline_size = 0;  ///< messages up to this are inline, at most 256; READs never
  uint8_t priority = 3;
};

/// Times of posting and of polling completions, in these orders; `completed` is kNever if another completion
/// covers it.
struct PerfTimes {
  std::vector<Time> posted, completed;
  std::string failure;  ///< why it did not get to its end; empty: it did
};

struct PerfBandwidth {
  double peak_bps = 0;     ///< the most that any run of messages, from a posting to a completion, achieved
  double average_bps = 0;  ///< from the first posting to the last completion
  double messages_per_s = 0;
};
PerfBandwidth BandwidthOf(const PerfTest& test, const PerfTimes& times);

struct PerfLatency {
  double min_us = 0, max_us = 0, typical_us = 0, average_us = 0, deviation_us = 0, p99_us = 0, p999_us = 0;
};
PerfLatency LatencyOf(const PerfTest& test, const PerfTimes& times);

}  // namespace headroom
