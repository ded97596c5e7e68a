// Layout of sK-RDMA's messages, request and response, in bytes. Numbers are little-endian.
//
//    0   kind 1, status 1, credits 2, length 4, number 8, oldest 8, block 8
//   32   request 8, address 8, key 4, crc 4, flags 4 (bit 0: data have a CRC)
//   60   check 4 (CRC-32C of all before it)
//
// The descriptor is a registered buffer's as in SMB Direct (MS-SMBD 2.2.3.1: offset, token, length); the rest
// of the layout is ours.
#pragma once

#include <cstdint>

namespace headroom {

enum class SkKind : uint8_t { read, write };
enum class SkStatus : uint8_t { ok, corrupt, failed };

struct SkMessage {
  static constexpr uint32_t kBytes = 64;

  SkKind kind = SkKind::read;
  SkStatus status = SkStatus::ok;  ///< of a response
  uint16_t credits = 0;            ///< response: requests that may follow
  uint32_t length = 0;             ///< of the data
  uint64_t number = 0;             ///< of the request in its connection
  uint64_t oldest = 0;             ///< request: no number below is open
  uint64_t block = 0;              ///< where on the disk
  uint64_t request = 0;            ///< what the program calls it
  uint64_t address = 0;            ///< of the client's buffer, under
  uint32_t key = 0;
  bool has_crc = false;  ///< data have a CRC; counted data have a right one unless damaged
  uint32_t crc = 0;      ///< CRC-32C of the data: of a write in the request, of a read in the response

  void WriteTo(uint8_t* bytes) const;
  static SkMessage ReadFrom(const uint8_t* bytes);
  /// Whether the check of the bytes is right.
  static bool IsSound(const uint8_t* bytes);
};

}  // namespace headroom
