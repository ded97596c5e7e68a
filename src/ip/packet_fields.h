// The fields of ns-3's IPv4 packets that a switch or NIC reads: the five-tuple and the TOS byte.
#pragma once

#include <ns3/packet.h>

#include <cstdint>
#include <optional>

namespace headroom {

struct PacketFields {
  uint32_t source = 0, destination = 0;
  uint16_t source_port = 0, destination_port = 0;  ///< 0 in fragments, and in protocols without ports
  uint8_t protocol = 0;
  uint8_t tos = 0;
  /// The sequence number of TCP data. ns-3 begins every connection at 1. None if the packet has no data.
  std::optional<uint32_t> sequence{};

  /// A hash that is equal for all packets of a flow.
  uint32_t FlowHash() const;
};

/// REQUIRES: the packet begins with its IPv4 header.
PacketFields FieldsOf(const ns3::Packet& packet);

}  // namespace headroom
