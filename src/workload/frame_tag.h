// The sender's mark in frames: a number by which switches count (Frame::tag).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace headroom {

/// 0: a sender without a name, such as ns-3's packets and the connection manager's.
inline constexpr uint8_t kNoTag = 0;
/// The tag of the sender with this number: a scenario's workloads come first, then its services. If there are
/// more than 254, the last ones share one tag.
constexpr uint8_t FrameTag(size_t sender) { return static_cast<uint8_t>(std::min<size_t>(sender + 1, 255)); }

}  // namespace headroom
