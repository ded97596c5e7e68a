// Layout of sU-RDMA's messages, the header of every SEND of a connection, in bytes. Numbers are
// little-endian.
//
//    0   type 1, flags 1 (bit 0: data have a CRC), credits 2, length 4, position 8, address 8, key 4, crc 4
//   32   landings 2, padding 2, received 8, tag 8, left 8, said 8, 8 and 8
//   84   check 4 (CRC-32C of all before it)
//
// The transfer modes and each end's messages follow Bai et al. (NSDI 2023, section 4.1); the layout is ours.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace headroom {

enum class SuType : uint8_t {
  data,        ///< small: the data follow the header
  write_done,  ///< medium: the data have been written to `address`
  descriptor,  ///< large: the data lie at `address` under `key`, for a READ
  read_done,   ///< large: the data have been read
  credit       ///< only credits
};

/// Words that a program attaches to one write, beside the data.
using SuSaid = std::array<uint64_t, 3>;

struct SuMessage {
  static constexpr uint32_t kBytes = 88;

  SuType type = SuType::credit;
  bool has_crc = false;   ///< data have a CRC; counted data have a correct one unless damaged
  uint16_t credits = 0;   ///< additional SENDs that the peer may send
  uint32_t length = 0;    ///< length of the data
  uint64_t position = 0;  ///< position of their first byte in the stream
  uint64_t address = 0;
  uint32_t key = 0;
  uint32_t crc = 0;       ///< CRC-32C of the data; 0 if they are only counted
  uint16_t landings = 0;  ///< number of the peer's WRITEs taken out of their landing so far, modulo 2^16

  uint64_t received = 0;  ///< end of the data received from the peer with a correct CRC
  uint64_t tag = 0;       ///< tag of one write
  uint64_t left = 0;      ///< bytes of the write behind this chunk
  SuSaid said{};

  void WriteTo(uint8_t* bytes) const;
  static SuMessage ReadFrom(const uint8_t* bytes);
  /// Whether the check of the bytes is correct.
  static bool IsSound(const uint8_t* bytes);

  /// Whether the message uses a credit of the receiver. All other types are answers. At most as many answers
  /// as credits can be in flight, and each has its own posted RECV.
  static bool TakesCredit(SuType type) {
    return type == SuType::data || type == SuType::write_done || type == SuType::descriptor;
  }
};

}  // namespace headroom
