// Changes one byte behind all checks, for tests of the checks that find it.
#pragma once

#include "protocol/storage/wire/su_lab.h"

namespace headroom {

/// Changes a byte of the next packet that is written to this host's memory, if there is one within 30 us. It
/// looks in steps of 20 ns: a packet of 1 KiB takes 85 ns.
inline bool HitOnce(SuLab& lab, NodeId host) {
  Verbs& verbs = lab.verbs(host);
  const size_t number = verbs.AddCorruption(1, "h" + std::to_string(host) + "/corrupt");
  verbs.SetCorruption(number, true);
  for (int i = 0; i < 1500 && lab.counters(host).corrupted_packets == 0; ++i)
    RunUntil(EventQueue::Get().now() + Nanoseconds(20));
  verbs.SetCorruption(number, false);
  return lab.counters(host).corrupted_packets == 1;
}

inline size_t Differing(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  size_t n = a.size() == b.size() ? 0 : SIZE_MAX;
  for (size_t i = 0; n != SIZE_MAX && i < a.size(); ++i) n += a[i] != b[i];
  return n;
}

}  // namespace headroom
