// Carries frames from rank to rank of a run (sim/exchange.h), by value.
#pragma once

#include <vector>

#include "net/frame.h"
#include "net/link.h"
#include "sim/exchange.h"

namespace headroom {

class FrameCarrier final : public EventCarrier {
 public:
  /// `links`: all of the network, by number. Both outlive this object.
  FrameCarrier(FramePool& pool, const std::vector<ns3::Ptr<Link>>& links) : pool_(pool), links_(links) {}
  /// The entity of the first link's end a. The two ends of all links follow each other.
  void SetFirstPort(EntityId entity) { first_port_ = entity; }

  void Pack(const TimedEvent& event, Packer& to) override;
  TimedEvent Unpack(Unpacker& from) override;

 private:
  void PackExtension(Frame& frame, Packer& to);
  void UnpackExtension(Frame& frame, Unpacker& from);

  FramePool& pool_;
  const std::vector<ns3::Ptr<Link>>& links_;
  EntityId first_port_ = 0;
};

}  // namespace headroom
