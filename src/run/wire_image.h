// The bytes of a frame, as a capture on its link would have them: made from the numbers that the frame
// carries, or those of the packet that it carries.
//
// What a congestion control asks for lies between UDP and BTH, where HPCC has its records (Li et al., SIGCOMM
// 2019, figure 7); the ICRC leaves it out, as switches change it. Without records it begins with the time of
// the packet's transmission, in nanoseconds.
//
// Sources: RFC 791, RFC 768, InfiniBand Architecture Specification 9.2 to 9.4 and 7.8.1 (ICRC), annex A17
// (RoCEv2), IEEE 802.1Qbb (PFC frames). Addresses say which host: number n has 10.0.0.0 + n + 1 and
// 02:00:00:00:00:00 + n + 1; a PFC frame comes from 02:01:NODE:PORT, two bytes each.
#pragma once

#include <functional>
#include <vector>

#include "congestion/parameters.h"
#include "net/frame.h"
#include "net/frame_format.h"
#include "net/traffic_class.h"

namespace headroom {

/// Queue pair n has this number and n on the wire: 0 and 1 are the management's (IBA 3.9.2). Requests of bulk
/// carry the number that their queue pair has at the sender.
inline constexpr uint32_t kFirstQp = 2;

/// The invariant CRC over an IPv4 packet that ends before it, in the order of its bytes on the wire (the
/// first one lowest).
uint32_t Icrc(const uint8_t* ip, size_t size);

class WireImage {
 public:
  /// `bytes_of`: the size of a message of bulk, by its number. `units_of`: of records for this sender's
  /// congestion control.
  WireImage(const TrafficClasses& classes, int64_t mtu, const FrameFormat& frames,
            std::function<int64_t(uint32_t)> bytes_of, std::function<RecordUnits(NodeId)> units_of)
      : classes_(classes),
        mtu_(mtu),
        places_(frames.Places()),
        numbers_(frames.Numbers()),
        counts_(numbers_ && places_),
        bytes_of_(std::move(bytes_of)),
        units_of_(std::move(units_of)) {}

  /// From the Ethernet header to before the FCS. The reference is good until the next call. `node` and
  /// `port`: where a PFC frame comes from. REQUIRES: RoCEv2's frame sizes.
  const std::vector<uint8_t>& Of(const Frame& frame, const FrameExtension* extension, NodeId node,
                                 uint16_t port);

 private:
  void Pfc(const Frame& frame, NodeId node, uint16_t port);
  void Foreign(const Frame& frame, const FrameExtension& extension);
  void SetIpChecksum(size_t header);
  void RoceV2(const Frame& frame, const FrameExtension* extension);
  void BaseHeader(const Frame& frame);
  void ExtendedHeaders(const Frame& frame, const FrameExtension* extension);
  void InsertFeedback(const Feedback& feedback, RecordUnits units);
  void Aeth(uint8_t syndrome, uint32_t sequence);
  void Transfer(const FrameExtension& e, uint64_t index);
  void EthernetHeader(uint64_t to, uint64_t from, uint16_t type);
  int64_t MessageBytes(const Frame& frame, const FrameExtension* extension) const;
  void Put(uint64_t value, int bytes);

  TrafficClasses classes_;
  int64_t mtu_;
  bool places_;   ///< packets carry their address
  bool numbers_;  ///< packets carry their number and message
  bool counts_;   ///< or of which try
  std::function<int64_t(uint32_t)> bytes_of_;
  std::function<RecordUnits(NodeId)> units_of_;
  std::vector<uint8_t> bytes_;
};

}  // namespace headroom
