// Dense numbers for the elements of a network.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace headroom {

/// A host or switch: its place in the topology's list of nodes, hosts first.
using NodeId = uint32_t;

/// A message's number, as its frames carry it. Bulk messages count from 0. A MessageSink knows them by this
/// number; they have no place in memory and always find a RECV. Messages with a work request have numbers
/// from kOfVerbs on if the parts of their time are recorded (nic/transport/message_times.h), else kNoMessage:
/// the sending host, and its count (NumbersOfVerbs).
inline constexpr uint32_t kNoMessage = UINT32_MAX;
inline constexpr uint32_t kOfVerbs = 1u << 31;
constexpr bool IsBulk(uint32_t message) { return message < kOfVerbs; }
/// About so many messages from kOfVerbs on are remembered.
inline constexpr uint32_t kRememberedOfVerbs = 1u << 17;

/// How many of the last things of each of `hosts` hosts are remembered, if about `all` are in total. A ring
/// of twice as many, rounded up to a power of two, keeps those of the next few microseconds, too.
constexpr uint64_t RememberedEach(uint64_t all, uint64_t hosts, uint64_t least) {
  const uint64_t each = std::bit_floor(std::max(least, all / std::max<uint64_t>(1, hosts)));
  return each - each / 8;
}

/// The numbers of messages with a work request. Each host counts its own messages. The numbers start again
/// when the count does not fit.
class NumbersOfVerbs {
 public:
  /// `hosts`: all hosts of the network. `programs`: the hosts with programs that follow causes.
  explicit NumbersOfVerbs(size_t hosts = 1, size_t programs = 1)
      : bits_(30 - std::bit_width(std::max<size_t>(1, hosts) - 1)),
        remembered_(static_cast<uint32_t>(std::min<uint64_t>(
            uint64_t{1} << (bits_ - 2), RememberedEach(kRememberedOfVerbs, programs, 32)))) {}
  uint32_t Of(NodeId host, uint32_t count) const { return kOfVerbs | host << bits_ | (count & mask()); }
  static_assert(kNoMessage != (kOfVerbs | (kOfVerbs / 2 - 1)));
  NodeId HostOf(uint32_t message) const { return (message & (kOfVerbs / 2 - 1)) >> bits_; }
  /// The count, as far as the number has it.
  uint32_t CountOf(uint32_t message) const { return message & mask(); }
  /// So many numbers of a host differ; a power of two.
  uint32_t different() const { return 1u << bits_; }
  /// So many later messages of its host do not make a message be forgotten.
  uint32_t remembered() const { return remembered_; }

 private:
  uint32_t mask() const { return (1u << bits_) - 1; }

  int bits_;  ///< of the count
  uint32_t remembered_;
};

}  // namespace headroom
