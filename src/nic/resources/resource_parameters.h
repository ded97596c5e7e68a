// What a NIC's stations cost, and the named sets of such costs.
//
// Sources. connectx3-pcie3-x8 and connectx3-pcie2-x8 are Mellanox MX354A on PCIe 3.0 x8 and 2.0 x8, in the
// clusters Apt and Susitna. Their figures are in Kalia et al., HERD, SIGCOMM 2014, sections 2 and 3, and in
// Kalia et al., Design Guidelines, USENIX ATC 2016, sections 2 and 3. docs/models/nic-resources.md names the
// published number behind each cost. gen1, gen2, gen3 follow Bai et al., NSDI 2023, who print no costs: the
// same page says which are ours.
//
// A cost of 0 is no station. With all costs 0 a NIC is `ideal`: frames pay nothing, and no code runs for
// them.
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
  Bytes xoff;  ///< from here on it pauses its switch
  Bytes xon;   ///< and resumes it here
  bool operator==(const RxBufferParameters&) const = default;
};

struct PcieParameters {
  Rate bandwidth;         ///< each way; 0: no limit
  Time latency;           ///< one way
  Bytes write_header;     ///< of each 256 B that the NIC writes
  Bytes response_header;  ///< on each 128 B of a read completion
  bool operator==(const PcieParameters&) const = default;
};

struct ResourceParameters {
  std::string set = "ideal";

  // Programmed I/O: the processor writes work requests to the NIC in lines of 64 B.
  Time pio_line;            ///< each
  Bytes wqe_connected{36};  ///< a work request's header, RC and UC
  Bytes wqe_datagram{68};   ///< UD
  // Transmit pipeline, per packet.
  Time tx_inline;      ///< whose payload came with the work request
  Time tx_fetched;     ///< a frame with its payload fetched from memory
  Time tx_read;        ///< a READ request
  Time tx_ack;         ///< an ACK or NAK
  Time tx_completion;  ///< to write the completion of a SEND, WRITE or READ
  // Receive pipeline, per packet.
  Time rx_write;      ///< of a WRITE, of a READ response, or not the last of a SEND
  Time rx_recv;       ///< that uses up a RECV
  Time rx_read;       ///< a READ request
  Time read_segment;  ///< each 256 B of READ responses beyond the first
  // What both pipelines share.
  Time engine_message;  ///< per data packet either way
  Time engine_line;     ///< per line beyond the first of a work request with payload
  Time engine_recv;     ///< more for one that uses up a RECV

  PcieParameters pcie;
  ContextCacheParameters contexts;
  Bytes tx_buffer = Kibibytes(32);  ///< of each class: frames between pipeline and port

  bool operator==(const ResourceParameters&) const = default;
  /// Whether nothing costs anything.
  bool Ideal() const;
};

struct ResourceSet {
  ResourceParameters resources;
  std::optional<RxBufferParameters> rx_buffer;
};

/// None for an unknown name.
std::optional<ResourceSet> FindResourceSet(std::string_view name);
/// Every name that FindResourceSet knows, in the order of a help text.
std::vector<std::string> ResourceSetNames();

}  // namespace headroom
