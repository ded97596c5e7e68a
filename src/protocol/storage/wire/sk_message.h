// Layout of sK-RDMA's messages, request and response, in bytes. Numbers are little-endian.
//
//    0   kind 1, status 1, credits 2, length 4, number 8, oldest 8, block 8
//   32   request 8, address 8, key 4, crc 4, flags 4 (bit 0: data have a CRC)
//   60   check 4 (CRC-32C of all before it)
//
// The descriptor is that of a registered buffer in SMB Direct (MS-SMBD 2.2.3.1: offset, token, length); the
// rest of the layout is ours.
#pragma once

#include <cstdint>

namespace headroom {

enum class SkKind : uint8_t { read, write };
enum class SkStatus : uint8_t { ok, corrupt, failed };

struct SkMessage {
  static constexpr uint32_t kBytes = 64;

  SkKind kind = SkKind::read;
  SkStatus status = SkStatus::ok;  ///< for a response
  uint16_t credits = 0;            ///< response: number of requests that may follow
  uint32_t length = 0;             ///< length of the data
  uint64_t number = 0;             ///< number of the request in its connection
  uint64_t oldest = 0;             ///< request: no lower number is open
  uint64_t block = 0;              ///< position on the disk
  uint64_t request = 0;            ///< the program's name for the request
  uint64_t address = 0;            ///< address of the client's buffer
  uint32_t key = 0;
  bool has_crc = false;  ///< data have a CRC; counted data have a correct one unless damaged
  uint32_t crc = 0;      ///< CRC-32C of the data: of a write in the request, of a read in the response

  void WriteTo(uint8_t* bytes) const;
  static SkMessage ReadFrom(const uint8_t* bytes);
  /// Whether the check of the bytes is correct.
  static bool IsSound(const uint8_t* bytes);
};

}  // namespace headroom
