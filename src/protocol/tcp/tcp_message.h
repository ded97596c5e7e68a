// The header of a message over TCP, before its data. Numbers are little-endian.
//
//   answer 1, padding 3, length 4, number 8, said 8 and 8 and 8, cause 8, crc 4, check 4 (CRC-32C of all
//   before it)
//
// The layout is ours.
#pragma once

#include <array>
#include <cstdint>

namespace headroom {

struct TcpMessage {
  static constexpr uint32_t kBytes = 56;

  bool answer = false;  ///< answers the request with this number; otherwise it is a request
  uint32_t length = 0;  ///< length of the data behind it
  uint64_t number = 0;  ///< number of a request, chosen by the caller
  std::array<uint64_t, 3> said{};
  uint64_t cause = 0;  ///< the step that sent it (protocol/trail.h)
  uint32_t crc = 0;    ///< CRC-32C of the data; 0 if they are only counted, or if there are none

  void WriteTo(uint8_t* bytes) const;
  static TcpMessage ReadFrom(const uint8_t* bytes);
  /// Whether the check of the bytes is correct.
  static bool IsSound(const uint8_t* bytes);
};

}  // namespace headroom
