// The costs of a NIC's stations, and the named sets of such costs.
//
// Sources. connectx3-pcie3-x8 and connectx3-pcie2-x8 are Mellanox MX354A on PCIe 3.0 x8 and 2.0 x8, in the
// clusters Apt and Susitna. Their figures are in Kalia et al., HERD, SIGCOMM 2014, sections 2 and 3, and in
// Kalia et al., Design Guidelines, USENIX ATC 2016, sections 2 and 3. docs/models/nic-resources.md names the
// published number behind each cost. gen1, gen2, gen3 follow Bai et al., NSDI 2023, who print no costs: the
// same page states which costs are ours.
//
// A station with cost 0 does not exist. With all costs 0 a NIC is `ideal`: frames have no costs, and no code
// runs for them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nic/resources/context_cache.h"
#include "sim/units.h"

namespace headroom {

/// A NIC's memory for frames that it has not taken in yet.
struct RxBufferParameters {
  Bytes size;
  Bytes xoff;  ///< at this level the NIC pauses its switch
  Bytes xon;   ///< at this level the NIC resumes its switch
  bool operator==(const RxBufferParameters&) const = default;
};

struct PcieParameters {
  Rate bandwidth;         ///< in each direction; 0: no limit
  Time latency;           ///< in each direction
  Bytes write_header;     ///< per 256 B that the NIC writes
  Bytes response_header;  ///< per 128 B of a read completion
  bool operator==(const PcieParameters&) const = default;
};

struct ResourceParameters {
  std::string set = "ideal";

  // Programmed I/O: the processor writes work requests to the NIC in lines of 64 B.
  Time pio_line;            ///< per line
  Bytes wqe_connected{36};  ///< header of a work request, RC and UC
  Bytes wqe_datagram{68};   ///< header of a work request, UD
  // Transmit pipeline, per packet.
  Time tx_inline;      ///< a frame with payload from the work request
  Time tx_fetched;     ///< a frame with payload fetched from memory
  Time tx_read;        ///< a READ request
  Time tx_ack;         ///< an ACK or NAK
  Time tx_completion;  ///< writing the completion of a SEND, WRITE or READ
  // Receive pipeline, per packet.
  Time rx_write;      ///< a packet of a WRITE or READ response, or of a SEND except its last
  Time rx_recv;       ///< a packet that uses a RECV
  Time rx_read;       ///< a READ request
  Time read_segment;  ///< each 128 B of a READ response beyond the first
  // The costs that both pipelines share.
  Time engine_message;  ///< per data packet in either direction
  Time engine_line;     ///< per line beyond the first of a work request with payload
  Time engine_recv;     ///< additional cost of a packet that uses a RECV

  PcieParameters pcie;
  ContextCacheParameters contexts;
  Bytes turn;  ///< a queue pair sends requests of so many bytes in its turn; 0: one packet
  Bytes tx_buffer = Kibibytes(32);  ///< per class: frames between pipeline and port

  bool operator==(const ResourceParameters&) const = default;
  /// Whether all costs are 0.
  bool Ideal() const;
};

struct ResourceSet {
  ResourceParameters resources;
  std::optional<RxBufferParameters> rx_buffer;
};

/// Returns none for an unknown name.
std::optional<ResourceSet> FindResourceSet(std::string_view name);
/// Every name that FindResourceSet knows, in the order of a help text.
std::vector<std::string> ResourceSetNames();

}  // namespace headroom
