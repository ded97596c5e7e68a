// A running workload: it offers messages at their times.
//
// Phase: generators are made and started before the run. All other calls happen in events of the run.
#pragma once

#include <memory>
#include <vector>

#include "net/identifiers.h"
#include "sim/event_queue.h"
#include "workload/parameters.h"

namespace headroom {

class MessageSink;
class Nic;
struct CoreRecord;

/// A message of a generator.
struct OfferedMessage {
  uint32_t id = 0;  ///< as Offer returned it; no other message of the run has it
  NodeId src = 0, dst = 0;
  uint32_t number = 0;  ///< as the generator gave it to Offer, if the generator hears of deliveries
};

/// Receives the messages of generators.
class Offers {
 public:
  /// Sends a message, at this instant. It cannot fail: on a failed queue pair the message stays unfinished.
  /// Offer does not call the generator back; OnDelivered and OnCompleted follow as later events. `number`:
  /// for these calls. `source_port`: for a separate queue pair; none: derived from names. Returns the
  /// message's id; kNoMessage on a rank (sim/parts.h) that does not run its poster.
  virtual uint32_t Offer(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority,
                         uint32_t number = 0, std::optional<uint16_t> source_port = std::nullopt) = 0;
  /// Records a message that the generator sends itself. Returns its number, for reports of its delivery and
  /// completion.
  virtual uint32_t Begin(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority) = 0;
  /// Called once by each generator, or once for each of its Senders, when it will offer no message except in
  /// OnCompleted. The run can then end. A sender that waits for deliveries may still offer.
  virtual void OnExhausted() = 0;

 protected:
  ~Offers() = default;
};

/// The environment of a generator.
struct GeneratorGround {
  const HostView& hosts;
  Offers& offers;
  // For a program on verbs (Arrivals::OnVerbs):
  const std::vector<Nic*>* nics = nullptr;  ///< indexed by host
  MessageSink* sink = nullptr;              ///< receives the events of its messages
};

class Generator : public EventTarget {
 public:
  virtual ~Generator() = default;
  /// Schedules the first arrivals. Called once, before the run; all entities must exist afterwards.
  virtual void Start() = 0;
  /// Hosts that stop separately: OnExhausted is called once for each, in an event of that host, or in Start
  /// inside the host's Parts::Within (sim/parts.h). Empty: it is called once, in an event of no host.
  virtual std::vector<NodeId> Senders() const { return {}; }
  /// A message of the generator has completed. Called in an event of the host that posted it; may call Offer.
  virtual void OnCompleted(const OfferedMessage&) {}
  /// Whether OnDelivered is called. It costs an event per message.
  virtual bool HearsDeliveries() const { return false; }
  /// The receiver's memory has the whole message. Called in an event of the receiver, at that time, in its
  /// part and rank; may call Offer. It may come after OnCompleted.
  virtual void OnDelivered(const OfferedMessage&) {}
  /// Adds the time that each of its processes worked until arrivals stopped, if it has processes. Called
  /// after the run.
  virtual void AddCores(std::vector<CoreRecord>& /*all*/) {}
};

/// The hosts of `candidates` that share `host`'s rack, cluster, datacenter or region.
class Neighbourhoods {
 public:
  Neighbourhoods(const Topology& topology, const std::vector<NodeId>& candidates, Scope scope);
  const std::vector<NodeId>& Of(NodeId host) const;

 private:
  std::vector<int> group_of_;  ///< indexed by host; −1: no candidate shares its place
  std::vector<std::vector<NodeId>> groups_;
  std::vector<NodeId> none_;
};

}  // namespace headroom
