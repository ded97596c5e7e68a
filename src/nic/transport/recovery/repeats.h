// Packets that a requester must send again, in the order of their reports, each once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "nic/transport/requester.h"
#include "sim/deque.h"

namespace headroom {

class Repeats {
 public:
  /// Adds all packets from `psn` to below `end`, except those that already wait.
  void Add(uint64_t psn, uint64_t end) {
    for (const Range& range : ranges_) {
      if (range.psn <= psn && psn < range.end) psn = std::min(range.end, end);
    }
    if (psn < end) ranges_.push_back({psn, end});
  }
  /// Removes the packets of a message.
  void Remove(uint64_t psn, uint64_t end) {
    EraseIf(ranges_, [&](const Range& range) { return psn <= range.psn && range.psn < end; });
  }
  bool Empty(const Requester& r) {
    while (!ranges_.empty()) {
      Range& front = ranges_.front();
      front.psn = std::max(front.psn, r.una_psn);
      if (front.psn < front.end) return false;
      ranges_.pop_front();
    }
    return true;
  }
  /// The next packet to repeat; for a READ, its whole range.
  std::optional<RequesterRecovery::Repeat> Next(const Requester& r) {
    while (!Empty(r)) {
      Range& front = ranges_.front();
      uint32_t index = 0;
      const SendRequest* const request = r.Find(front.psn, &index);
      if (request == nullptr) {
        ranges_.pop_front();
        continue;
      }
      const uint64_t psn = front.psn;
      const uint64_t packets = request->IsRead() ? front.end - psn : 1;
      front.psn += packets;
      return RequesterRecovery::Repeat{psn, packets};
    }
    return std::nullopt;
  }
  void Clear() { ranges_.clear(); }

 private:
  struct Range {
    uint64_t psn, end;
  };
  Deque<Range> ranges_;
};

}  // namespace headroom
