// The bytes of a frame as in a capture on its link: made from the numbers in the frame, or from the packet
// that it carries.
//
// A congestion control's feedback lies between UDP and BTH, like HPCC's records (Li et al., SIGCOMM 2019,
// figure 7). The ICRC omits it, because switches change it. Without records it begins with the transmission
// time of the packet, in nanoseconds.
//
// Sources: RFC 791, RFC 768, InfiniBand Architecture Specification 9.2 to 9.4 and 7.8.1 (ICRC), annex A17
// (RoCEv2), IEEE 802.1Qbb (PFC frames). Addresses encode the host: number n has 10.0.0.0 + n + 1 and
// 02:00:00:00:00:00 + n + 1; a PFC frame comes from 02:01:NODE:PORT, two bytes each.
#pragma once

#include <functional>
#include <vector>

#include "congestion/telemetry.h"
#include "net/frame.h"
#include "net/frame_format.h"
#include "net/traffic_class.h"

namespace headroom {

/// On the wire, queue pair n has the number n plus this: 0 and 1 are for management (IBA 3.9.2). Bulk
/// requests carry the number of their queue pair at the sender.
inline constexpr uint32_t kFirstQp = 2;

/// The invariant CRC of the IPv4 packet that precedes it, in the order of its bytes on the wire (the first
/// one lowest).
uint32_t Icrc(const uint8_t* ip, size_t size);

class WireImage {
 public:
  /// `bytes_of`: returns the size of a bulk message, by its number. `telemetry_of`: returns the telemetry of
  /// this sender's congestion control, or null.
  WireImage(const TrafficClasses& classes, int64_t mtu, const FrameFormat& frames,
            std::function<int64_t(uint32_t)> bytes_of, std::function<const Telemetry*(NodeId)> telemetry_of)
      : classes_(classes),
        mtu_(mtu),
        places_(frames.Places()),
        numbers_(frames.Numbers()),
        counts_(numbers_ && places_),
        bytes_of_(std::move(bytes_of)),
        telemetry_of_(std::move(telemetry_of)) {}

  /// The bytes from the Ethernet header to before the FCS. The reference is valid until the next call. `node`
  /// and `port`: origin of a PFC frame. REQUIRES: the frame sizes are RoCEv2's.
  const std::vector<uint8_t>& Of(const Frame& frame, const FrameExtension* extension, NodeId node,
                                 uint16_t port);

 private:
  void Pfc(const Frame& frame, NodeId node, uint16_t port);
  void Foreign(const Frame& frame, const FrameExtension& extension);
  void SetIpChecksum(size_t header);
  void RoceV2(const Frame& frame, const FrameExtension* extension);
  void BaseHeader(const Frame& frame);
  void ExtendedHeaders(const Frame& frame, const FrameExtension* extension);
  void InsertFeedback(const Feedback& feedback, const Telemetry* telemetry);
  void Aeth(uint8_t syndrome, uint32_t sequence);
  void Transfer(const FrameExtension& e, uint64_t index);
  void EthernetHeader(uint64_t to, uint64_t from, uint16_t type);
  int64_t MessageBytes(const Frame& frame, const FrameExtension* extension) const;
  void Put(uint64_t value, int bytes);

  TrafficClasses classes_;
  int64_t mtu_;
  bool places_;   ///< packets carry their address
  bool numbers_;  ///< packets carry their number and message
  bool counts_;   ///< packets carry the number of their try
  std::function<int64_t(uint32_t)> bytes_of_;
  std::function<const Telemetry*(NodeId)> telemetry_of_;
  std::vector<uint8_t> bytes_;
};

}  // namespace headroom
