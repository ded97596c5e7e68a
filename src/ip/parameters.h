// Parameters of the IP stacks of a run's hosts, as datacenters set them; ns-3's own defaults are for links of
// milliseconds. docs/models/ip.md has the sources.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace headroom {

struct TcpParameters {
  enum class Congestion { cubic, dctcp };
  Congestion congestion = Congestion::cubic;
  Bytes send_buffer = Kibibytes(4 * 1024);     ///< of a socket; Linux: tcp_wmem's largest
  Bytes receive_buffer = Kibibytes(6 * 1024);  ///< Linux: tcp_rmem's largest
  int initial_window = 10;                     ///< segments: RFC 6928, Linux
  Time min_rto = Milliseconds(5);       ///< datacenters; Linux's 200 ms are far beyond any round trip here
  Time initial_rto = Milliseconds(10);  ///< of SYNs and before the first round trip is measured
  Time delayed_ack = Milliseconds(1);   ///< less than min_rto, or the last odd segment is sent again
  bool operator==(const TcpParameters&) const = default;
};

struct IpParameters {
  int64_t mtu = 1500;    ///< of IP packets
  uint8_t priority = 0;  ///< the traffic class of packets whose DSCP no class has
  TcpParameters tcp;
  bool operator==(const IpParameters&) const = default;
};

}  // namespace headroom
