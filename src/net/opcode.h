// Operation codes of the base transport header (BTH) for the operations that are modelled.
//
// Source: InfiniBand Architecture Specification 9.2 (table of BTH opcodes) and annex A17 (CNP).
#pragma once

#include <array>
#include <cstdint>

namespace headroom {

/// The upper three bits of an opcode.
enum class Transport : uint8_t { rc = 0x00, uc = 0x20, ud = 0x60 };

/// The kind of message that a data frame is part of. `inv`: SEND with invalidate; `imm`: with immediate data.
enum class Operation : uint8_t { send, send_imm, send_inv, write, write_imm, read_request, read_response };

inline constexpr uint8_t kAckOpcode = 0x11;
inline constexpr uint8_t kCnpOpcode = 0x81;
// Used only on the wire, from the codes left to manufacturers: a request for a context, and its answer.
inline constexpr uint8_t kAskOpcode = 0xC0;
inline constexpr uint8_t kGrantOpcode = 0xC1;
// The codes of a request for credits, and of the grant of a credit, for congestion controls.
inline constexpr uint8_t kCreditAskOpcode = 0xC2;
inline constexpr uint8_t kCreditOpcode = 0xC3;
// The code of an ACK for READ responses, if their sender's congestion control reads ACKs.
inline constexpr uint8_t kResponseAckOpcode = 0xC4;

/// The opcode of a frame at this place in its message.
constexpr uint8_t OpcodeOf(Transport transport, Operation operation, bool first, bool last) {
  // By operation: middle, last, first, only.
  constexpr std::array<std::array<uint8_t, 4>, 7> kCodes = {{{0x01, 0x02, 0x00, 0x04},
                                                             {0x01, 0x03, 0x00, 0x05},
                                                             {0x01, 0x16, 0x00, 0x17},
                                                             {0x07, 0x08, 0x06, 0x0A},
                                                             {0x07, 0x09, 0x06, 0x0B},
                                                             {0x0C, 0x0C, 0x0C, 0x0C},
                                                             {0x0E, 0x0F, 0x0D, 0x10}}};
  const int place = (first ? 2 : 0) + (last ? 1 : 0);
  return static_cast<uint8_t>(static_cast<uint8_t>(transport) |
                              kCodes[static_cast<size_t>(operation)][static_cast<size_t>(place)]);
}

/// Whether frames with this opcode are acknowledged.
constexpr bool IsReliable(uint8_t opcode) { return (opcode & 0xE0) == static_cast<uint8_t>(Transport::rc); }
constexpr bool IsReadRequest(uint8_t opcode) { return opcode == 0x0C; }
constexpr bool IsReadResponse(uint8_t opcode) { return opcode >= 0x0D && opcode <= 0x10; }
/// Whether it is a WRITE, with immediate data or without.
constexpr bool IsWrite(uint8_t opcode) { return (opcode & 0x1F) >= 0x06 && (opcode & 0x1F) <= 0x0B; }
/// Whether it is a frame of a SEND, or the last or only frame of a WRITE with immediate data.
constexpr bool TakesReceive(uint8_t opcode) {
  const int code = opcode & 0x1F;
  return code <= 0x05 || code == 0x09 || code == 0x0B || code == 0x16 || code == 0x17;
}
/// Whether it has a RETH: the first or only frame of a WRITE, and a READ request.
constexpr bool HasReth(uint8_t opcode) {
  const int code = opcode & 0x1F;
  return code == 0x06 || code == 0x0A || code == 0x0B || IsReadRequest(opcode);
}
/// Whether it has an AETH: all frames of a READ response except the middle ones. (An ACK has an AETH, too,
/// but is not a data frame.)
constexpr bool HasAeth(uint8_t opcode) { return IsReadResponse(opcode) && opcode != 0x0E; }
/// Whether it is the last or only frame of a message with immediate data.
constexpr bool HasImmediate(uint8_t opcode) {
  const int code = opcode & 0x1F;
  return code == 0x03 || code == 0x05 || code == 0x09 || code == 0x0B;
}
constexpr bool HasInvalidate(uint8_t opcode) { return opcode == 0x16 || opcode == 0x17; }

}  // namespace headroom
