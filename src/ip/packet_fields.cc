#include "ip/packet_fields.h"

#include <array>

namespace headroom {

uint32_t PacketFields::FlowHash() const {
  const uint64_t addresses = uint64_t{source} << 32 | destination;
  const uint64_t ports = uint64_t{source_port} << 24 ^ uint64_t { destination_port } << 8 ^ protocol;
  uint64_t x = addresses ^ (ports * 0x9e3779b97f4a7c15u);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<uint32_t>(x ^ (x >> 31));
}

PacketFields FieldsOf(const ns3::Packet& packet) {
  constexpr uint8_t kTcp = 6, kUdp = 17;
  constexpr size_t kLongestHeader = 60, kTcpHead = 13;
  std::array<uint8_t, kLongestHeader + kTcpHead> head{};
  packet.CopyData(head.data(), head.size());
  const auto read = [&](size_t at, size_t bytes) {
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; ++i) value = value << 8 | head[at + i];
    return value;
  };
  PacketFields fields;
  fields.tos = head[1];
  fields.protocol = head[9];
  fields.source = read(12, 4);
  fields.destination = read(16, 4);
  const bool fragment = (read(6, 2) & 0x3FFF) != 0;  // further fragments follow, or this is not the first
  if ((fields.protocol == kTcp || fields.protocol == kUdp) && !fragment) {
    const size_t after = size_t{head[0] & 15u} * 4;
    fields.source_port = static_cast<uint16_t>(read(after, 2));
    fields.destination_port = static_cast<uint16_t>(read(after + 2, 2));
    const uint32_t headers = static_cast<uint32_t>(after) + (head[after + 12] >> 4) * 4u;
    if (fields.protocol == kTcp && read(2, 2) > headers) fields.sequence = read(after + 4, 4);
  }
  return fields;
}

}  // namespace headroom
