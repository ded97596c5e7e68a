// Feedback that a frame collects along its path and its ACK returns, for its sender's congestion control:
// times at both hosts, and records of switches, whose contents only the control and its agents know.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "sim/units.h"

namespace headroom {

struct Feedback {
  /// Room for records, pooled: only the first `count` are valid.
  struct Records {
    alignas(8) std::array<std::byte, 600> bytes;
    void Clear() {}
  };

  Time sent;                   ///< start of the frame's transmission at the sender
  Time held;                   ///< from the frame's last bit at the receiver to its ACK
  Records* records = nullptr;  ///< null if there is no room for records
  uint16_t bytes = 0;          ///< size of this feedback on the wire, in the frame and in its ACK
  uint8_t room = 0;            ///< number of records that fit
  uint8_t count = 0;           ///< number of records
  uint8_t hops = 0;            ///< number of switches that the frame passed
  uint8_t kind = 0;            ///< kind of its records: only agents of this kind add some
  uint8_t record_bytes = 0;    ///< size of a record in memory, once there is one

  /// A new kind of records, for a constant before main: a program's processes agree on the number.
  static uint8_t NewKind() {
    static uint8_t last = 0;
    return ++last;
  }
  /// REQUIRES: i < count, and R is the type of the frame's kind.
  template <class R>
  R record(int i) const {
    R record;
    std::memcpy(&record, records->bytes.data() + static_cast<size_t>(i) * sizeof(R), sizeof(R));
    return record;
  }
  /// REQUIRES: count < room.
  template <class R>
  void Append(const R& record) {
    static_assert(std::is_trivially_copyable_v<R> && sizeof(R) <= UINT8_MAX);
    record_bytes = sizeof(R);
    std::memcpy(records->bytes.data() + count++ * sizeof(R), &record, sizeof(R));
  }
};

}  // namespace headroom
