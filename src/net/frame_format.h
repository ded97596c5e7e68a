// Sizes of RoCEv2 frames, in bytes.
//
// Sources: IEEE 802.3 (Ethernet 14, FCS 4, preamble and gap 20, at least 64), RFC 791 (IPv4 20), RFC 768 (UDP
// 8). InfiniBand Architecture Specification 9.2 and 9.3 (BTH 12, RETH 16, AETH 4, ImmDt 4, IETH 4, DETH 8,
// ICRC 4) and annex A17 (CNP: BTH and 16 reserved bytes). IEEE 802.1Qbb (a PFC frame has the minimum length).
#pragma once

#include <algorithm>

#include "net/opcode.h"
#include "sim/units.h"

namespace headroom {

/// The sizes of frames with FCS. The defaults are RoCEv2's; cross-checks may use another simulator's sizes.
struct FrameFormat {
  int64_t header =
      14 + 20 + 8 + 12 + 4 + 4;  ///< of every data frame: everything except payload and extended headers
  int64_t reth = 16;             ///< on the first frame of a WRITE and on a READ request
  int64_t aeth = 4;              ///< on the first and on the last frame of a READ response
  int64_t immdt = 4;             ///< on the last frame of a message with immediate data
  int64_t ieth = 4;              ///< on the last frame of a SEND with invalidate
  int64_t deth = 8;              ///< on every datagram
  int64_t ack = 14 + 20 + 8 + 12 + 4 + 4 + 4;
  int64_t cnp = 14 + 20 + 8 + 12 + 16 + 4 + 4;
  int64_t pfc = 64;
  // With selective repeat, packets are placed on arrival, so each packet carries its address.
  int64_t reth_again = 0;      ///< on all frames of a WRITE except the first
  int64_t receive_number = 0;  ///< on frames of SENDs, and on the last frame of a WRITE with immediate data
  int64_t selective = 0;       ///< on a NAK: the PSN that arrived, or that is requested
  int64_t transfer = 0;        ///< on data and READ requests: context, message or try, and packet index
  int64_t feedback = 0;        ///< on data, READ responses included, and on their ACKs: the feedback for a
                               ///< congestion control
  int64_t gap = 20;            ///< preamble and inter-frame gap: counted on the wire, not in buffers
  int64_t min = 64;
  int64_t ack_min = 0;    ///< minimum size of ACKs, if it is larger
  bool whole_ns = false;  ///< transmissions take whole nanoseconds, as in the HPCC simulator
  bool operator==(const FrameFormat&) const = default;

  /// Whether each packet carries its address.
  constexpr bool Places() const { return reth_again > 0; }
  /// Whether each packet carries its number and its message.
  constexpr bool Numbers() const { return transfer > 0; }
  /// The format without these fields, as unreliable transports use it.
  constexpr FrameFormat InOrder() const {
    FrameFormat plain = *this;
    plain.reth_again = plain.receive_number = plain.selective = plain.transfer = plain.feedback = 0;
    return plain;
  }
  /// Bytes of extended headers that this operation adds to the transport's headers.
  constexpr int64_t Extended(Operation operation, bool first, bool last) const {
    return transfer + (operation != Operation::read_request ? feedback : 0) +
           OfOperation(operation, first, last);
  }
  constexpr int64_t OfOperation(Operation operation, bool first, bool last) const {
    switch (operation) {
      case Operation::send:
        return receive_number;
      case Operation::send_imm:
        return receive_number + (last ? immdt : 0);
      case Operation::send_inv:
        return receive_number + (last ? ieth : 0);
      case Operation::write:
        return first ? reth : reth_again;
      case Operation::write_imm:
        return (first ? reth : reth_again) + (last ? receive_number + immdt : 0);
      case Operation::read_request:
        return reth;
      case Operation::read_response:
        return first || last ? aeth : 0;
    }
    return 0;
  }
  constexpr Bytes Packet(int64_t payload, int64_t extended) const {
    return Bytes(std::max(min, header + extended + payload));
  }
  /// The payload of a data frame with this opcode and size, without feedback. Below the minimum frame size,
  /// payload cannot be distinguished from padding.
  constexpr int64_t Payload(uint8_t opcode, int64_t bytes) const {
    const int code = opcode & 0x1F;
    int64_t headers = header + (opcode - code == static_cast<int>(Transport::ud) ? deth : 0);
    if (IsReliable(opcode)) headers += transfer;
    if (HasReth(opcode)) {
      headers += reth;
    } else if (IsWrite(opcode)) {
      headers += reth_again;
    }
    if (IsReliable(opcode) && TakesReceive(opcode)) headers += receive_number;
    if (HasAeth(opcode)) headers += aeth;
    if (HasImmediate(opcode)) headers += immdt;
    if (HasInvalidate(opcode)) headers += ieth;
    return std::max<int64_t>(0, bytes - headers);
  }
  /// A request for a context has a RETH with the length, even for a SEND.
  constexpr Bytes Ask() const { return Packet(0, reth + transfer); }
  /// A frame of a connection.
  constexpr Bytes Data(Operation operation, int64_t payload, bool first, bool last) const {
    return Packet(payload, Extended(operation, first, last));
  }
  /// A frame of a plain WRITE.
  constexpr Bytes Data(int64_t payload, bool first) const {
    return Data(Operation::write, payload, first, false);
  }
  constexpr Bytes ReadRequest() const { return Data(Operation::read_request, 0, true, true); }
  /// The size of an ACK of data in this format.
  constexpr Bytes Ack() const { return AckWith(feedback); }
  constexpr Bytes AckWith(int64_t brought_back) const {
    return Bytes(std::max({min, ack_min, ack + brought_back}));
  }
  constexpr Bytes SelectiveNak() const { return AckWith(selective); }
  constexpr Bytes Cnp() const { return Bytes(std::max(min, cnp)); }
  constexpr Bytes Pfc() const { return Bytes(std::max(min, pfc)); }
  constexpr Bytes OnWire(Bytes frame) const { return frame + Bytes(gap); }
};

}  // namespace headroom
