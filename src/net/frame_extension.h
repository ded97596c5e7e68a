// Fields that few frames carry: destination of a WRITE or READ, immediate data, sender of a datagram, a
// payload that is read or damaged, and a packet of ns-3. Bulk traffic uses none of them.
//
// Extensions are pooled like frames: memory grows to the largest number in flight at the same time, and
// payload buffers keep their capacity.
#pragma once

#include <ns3/packet.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "net/feedback.h"
#include "net/itinerary.h"
#include "net/object_pool.h"

namespace headroom {

/// An extension of a frame, identified by its place in the pool.
enum class ExtensionId : uint32_t { none = 0 };

struct alignas(64) FrameExtension {
  static constexpr uint32_t kNoContext = UINT32_MAX;
  // The first cache line has the members that frames of bulk traffic use.
  Itinerary* itinerary = nullptr;  ///< the parts of its time, if they are recorded
  Feedback feedback;               ///< for its sender's congestion control
  bool has_feedback = false;       ///< that control requests feedback
  bool bare = false;               ///< it has only the members above
  uint64_t address = 0;            ///< RETH: virtual address at the receiver
  uint64_t length = 0;             ///< RETH: bytes of the WRITE or READ
  uint64_t psn = 0;                ///< PSN of a READ request in full: it may go back by more than 2^31
  uint32_t key = 0;                ///< RETH: remote key; IETH: the key to invalidate
  uint32_t immediate = 0;          ///< ImmDt
  uint32_t queue_key = 0;          ///< DETH
  uint32_t source_qp = 0;          ///< DETH
  uint32_t sequence = 0;  ///< AETH of a READ response: number of messages that its responder has executed;
                          ///< set if frames are captured
  uint64_t offset =
      0;  ///< data: position of the frame's first byte in the message, for recoveries that send it
  uint64_t arrived =
      0;  ///< nak: the PSN that arrived instead of the expected one, for recoveries that send it
  uint32_t receive = 0;  ///< data: the number of the RECV that it uses, for recoveries that send it
  uint64_t cause = 0;    ///< in a message's last frame: SendWr::cause
  // Some recoveries set these four, always together.
  uint32_t context = kNoContext;  ///< context number in the receiver's table, if data have one
  uint32_t transfer = 0;  ///< number of the message or of its repetition, for recoveries that send it in data
  uint64_t index = 0;     ///< data: index of the packet in its message, for recoveries that send it
  bool all =
      false;  ///< nak: the `length` packets from `arrived` on count as lost, for recoveries that send it
  uint32_t damaged = 0;          ///< 1 + the index of a damaged byte of the payload
  std::vector<uint8_t> payload;  ///< the first bytes of the frame's payload, as far as they have content
  ns3::Ptr<ns3::Packet>
      packet;  ///< foreign: the packet from its IP header on; released when the frame is freed
};

class FrameExtensions {
 public:
  ExtensionId Take() {
    if (free_.empty()) Grow();
    const ExtensionId id = free_.back();
    free_.pop_back();
    return id;
  }
  void Give(ExtensionId id) {
    FrameExtension& e = (*this)[id];
    if (!e.bare) Empty(e);
    if (e.itinerary != nullptr) itineraries_.Give(std::exchange(e.itinerary, nullptr));
    e.has_feedback = false;
    if (e.feedback.records != nullptr) records_.Give(std::exchange(e.feedback.records, nullptr));
    free_.push_back(id);
  }
  FrameExtension& operator[](ExtensionId id) {
    const uint32_t i = static_cast<uint32_t>(id) - 1;
    return blocks_[i / kBlock][i % kBlock];
  }
  const FrameExtension& operator[](ExtensionId id) const {
    const uint32_t i = static_cast<uint32_t>(id) - 1;
    return blocks_[i / kBlock][i % kBlock];
  }
  Itinerary* TakeItinerary() { return itineraries_.Take(); }
  Feedback::Records* TakeRecords() { return records_.Take(); }
  void Clear() {
    blocks_.clear();
    free_.clear();
    itineraries_.Clear();
    records_.Clear();
  }

 private:
  static void Empty(FrameExtension& e) {
    e.address = e.length = e.psn = e.cause = e.offset = e.arrived = 0;
    e.key = e.immediate = e.queue_key = e.source_qp = e.sequence = e.damaged = e.receive = 0;
    e.payload.clear();
    e.packet = nullptr;
  }
  void Grow() {
    const auto first = static_cast<uint32_t>(blocks_.size()) * kBlock + 1;
    blocks_.push_back(std::make_unique<FrameExtension[]>(kBlock));
    free_.reserve(blocks_.size() * kBlock);
    for (uint32_t i = kBlock; i-- > 0;) free_.push_back(static_cast<ExtensionId>(first + i));
  }
  static constexpr uint32_t kBlock = 256;
  std::vector<std::unique_ptr<FrameExtension[]>> blocks_;
  std::vector<ExtensionId> free_;
  ObjectPool<Itinerary> itineraries_;
  ObjectPool<Feedback::Records> records_;
};

}  // namespace headroom
