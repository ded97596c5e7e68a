// Parameters of the IP stacks of a run's hosts, as datacenters set them. ns-3's own defaults suit links with
// delays of milliseconds. docs/models/ip.md has the sources.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

struct TcpParameters {
  enum class Congestion { cubic, dctcp };
  /// The congestion window of a sender that was silent for longer than its retransmission timeout.
  enum class AfterIdle : uint8_t {
    halved,     ///< once for each timeout, but not below the initial window (RFC 2861, section 3; Linux)
    restarted,  ///< at most the initial window (RFC 5681, section 4.1)
    kept
  };
  Congestion congestion = Congestion::cubic;
  Bytes send_buffer = Kibibytes(4 * 1024);     ///< per socket; Linux: the maximum of tcp_wmem
  Bytes receive_buffer = Kibibytes(6 * 1024);  ///< per socket; Linux: the maximum of tcp_rmem
  AfterIdle after_idle = AfterIdle::halved;
  int initial_window = 10;  ///< in segments: RFC 6928, Linux
  Time min_rto = Milliseconds(
      5);  ///< as in datacenters; Linux's 200 ms are far above any round trip in a simulated network
  Time initial_rto = Milliseconds(10);  ///< timeout of SYNs, and before the first round trip is measured
  Time delayed_ack =
      Milliseconds(1);  ///< must be less than min_rto, else the last odd segment is retransmitted
  bool operator==(const TcpParameters&) const = default;
};

struct IpParameters {
  int64_t mtu = 1500;    ///< MTU of IP packets
  uint8_t priority = 0;  ///< the traffic class of packets whose DSCP belongs to no class
  TcpParameters tcp;
  bool operator==(const IpParameters&) const = default;
};

}  // namespace headroom
