// The loops of perftest (ib_write_bw, ib_read_lat, …) between two hosts of a scenario's network, on verbs.
//
// Bandwidth: each queue pair keeps up to tx_depth work requests posted and requests a completion for every
// cq_mod-th; one direction. Latency: one message at a time. The peer answers a WRITE or SEND with one of the
// same size as soon as it sees it. The latency is half the round trip, for a READ the whole. Programs take no
// time themselves.
//
// Source: linux-rdma/perftest, its defaults and the meaning of its columns. Departures: no sample is left out
// (perftest omits the two longest), and percentiles are by nearest rank.
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
  int iterations = 1000;     ///< per queue pair
  int queue_pairs = 1;       ///< 1 in a latency test
  int tx_depth = 128;        ///< for bandwidth
  int cq_mod = 1;            ///< for bandwidth; at most tx_depth
  int rx_depth = 512;        ///< posted RECVs, for SEND
  uint32_t inline_size = 0;  ///< messages up to this size are inline, at most 256; READs never are
  uint8_t priority = 3;
};

/// Times of posting and of polling completions, each in order; `completed` is kNever if another completion
/// covers the message.
struct PerfTimes {
  std::vector<Time> posted, completed;
  std::string failure;  ///< the reason why the test did not finish; empty if it did
};

struct PerfBandwidth {
  double peak_bps = 0;     ///< maximum over all runs of messages, from a posting to a completion
  double average_bps = 0;  ///< from the first posting to the last completion
  double messages_per_s = 0;
};
PerfBandwidth BandwidthOf(const PerfTest& test, const PerfTimes& times);

struct PerfLatency {
  double min_us = 0, max_us = 0, typical_us = 0, average_us = 0, deviation_us = 0, p99_us = 0, p999_us = 0;
};
PerfLatency LatencyOf(const PerfTest& test, const PerfTimes& times);

}  // namespace headroom
