// A workload at work: it offers messages when their time comes.
//
// Phase: generators are made and started before the run. All other calls happen in events of the run.
#pragma once

#include <memory>
#include <vector>

#include "sim/event_queue.h"
#include "workload/parameters.h"

namespace headroom {

class MessageSink;
class Nic;
struct CoreRecord;

/// Takes the messages of generators.
class Offers {
 public:
  /// Sends a message, at this instant. Cannot fail: on a failed queue pair the message stays unfinished.
  /// Offer does not call the generator back; OnCompleted comes as a later event.
  /// `source_port`: of a queue pair of its own; none: by names.
  virtual void Offer(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority,
                     std::optional<uint16_t> source_port = std::nullopt) = 0;
  /// Records a message that the generator sends itself. Returns its number, for the records of its delivery
  /// and completion.
  virtual uint32_t Begin(uint32_t workload, NodeId src, NodeId dst, Bytes size, uint8_t priority) = 0;
  /// Called once by each generator, when it will offer no message except in OnCompleted. The run can then
  /// end.
  virtual void OnExhausted() = 0;

 protected:
  ~Offers() = default;
};

/// Where a generator works.
struct GeneratorGround {
  const HostView& hosts;
  Offers& offers;
  // Of a program on verbs (Arrivals::OnVerbs).
  const std::vector<Nic*>* nics = nullptr;  ///< by host
  MessageSink* sink = nullptr;              ///< gets the events of its messages
};

class Generator : public EventTarget {
 public:
  virtual ~Generator() = default;
  /// Schedules the first arrivals. Called once, before the run; all entities must exist afterwards.
  virtual void Start() = 0;
  /// One of its messages completed. Called in an event of the run; may call Offer.
  virtual void OnCompleted(NodeId /*src*/, NodeId /*dst*/) {}
  /// Adds how long each of its processes worked until arrivals stopped, where it has processes. After the
  /// run.
  virtual void AddCores(std::vector<CoreRecord>& /*all*/) {}
};

/// The hosts of `candidates` that share `host`'s rack, cluster, datacenter or region.
class Neighbourhoods {
 public:
  Neighbourhoods(const Topology& topology, const std::vector<NodeId>& candidates, Scope scope);
  const std::vector<NodeId>& Of(NodeId host) const;

 private:
  std::vector<int> group_of_;  ///< by host; −1: no candidate shares its place
  std::vector<std::vector<NodeId>> groups_;
  std::vector<NodeId> none_;
};

}  // namespace headroom
