// Deliveries of messages, for the generators that hear of them at the receiver.
//
// A frame carries the message's number only. When a message is offered, its poster's rank notes for whom it
// is. If another rank runs the receiver, the note goes there with the events of the same window, so it is
// there before the first frame. The generator is called in an event of the receiver, when the data are in its
// memory: it may then post on the queue pairs of that NIC.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/exchange.h"
#include "workload/generator.h"

namespace headroom {

class Deliveries final : public Freight, public EventTarget {
 public:
  /// REQUIRES: set-up; all ranks call it at the same place. Both outlive this object.
  Deliveries(const HostView& hosts, const std::vector<std::unique_ptr<Generator>>& generators);

  /// A message is offered. Nothing happens if its generator does not hear of deliveries.
  void Await(uint32_t workload, const OfferedMessage& message);
  /// The last packet has arrived; the data are in memory from `at` on. Called in an event of the receiver.
  void OnDelivered(uint32_t message, Time at);

  void OnEvent(uint64_t message) override;
  void Pack(int to_rank, Packer& to) override { to(leaving_[static_cast<size_t>(to_rank)]); }
  void Unpack(int from_rank, Unpacker& from) override;
  void Sent() override;

 private:
  struct Awaited {
    uint32_t workload = 0;
    OfferedMessage message;
  };
  struct Receiver {
    EntityId entity = 0;
    uint64_t count = 0;  ///< number of its events
  };
  const HostView& hosts_;
  const std::vector<std::unique_ptr<Generator>>& generators_;
  std::vector<Receiver> receivers_;                ///< indexed by host
  std::unordered_map<uint32_t, Awaited> awaited_;  ///< by message, until its delivery here; never iterated
  std::vector<std::vector<Awaited>> leaving_;      ///< by rank
};

}  // namespace headroom
