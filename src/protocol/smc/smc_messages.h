// Messages of SMC-R as bytes; numbers are big-endian. Reserved bytes, identifiers of hosts and addresses of
// ports are zero.
//
//   CLC, on TCP       magic 4, type 1, length 2, flags 1, then, up to a trailer 4 (the magic again):
//     Proposal 52       sender 30, offset of the prefix 2, prefix of its network 8
//     Accept, Confirm   68: sender 30, queue pair 3, rkey 4, index 1, token 4, sizes 1, reserved 1,
//                       address of the RMB 8, reserved 1, first PSN 3
//     Decline 28        sender 8, diagnosis 4, reserved 4
//   LLC, on the link   44 in all: type 1, length 1, reserved 1, flags 1 (0x80: response); rkey 4 at 4
//   CDC, on the link   type 0xFE 1, length 1, sequence number 2, token 4, producer 8, consumer 8,
//                      flags 1 + 1, reserved 18; a cursor: reserved 2, wraps 2, count 4
//
// Source: net/smc/smc_clc.h, smc_llc.c, smc_cdc.h of Linux.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace headroom::smc {

inline constexpr size_t kMessageBytes = 44;  ///< for CDC and LLC messages
using MessageBytes = std::array<uint8_t, kMessageBytes>;

enum class ClcType : uint8_t { proposal = 1, accept = 2, confirm = 3, decline = 4 };

struct Clc {
  static constexpr size_t kHeader = 8;
  ClcType type = ClcType::proposal;
  bool first_contact = false;  ///< in Accept: the link is new
  uint32_t qp = 0, psn = 0;    ///< in Accept and Confirm
  uint32_t rkey = 0;           ///< key of the RMB
  uint32_t token = 0;          ///< token of the connection, for CDC messages to the sender

  static size_t SizeOf(ClcType type);
  std::vector<uint8_t> Bytes() const;
  /// REQUIRES: a complete message.
  static Clc From(std::span<const uint8_t> bytes);
  /// Whether a message may begin with these bytes.
  static bool MayBegin(std::span<const uint8_t> bytes);
  /// The length of the message that begins with these bytes; 0 if none does.
  static size_t LengthOf(std::span<const uint8_t> header);
};

enum class LlcType : uint8_t { confirm_link = 1, add_link = 2, confirm_rkey = 6, delete_rkey = 9 };

struct Llc {
  LlcType type = LlcType::confirm_link;
  bool response = false;
  uint32_t rkey = 0;

  MessageBytes Bytes() const;
  static Llc From(const MessageBytes& bytes);
};

struct Cdc {
  static constexpr uint8_t kType = 0xFE;
  static constexpr uint8_t kWriteBlocked = 0x80;               ///< bits of producer_flags
  static constexpr uint8_t kPeerClosed = 0x40, kAbort = 0x20;  ///< bits of state_flags
  uint16_t sequence = 0;
  uint32_t token = 0;
  uint64_t producer = 0, consumer = 0;  ///< positions in the streams
  uint8_t producer_flags = 0, state_flags = 0;

  /// Encodes cursors of rings of `size` bytes: the number of wraps, and a position.
  MessageBytes Bytes(uint64_t size) const;
  /// The receiver knows the positions up to `producer` and `consumer`; those in the message are not before
  /// them.
  static Cdc From(const MessageBytes& bytes, uint64_t size, uint64_t producer, uint64_t consumer);
};

}  // namespace headroom::smc
